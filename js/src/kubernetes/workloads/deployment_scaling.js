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
} from './deployment_util.js';

/**
 * The sizes of ReplicaSets when their Deployment is scaled or paused. Counterpart:
 * pkg/controller/deployment/sync.go, v1.36 (scale, isScalingEvent).
 */

/** @import { KubernetesObject } from '../types.js' */

/**
 * The ReplicaSets of a Deployment: that of its template, if there is one, and the others.
 * @typedef {{ newSet: KubernetesObject | undefined, old: KubernetesObject[] }} Sets
 */

/**
 * Whether the Deployment's replicas differ from those in its ReplicaSets' annotations.
 * @param {KubernetesObject} deployment
 * @param {KubernetesObject[]} sets
 */
export function isScalingEvent(deployment, sets) {
  return activeOf(sets).some((set) => {
    const desired = desiredReplicasOf(set);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}

/**
 * Returns the ReplicaSets that are scaled, in that order, and their sizes.
 * @param {KubernetesObject} deployment
 * @param {Sets} sets
 * @returns {{ set: KubernetesObject, size: number }[]}
 */
export function scaledSets(deployment, { newSet, old }) {
  const replicas = replicasOf(deployment);
  const all = [...old, ...(newSet ? [newSet] : [])];
  const active = activeOf(all);
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? old.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
    return only && replicasOf(only) !== replicas ? [{ set: only, size: replicas }] : [];
  }
  if (isSaturated(deployment, newSet))
    return activeOf(old)
      .toSorted(byCreation)
      .map((set) => ({ set, size: 0 }));
  return isRollingUpdate(deployment) ? proportionalSizes(deployment, active) : [];
}

/**
 * Each active ReplicaSet gets or loses its share of the difference; the largest gets the rest.
 * @param {KubernetesObject} deployment
 * @param {KubernetesObject[]} active
 */
function proportionalSizes(deployment, active) {
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + maxSurgeOf(deployment) : 0;
  const toAdd = allowed - sumOfReplicas(active);
  const age = toAdd > 0 ? -1 : 1;
  const sorted = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || age * byCreation(a, b));
  let added = 0;
  const sizes = sorted.map((set) => {
    const share = shareOf(set, deployment, { toAdd, added });
    added += share;
    return replicasOf(set) + share;
  });
  return sorted.map((set, index) => {
    const rest = index === 0 ? toAdd - added : 0;
    return { set, size: Math.max(0, sizes[index] + rest) };
  });
}

/**
 * @param {KubernetesObject} set
 * @param {KubernetesObject} deployment
 * @param {{ toAdd: number, added: number }} difference
 */
function shareOf(set, deployment, { toAdd, added }) {
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
