/**
 * An attempt at a pod: its record, and the nodes' verdicts and scores from evaluating the pod
 * again, if the evaluation agrees with the record.
 */

/**
 * @import { Decision, Evaluation } from '../../../js/src/index.js'
 */

/**
 * `hint`: the node that OpportunisticBatching proposed. `isUnexplained`: the evaluation disagrees
 * with the record, so nothing is known about single nodes.
 * @typedef {Evaluation & Pick<Decision, 'hint'> & { isUnexplained?: boolean }} AttemptEvaluation
 */

/** The fields that records and evaluations share. */
const TOLD = /** @type {const} */ ([
  ...['result', 'node', 'plugin', 'reason', 'message', 'hint'],
  ...['numAllNodes', 'evaluatedNodes', 'feasibleNodes', 'reasons', 'reasonsOmitted'],
  ...['unschedulablePlugins', 'pendingPlugins', 'clearedNominations', 'volumes'],
]);

/** The cell of a node that the evaluation did not reach. */
const OUTSIDE_SAMPLE = -2;

/**
 * @param {Decision} decision the record of the attempt
 * @param {Evaluation | null} again the evaluation of the pod as it was then; null if the pod cannot
 *   be evaluated
 * @returns {AttemptEvaluation}
 */
export function attemptEvaluation(decision, again) {
  const told = toldBy(decision);
  if (!again) return { ...told, isUnexplained: true };
  if (isHinted(decision, again)) return { ...told, ...narrowedTo(String(decision.hint), again) };
  if (!isSame(decision, again)) return { ...told, isUnexplained: true };
  const preemption = decision.preemption && { ...again.preemption, ...decision.preemption };
  return { ...again, ...told, ...(preemption && { preemption }) };
}

/**
 * @param {Decision} decision
 * @returns {Evaluation}
 */
function toldBy(decision) {
  const { pod, result, node, preemption } = decision;
  const fields = TOLD.filter((field) => decision[field] !== undefined);
  return {
    apiVersion: 'stowage/v1',
    kind: 'Evaluation',
    pod,
    ...Object.fromEntries(fields.map((field) => [field, decision[field]])),
    result,
    node,
    ...(preemption && { preemption }),
  };
}

/**
 * @param {Decision} decision
 * @param {Evaluation} again
 */
function isSame(decision, again) {
  // For a gated pod, a cycle only reports the reason; the evaluation continues with the filters.
  if (decision.result === 'gated')
    return again.result === 'gated' && again.plugin === decision.plugin;
  const fields = /** @type {const} */ (['result', 'node', 'message', 'feasibleNodes']);
  return (
    fields.every((field) => decision[field] === again[field]) &&
    decision.preemption?.nominatedNode === again.preemption?.nominatedNode
  );
}

/**
 * Whether the node was proposed and tried alone.
 * @param {Decision} decision
 * @param {Evaluation} again
 */
function isHinted({ hint, node, evaluatedNodes, feasibleNodes }, { filter = [] }) {
  const isAlone = evaluatedNodes === 1 && feasibleNodes === 1;
  const isRefused = filter.some(({ nodes }) => nodes.includes(String(hint)));
  return hint !== undefined && hint === node && isAlone && !isRefused;
}

/**
 * Reduces the verdicts to one node: the cycle tried no other node and scored none.
 * @param {string} node
 * @param {Evaluation} again
 * @returns {Partial<Evaluation>}
 */
function narrowedTo(node, { table, filterAll }) {
  const alone = { filter: [], feasible: [node], best: [node], ...(filterAll && { filterAll }) };
  if (!table) return alone;
  const cellsOf = (/** @type {number[]} */ cells) =>
    cells.map((cell, at) => (table.nodes[at] === node ? cell : OUTSIDE_SAMPLE));
  const cells = Object.entries(table.cells).map(([plugin, own]) => [plugin, cellsOf(own)]);
  return { ...alone, table: { ...table, cells: Object.fromEntries(cells) } };
}
