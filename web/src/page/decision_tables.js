/** Evaluations as tables. */

/** @import { Evaluation } from '../../../js/src/types.js' */

/**
 * `also`: the cycle stopped at another plugin before; this one would refuse as well.
 * @typedef {{ state: 'passed' | 'refused' | 'also' | 'notReached', reason: string }} Cell
 */

/** @typedef {'chosen' | 'feasible' | 'refused' | 'notReached'} Verdict */

/**
 * @param {Evaluation} evaluation with `detail: 'table'`
 * @param {number} most rows
 * @returns {{ plugins: string[], rows: { node: string, verdict: Verdict, cells: Cell[] }[],
 *   omitted: number }} those that fit first
 */
export function matrixOf(evaluation, most) {
  const { table, feasible = [] } = evaluation;
  if (!table) return { plugins: [], rows: [], omitted: 0 };
  const fits = new Set(feasible);
  const also = refusalsBeyond(evaluation);
  const order = table.nodes.map((_, index) => index);
  const rank = (/** @type {number} */ index) => rankOf(evaluation, fits, table.nodes[index]);
  order.sort((a, b) => rank(a) - rank(b) || a - b);
  const rows = order.slice(0, most).map((index) => {
    const node = table.nodes[index];
    const cells = table.plugins.map((plugin) => {
      const cell = table.cells[plugin]?.[index] ?? -1;
      if (cell > 0)
        return {
          state: /** @type {const} */ ('refused'),
          reason: textOf(table.statuses[cell - 1]),
        };
      const reason = also.get(plugin)?.get(node);
      if (reason !== undefined) return { state: /** @type {const} */ ('also'), reason };
      const state = /** @type {Cell['state']} */ (cell === 0 ? 'passed' : 'notReached');
      return { state, reason: '' };
    });
    return { node, verdict: verdictOf(evaluation, fits, node, cells), cells };
  });
  return { plugins: table.plugins, rows, omitted: table.nodes.length - rows.length };
}

/**
 * @param {Evaluation} evaluation
 * @param {number} most rows
 * @returns {{ plugins: { plugin: string, weight: number }[], rows: { node: string, total: number,
 *   isBest: boolean, scores: { raw: number, normalised: number, weight: number, weighted: number
 *   }[] }[], omitted: number }} the highest total first
 */
export function scoreTableOf({ feasible = [], total, scores, rawScores, weights, best }, most) {
  if (!total || !scores) return { plugins: [], rows: [], omitted: 0 };
  const plugins = Object.keys(scores).map((plugin) => ({ plugin, weight: weights?.[plugin] ?? 1 }));
  const order = feasible.map((_, index) => index).sort((a, b) => total[b] - total[a] || a - b);
  const rows = order.slice(0, most).map((index) => ({
    node: feasible[index],
    total: total[index],
    isBest: best?.includes(feasible[index]) ?? false,
    scores: plugins.map(({ plugin, weight }) => {
      const weighted = scores[plugin][index];
      const raw = rawScores?.[plugin]?.[index] ?? weighted;
      return { raw, normalised: weighted / weight, weight, weighted };
    }),
  }));
  return { plugins, rows, omitted: feasible.length - rows.length };
}

/**
 * What would refuse a node besides the plugin that did: by plugin, the reason for each node.
 * @param {Evaluation} evaluation
 */
function refusalsBeyond({ filterAll = [] }) {
  /** @type {Map<string, Map<string, string>>} */
  const found = new Map();
  for (const group of filterAll) {
    const own = found.get(group.plugin) ?? new Map();
    for (const node of group.nodes) own.set(node, textOf(group));
    found.set(group.plugin, own);
  }
  return found;
}

/** @param {{ reasons: string[] }} status */
function textOf({ reasons }) {
  return reasons.join(', ');
}

/**
 * @param {Evaluation} evaluation
 * @param {Set<string>} fits
 * @param {string} node
 */
function rankOf(evaluation, fits, node) {
  if (evaluation.node === node) return 0;
  return fits.has(node) ? 1 : 2;
}

/**
 * @param {Evaluation} evaluation
 * @param {Set<string>} fits
 * @param {string} node
 * @param {Cell[]} cells
 * @returns {Verdict}
 */
function verdictOf(evaluation, fits, node, cells) {
  if (evaluation.node === node) return 'chosen';
  if (fits.has(node)) return 'feasible';
  return cells.some(({ state }) => state === 'refused') ? 'refused' : 'notReached';
}
