/** The event that kube-scheduler writes after it has tried a pod. */

/**
 * @import { AttemptEvaluation } from '../../worker/attempt_evaluation.js'
 * @import { TimelineRow } from '../../worker/timeline.js'
 */

/** @typedef {{ type: 'Normal' | 'Warning', reason: string, message: string }} PodEvent */

/** The event for a pod that is being deleted. Other skipped pods get none. */
const DELETING = 'skip schedule deleting pod: ';

/**
 * @param {Pick<AttemptEvaluation, 'pod' | 'result' | 'message'>} attempt
 * @param {TimelineRow | undefined} binding the result of the binding; undefined if it is still
 *   under way
 * @returns {PodEvent | null} null: none was written
 */
export function eventOf({ pod, result, message = '' }, binding) {
  if (result === 'scheduled') return binding ? bindingEvent(pod, binding) : null;
  if (result === 'gated' || message === '') return null;
  if (result === 'skipped' && !message.startsWith(DELETING)) return null;
  return failure(message);
}

/**
 * The row with the result of an attempt's binding.
 * @param {readonly TimelineRow[]} rows
 * @param {number} attempt
 * @returns {TimelineRow | undefined} undefined if the binding is under way, or there is none
 */
export function bindingOf(rows, attempt) {
  const at = rows.findIndex((row) => row.attempt === attempt);
  if (at < 0) return undefined;
  const { pod } = rows[at];
  const next = rows.slice(at + 1).find((row) => row.pod === pod && FATES.has(row.kind));
  return next?.kind === 'BindingResult' ? next : undefined;
}

const FATES = new Set(['Decision', 'BindingResult']);

/**
 * @param {string} pod
 * @param {TimelineRow} binding
 */
function bindingEvent(pod, { result, node, failure: failed }) {
  if (result === 'bound') {
    const message = `Successfully assigned ${pod} to ${node}`;
    return /** @type {PodEvent} */ ({ type: 'Normal', reason: 'Scheduled', message });
  }
  // The message differs if Permit refused.
  return failed && failed.phase !== 'Permit' ? failure(failed.message) : null;
}

/** @param {string} message @returns {PodEvent} */
function failure(message) {
  return { type: 'Warning', reason: 'FailedScheduling', message };
}
