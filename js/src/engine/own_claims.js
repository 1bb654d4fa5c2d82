/** The claims that controllers made for one pod, and that end with it. */
import { isClaimOfPod } from '../kubernetes/pod_claims.js';
import { claimKeysOf } from '../kubernetes/workloads/pods.js';
import { itemsIn } from '../kubernetes/values.js';

/**
 * @import { Scheduler } from './scheduler.js'
 * @import { KubernetesObject, WatchEvent } from '../kubernetes/types.js'
 */

/** Reads the cluster's objects. @typedef {Pick<Scheduler, 'get'>} Objects */

/**
 * Returns a pod without the names of device claims that were made for it, or that do not exist.
 * The claims of its PodGroup remain.
 * @param {KubernetesObject} pod
 * @param {Objects} objects
 * @returns {KubernetesObject}
 */
export function withoutOwnClaims(pod, objects) {
  const { resourceClaimStatuses, extendedResourceClaimStatus, ...status } = pod.status ?? {};
  if (!resourceClaimStatuses && !extendedResourceClaimStatus) return pod;
  const remaining = itemsIn(resourceClaimStatuses).filter(({ resourceClaimName: name }) => {
    if (name === undefined) return true;
    const claim = objects.get('ResourceClaim', `${pod.metadata.namespace}/${name}`);
    return claim !== undefined && !isClaimOfPod(claim, pod);
  });
  return { ...pod, status: { ...status, resourceClaimStatuses: remaining } };
}

/**
 * Whether claims are made for the pod's own volumes.
 * @param {KubernetesObject} pod
 */
export function hasEphemeralVolume({ spec }) {
  return itemsIn(spec?.volumes).some((volume) => volume?.ephemeral);
}

/**
 * Returns the DELETED events of the claims that were made for a deleted pod's ephemeral volumes,
 * and of their volumes: one that outlives its claim is Released, and no claim gets it. The engine
 * itself deletes device claims.
 * @param {KubernetesObject} pod complete
 * @param {Objects} objects
 * @returns {WatchEvent[]}
 */
export function volumeRemovals(pod, objects) {
  if (!hasEphemeralVolume(pod)) return [];
  return claimKeysOf(pod).flatMap((key) => {
    const claim = objects.get('PersistentVolumeClaim', key);
    if (!claim || !isClaimOfPod(claim, pod)) return [];
    const { volumeName } = claim.spec;
    const volume = volumeName && objects.get('PersistentVolume', volumeName);
    const removed = volume ? [claim, volume] : [claim];
    return removed.map((object) => ({ type: /** @type {const} */ ('DELETED'), object }));
  });
}
