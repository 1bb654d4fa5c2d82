/**
 * How many pods a Job needs, and which ones count. Counterpart:
 * pkg/controller/job/job_controller.go, v1.36 (manageJob, getValidPodsWithFilter, isPodFailed).
 */
import { isConditionTrue } from '../conditions.js';
import { indexOf, isIndexed, parseIndexes } from './job_indexes.js';
import { isPodActive, isPodFinished, isPodTerminating } from './pods.js';
import { itemsIn } from '../values.js';
import { TRACKING_FINALIZER } from './template_pods.js';

/** @import { KubernetesObject } from '../types.js' */

/** What manages a Job that names no other controller. */
export const JOB_CONTROLLER = 'kubernetes.io/job-controller';

/** @param {KubernetesObject} job */
export function isJobFinished({ status }) {
  return isConditionTrue(status, 'Complete') || isConditionTrue(status, 'Failed');
}

/** Whether its end is certain: its active pods are deleted. @param {KubernetesObject} job */
export function isJobEnding({ status }) {
  return isConditionTrue(status, 'SuccessCriteriaMet') || isConditionTrue(status, 'FailureTarget');
}

/** @param {KubernetesObject} job */
export function isManagedByOthers({ spec }) {
  return (spec.managedBy ?? JOB_CONTROLLER) !== JOB_CONTROLLER;
}

/** Whether the Job has not counted the pod yet. @param {KubernetesObject} pod */
export function isTracked({ metadata }) {
  return itemsIn(metadata.finalizers).includes(TRACKING_FINALIZER);
}

/** Whether a terminating pod is replaced only when it has ended. @param {KubernetesObject} job */
function onlyReplacesFailed({ spec }) {
  return spec.podReplacementPolicy === 'Failed';
}

/**
 * Whether it failed, or can no longer succeed.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} job
 */
export function isPodFailed({ metadata, status }, job) {
  if (status?.phase === 'Failed') return true;
  if (onlyReplacesFailed(job)) return false;
  return Boolean(metadata.deletionTimestamp) && status?.phase !== 'Succeeded';
}

/**
 * Returns the succeeded pods of a Job: those that its status counts, and those that it will count.
 * @param {KubernetesObject} job
 * @param {KubernetesObject[]} fresh its Succeeded pods that the status does not count yet
 * @returns {{ count: number, indexes: Set<number> }} `indexes`: of an Indexed Job
 */
export function successesOf(job, fresh) {
  const { spec } = job;
  const status = job.status ?? {};
  const completions = spec.completions ?? Infinity;
  const indexes = parseIndexes(status.completedIndexes, completions);
  if (!isIndexed(job)) {
    const uncounted = status.uncountedTerminatedPods?.succeeded?.length ?? 0;
    return { count: (status.succeeded ?? 0) + uncounted + fresh.length, indexes };
  }
  for (const index of fresh.map(indexOf)) if (index >= 0 && index < completions) indexes.add(index);
  return { count: indexes.size, indexes };
}

/**
 * Returns how many pods should be active.
 * @param {KubernetesObject} job
 * @param {{ succeeded: number, active: number }} counts
 */
export function wantedPodsOf({ spec }, { succeeded, active }) {
  const { parallelism = 1, completions } = spec;
  if ((completions ?? null) === null) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/**
 * Returns how many pods are to be created.
 * @param {KubernetesObject} job
 * @param {KubernetesObject[]} pods
 * @param {number} succeeded
 */
export function missingPodsOf(job, pods, succeeded) {
  const active = pods.filter(isPodActive).length;
  const waiting = onlyReplacesFailed(job) ? terminatingIn(pods) : 0;
  return wantedPodsOf(job, { succeeded, active }) - waiting - active;
}

/**
 * Returns the number of pods that are being deleted and still run.
 * @param {KubernetesObject[]} pods
 */
export function terminatingIn(pods) {
  return pods.filter((pod) => isPodTerminating(pod) && !isPodFinished(pod)).length;
}
