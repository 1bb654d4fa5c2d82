/** Finds the attempt that placed a pod. */

/** @import { TimelineRow } from '../../worker/timeline.js' */

/**
 * @param {readonly TimelineRow[]} rows
 * @param {{ pod: string, node: string, position?: number }} where `node`: the pod's node, empty if
 *   it has none; `position`: later rows have not happened
 * @returns {number | undefined} undefined: none did
 */
export function placingAttempt(rows, { pod, node, position = Infinity }) {
  if (node === '') return undefined;
  const row = rows.findLast(
    (one) =>
      one.kind === 'Decision' && one.pod === pod && one.node === node && one.position <= position,
  );
  return row?.attempt;
}
