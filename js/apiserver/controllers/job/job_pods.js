import { sortForDeletion } from '../../../src/kubernetes/workloads/active_pods.js';
import { isNamespaceTerminating } from '../api_errors.js';
import { jobPod } from '../../../src/kubernetes/workloads/template_pods.js';
import { indexOf, isIndexed } from '../../../src/kubernetes/workloads/job_indexes.js';
import { removeTrackingFinalizer } from './job_tracking.js';

/**
 * Creates and deletes the pods of a Job. Counterpart: pkg/controller/job/job_controller.go, v1.36
 * (manageJob).
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/**
 * @param {{ context: ControllerContext, recorder: EventRecorder }} controller
 * @param {KubernetesObject} job
 * @param {(number | undefined)[]} indexes one for each pod
 * @returns {{ created: number, error?: unknown }}
 */
export function createPods({ context, recorder }, job, indexes) {
  let created = 0;
  for (const index of indexes) {
    try {
      const pod = context.store.create('pods', jobPod(job, index));
      created += 1;
      const message = `Created pod: ${pod.metadata.name}`;
      recorder.event(job, 'Normal', 'SuccessfulCreate', message);
    } catch (error) {
      if (isNamespaceTerminating(error)) return { created };
      const { message } = /** @type {Error} */ (error);
      recorder.event(job, 'Warning', 'FailedCreate', `Error creating: ${message}`);
      return { created, error };
    }
  }
  return { created };
}

/**
 * Deletes surplus pods, which do not count as failed.
 * @param {{ context: ControllerContext, recorder: EventRecorder }} controller
 * @param {KubernetesObject} job
 * @param {KubernetesObject[]} pods
 */
export function deletePods({ context, recorder }, job, pods) {
  for (const pod of pods) {
    removeTrackingFinalizer(context, pod);
    deletePod({ context, recorder }, job, pod);
  }
}

/**
 * Deletes a pod, which is still counted afterwards.
 * @param {{ context: ControllerContext, recorder: EventRecorder }} controller
 * @param {KubernetesObject} job
 * @param {KubernetesObject} pod
 */
export function deletePod({ context, recorder }, job, pod) {
  context.delete('pods', pod);
  recorder.event(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
}

/**
 * Returns the surplus pods: all but one of each index, then in the order of ReplicaSets.
 * @param {KubernetesObject} job
 * @param {KubernetesObject[]} active
 * @param {{ least: number, completions: number, now: number }} options
 */
export function podsForRemoval(job, active, { least, completions, now }) {
  const sorted = sortForDeletion(active, now);
  const surplus = isIndexed(job) ? duplicatesIn(sorted, completions) : [];
  const others = sorted.filter((pod) => !surplus.includes(pod));
  return [...surplus, ...others.slice(0, Math.max(0, least - surplus.length))];
}

/**
 * @param {KubernetesObject[]} sorted in the order of deletion
 * @param {number} completions
 */
function duplicatesIn(sorted, completions) {
  /** @type {Map<number, KubernetesObject>} */
  const kept = new Map();
  for (const pod of sorted) kept.set(indexOf(pod), pod);
  return sorted.filter((pod) => {
    const index = indexOf(pod);
    return index < 0 || index >= completions || kept.get(index) !== pod;
  });
}
