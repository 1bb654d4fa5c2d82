import { keyOf } from '../../../src/kubernetes/keys.js';
import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';
import { isJobFinished } from '../../../src/kubernetes/workloads/job_pods.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/**
 * Deletes finished Jobs after their `ttlSecondsAfterFinished`. Counterpart:
 * pkg/controller/ttlafterfinished/ttlafterfinished_controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startTtlAfterFinishedController(context) {
  const jobs = context.indexer('jobs');
  const reconciler = context.reconciler((key) => {
    const job = jobs.get(key);
    const left = job && timeLeft(job, context.clock.now());
    if (!job || left === undefined) return;
    if (left > 0) reconciler.enqueueAfter(key, left);
    else context.delete('jobs', job, { propagationPolicy: 'Foreground' });
  });
  context.onChange('jobs', (after) => {
    if (after && timeLeft(after, context.clock.now()) !== undefined)
      reconciler.enqueue(keyOf(after));
  });
}

/**
 * @param {KubernetesObject} job
 * @param {number} now
 * @returns {number | undefined} milliseconds; undefined if the Job stays
 */
function timeLeft({ metadata, spec, status }, now) {
  const { ttlSecondsAfterFinished: ttl } = spec;
  const isDue = ttl !== undefined && ttl !== null && isJobFinished({ status });
  if (!isDue || metadata.deletionTimestamp) return undefined;
  const condition = ['Complete', 'Failed']
    .map((type) => conditionOf(status, type))
    .find((one) => one?.status === 'True');
  return (timeOf(condition?.lastTransitionTime) ?? now) + ttl * 1000 - now;
}
