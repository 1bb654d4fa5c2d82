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
 * The name of the Job of one run: the same for the same run.
 * @param {KubernetesObject} cronJob
 * @param {number} time at which it is scheduled
 */
export function jobNameOf({ metadata }, time) {
  return `${metadata.name}-${Math.floor(time / 60_000)}`;
}

/**
 * The Job of one run, as it is sent to the API server.
 * @param {KubernetesObject} cronJob
 * @param {number} time at which it is scheduled
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
 * How a Job ended; null while it has not.
 * @param {KubernetesObject} job
 * @returns {'Complete' | 'Failed' | null}
 */
export function endOf({ status }) {
  const ends = /** @type {const} */ (['Complete', 'Failed']);
  return ends.find((type) => conditionOf(status, type)?.status === 'True') ?? null;
}

/**
 * Those that started first; those that have not, last.
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
