/** Prints the culprits of an evaluation as a table, one line for each node and plugin. */
import { culpritSentence } from '../engine/culprits.js';
import { formatTable } from './terminal.js';

/** @import { Evaluation } from '../engine/types.js' */

/**
 * Formats the table, the nearest node first.
 * @param {Evaluation} evaluation
 * @param {{ headers: boolean, limit: number }} options `limit`: the number of nodes, 0 for all
 * @returns {string} empty if there are no culprits
 */
export function formatCulprits({ culprits = [], culpritsOmitted = 0 }, { headers, limit }) {
  const nodes = [...new Set(culprits.map(({ node }) => node))];
  const shown = new Set(limit > 0 ? nodes.slice(0, limit) : nodes);
  if (shown.size === 0) return '';
  const rows = culprits
    .filter(({ node }) => shown.has(node))
    .map((culprit) => [culprit.node, culprit.plugin, culpritSentence(culprit)]);
  const omitted = limit > 0 ? 0 : culpritsOmitted;
  const more = omitted > 0 ? `${omitted} nodes more refuse the pod\n` : '';
  return formatTable([['NODE', 'PLUGIN', 'WHY NOT'], ...rows], { headers }) + more;
}
