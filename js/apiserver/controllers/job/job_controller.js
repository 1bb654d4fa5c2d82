import { keyOf } from '../../../src/kubernetes/keys.js';
import {
  CONTROLLER_UID,
  controllerOf,
  resolveController,
  watchDependents,
} from '../controller_ref.js';
import { isPodActive } from '../../../src/kubernetes/workloads/pods.js';
import {
  isJobFinished,
  isManagedByOthers,
  isTracked,
} from '../../../src/kubernetes/workloads/job_pods.js';
import { batchDelay } from '../status_batch.js';
import { PodBackoff } from './backoff.js';
import { JobSync } from './job_sync.js';
import { removeTrackingFinalizer } from './job_tracking.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/**
 * Jobs: creates pods until enough of them succeeded, or too many failed. Counterpart:
 * pkg/controller/job/job_controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startJobController(context) {
  const jobs = context.indexer('jobs');
  const pods = context.indexer('pods');
  const recorder = context.recorder('job-controller');
  const backoff = new PodBackoff();
  const reconciler = context.reconciler((key) => {
    const job = jobs.get(key);
    if (!job || isJobFinished(job)) return backoff.forget(key);
    if (isManagedByOthers(job)) return;
    const delay = new JobSync({ context, recorder, backoff }, job).run();
    if (delay !== null) reconciler.enqueueAfter(key, delay);
  });
  context.onChange('jobs', (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
  watchDependents(context, {
    resource: 'pods',
    owners: 'jobs',
    kind: 'Job',
    notify(job, after, before) {
      const isUrgent = !after || !before || isPodActive(after) !== isPodActive(before);
      const count = pods.countByIndex(CONTROLLER_UID, job.metadata.uid);
      reconciler.enqueueAfter(keyOf(job), isUrgent ? 0 : batchDelay(count));
    },
  });
  releaseOrphans(context);
}

/**
 * Removes the finalizer of pods whose Job is gone or no longer counts them.
 * @param {ControllerContext} context
 */
function releaseOrphans(context) {
  const jobs = context.indexer('jobs');
  const pods = context.indexer('pods');
  const isOrphan = (/** @type {KubernetesObject} */ pod) => {
    if (!isTracked(pod)) return false;
    const job = resolveController(pod, { kind: 'Job', indexer: jobs });
    if (job) return isJobFinished(job);
    return controllerOf(pod)?.kind === 'Job' || !controllerOf(pod);
  };
  const reconciler = context.reconciler((key) => {
    const pod = pods.get(key);
    if (pod && isOrphan(pod)) removeTrackingFinalizer(context, pod);
  });
  context.onChange('pods', (after) => {
    if (after && isOrphan(after)) reconciler.enqueue(keyOf(after));
  });
  context.onChange('jobs', (after, before) => {
    if (after && !isJobFinished(after)) return;
    const { uid } = (after ?? /** @type {KubernetesObject} */ (before)).metadata;
    for (const pod of pods.byIndex(CONTROLLER_UID, uid))
      if (isOrphan(pod)) reconciler.enqueue(keyOf(pod));
  });
}
