/** The event that kube-scheduler writes when it has tried a pod. */

/** @import { Evaluation } from '../../../../js/src/types.js' */

/**
 * @param {Pick<Evaluation, 'pod' | 'result' | 'node' | 'message'>} evaluation
 * @returns {{ type: 'Normal' | 'Warning', reason: string, message: string } | null} null: of a pod
 *   that is held back there is none
 */
export function eventOf({ pod, result, node, message = '' }) {
  if (result === 'scheduled') {
    const text = `Successfully assigned ${pod} to ${node}`;
    return { type: 'Normal', reason: 'Scheduled', message: text };
  }
  if (result === 'gated' || message === '') return null;
  return { type: 'Warning', reason: 'FailedScheduling', message };
}
