import { keyOf } from '../../../src/kubernetes/keys.js';
import { TRACKING_FINALIZER } from '../../../src/kubernetes/workloads/template_pods.js';
import { isNotFound } from '../api_errors.js';
import { isIndexed, indexOf } from '../../../src/kubernetes/workloads/job_indexes.js';
import { isPodFailed, isTracked } from '../../../src/kubernetes/workloads/job_pods.js';

/**
 * Pods of a Job have a finalizer until they are counted, so that no pod is counted twice, and a
 * deleted pod is still counted. Counterpart: pkg/controller/job/{tracking_utils,job_controller}.go,
 * v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** The maximum number of ended pods in the status that are not counted yet. */
const MAX_UNCOUNTED = 500;

/**
 * Removes the Job's finalizer from a pod.
 * @param {ControllerContext} context
 * @param {KubernetesObject} pod may be an older state
 */
export function removeTrackingFinalizer(context, pod) {
  const current = context.indexer('pods').get(keyOf(pod));
  if (!current || current.metadata.uid !== pod.metadata.uid || !isTracked(current)) return;
  const finalizers = current.metadata.finalizers.filter(
    (/** @type {string} */ name) => name !== TRACKING_FINALIZER,
  );
  try {
    context.store.update('pods', { ...current, metadata: { ...current.metadata, finalizers } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/**
 * The pods to count now.
 * @typedef {object} Tracking
 * @property {{ succeeded: string[], failed: string[] }} uncounted uids, including earlier ones
 * @property {KubernetesObject[]} released pods that may lose their finalizer
 * @property {Set<number>} succeededIndexes
 * @property {boolean} isComplete whether all ended pods are included
 */

/**
 * Classifies the pods that ended since the last sync.
 * @param {object} state
 * @param {KubernetesObject} state.job
 * @param {KubernetesObject[]} state.pods
 * @param {{ succeeded: string[], failed: string[] }} state.uncounted the earlier ones
 * @param {Set<number>} state.succeededIndexes those of the status
 * @param {{ type: string } | undefined} state.finished the condition that ends the Job
 * @param {number} state.completions
 * @returns {Tracking}
 */
export function trackPods({ job, pods, uncounted, succeededIndexes, finished, completions }) {
  const tracking = {
    uncounted: { succeeded: [...uncounted.succeeded], failed: [...uncounted.failed] },
    released: /** @type {KubernetesObject[]} */ ([]),
    succeededIndexes: new Set(succeededIndexes),
    isComplete: true,
  };
  const isOver = finished !== undefined || Boolean(job.metadata.deletionTimestamp);
  const countsAll = finished !== undefined && !SUCCESSES.has(finished.type);
  for (const pod of pods.filter(isTracked)) {
    const isFailed = isPodFailed(pod, job);
    const hasSucceeded = pod.status?.phase === 'Succeeded';
    if (!isOver && !hasSucceeded && !isFailed) continue;
    tracking.released.push(pod);
    const isCounted = hasSucceeded || isFailed || countsAll;
    if (isCounted) count(pod, { job, completions, hasSucceeded, tracking });
    const { succeeded, failed } = tracking.uncounted;
    if (succeeded.length + failed.length < MAX_UNCOUNTED) continue;
    tracking.isComplete = false;
    return tracking;
  }
  return tracking;
}

const SUCCESSES = new Set(['SuccessCriteriaMet', 'Complete']);

/**
 * @param {KubernetesObject} pod
 * @param {{ job: KubernetesObject, completions: number, hasSucceeded: boolean, tracking:
 *   Tracking }} state
 */
function count(pod, { job, completions, hasSucceeded, tracking }) {
  const { uid } = pod.metadata;
  const { succeeded, failed } = tracking.uncounted;
  const index = indexOf(pod);
  const isValid = !isIndexed(job) || (index >= 0 && index < completions);
  if (hasSucceeded && !failed.includes(uid)) {
    if (isIndexed(job)) {
      if (isValid) tracking.succeededIndexes.add(index);
    } else if (!succeeded.includes(uid)) succeeded.push(uid);
  } else if (isValid && !failed.includes(uid)) failed.push(uid);
}
