import { nodeRow } from '../../engine/evaluation.js';
import { own } from '../../kubernetes/values.js';
import { formatTable } from '../terminal/terminal.js';

/**
 * @import { Evaluation } from '../../engine/types.js'
 * @import { NodeRow } from '../../engine/evaluation.js'
 */

const VERDICTS = Object.freeze({
  chosen: 'chosen',
  feasible: 'fits',
  refused: 'refused',
  absent: 'excluded',
  notReached: 'not reached',
});

/**
 * Formats the nodes of an evaluation against its plugins. A cell contains the plugin's reasons if
 * it refuses the node, its weighted score if the node fits, `ok` if it passed the node, and a dot
 * if it was not called. Plugins with only dots have no column.
 * @param {Evaluation} evaluation
 * @param {string[]} nodes all nodes of the cluster, in order
 * @param {{ headers: boolean, limit: number, paint: (text: string, color:
 *   import('../terminal/terminal.js').Color) => string }} options
 * @returns {{ text: string, omitted: number }} the text, and the number of nodes that the limit
 *   left out
 */
export function formatMatrix(evaluation, nodes, { headers, limit, paint }) {
  const rows = nodes
    .map((node) => nodeRow(evaluation, node))
    .sort((a, b) => rank(a) - rank(b) || (b.total ?? 0) - (a.total ?? 0));
  const shown = limit > 0 ? rows.slice(0, limit) : rows;
  const plugins = columnsOf(evaluation, shown);
  const passed = passedCells(evaluation);
  const body = shown.map((row) => [
    row.node,
    VERDICTS[row.verdict],
    row.total === undefined ? '<none>' : String(row.total),
    ...plugins.map((plugin) => cellOf(row, plugin, passed)),
  ]);
  const colors = shown.map(
    ({ verdict }) =>
      /** @type {const} */ ({
        chosen: 'green',
        feasible: 'bold',
        refused: 'red',
        absent: 'dim',
        notReached: 'dim',
      })[verdict],
  );
  const paintCell = (
    /** @type {string} */ text,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) => (column === 1 && row > 0 ? paint(text, colors[row - 1]) : text);
  const text = formatTable([['NODE', 'VERDICT', 'TOTAL', ...plugins], ...body], {
    headers,
    paint: paintCell,
  });
  return { text, omitted: rows.length - shown.length };
}

/** @param {NodeRow} row */
function rank({ verdict }) {
  return ['chosen', 'feasible', 'refused', 'absent', 'notReached'].indexOf(verdict);
}

/**
 * @param {Evaluation} evaluation
 * @param {NodeRow[]} rows
 */
function columnsOf(evaluation, rows) {
  const speaking = new Set(
    rows.flatMap(({ refusals, scores }) => [
      ...refusals.map(({ plugin }) => plugin),
      ...Object.keys(scores ?? {}),
    ]),
  );
  const order = evaluation.table?.plugins ?? [];
  return [
    ...order.filter((plugin) => speaking.has(plugin)),
    ...[...speaking].filter((plugin) => !order.includes(plugin)),
  ];
}

/**
 * Returns a function that tells whether a plugin passed a node that it does not refuse. The table
 * contains the calls of the cycle; with `filterAll` each plugin with a column there was called for
 * each node.
 * @param {Evaluation} evaluation
 * @returns {(node: string, plugin: string) => boolean}
 */
function passedCells({ table, filterAll }) {
  const positions = new Map(table?.nodes.map((node, position) => [node, position]));
  return (node, plugin) => {
    const cell = own(table?.cells, plugin)?.[positions.get(node) ?? -1];
    return cell === 0 || (filterAll !== undefined && cell !== undefined);
  };
}

/**
 * @param {NodeRow} row
 * @param {string} plugin
 * @param {(node: string, plugin: string) => boolean} passed
 */
function cellOf(row, plugin, passed) {
  const refusal = row.refusals.find((it) => it.plugin === plugin);
  if (refusal) return refusal.reasons.join(', ');
  const score = own(row.scores, plugin);
  if (score !== undefined) return String(score);
  const isFeasible = row.verdict === 'chosen' || row.verdict === 'feasible';
  return isFeasible || passed(row.node, plugin) ? 'ok' : '.';
}
