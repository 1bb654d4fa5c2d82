/** Decisions that a plugin which is not implemented here could have changed. */

/** @import { TimelineRow } from '../../worker/timeline.js' */

/**
 * @param {readonly string[]} [plugins]
 * @returns {string} empty: there are none
 */
export function notImplementedText(plugins = []) {
  if (plugins.length === 0) return '';
  const are = plugins.length === 1 ? 'is' : 'are';
  return (
    `${plugins.join(', ')} ${are} not implemented here and would affect this pod: ` +
    'kube-scheduler may decide differently.'
  );
}

/**
 * The pods on a node that such decisions placed.
 * @param {readonly TimelineRow[]} rows
 * @param {{ node: string, position: number, isThere: (pod: string) => boolean }} where `isThere`:
 *   whether a pod is on the node now
 * @returns {{ pods: string[], plugins: string[] }}
 */
export function notImplementedOn(rows, { node, position, isThere }) {
  const found = rows.filter(
    (row) =>
      row.notImplemented !== undefined &&
      row.node === node &&
      row.position <= position &&
      row.pod !== undefined &&
      isThere(row.pod),
  );
  const unique = (/** @type {string[]} */ names) => [...new Set(names)];
  return {
    pods: unique(found.flatMap(({ pod = '' }) => pod)),
    plugins: unique(found.flatMap(({ notImplemented = [] }) => notImplemented)),
  };
}
