/**
 * Answers questions about an Evaluation, or about a Decision with `detail: 'nodes'`. Pure functions
 * over plain data.
 */

import { own } from '../kubernetes/values.js';

/** @import { Decision, Evaluation, FilterGroup } from './types.js' */

/**
 * One plugin's refusal of one node.
 * @typedef {{ plugin: string, code: string, reasons: string[] }} Refusal
 */

/**
 * One node of an evaluation. `verdict` is `chosen`, `feasible`, `refused`, `absent` (PreFilter
 * plugins excluded it) or `notReached` (the search found enough nodes before, or the node does not
 * exist). `refusals` starts with the one that ended the node's filtering; the others come from
 * `allPlugins`.
 * @typedef {object} NodeRow
 * @property {string} node
 * @property {'chosen' | 'feasible' | 'refused' | 'absent' | 'notReached'} verdict
 * @property {Refusal[]} refusals
 * @property {number} [total]
 * @property {Record<string, number>} [scores] weighted, by plugin
 * @property {Record<string, number>} [rawScores]
 */

/**
 * Returns one node as an object.
 * @param {Evaluation | Decision} evaluation
 * @param {string} node its name
 * @returns {NodeRow}
 */
export function nodeRow(evaluation, node) {
  const position = evaluation.feasible?.indexOf(node) ?? -1;
  const refusals = refusalsOf(evaluation, node);
  if (position < 0) return { node, verdict: verdictOf(evaluation, node, refusals), refusals };
  return {
    node,
    verdict: evaluation.node === node ? 'chosen' : 'feasible',
    refusals,
    ...(evaluation.total && { total: evaluation.total[position] }),
    ...(evaluation.scores && { scores: pick(evaluation.scores, position) }),
    ...(evaluation.rawScores && { rawScores: pick(evaluation.rawScores, position) }),
  };
}

/**
 * Returns in one sentence why a node was not chosen. If the search did not reach the node, only
 * `detail: 'table'` tells whether it exists.
 * @param {Evaluation | Decision} evaluation
 * @param {string} node its name
 * @returns {string}
 */
export function whyNot(evaluation, node) {
  const row = nodeRow(evaluation, node);
  const allowed = list(evaluation.preFilterResult ?? []);
  switch (row.verdict) {
    case 'chosen':
      return `${node} was chosen.`;
    case 'feasible':
      return whyNotChosen(evaluation, row);
    case 'refused':
      return `${row.refusals.map((refusal) => sentence(refusal, node)).join('; ')}.`;
    case 'absent':
      return `${node} is not among the nodes that the pod can be on at all: ${allowed}.`;
    default:
      return whyNotReached(evaluation, node);
  }
}

/**
 * @param {Evaluation | Decision} evaluation
 * @param {string} node
 */
function whyNotReached({ preFilter, table, numAllNodes, evaluatedNodes }, node) {
  if (preFilter) return `${sentence(preFilter, 'the pod on every node')}.`;
  const wereAll = numAllNodes !== undefined && numAllNodes === evaluatedNodes;
  if (wereAll || (table && !table.nodes.includes(node))) return `There is no node ${node}.`;
  return `${node} was not looked at, or there is no such node.`;
}

/**
 * @param {Refusal} refusal
 * @param {string} what
 */
function sentence({ plugin, reasons }, what) {
  return `${plugin || 'the scheduler'} refuses ${what}: ${reasons.join(', ')}`;
}

/** The prefix of kube-scheduler-simulator's annotations. */
const PREFIX = 'kube-scheduler-simulator.sigs.k8s.io/';

/**
 * Returns the evaluation as the annotations that kube-scheduler-simulator puts on a pod: JSON text
 * by node and plugin. Passed plugins are listed only with `detail: 'table'`.
 * @param {Evaluation | Decision} evaluation
 * @returns {Record<string, string>} `filter-result`, `score-result`, `finalscore-result` and, if a
 *   node was chosen, `selected-node`, each with the simulator's prefix
 */
export function toAnnotations(evaluation) {
  return {
    [`${PREFIX}filter-result`]: JSON.stringify(sorted(filterResult(evaluation))),
    [`${PREFIX}score-result`]: JSON.stringify(
      sorted(scoresByNode(evaluation, evaluation.rawScores)),
    ),
    [`${PREFIX}finalscore-result`]: JSON.stringify(
      sorted(scoresByNode(evaluation, evaluation.scores)),
    ),
    ...(evaluation.node && { [`${PREFIX}selected-node`]: evaluation.node }),
  };
}

/**
 * @param {Evaluation | Decision} evaluation
 * @param {string} node
 * @returns {Refusal[]}
 */
