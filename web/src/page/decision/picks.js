/** Why preemption did not pick a candidate. */

/** @import { PickStep } from '../../explain/pick_node.js' */

/**
 * @param {PickStep[]} steps
 * @param {number} at which candidate
 * @param {string} node its name
 * @returns {string} empty: it is not known
 */
export function whyNotPicked(steps, at, node) {
  const lost = steps.find(({ left }) => !left.includes(node));
  if (!lost) return '';
  const { criterion, amounts, best } = lost;
  return amounts ? `${criterion}: ${amounts[at]}, best ${best}` : `not by ${criterion}`;
}
