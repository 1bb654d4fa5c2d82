/** Turns an evaluation into a ranking of nodes. */

/**
 * @import { Evaluation } from '../engine/types.js'
 * @import { PreScore, RankedNode, SnapshotReference } from './documents.js'
 * @import { Detail } from './questions.js'
 */

/**
 * Needs an evaluation with `classify`.
 * @typedef {Evaluation & Required<Pick<Evaluation, 'fits'>>} Classified
 */

/**
 * @param {Classified} evaluation
 * @param {{ kubernetesVersion: string, snapshot: SnapshotReference, limit: number, detail: Detail
 *   }} options `kubernetesVersion`: the release that decided
 * @returns {PreScore}
 */
export function preScore(evaluation, { kubernetesVersion, snapshot, limit, detail }) {
  const { fits, node, reasons = [], reasonsOmitted, message = '' } = evaluation;
  const { numAllNodes, evaluatedNodes, feasibleNodes } = evaluation;
  const order = ranked(evaluation);
  const nodes = order.slice(0, limit).map((row) => rankedNode(evaluation, row, detail));
  return {
    apiVersion: 'stowage/v1',
    kind: 'PreScore',
    kubernetesVersion,
    snapshot,
    fits,
    node,
    nodes,
    ...(order.length > limit && { nodesOmitted: order.length - limit }),
    ...(numAllNodes !== undefined && { numAllNodes, evaluatedNodes, feasibleNodes }),
    reasons,
    ...(reasonsOmitted !== undefined && { reasonsOmitted }),
    ...preempted(evaluation),
    message,
  };
}

/**
 * The pods that preemption would evict, and their node; empty if it would not help.
 * @param {Classified} evaluation
 * @returns {{ nominatedNode?: string | null, victims?: string[] }}
 */
export function preempted({ fits, preemption }) {
  if (fits !== 'WithPreemption') return {};
  return { nominatedNode: preemption?.nominatedNode ?? null, victims: preemption?.victims ?? [] };
}

/**
 * The total of the chosen node; undefined if no node was scored.
 * @param {Evaluation} evaluation
 */
export function totalOf({ node, feasible = [], total }) {
  return node === null ? undefined : total?.[feasible.indexOf(node)];
}

/**
 * Positions in `feasible`, the best first. Among equal totals the node that would be chosen comes
 * first.
 * @param {Evaluation} evaluation
 */
function ranked({ node, feasible = [], total = [] }) {
  return feasible
    .map((name, row) => ({ name, row, total: total[row] ?? 0 }))
    .sort(
      (a, b) =>
        b.total - a.total ||
        Number(b.name === node) - Number(a.name === node) ||
        (a.name < b.name ? -1 : 1),
    )
    .map(({ row }) => row);
}

/**
 * @param {Evaluation} evaluation
 * @param {number} row
 * @param {Detail} detail
 * @returns {RankedNode}
 */
function rankedNode({ feasible = [], total, scores, rawScores }, row, detail) {
  return {
    name: feasible[row],
    ...(total && { total: total[row] }),
    ...(scores && detail !== 'total' && { scores: cellsOf(scores, row) }),
    ...(rawScores && detail === 'rawScores' && { rawScores: cellsOf(rawScores, row) }),
  };
}

/**
 * @param {Record<string, number[]>} columns
 * @param {number} row
 */
function cellsOf(columns, row) {
  return Object.fromEntries(
    Object.entries(columns).map(([plugin, column]) => [plugin, column[row]]),
  );
}
