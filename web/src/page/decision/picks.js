/** Why preemption did not pick a candidate. */

/** @import { PickNotes } from '../../../../js/src/index.js' */

/**
 * The criterion that ruled a candidate out, with its amount and the best one.
 * @param {PickNotes | null | undefined} notes
 * @param {string} node the candidate's
 * @returns {string} empty: it is not known
 */
export function whyNotPicked(notes, node) {
  const at = notes?.nodes.indexOf(node) ?? -1;
  const lost = notes?.criteria.find(({ left }) => !left.includes(node));
  if (!notes || !lost || at < 0) return '';
  const { criterion, amounts, left } = lost;
  if (amounts.length === 0) return `not ${criterion}`;
  return `${criterion}: ${amounts[at]}, best ${amounts[notes.nodes.indexOf(left[0])]}`;
}
