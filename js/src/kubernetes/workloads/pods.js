import { conditionOf, isConditionTrue } from '../conditions.js';
import { itemsIn } from '../values.js';
import { timeOf } from './objects.js';

/**
 * The controllers' view of pods. Counterparts: pkg/api/v1/pod/util.go,
 * pkg/controller/controller_utils.go, v1.36.
 */

/** @import { KubernetesObject } from '../types.js' */

/** @param {KubernetesObject} object */
export function isPod({ apiVersion, kind }) {
  return kind === 'Pod' && apiVersion === 'v1';
}

/** @param {KubernetesObject} pod */
export function isPodFinished({ status }) {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** @param {KubernetesObject} pod */
export function isPodTerminating({ metadata }) {
  return Boolean(metadata.deletionTimestamp);
}

/** Neither finished nor being deleted. @param {KubernetesObject} pod */
export function isPodActive(pod) {
  return !isPodFinished(pod) && !isPodTerminating(pod);
}

/** @param {KubernetesObject} pod */
export function isPodReady({ status }) {
  return isConditionTrue(status, 'Ready');
}

/**
 * Whether the pod has been ready for at least `minReadySeconds`.
 * @param {KubernetesObject} pod
 * @param {number} minReadySeconds
 * @param {number} now milliseconds since the epoch
 */
export function isPodAvailable(pod, minReadySeconds, now) {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== null && since + minReadySeconds * 1000 <= now;
}

/**
 * Returns when the pod became ready; null if it is not ready, or the time is missing.
 * @param {KubernetesObject} pod
 */
export function readySince({ status }) {
  const ready = conditionOf(status, 'Ready');
  return ready?.status === 'True' ? timeOf(ready.lastTransitionTime) : null;
}

/** @param {KubernetesObject} pod */
export function restartsOf({ status }) {
  const { initContainerStatuses, containerStatuses } = status ?? {};
  return [...itemsIn(initContainerStatuses), ...itemsIn(containerStatuses)].reduce(
    (sum, container) => sum + (container?.restartCount ?? 0),
    0,
  );
}

/**
 * Returns the keys of the claims that a pod mounts.
 * @param {KubernetesObject} pod
 * @returns {string[]}
 */
export function claimKeysOf({ metadata: { namespace, name }, spec }) {
  return (spec.volumes ?? []).flatMap((/** @type {any} */ volume) => {
    if (volume.persistentVolumeClaim)
      return [`${namespace}/${volume.persistentVolumeClaim.claimName}`];
    return volume.ephemeral ? [`${namespace}/${name}-${volume.name}`] : [];
  });
}
