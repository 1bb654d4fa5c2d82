/** The outcome of an attempt or an evaluation, in a sentence. */

/** @import { AttemptEvaluation } from '../../worker/attempt_evaluation.js' */

/**
 * The subject: an attempt of the past, or the next cycle's decision about a pod that is on no node,
 * or on `node`.
 * @typedef {{ isAttempt: boolean, node: string }} Asked
 */

/**
 * @param {Asked} asked
 * @returns {string} the words before the outcome
 */
export function outcomeHead({ isAttempt, node }) {
  if (isAttempt) return 'This attempt: ';
  if (node === '') return 'The next cycle would decide: ';
  return `It is on node ${node}. If it were on no node, the next cycle would decide: `;
}

/** @param {AttemptEvaluation} evaluation */
export function outcomeText({ node, plugin, result }) {
  if (node) return `node ${node}`;
  if (plugin) return `held back by ${plugin}`;
  return result === 'skipped' ? 'passed over' : 'no node';
}

/** @param {AttemptEvaluation} evaluation */
export function countsText({ evaluatedNodes, numAllNodes, feasibleNodes }) {
  if (evaluatedNodes === undefined) return '';
  return `; ${evaluatedNodes} of ${numAllNodes} nodes evaluated, ${feasibleNodes} fit`;
}

/**
 * Remarks about the attempt.
 * @param {AttemptEvaluation} evaluation
 * @returns {string} empty: nothing
 */
export function remarkText({ hint, node, evaluatedNodes, isUnexplained }) {
  if (isUnexplained)
    return (
      'The record of this attempt has no more details. A replay of that moment decides ' +
      'differently, so its reasons are not shown.'
    );
  if (hint === undefined) return '';
  if (hint !== node || evaluatedNodes !== 1)
    return `OpportunisticBatching proposed node ${hint} first, but the pod did not fit there.`;
  return (
    `OpportunisticBatching proposed node ${hint}: the pod is like the one before, and this is ` +
    'the next node of its ranking. No other node was evaluated, and none was scored.'
  );
}

/**
 * The text while no pod is selected.
 * @param {number} made decisions
 */
export function unchosenText(made) {
  if (made === 0) return 'There are no decisions yet: press Play, or choose a pod.';
  const decisions = made === 1 ? '1 decision' : `${made.toLocaleString('en')} decisions`;
  return `${decisions}: choose a pod, or follow the latest decision.`;
}
