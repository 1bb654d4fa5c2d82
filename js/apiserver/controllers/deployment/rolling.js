import {
  activeOf,
  byCreation,
  maxUnavailableOf,
  newReplicasOf,
  replicasOf,
  sumOfReplicas,
  sumOfStatus,
} from '../../../src/kubernetes/workloads/deployment_util.js';
import { scaleReplicaSet } from './scaling.js';

/**
 * The strategy RollingUpdate: replaces pods step by step, within maxSurge and maxUnavailable.
 * Counterpart: pkg/controller/deployment/rolling.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { Rollout } from './rollout.js'
 */

/**
 * Makes one step. The next one follows when the ReplicaSets have scaled.
 * @param {Rollout} rollout with its new ReplicaSet
 */
export function rollingStep(rollout) {
  if (!reconcileNewReplicaSet(rollout)) reconcileOldReplicaSets(rollout);
}

/** @param {Rollout} rollout @returns {boolean} whether it was scaled */
function reconcileNewReplicaSet(rollout) {
  const { deployment, newSet, all } = rollout;
  if (newSet === undefined) return false;
  const [current, wanted] = [replicasOf(newSet), replicasOf(deployment)];
  if (current === wanted) return false;
  const size = current > wanted ? wanted : newReplicasOf(deployment, all, current);
  return scaleReplicaSet(rollout, newSet, size);
}

/** @param {Rollout} rollout */
function reconcileOldReplicaSets(rollout) {
  const { deployment, newSet, old, all } = rollout;
  if (newSet === undefined || sumOfReplicas(old) === 0) return;
  const minAvailable = replicasOf(deployment) - maxUnavailableOf(deployment);
  const newUnavailable = replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
  const most = sumOfReplicas(all) - minAvailable - newUnavailable;
  if (most <= 0) return;
  const remaining = cleanUpUnhealthy(rollout, most);
  scaleDownOld(rollout, remaining, minAvailable);
}

/**
 * Deletes unavailable pods first, because they serve no requests.
 * @param {Rollout} rollout
 * @param {number} most
 * @returns {KubernetesObject[]} the old ReplicaSets after that
 */
function cleanUpUnhealthy(rollout, most) {
  const { context, old } = rollout;
  let left = most;
  return old.toSorted(byCreation).map((set) => {
    const replicas = replicasOf(set);
    const unhealthy = replicas - (set.status?.availableReplicas ?? 0);
    const count = Math.min(left, unhealthy);
    if (replicas === 0 || count <= 0) return set;
    left -= count;
    scaleReplicaSet(rollout, set, replicas - count);
    const { namespace, name } = set.metadata;
    return context.indexer('replicasets').get(`${namespace}/${name}`) ?? set;
  });
}

/**
 * @param {Rollout} rollout
 * @param {KubernetesObject[]} old
 * @param {number} minAvailable
 */
function scaleDownOld(rollout, old, minAvailable) {
  const sets = [...old, ...(rollout.newSet ? [rollout.newSet] : [])];
  let left = sumOfStatus(sets, 'availableReplicas') - minAvailable;
  for (const set of activeOf(old)) {
    const count = Math.min(left, replicasOf(set));
    if (count <= 0) return;
    left -= count;
    scaleReplicaSet(rollout, set, replicasOf(set) - count);
  }
}
