/** Classifies a pod: whether it fits now, by preemption, not now, or never; with a proof. */
import { keyOf } from '../kubernetes/keys.js';
import { onceClaimsExist } from '../engine/awaited_claims.js';
import { culpritSentence } from '../engine/culprits.js';
import { askEmptied, nodesNearRequired } from './classify/emptied.js';
import { refusalsIn, whyObjects } from './classify/refusals.js';
import { documentOf } from './document.js';
import { askedPod } from './fix/question.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { Culprit, Evaluation, Fits } from '../engine/types.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { NeverReason } from './classify/refusals.js'
 */

/**
 * What a node has against the pod now. `node` is null if it concerns all.
 * @typedef {{ node: string | null, plugin: string, text: string, pods: string[] }} Obstacle
 */

/**
 * What proves the classification. `node`: of Now and WithPreemption the pod's, of NotNow one that
 * would take it if no other pod existed, or null. `victims`: of WithPreemption. `reasons`: of
 * Never, what excludes the nodes even then. `inTheWay`: of NotNow, on the nearest nodes.
 * @typedef {object} Proof
 * @property {string} text
 * @property {string | null} [node]
 * @property {string[]} [victims] `namespace/name`
 * @property {NeverReason[]} [reasons]
 * @property {Obstacle[]} [inTheWay]
 */

/** The most obstacles that are listed. */
const OBSTACLES_MAX = 10;

/**
 * Classifies a pod. `Never` holds whatever pods are removed: the cluster without all other pods is
 * evaluated, in time that grows with their number.
 * @param {Scheduler} scheduler with the simulated API, that keeps objects
 * @param {KubernetesObject | string} pod a pod, or the `namespace/name` of one in the cluster
 * @param {{ signal?: AbortSignal }} [options]
 * @throws {import('../kubernetes/errors.js').InputError} if there is no such pod
 * @throws the signal's reason
 */
export async function classify(scheduler, pod, { signal } = {}) {
  signal?.throwIfAborted();
  return onceClaimsExist(scheduler, pod, async (served, one) => {
    const asked = askedPod(served, one);
    const evaluation = await served.evaluateAsync(asked, {
      everyNode: true,
      allPlugins: true,
      culprits: true,
      signal,
    });
    const { fits, proof } = await classified(served, asked, { evaluation, signal });
    const { message = '' } = evaluation;
    return documentOf('Classification', served, { pod: keyOf(asked), fits, message, proof });
  });
}

/** @typedef {{ fits: Fits, proof: Proof }} Classified */

/**
 * Classifies a pod of which an evaluation exists: of every node, with culprits and preemption; with
 * all plugins if the pod is gated.
 * @param {Scheduler} scheduler
 * @param {KubernetesObject} pod complete
 * @param {{ evaluation: Evaluation, signal?: AbortSignal }} present
 * @returns {Promise<Classified>}
 */
export async function classified(scheduler, pod, present) {
  return atOnce(present.evaluation) ?? withoutPods(scheduler, pod, present);
}

/**
 * @param {Evaluation} evaluation
 * @returns {Classified | undefined} undefined if the pod gets no node, be it by preemption
 */
function atOnce({ node, plugin, message = '', preemption }) {
  if (node) return { fits: 'Now', proof: { text: `it fits on ${node}`, node } };
  const { nominatedNode, victims = [] } = preemption ?? {};
  if (nominatedNode) {
    const text = `it fits on ${nominatedNode} when ${victims.join(', ')} have been evicted`;
    return { fits: 'WithPreemption', proof: { text, node: nominatedNode, victims } };
  }
  if (plugin !== 'SchedulingGates') return undefined;
  const inTheWay = [{ node: null, plugin, text: message, pods: [] }];
  return {
    fits: 'NotNow',
    proof: { text: 'its scheduling gates are closed', node: null, inTheWay },
  };
}

/**
 * @param {Scheduler} scheduler
 * @param {KubernetesObject} pod
 * @param {{ evaluation: Evaluation, signal?: AbortSignal }} present
 * @returns {Promise<Classified>}
 */
async function withoutPods(scheduler, pod, { evaluation, signal }) {
  const { alone, relaxed, bare } = await askEmptied(scheduler, pod, signal);
  if (alone.node) {
    const text = `it would fit on ${alone.node} if no other pod existed`;
    return notNow(text, alone.node, evaluation);
  }
  if (!relaxed?.node) return neverOrLater(relaxed ?? alone, { evaluation, bare });
  const near = new Set(await nodesNearRequired(scheduler, pod, signal));
  const possible = (relaxed.feasible ?? []).filter((node) => near.has(node));
  if (possible.length > 0) {
    const text =
      `${possible[0]} would take it without other pods, and has the pods near it that it ` +
      'requires; whether some of the pods leave room for it was not proven';
    return notNow(text, null, evaluation);
  }
  const rest = neverOrLater(alone, { evaluation, bare });
  const text =
    'nodes that would take it without other pods have none of the pods near them that its ' +
    'affinity requires, and removing pods adds none';
  return rest.fits === 'Never' ? { fits: 'Never', proof: { ...rest.proof, text } } : rest;
}

/**
 * Decides for a pod that no node takes even without other pods.
 * @param {Evaluation} emptied
 * @param {{ evaluation: Evaluation, bare?: Evaluation }} others the present one, and the one
 *   without the pod's volumes and claims
 * @returns {Classified}
 */
function neverOrLater(emptied, { evaluation, bare }) {
  const objects = whyObjects(emptied);
  const isBareRefused = bare !== undefined && bare.node === null;
  if (objects && !isBareRefused)
    return notNow(objects, null, emptied.preFilter ? emptied : evaluation);
  const condition = objects ? ' and its volumes and claims were there' : '';
  const text = `no node takes it even if no other pod existed${condition}`;
  return { fits: 'Never', proof: { text, reasons: refusalsIn(objects && bare ? bare : emptied) } };
}

/**
 * @param {string} text
 * @param {string | null} node
 * @param {Evaluation} evaluation
 * @returns {Classified}
 */
function notNow(text, node, evaluation) {
  const { preFilter, culprits = [] } = evaluation;
  const inTheWay = preFilter
    ? [{ node: null, plugin: preFilter.plugin, text: preFilter.reasons.join(', '), pods: [] }]
    : culprits.slice(0, OBSTACLES_MAX).map(obstacleOf);
  return { fits: 'NotNow', proof: { text, node, inTheWay } };
}

/** @param {Culprit} culprit @returns {Obstacle} */
function obstacleOf(culprit) {
  const { node, plugin } = culprit;
  return { node, plugin, text: culpritSentence(culprit), pods: podsOf(culprit) };
}

/**
 * Returns the pods that a culprit names.
 * @param {Culprit} culprit
 */
function podsOf(culprit) {
  const { resources = [], ports = [], antiAffinity = [], existingAntiAffinity = [] } = culprit;
  const refused = (culprit.deviceRequests ?? []).flatMap((request) => request.refused);
  return [
    ...new Set([
      ...resources.flatMap(({ pods = [] }) => pods.map(({ pod }) => pod)),
      ...[...ports, ...antiAffinity].flatMap(({ pods }) => pods),
      ...existingAntiAffinity.map(({ pod }) => pod),
      ...(culprit.pods ?? []),
      ...refused.flatMap(({ pods = [] }) => pods),
    ]),
  ];
}
