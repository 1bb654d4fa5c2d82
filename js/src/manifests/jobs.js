/** Finds the pods that Jobs lack. */
import { itemsIn } from '../kubernetes/values.js';
import { isIndexed, pendingIndexes } from '../kubernetes/workloads/job_indexes.js';
import {
  isJobEnding,
  isJobFinished,
  isManagedByOthers,
  isTracked,
  missingPodsOf,
  successesOf,
  wantedPodsOf,
} from '../kubernetes/workloads/job_pods.js';
import { fieldError } from './shapes.js';
import { countOf, INT32_MAX, wholeNumber } from './counts.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * Returns the pods that a Job's controller would create: the index of each of an Indexed Job, else
 * undefined for each.
 * @param {KubernetesObject} job
 * @param {KubernetesObject[]} owned its pods
 * @returns {(number | undefined)[]}
 * @throws {import('../kubernetes/errors.js').InputError} if a count is invalid
 */
export function missingPods(job, owned) {
  if (isAtRest(job) || isJobFinished(job) || isJobEnding(job)) return [];
  checkCounts(job);
  const { count: succeeded, indexes } = successesOf(job, uncountedSuccesses(job, owned));
  const count = Math.max(0, missingPodsOf(job, owned, succeeded));
  return isIndexed(job)
    ? pendingIndexes(job, { succeeded: indexes, pods: owned, count })
    : Array.from({ length: count });
}

/**
 * Returns the number of pods that a Job runs at once when it starts.
 * @param {KubernetesObject} job
 * @throws {import('../kubernetes/errors.js').InputError} if a count is invalid
 */
export function parallelPodsOf(job) {
  checkCounts(job);
  return isAtRest(job) ? 0 : wantedPodsOf(job, { succeeded: 0, active: 0 });
}

/** Whether the Job controller creates no pods for it. @param {KubernetesObject} job */
function isAtRest(job) {
  return Boolean(job.spec.suspend) || isManagedByOthers(job);
}

/**
 * Returns the Succeeded pods that the status does not count: all of them if it has no count, as in
 * an input written by hand.
 * @param {KubernetesObject} job
 * @param {KubernetesObject[]} owned
 */
function uncountedSuccesses(job, owned) {
  const { succeeded, completedIndexes, uncountedTerminatedPods } = job.status ?? {};
  const isCounting = (isIndexed(job) ? completedIndexes : succeeded) !== undefined;
  const known = new Set(itemsIn(uncountedTerminatedPods?.succeeded));
  return owned.filter(
    (pod) =>
      pod.status?.phase === 'Succeeded' &&
      !known.has(pod.metadata.uid) &&
      (!isCounting || isTracked(pod)),
  );
}

/**
 * @param {KubernetesObject} job
 * @throws {InputError} if a count is invalid
 */
function checkCounts(job) {
  countOf(job, 'parallelism', 1);
  countOf(job, 'completions', 1);
  wholeNumber(job, 'status.succeeded', job.status?.succeeded ?? 0, INT32_MAX);
  for (const name of ['completedIndexes', 'failedIndexes']) {
    const text = job.status?.[name] ?? '';
    const detail = `a text is expected, not ${JSON.stringify(text)}`;
    if (typeof text !== 'string')
      throw fieldError(job, `status.${name}`, 'FieldValueTypeInvalid', detail);
  }
}
