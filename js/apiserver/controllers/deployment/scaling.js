import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';
import {
  activeOf,
  byCreation,
  desiredReplicasOf,
  isRollingUpdate,
  isSaturated,
  maxReplicasOf,
  maxSurgeOf,
  replicasOf,
  revisionOf,
  sumOfReplicas,
  withSizes,
} from '../../../src/kubernetes/workloads/deployment_util.js';

/**
 * Scales ReplicaSets when the Deployment is scaled or paused. Counterpart:
 * pkg/controller/deployment/sync.go, v1.36 (scale, scaleReplicaSet, isScalingEvent).
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { Rollout } from './rollout.js'
 */

/**
 * Whether the Deployment's replicas differ from those in its ReplicaSets' annotations.
 * @param {Rollout} rollout
 */
export function isScalingEvent({ deployment, all }) {
  return activeOf(all).some((set) => {
    const desired = desiredReplicasOf(set);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}

/**
 * @param {Rollout} rollout
 */
export function scale(rollout) {
  const { deployment, newSet, old } = rollout;
  const only = activeOrLatest(newSet, old);
  if (only) {
    if (replicasOf(only) !== replicasOf(deployment))
      scaleReplicaSet(rollout, only, replicasOf(deployment));
    return;
  }
  if (isSaturated(deployment, newSet)) {
    for (const set of activeOf(old).toSorted(byCreation)) scaleReplicaSet(rollout, set, 0);
    return;
  }
  if (isRollingUpdate(deployment)) scaleProportionally(rollout);
}

/**
 * Scales one ReplicaSet and records the Deployment's replicas in its annotations.
 * @param {Rollout} rollout
 * @param {KubernetesObject} set
 * @param {number} size
 * @returns {boolean} whether the size changed
 */
export function scaleReplicaSet({ deployment, context, recorder }, set, size) {
  const before = replicasOf(set);
  const annotations = withSizes(set.metadata.annotations, deployment);
  if (before === size && semanticEqual(annotations, set.metadata.annotations)) return false;
  context.store.update('replicasets', {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: { ...set.spec, replicas: size },
  });
  if (before === size) return false;
  const way = size > before ? 'up' : 'down';
  const message = `Scaled ${way} replica set ${set.metadata.name} from ${before} to ${size}`;
  recorder.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  return true;
}

/**
 * Returns the only ReplicaSet with pods, or the newest if none has any.
 * @param {KubernetesObject | undefined} newSet
 * @param {KubernetesObject[]} old
 */
function activeOrLatest(newSet, old) {
  const active = activeOf([...old, ...(newSet ? [newSet] : [])]);
  if (active.length > 1) return undefined;
  return active[0] ?? newSet ?? old.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
}

/**
 * Each active ReplicaSet gets or loses its share of the difference; the largest gets the rest.
 * @param {Rollout} rollout
 */
function scaleProportionally(rollout) {
  const { deployment, all } = rollout;
  const active = activeOf(all);
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + maxSurgeOf(deployment) : 0;
  const toAdd = allowed - sumOfReplicas(active);
  const age = toAdd > 0 ? -1 : 1;
  const sorted = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || age * byCreation(a, b));
  let added = 0;
  const sizes = sorted.map((set) => {
    const share = shareOf(set, rollout, { toAdd, added });
    added += share;
    return replicasOf(set) + share;
  });
  sorted.forEach((set, index) => {
    const rest = index === 0 ? toAdd - added : 0;
    scaleReplicaSet(rollout, set, Math.max(0, sizes[index] + rest));
  });
}

/**
 * @param {KubernetesObject} set
 * @param {Rollout} rollout
 * @param {{ toAdd: number, added: number }} difference
 */
function shareOf(set, { deployment }, { toAdd, added }) {
  if (replicasOf(set) === 0 || toAdd === 0 || toAdd === added) return 0;
  const fraction = fractionOf(set, deployment);
  const left = toAdd - added;
  return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

/**
 * @param {KubernetesObject} set
 * @param {KubernetesObject} deployment
 */
function fractionOf(set, deployment) {
  const current = replicasOf(set);
  if (replicasOf(deployment) === 0) return -current;
  const total = replicasOf(deployment) + maxSurgeOf(deployment);
  const before = maxReplicasOf(set) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((current * total) / before) - current;
}
