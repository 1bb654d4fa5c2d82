/** NodeResourcesBalancedAllocation's score: whether the pod evens out what is taken of a node. */
import { decimalText } from './arithmetic.js';
import { nodeValues } from './node_values.js';
import { requestOf } from './pod_requests.js';

/** @import { Facts, Formula } from './facts.js' */

/**
 * @param {Facts} facts
 * @returns {Formula}
 */
export function nodeResourcesBalancedAllocation(facts) {
  const askedOf = (/** @type {string} */ name) => requestOf(facts.pod.spec, name);
  const { resources } = facts.args;
  const values = nodeValues(facts, { resources, askedOf, isNonZero: false });
  const fractions = (/** @type {'allocated' | 'requested'} */ which) =>
    values.map((value) => Math.min(value[which] / value.allocatable, 1));
  const [before, after] = [balanceOf(fractions('allocated')), balanceOf(fractions('requested'))];
  const value = 50 + Math.trunc((50 + after - before) / 2);
  const lines = [
    ...values.map(
      ({ name, allocated, asked, allocatable }) =>
        `${name}: ${allocated} + ${asked} of ${allocatable} is ` +
        `${decimalText(Math.min((allocated + asked) / allocatable, 1))}, ` +
        `without the pod ${decimalText(Math.min(allocated / allocatable, 1))}`,
    ),
    `balance, (1 − standard deviation) × 100: with the pod ${after}, without it ${before}`,
    `50 + (50 + ${after} − ${before}) / 2 = ${value}`,
  ];
  return { lines, value };
}

/**
 * In the order of operations of kube-scheduler, as the result is truncated.
 * @param {number[]} fractions
 */
function balanceOf(fractions) {
  return Math.trunc((1 - deviationOf(fractions)) * 100);
}

/** @param {number[]} fractions */
function deviationOf(fractions) {
  if (fractions.length < 2) return 0;
  if (fractions.length === 2) return Math.abs((fractions[0] - fractions[1]) / 2);
  const mean = fractions.reduce((sum, one) => sum + one, 0) / fractions.length;
  const squares = fractions.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  return Math.sqrt(squares / fractions.length);
}
