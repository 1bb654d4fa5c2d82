/** The event that kube-scheduler wrote when it had tried a pod. */

/**
 * @import { AttemptEvaluation } from '../../worker/attempt_evaluation.js'
 * @import { TimelineRow } from '../../worker/timeline.js'
 */

/** @typedef {{ type: 'Normal' | 'Warning', reason: string, message: string }} PodEvent */

/** Its event when it passes over a pod that is being deleted; it passes over others in silence. */
const DELETING = 'skip schedule deleting pod: ';

/**
 * @param {Pick<AttemptEvaluation, 'pod' | 'result' | 'message'>} attempt
 * @param {TimelineRow | undefined} binding what became of it; undefined: nothing yet
 * @returns {PodEvent | null} null: none was written
 */
export function eventOf({ pod, result, message = '' }, binding) {
  if (result === 'scheduled') return binding ? bindingEvent(pod, binding) : null;
  if (result === 'gated' || message === '') return null;
  if (result === 'skipped' && !message.startsWith(DELETING)) return null;
  return failure(message);
}

/**
 * Of an attempt the row of its binding.
 * @param {readonly TimelineRow[]} rows
 * @param {number} attempt
 * @returns {TimelineRow | undefined} undefined: it has not ended yet, or there is none
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
  // Its words are others where Permit refuses.
  return failed && failed.phase !== 'Permit' ? failure(failed.message) : null;
}

/** @param {string} message @returns {PodEvent} */
function failure(message) {
  return { type: 'Warning', reason: 'FailedScheduling', message };
}
