import { keyOf } from '../../../src/kubernetes/keys.js';
import { TRACKING_FINALIZER } from '../../../src/kubernetes/workloads/template_pods.js';
import { isNotFound } from '../api_errors.js';
import { isIndexed, indexOf } from './indexes.js';

/**
 * Pods of a Job have a finalizer until they are counted, so that no pod is counted twice, and a
 * deleted pod is still counted.
 * Counterpart: pkg/controller/job/{tracking_utils,job_controller}.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** How many pods may be between their end and their count. */
const MAX_UNCOUNTED = 500;

/** @param {KubernetesObject} pod */
export function isTracked({ metadata }) {
  return metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

/**
 * Whether it failed, or will never succeed.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} job
 */
export function isPodFailed({ metadata, status }, job) {
  if (status?.phase === 'Failed') return true;
  if (job.spec.podReplacementPolicy === 'Failed') return false;
  return Boolean(metadata.deletionTimestamp) && status?.phase !== 'Succeeded';
}

/**
 * Lets a pod go, as far as its Job is concerned.
 * @param {ControllerContext} context
 * @param {KubernetesObject} pod which may be of an older state
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
 * What is to be counted now.
 * @typedef {object} Tracking
 * @property {{ succeeded: string[], failed: string[] }} uncounted uids, with those of before
 * @property {KubernetesObject[]} released pods that may lose their finalizer
 * @property {Set<number>} succeededIndexes
 * @property {boolean} isComplete whether no pod was left for another time
 */

/**
 * Sorts out the pods that came to an end since the last time.
 * @param {object} state
 * @param {KubernetesObject} state.job
 * @param {KubernetesObject[]} state.pods
 * @param {{ succeeded: string[], failed: string[] }} state.uncounted of before
 * @param {Set<number>} state.succeededIndexes that the status has
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
