/** PodTopologySpread's score: how many pods like this one are near a node already. */
import { selectsNode } from '../../../js/src/kubernetes/node_match.js';
import { decimalText, rounded } from './arithmetic.js';
import { softConstraints } from './spread_constraints.js';
import { untolerated } from './untolerated.js';

/**
 * @import { Facts, Formula } from './facts.js'
 * @import { KubernetesObject } from '../../../js/src/kubernetes/types.js'
 * @import { SpreadConstraint } from './spread_constraints.js'
 */

const HOSTNAME = 'kubernetes.io/hostname';

/**
 * What is equal for all nodes. `counts` by value; nodes count for themselves where the key is the
 * hostname.
 * @typedef {object} Spread
 * @property {{ constraint: SpreadConstraint, counts: Map<string, number>, size: number }[]} all
 * @property {Set<string>} ignored nodes without one of the keys
 */

/** One for each `feasible`. @type {WeakMap<object, Spread>} */
const known = new WeakMap();

/**
 * @param {Facts} facts
 * @returns {Formula}
 */
export function podTopologySpread(facts) {
  const spread = spreadOf(facts);
  const { name, labels = {} } = facts.node.metadata;
  if (spread.ignored.has(name))
    return { lines: ['the node lacks a label that the pod spreads over: 0'], value: 0 };
  /** @type {string[]} */
  const lines = [];
  let score = 0;
  for (const { constraint, counts, size } of spread.all) {
    const { topologyKey: key, maxSkew } = constraint;
    if (labels[key] === undefined) {
      lines.push(`${key}: the node has no such label, 0`);
      continue;
    }
    const count =
      key === HOSTNAME ? countOn(facts, constraint, name) : (counts.get(labels[key]) ?? 0);
    const weight = Math.log(size + 2);
    score = score + (count * weight + (maxSkew - 1));
    lines.push(
      `${key}=${labels[key]}: ${count} matching pods × ln(${size} + 2) = ` +
        `${decimalText(weight)}, + maxSkew ${maxSkew} − 1`,
    );
  }
  const value = rounded(score);
  return { lines: [...lines, `${decimalText(score)}, rounded ${value}`], value };
}

/**
 * The nodes that are left out: they lack a label that is spread over.
 * @param {Facts} facts
 * @returns {Set<string>}
 */
export function ignoredNodes(facts) {
  return spreadOf(facts).ignored;
}

/** @param {Facts} facts */
function spreadOf(facts) {
  const spread = known.get(facts.feasible) ?? counted(facts);
  known.set(facts.feasible, spread);
  return spread;
}

/**
 * @param {Facts} facts
 * @returns {Spread}
 */
function counted(facts) {
  const { nodes, feasible } = facts;
  const { constraints, isSystem } = softConstraints(facts);
  const lacksKey = (/** @type {KubernetesObject} */ { metadata: { labels = {} } }) =>
    !isSystem && constraints.some(({ topologyKey }) => labels[topologyKey] === undefined);
  const ignored = new Set(feasible.filter(lacksKey).map(({ metadata }) => metadata.name));
  const scored = feasible.filter(({ metadata }) => !ignored.has(metadata.name));
  const all = constraints.map((constraint) => {
    const { topologyKey: key } = constraint;
    /** @type {Map<string, number>} */
    const counts = new Map();
    if (key === HOSTNAME) return { constraint, counts, size: scored.length };
    for (const { metadata } of scored) counts.set(metadata.labels?.[key] ?? '', 0);
    for (const node of nodes) {
      if (lacksKey(node) || !isIncluded(facts, constraint, node)) continue;
      const value = node.metadata.labels?.[key] ?? '';
      const before = counts.get(value);
      if (before !== undefined)
        counts.set(value, before + countOn(facts, constraint, node.metadata.name));
    }
    return { constraint, counts, size: counts.size };
  });
  return { all, ignored };
}

/**
 * @param {Facts} facts
 * @param {SpreadConstraint} constraint
 * @param {KubernetesObject} node
 */
function isIncluded(facts, { honorsAffinity, honorsTaints }, node) {
  const { nodeSelector, affinity } = facts.pod.spec;
  if (honorsAffinity && !selectsNode({ nodeSelector, affinity }, node)) return false;
  return !honorsTaints || untolerated(facts, node, ['NoSchedule', 'NoExecute']).length === 0;
}

/**
 * @param {Facts} facts
 * @param {SpreadConstraint} constraint
 * @param {string} node
 */
function countOn({ pod, podsOn }, { selector }, node) {
  if (selector.isEmpty) return 0;
  return podsOn(node).filter(
    ({ metadata }) =>
      metadata.namespace === pod.metadata.namespace &&
      !metadata.deletionTimestamp &&
      selector.matches(metadata.labels),
  ).length;
}
