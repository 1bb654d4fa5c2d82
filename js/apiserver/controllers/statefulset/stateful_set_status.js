import { isPodTerminating } from '../../../src/kubernetes/workloads/pods.js';
import { withoutZeros } from '../../../src/kubernetes/workloads/objects.js';
import { revisionNameOf } from '../../../src/kubernetes/workloads/stateful_revisions.js';
import { isRunningAndAvailable, isRunningAndReady } from './stateful_set_pods.js';

/**
 * The status of a StatefulSet.
 * Counterpart: pkg/controller/statefulset/stateful_set_control.go, v1.36 (updateStatus,
 * completeRollingUpdate).
 */

/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

/**
 * @param {KubernetesObject} set
 * @param {{ pods: KubernetesObject[], current: string, update: string, collisionCount?: number,
 *   now: number }} state `current` and `update` are names of revisions
 */
export function statusOf(set, { pods, current, update, collisionCount = 0, now }) {
  const alive = pods.filter((pod) => !isPodTerminating(pod));
  const count = (/** @type {string} */ name) =>
    alive.filter((pod) => revisionNameOf(pod) === name).length;
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: pods.filter(isRunningAndReady).length,
    currentReplicas: count(current),
    updatedReplicas: count(update),
    currentRevision: current,
    updateRevision: update,
    collisionCount,
    availableReplicas: pods.filter((pod) => isRunningAndAvailable(set, pod, now)).length,
  };
  const kept = ['replicas', 'availableReplicas', 'collisionCount'];
  return withoutZeros(isUpdated(set, status) ? completed(status) : status, kept);
}

/**
 * Whether all pods have the new revision.
 * @param {KubernetesObject} set
 * @param {{ replicas: number, readyReplicas: number, updatedReplicas: number }} status
 */
function isUpdated({ spec }, { replicas, readyReplicas, updatedReplicas }) {
  const wanted = spec.replicas ?? 1;
  const isRolling = (spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
  return isRolling && [replicas, readyReplicas, updatedReplicas].every((one) => one === wanted);
}

/**
 * @template {{ updatedReplicas: number, updateRevision: string }} Status
 * @param {Status} status
 */
function completed(status) {
  const { updatedReplicas, updateRevision } = status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision };
}
