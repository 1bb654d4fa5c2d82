import { activeOf, replicasOf } from '../../../src/kubernetes/workloads/deployment_util.js';
import { scaleReplicaSet } from './scaling.js';
import { isPodFinished } from '../../../src/kubernetes/workloads/pods.js';

/**
 * The strategy Recreate: deletes all old pods before the first new one is created. Counterpart:
 * pkg/controller/deployment/recreate.go, v1.36.
 */

/** @import { Rollout } from './rollout.js' */

/**
 * @param {Rollout} rollout
 * @returns {boolean} whether pods of old ReplicaSets are being deleted or still exist
 */
export function scaleDownForRecreate(rollout) {
  const active = activeOf(rollout.old);
  for (const set of active) scaleReplicaSet(rollout, set, 0);
  return active.length > 0 || isOldPodRunning(rollout);
}

/** @param {Rollout} rollout with its new ReplicaSet */
export function scaleUpForRecreate(rollout) {
  const { deployment, newSet } = rollout;
  if (newSet) scaleReplicaSet(rollout, newSet, replicasOf(deployment));
}

/** @param {Rollout} rollout */
function isOldPodRunning({ newSet, all, podsOf }) {
  const others = all.filter(({ metadata }) => metadata.uid !== newSet?.metadata.uid);
  return others.some((set) => podsOf(set).some((pod) => !isPodFinished(pod)));
}
