/** The reason why preemption did not pick a candidate. */

/** @import { PickNotes } from '../../../../js/src/index.js' */

/**
 * The criterion that ruled a candidate out, with its value and the best value.
 * @param {PickNotes | null | undefined} notes
 * @param {string} node of the candidate
 * @returns {string} empty if it is unknown
 */
export function whyNotPicked(notes, node) {
  const at = notes?.nodes.indexOf(node) ?? -1;
  const lost = notes?.criteria.find(({ left }) => !left.includes(node));
  if (!notes || !lost || at < 0) return '';
  const { criterion, amounts, left } = lost;
  if (amounts.length === 0) return `not ${criterion}`;
  return `${criterion}: ${amounts[at]}, best ${amounts[notes.nodes.indexOf(left[0])]}`;
}
