/** Writes the culprits of an evaluation as sentences. */

import { deviceTexts, taintText } from './device_culprits.js';

/**
 * @import { Culprit, Evaluation } from './types.js'
 */

/** The options of an evaluation for `nearestNode`: of all nodes, only the culprits. */
export const FOR_THE_NEAREST = Object.freeze({
  culprits: true,
  everyNode: true,
  preemption: false,
});

/**
 * Returns the sentence about the nearest node: of those that PreFilter plugins keep, if there are
 * any, the one that the fewest plugins refuse, and of these the one where the least is missing.
 * @param {Evaluation} evaluation with `culprits`
 * @returns {string | undefined} undefined if no plugin refused a node
 */
export function nearestNode({ culprits = [] }) {
  const [first] = culprits;
  if (!first) return undefined;
  const own = culprits.filter(({ node }) => node === first.node);
  return `${first.node}: ${own.map(culpritSentence).join('; ')}`;
}

/**
 * Returns the reason of one refusal, without the node's name.
 * @param {Culprit} culprit
 * @returns {string}
 */
export function culpritSentence(culprit) {
  const parts = partsOf(culprit);
  return parts.length > 0 ? parts.join(', ') : culprit.reasons.join(', ');
}

/**
 * @param {Culprit} culprit
 * @returns {string[]}
 */
function partsOf(culprit) {
  const { taint, pods = [] } = culprit;
  return [
    ...(culprit.resources ?? []).map(resourceText),
    ...(taint ? [`the pod does not tolerate the taint ${taintText(taint)}`] : []),
    ...(culprit.ports ?? []).map(portText),
    ...(culprit.requirements ?? []).map(requirementText),
    ...(culprit.affinity ?? []).map(affinityText),
    ...(culprit.antiAffinity ?? []).map(antiAffinityText),
    ...(culprit.existingAntiAffinity ?? []).map(existingAntiAffinityText),
    ...(culprit.constraints ?? []).map(constraintText),
    ...(culprit.claims ?? []).map(claimText),
    ...(culprit.volumes ?? []).map(volumeText),
    ...(culprit.limits ?? []).map(limitText),
    ...deviceTexts(culprit),
    ...(pods.length > 0 ? [`${pods.join(', ')} ${uses(pods)} a volume that the pod needs`] : []),
  ];
}

/** @param {NonNullable<Culprit['resources']>[number]} resource */
function resourceText({ resource, asked, allocatable, taken, missing, pods = [] }) {
  const takers = pods.map(({ pod, taken: amount }) => `${pod} ${amount}`).join(', ');
  const most = takers && `, most by ${takers}`;
  const room = `${taken} of ${allocatable} are taken${most}`;
  return `the pod asks for ${asked} ${resource}, ${room}: ${missing} missing`;
}

/** @param {NonNullable<Culprit['ports']>[number]} port */
function portText({ port, protocol, hostIP, pods }) {
  const address = hostIP === '0.0.0.0' ? '' : ` on ${hostIP}`;
  const hold = pods.length === 1 ? 'holds' : 'hold';
  return `${pods.join(', ')} ${hold} host port ${port}/${protocol}${address}`;
}

/** @param {NonNullable<Culprit['requirements']>[number]} requirement */
function requirementText({ field, key, operator, values, value }) {
  const wanted = values.length > 0 ? `${operator} [${values.join(', ')}]` : operator;
  const has = value === null ? `has no label ${key}` : `has ${key}=${value}`;
  return `the node ${has}, ${field} asks for ${wanted}`;
}

/** @param {{ topologyKey: string, domain: string | null }} where */
function domainText({ topologyKey, domain }) {
  return `${topologyKey}=${domain}`;
}

/** @param {NonNullable<Culprit['affinity']>[number]} affinity */
function affinityText(affinity) {
  const { term, topologyKey, domain } = affinity;
  return domain === null
    ? `the node has no label ${topologyKey}, which ${term} asks for`
    : `no pod in ${domainText(affinity)} is one that ${term} asks for`;
}

/** @param {NonNullable<Culprit['antiAffinity']>[number]} antiAffinity */
function antiAffinityText(antiAffinity) {
  const { term, pods } = antiAffinity;
  const are = pods.length === 1 ? 'is' : 'are';
  return `${pods.join(', ')} in ${domainText(antiAffinity)} ${are} excluded by ${term}`;
}

/** @param {NonNullable<Culprit['existingAntiAffinity']>[number]} existing */
function existingAntiAffinityText(existing) {
  return `${existing.pod} in ${domainText(existing)} excludes the pod by its ${existing.term}`;
}

/** @param {NonNullable<Culprit['constraints']>[number]} constraint */
function constraintText(constraint) {
  const { topologyKey, domain, pods, minimum, skew, maxSkew, minDomains, domains } = constraint;
  if (domain === null)
    return `the node has no label ${topologyKey}, which a spread constraint needs`;
  const few =
    minDomains === undefined || Number(domains) >= minDomains
      ? ''
      : ` because there are ${domains} of ${minDomains} domains`;
  const least = `the minimum is ${minimum}${few}`;
  const broken = `the skew would be ${skew}, at most ${maxSkew} is allowed`;
  return `${domainText(constraint)} has ${pods} matching pods and ${least}: ${broken}`;
}

/** @param {NonNullable<Culprit['claims']>[number]} claim */
function claimText({ claim, volume, storageClass, selectedNode, reason }) {
  const details = [
    volume !== undefined && `volume ${volume}`,
    storageClass !== undefined && `class ${storageClass}`,
    selectedNode !== undefined && `its volume is made for node ${selectedNode}`,
  ].filter(Boolean);
  const about = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `claim ${claim}${about}: ${reason}`;
}

/** @param {NonNullable<Culprit['volumes']>[number]} volume */
function volumeText({ claim, volume, key, values, value }) {
  const has = value === null ? 'the node has no such label' : `the node is in ${value}`;
  return `volume ${volume} of claim ${claim} is in ${key}=${values.join(' or ')}, ${has}`;
}

/** @param {NonNullable<Culprit['limits']>[number]} limit */
function limitText({ driver, asked, attached, limit }) {
  const wanted = `would attach ${asked} more, its limit is ${limit}`;
  return `driver ${driver} has ${attached} volumes attached and ${wanted}`;
}

/** @param {string[]} pods */
function uses(pods) {
  return pods.length === 1 ? 'uses' : 'use';
}
