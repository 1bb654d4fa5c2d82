import { keyOf } from '../../../src/kubernetes/keys.js';
import { CONTROLLER_UID, indexByController, resolveController } from '../controller_ref.js';
import { CronJobSync } from './cron_job_sync.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/**
 * CronJobs: creates a Job at each time of their schedule. Schedules without a time zone are in UTC.
 * Counterpart: pkg/controller/cronjob/cronjob_controllerv2.go, v1.36.
 * @param {ControllerContext} context
 */
export function startCronJobController(context) {
  const cronJobs = context.indexer('cronjobs');
  const jobs = context.indexer('jobs');
  indexByController(jobs);
  const recorder = context.recorder('cronjob-controller');
  const reconciler = context.reconciler((key) => {
    const cronJob = cronJobs.get(key);
    if (!cronJob) return;
    const owned = jobs.byIndex(CONTROLLER_UID, cronJob.metadata.uid);
    const delay = new CronJobSync({ context, recorder }, cronJob, owned).run();
    if (delay !== null) reconciler.enqueueAfter(key, delay);
  });
  context.onChange('cronjobs', (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
  const ownerOf = (/** @type {KubernetesObject | undefined} */ job) =>
    job && resolveController(job, { kind: 'CronJob', indexer: cronJobs });
  context.onChange('jobs', (after, before) => {
    for (const owner of new Set([ownerOf(after), ownerOf(before)]))
      if (owner) reconciler.enqueue(keyOf(owner));
  });
}
