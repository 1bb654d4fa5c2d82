/** Turns evaluations into tables. */

/** @import { Evaluation } from '../../../../js/src/index.js' */

/**
 * `also`: the plugin would refuse the node, but the cycle stopped at an earlier plugin or did not
 * reach the node.
 * @typedef {{ state: 'passed' | 'refused' | 'also' | 'notReached', reason: string }} Cell
 */

/** `absent`: a PreFilter plugin excluded the node. */
/** @typedef {'chosen' | 'feasible' | 'refused' | 'absent' | 'notReached'} Verdict */

/** @typedef {{ node: string, verdict: Verdict, cells: Cell[] }} MatrixRow */

/**
 * @typedef {object} Matrix
 * @property {string[]} plugins plugins that filtered nodes
 * @property {string[]} skipped plugins that skipped this pod
 * @property {MatrixRow[]} rows nodes that fit come first
 * @property {number} omitted the number of nodes without a row
 */

/** @typedef {{ raw: number, normalised: number, weight: number, weighted: number }} Score */

/**
 * `rank` counts from 1; equal totals share a rank.
 * @typedef {object} ScoreRow
 * @property {string} node
 * @property {number} total
 * @property {number} rank
 * @property {boolean} isBest whether it has the highest total
 * @property {boolean} isChosen
 * @property {boolean} isTied whether other nodes have the same total
 * @property {Score[]} scores
 */

/**
 * @param {Evaluation} evaluation with `detail: 'table'`
 * @param {{ most: number, search?: string, isAll?: boolean }} options `most`: the number of rows;
 *   `search`: a part of the nodes' names; `isAll`: includes the verdicts of plugins that the cycle
 *   skipped
 * @returns {Matrix}
 */
export function matrixOf(evaluation, { most, search = '', isAll = false }) {
  const { table } = evaluation;
  if (!table) return { plugins: [], skipped: [], rows: [], omitted: 0 };
  const { nodes, plugins, cells, statuses, skipped = [] } = table;
  const verdicts = verdictsOf(evaluation);
  const also = isAll ? refusalsBeyond(evaluation) : new Map();
  const verdictAt = (/** @type {number} */ at) => verdicts.get(nodes[at]) ?? 'notReached';
  const found = nodes.map((_, at) => at).filter((at) => nodes[at].includes(search));
  const order = found.sort((a, b) => RANKS[verdictAt(a)] - RANKS[verdictAt(b)] || a - b);
  const cellOf = (/** @type {string} */ plugin, /** @type {number} */ at) => {
    const cell = cells[plugin]?.[at] ?? -1;
    if (cell > 0) return cellWith('refused', textOf(statuses[cell - 1]));
    const reason = also.get(plugin)?.get(nodes[at]);
    if (reason !== undefined) return cellWith('also', reason);
    return cellWith(cell === 0 ? 'passed' : 'notReached', '');
  };
  const rows = order.slice(0, most).map((at) => ({
    node: nodes[at],
    verdict: verdictAt(at),
    cells: plugins.map((plugin) => cellOf(plugin, at)),
  }));
  return { plugins, skipped, rows, omitted: found.length - rows.length };
}

/** @type {Record<Verdict, number>} */
const RANKS = { chosen: 0, feasible: 1, refused: 2, absent: 3, notReached: 4 };

/**
 * @param {Evaluation} evaluation
 * @param {{ most: number, search?: string }} options
 * @returns {{ plugins: { plugin: string, weight: number }[], rows: ScoreRow[], omitted: number }}
 *   by total, the highest first; among equal ones the chosen node comes first
 */
export function scoreTableOf(evaluation, { most, search = '' }) {
  const { node: chosen, feasible = [], total, scores, rawScores, weights } = evaluation;
  if (!total || !scores) return { plugins: [], rows: [], omitted: 0 };
  const plugins = Object.keys(scores).map((plugin) => ({ plugin, weight: weights?.[plugin] ?? 1 }));
  const ranks = ranksOf(total);
  const isChosen = (/** @type {number} */ at) => feasible[at] === chosen;
  const found = feasible.map((_, at) => at).filter((at) => feasible[at].includes(search));
  const order = found.sort(
    (a, b) => total[b] - total[a] || Number(isChosen(b)) - Number(isChosen(a)) || a - b,
  );
  const rows = order.slice(0, most).map((at) => {
    const { rank = 0, count = 0 } = ranks.get(total[at]) ?? {};
    return {
      node: feasible[at],
      total: total[at],
      rank,
      isBest: rank === 1,
      isChosen: isChosen(at),
      isTied: count > 1,
      scores: plugins.map(({ plugin, weight }) => {
        const weighted = scores[plugin][at];
        const raw = rawScores?.[plugin]?.[at] ?? weighted;
        return { raw, normalised: weighted / weight, weight, weighted };
      }),
    };
  });
  return { plugins, rows, omitted: found.length - rows.length };
}

/**
 * @param {number[]} total
 * @returns {Map<number, { rank: number, count: number }>} by total
 */
function ranksOf(total) {
  /** @type {Map<number, { rank: number, count: number }>} */
  const ranks = new Map();
  [...total]
    .sort((a, b) => b - a)
    .forEach((one, at) => {
      const known = ranks.get(one);
      if (known) known.count += 1;
      else ranks.set(one, { rank: at + 1, count: 1 });
    });
  return ranks;
}

/**
 * The result for each node; nodes that the cycle did not reach are not in it.
 * @param {Evaluation} evaluation
 * @returns {Map<string, Verdict>}
 */
function verdictsOf({ node, feasible = [], filter = [], preFilterResult, table }) {
  /** @type {Map<string, Verdict>} */
  const verdicts = new Map();
  if (preFilterResult) for (const name of table?.nodes ?? []) verdicts.set(name, 'absent');
  for (const name of preFilterResult ?? []) verdicts.delete(name);
  for (const { nodes } of filter) for (const name of nodes) verdicts.set(name, 'refused');
  for (const name of feasible) verdicts.set(name, 'feasible');
  if (node) verdicts.set(node, 'chosen');
  return verdicts;
}

/**
 * For each node the plugins that would refuse it besides the one that did: the reason by plugin.
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

/**
 * @param {Cell['state']} state
 * @param {string} reason
 * @returns {Cell}
 */
function cellWith(state, reason) {
  return { state, reason };
}

/** @param {{ reasons: string[] }} status */
function textOf({ reasons }) {
  return reasons.join(', ');
}