function refusalsOf(evaluation, node) {
  /** @param {FilterGroup[] | undefined} groups */
  const those = (groups) => (groups ?? []).filter((group) => group.nodes.includes(node));
  const first = those(evaluation.filter);
  const seen = new Set(first.map(({ plugin }) => plugin));
  const others = those(evaluation.filterAll).filter(({ plugin }) => !seen.has(plugin));
  return [...first, ...others].map(({ plugin, code, reasons }) => ({ plugin, code, reasons }));
}

/**
 * @param {Evaluation | Decision} evaluation
 * @param {string} node
 * @param {Refusal[]} refusals
 */
function verdictOf(evaluation, node, refusals) {
  if (evaluation.filter?.some((group) => group.nodes.includes(node))) return 'refused';
  if (evaluation.preFilterResult && !evaluation.preFilterResult.includes(node)) return 'absent';
  if (evaluation.node === node) return 'chosen';
  return refusals.length > 0 ? 'refused' : 'notReached';
}

/**
 * @param {Evaluation | Decision} evaluation
 * @param {NodeRow} row
 */
function whyNotChosen(evaluation, row) {
  const { node: chosen } = evaluation;
  if (!chosen) return `${row.node} fits.`;
  const best = nodeRow(evaluation, chosen);
  if (row.total === undefined || best.total === undefined)
    return `${row.node} fits, but ${chosen} was chosen.`;
  if (row.total === best.total)
    return `${row.node} fits and scores ${row.total} as ${chosen} does, which was chosen.`;
  const scores = `${best.total} against ${row.total}`;
  return `${row.node} fits, but ${chosen} scores ${scores}: ${list(gains(best, row))}.`;
}

/**
 * The scores by which one node leads another, the largest lead first.
 * @param {NodeRow} best
 * @param {NodeRow} row
 */
function gains(best, row) {
  const leads = Object.entries(best.scores ?? {}).map(([plugin, score]) => ({
    plugin,
    lead: score - (own(row.scores, plugin) ?? 0),
  }));
  const ordered = leads.filter(({ lead }) => lead > 0).sort((a, b) => b.lead - a.lead);
  return ordered.map(({ plugin, lead }) => `${plugin} +${lead}`);
}

/**
 * A table without inherited members: a node or plugin may be called `constructor`.
 * @returns {Record<string, Record<string, string>>}
 */
function tableOfNames() {
  return Object.create(null);
}

/** @returns {Record<string, string>} */
function rowOfNames() {
  return Object.create(null);
}

/** @param {Evaluation | Decision} evaluation */
function filterResult(evaluation) {
  const result = tableOfNames();
  const { table } = evaluation;
  for (const [plugin, cells] of Object.entries(table?.cells ?? {})) {
    cells.forEach((cell, row) => {
      if (cell < 0 || !table) return;
      (result[table.nodes[row]] ??= rowOfNames())[plugin] =
        cell === 0 ? 'passed' : table.statuses[cell - 1].reasons.join(', ');
    });
  }
  for (const { plugin, reasons, nodes } of evaluation.filter ?? []) {
    for (const node of nodes) (result[node] ??= rowOfNames())[plugin] ??= reasons.join(', ');
  }
  for (const node of evaluation.feasible ?? []) result[node] ??= rowOfNames();
  return result;
}

/**
 * @param {Evaluation | Decision} evaluation
 * @param {Record<string, number[]> | undefined} scores
 */
function scoresByNode(evaluation, scores) {
  const result = tableOfNames();
  if (!scores) return result;
  (evaluation.feasible ?? []).forEach((node, position) => {
    result[node] = Object.fromEntries(
      Object.entries(scores).map(([plugin, column]) => [plugin, String(column[position])]),
    );
  });
  return result;
}

/**
 * Returns the table with keys in byte order on both levels, as the simulator writes it.
 * @param {Record<string, Record<string, string>>} table
 */
function sorted(table) {
  /** @param {[string, unknown]} a @param {[string, unknown]} b */
  const byKey = ([a], [b]) => (a < b ? -1 : 1);
  const rows = Object.entries(table).map(
    ([node, row]) =>
      /** @type {[string, unknown]} */ ([
        node,
        Object.fromEntries(Object.entries(row).sort(byKey)),
      ]),
  );
  return Object.fromEntries(rows.sort(byKey));
}

/**
 * @param {Record<string, number[]>} columns
 * @param {number} position
 */
function pick(columns, position) {
  return Object.fromEntries(
    Object.entries(columns).map(([plugin, column]) => [plugin, column[position]]),
  );
}

/** @param {string[]} words */
function list(words) {
  const shown = words.slice(0, 5).join(', ');
  return words.length > 5 ? `${shown} and ${words.length - 5} more` : shown;
}
