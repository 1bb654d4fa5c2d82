/**
 * The Jobs of a CronJob.
 * Counterpart: pkg/controller/cronjob/utils.go, v1.36 (getJobFromTemplate2, byJobStartTime).
 */
import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { offsetOf, zonedTimestamp } from '../../cron/time_zone.js';
import { controllerRefTo } from '../controller_ref.js';
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';

/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

const SCHEDULED_TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/**
 * Returns the name of a run's Job, which depends on the CronJob and the time alone.
 * @param {KubernetesObject} cronJob
 * @param {number} time the scheduled time
 */
export function jobNameOf({ metadata }, time) {
  return `${metadata.name}-${Math.floor(time / 60_000)}`;
}

/**
 * Returns a run's Job in the form that is sent to the API server.
 * @param {KubernetesObject} cronJob
 * @param {number} time the scheduled time
 * @returns {KubernetesObject}
 */
export function jobOf(cronJob, time) {
  const { jobTemplate, timeZone } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  const offset = offsetOf(timeZone ?? '') || (() => 0);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(cronJob, time),
      namespace: cronJob.metadata.namespace,
      ...(labels && { labels: { ...labels } }),
      annotations: { ...annotations, [SCHEDULED_TIMESTAMP]: zonedTimestamp(time, offset) },
      ownerReferences: [controllerRefTo(cronJob)],
    },
    spec: jobTemplate.spec,
  };
}

/**
 * Returns how a Job ended; null if it has not.
 * @param {KubernetesObject} job
 * @returns {'Complete' | 'Failed' | null}
 */
export function endOf({ status }) {
  const ends = /** @type {const} */ (['Complete', 'Failed']);
  return ends.find((type) => conditionOf(status, type)?.status === 'True') ?? null;
}

/**
 * Sorts by start time; Jobs that have not started come last.
 * @param {KubernetesObject[]} jobs
 */
export function byStartTime(jobs) {
  const startOf = (/** @type {KubernetesObject} */ { status }) =>
    timeOf(status?.startTime) ?? Infinity;
  return jobs.toSorted((a, b) => {
    const [first, second] = [startOf(a), startOf(b)];
    if (first !== second) return first < second ? -1 : 1;
    return a.metadata.name < b.metadata.name ? -1 : 1;
  });
}
