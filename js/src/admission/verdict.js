/** Summarizes the evaluation of an object in a sentence. */
import { StowageError } from '../kubernetes/errors.js';

/**
 * @import { ApiError } from '../kubernetes/api_error.js'
 * @import { Evaluation, Fits } from '../engine/types.js'
 * @import { PassedBy, Question } from './question.js'
 */

/**
 * @typedef {object} Verdict
 * @property {Fits | 'Refused'} fits
 * @property {string | null} node the node that the pod would get, if need be by preemption
 * @property {string} message empty if nothing prevents scheduling
 * @property {string[]} notImplemented plugins that would have mattered, but are not implemented
 * @property {string} [nearest] the reason why the nearest node does not take the pod
 * @property {string} [group] the reason why the pod group cannot start with these pods
 */

/** Plugins by which the DaemonSet controller chooses the nodes that get a pod at all. */
const CHOOSING_NODES = ['NodeName', 'NodeUnschedulable', 'TaintToleration', 'NodeAffinity'];

/** The sentence's predicate, followed by the text of FailedScheduling. */
const PREDICATES = Object.freeze({
  WithPreemption: 'would be unschedulable without preemption',
  NotNow: 'would be unschedulable',
  Never: 'would be unschedulable even in an empty cluster',
});

/**
 * @param {Question} question
 * @param {Evaluation} evaluation
 * @returns {Verdict | PassedBy}
 * @throws {StowageError} if the evaluation is inconclusive: the cycle failed, or no node is known
 */
export function verdictOf(question, evaluation) {
  const { result, message = '', numAllNodes, fits, notImplemented = [] } = evaluation;
  if (result === 'gated') return { skipped: `held back by ${evaluation.plugin}` };
  if (result === 'error') throw new StowageError('EvaluationFailed', message);
  if (!numAllNodes) throw new StowageError('NoNodes', 'no node of the cluster is known yet');
  if (!fits) throw new StowageError('Unclassified', 'the evaluation does not say whether it fits');
  const judge = question.isDaemonSet ? daemonSetVerdict : podVerdict;
  const verdict = judge(question, evaluation, fits);
  return 'fits' in verdict ? { ...verdict, notImplemented } : verdict;
}

/**
 * @param {Question} question
 * @param {Evaluation} evaluation
 * @param {Fits} fits
 */
function podVerdict({ subject }, { node, message, preemption }, fits) {
  if (fits === 'Now') return { fits, node, message: '' };
  const { nominatedNode = null, victims = [] } = preemption ?? {};
  const [first, ...others] = victims;
  const preempted = others.length > 0 ? `${first} and ${others.length} more` : first;
  const predicate =
    fits === 'WithPreemption' && first
      ? `would have to preempt ${preempted} on ${nominatedNode}`
      : PREDICATES[fits];
  return { fits, node: nominatedNode, message: `${subject} ${predicate}: ${message}` };
}

/**
 * Returns the verdict for a DaemonSet: of the nodes that should get a pod, those that refuse it are
 * counted with their reasons.
 * @param {Question} question
 * @param {Evaluation} evaluation with the verdicts of all nodes
 * @param {Fits} fits
 */
function daemonSetVerdict({ subject }, evaluation, fits) {
  const groups = refusalsOf(evaluation);
  const others = groups.filter(({ plugin }) => CHOOSING_NODES.includes(plugin));
  const refusing = groups.filter(({ plugin }) => !CHOOSING_NODES.includes(plugin));
  const wanting = (evaluation.numAllNodes ?? 0) - nodesIn(others);
  if (wanting === 0) return { skipped: 'no node is to run its pods now' };
  const refused = nodesIn(refusing);
  if (refused === 0) return { fits, node: null, message: '' };
  const predicate = PREDICATES[fits === 'Now' ? 'NotNow' : fits];
  const where = `on ${refused} of ${wanting} nodes`;
  const message = `${subject} ${predicate} ${where}: ${countedReasons(refusing)}.`;
  return { fits, node: null, message };
}

/**
 * Returns the verdict for pods that the API server would refuse before scheduling.
 * @param {Question} question
 * @param {ApiError} refusal
 * @returns {Verdict}
 */
export function refusedVerdict({ subject }, { message }) {
  const sentence = `${subject} would be refused: ${message}`;
  return { fits: 'Refused', node: null, message: sentence, notImplemented: [] };
}

/** @param {{ nodes: number }[]} groups */
function nodesIn(groups) {
  return groups.reduce((sum, { nodes }) => sum + nodes, 0);
}

/**
 * Returns the first plugin that refused each node, grouped by equal reasons, with counts.
 * @param {Evaluation} evaluation
 */
function refusalsOf({ filter = [], preFilter, numAllNodes = 0 }) {
  if (preFilter) return [{ ...preFilter, nodes: numAllNodes }];
  return filter.map(({ plugin, reasons, nodes }) => ({ plugin, reasons, nodes: nodes.length }));
}

/**
 * Formats counts as FitError does: `2 Insufficient cpu, 1 Insufficient memory`, sorted as text.
 * @param {{ reasons: string[], nodes: number }[]} groups
 */
function countedReasons(groups) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { reasons, nodes } of groups)
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodes);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
