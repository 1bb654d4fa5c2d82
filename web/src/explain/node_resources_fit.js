/** NodeResourcesFit's score: how much of a node is taken with the pod on it. */
import { percent, rounded, shapeAt } from './arithmetic.js';
import { nodeValues } from './node_values.js';
import { NON_ZERO, requestOf } from './pod_requests.js';

/**
 * @import { Facts, Formula } from './facts.js'
 * @import { NodeValue } from './node_values.js'
 */

/**
 * How one resource is scored, and in which words.
 * @typedef {(value: NodeValue) => { text: string, score: number }} Strategy
 */

/**
 * @param {Facts} facts
 * @returns {Formula}
 */
export function nodeResourcesFit(facts) {
  const { type = 'LeastAllocated', ...strategy } = facts.args.scoringStrategy ?? {};
  const scoreOf = strategyOf(type, strategy);
  const askedOf = (/** @type {string} */ name) =>
    requestOf(facts.pod.spec, name, { missing: defaultOf(name), hasPodLevel: false });
  const { resources } = strategy;
  const values = nodeValues(facts, { resources, askedOf, isNonZero: true });
  const scored = values.map((value) => ({ ...value, ...scoreOf(value) }));
  const lines = [
    `${type} over ${values.map(({ name }) => name).join(', ') || 'nothing that the node has'}`,
    ...scored.map(
      ({ name, allocated, asked, requested, text, score }) =>
        `${name}: requested ${allocated} + ${asked} = ${requested}; ${text} = ${score}`,
    ),
  ];
  const isRatio = type === 'RequestedToCapacityRatio';
  const counted = isRatio ? scored.filter(({ score }) => score > 0) : scored;
  const weights = counted.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return { lines: [...lines, 'no resource counts: 0'], value: 0 };
  const sum = counted.reduce((total, { score, weight }) => total + score * weight, 0);
  const value = isRatio ? rounded(sum / weights) : Math.trunc(sum / weights);
  const terms = counted.map(({ score, weight }) => `${score} × ${weight}`).join(' + ');
  return { lines: [...lines, `(${terms}) / ${weights} = ${value}`], value };
}

/**
 * @param {string} type
 * @param {{ requestedToCapacityRatio?: { shape: { utilization: number, score: number }[] } }}
 *   strategy
 * @returns {Strategy}
 */
function strategyOf(type, { requestedToCapacityRatio }) {
  if (type === 'MostAllocated')
    return ({ requested, allocatable }) => {
      const within = Math.min(requested, allocatable);
      return { text: `${within} × 100 / ${allocatable}`, score: percent(within, allocatable) };
    };
  if (type === 'RequestedToCapacityRatio')
    return ({ requested, allocatable }) => {
      const used = requested > allocatable ? 100 : percent(requested, allocatable);
      const text = `shape(${requested} × 100 / ${allocatable} = ${used})`;
      return { text, score: shapeAt(requestedToCapacityRatio?.shape ?? [], used) };
    };
  return ({ requested, allocatable }) => {
    if (requested > allocatable) return { text: `more than ${allocatable}`, score: 0 };
    const text = `(${allocatable} − ${requested}) × 100 / ${allocatable}`;
    return { text, score: percent(allocatable - requested, allocatable) };
  };
}

/** @param {string} name */
function defaultOf(name) {
  return name === 'cpu' || name === 'memory' ? NON_ZERO[name] : 0;
}
