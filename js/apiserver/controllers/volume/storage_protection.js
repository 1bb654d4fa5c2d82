import { keyOf } from '../../../src/kubernetes/keys.js';
import { claimKeysOf, isPodFinished } from '../../../src/kubernetes/workloads/pods.js';

/**
 * Keeps claims that pods use, and bound volumes, until they are no longer used. The protection
 * starts with the binding. Upstream protects objects from their creation by an admission plugin;
 * here the additional write between a claim and its pod would disturb the scheduler. Counterparts:
 * pkg/controller/volume/{pvcprotection,pvprotection}, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection';
const VOLUME_FINALIZER = 'kubernetes.io/pv-protection';

/** @param {ControllerContext} context */
export function startStorageProtection(context) {
  const pods = context.indexer('pods');
  const claims = context.indexer('persistentvolumeclaims');
  const volumes = context.indexer('persistentvolumes');
  pods.addIndex('claims', claimKeysOf);
  const claimQueue = context.reconciler((key) => {
    const claim = claims.get(key);
    if (!claim) return;
    const isUsed = pods.byIndex('claims', key).some((pod) => isUsedBy(claim, pod));
    protect(context, 'persistentvolumeclaims', claim, { finalizer: CLAIM_FINALIZER, isUsed });
  });
  const volumeQueue = context.reconciler((key) => {
    const volume = volumes.get(key);
    if (!volume) return;
    const isUsed = volume.status?.phase === 'Bound';
    protect(context, 'persistentvolumes', volume, { finalizer: VOLUME_FINALIZER, isUsed });
  });
  context.onChange('persistentvolumeclaims', (after) => {
    if (after) claimQueue.enqueue(keyOf(after));
  });
  context.onChange('persistentvolumes', (after) => {
    if (after) volumeQueue.enqueue(keyOf(after));
  });
  context.onChange('pods', (after, before) => {
    const pod = after ?? before;
    if (!pod || (after && !isPodFinished(after))) return;
    for (const key of claimKeysOf(pod)) claimQueue.enqueue(key);
  });
}

/**
 * Sets the finalizer from the binding on until the object is being deleted and unused.
 * @param {ControllerContext} context
 * @param {string} resource
 * @param {KubernetesObject} object
 * @param {{ finalizer: string, isUsed: boolean }} state
 */
function protect(context, resource, object, { finalizer, isUsed }) {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  const has = finalizers.includes(finalizer);
  const isBound = object.status?.phase === 'Bound';
  const isWanted = deletionTimestamp ? has && isUsed : has || isBound;
  if (has === isWanted) return;
  const next = isWanted
    ? [...finalizers, finalizer]
    : finalizers.filter((/** @type {string} */ name) => name !== finalizer);
  context.store.update(resource, {
    ...object,
    metadata: { ...object.metadata, finalizers: next },
  });
}

/**
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} pod
 */
function isUsedBy(claim, pod) {
  if (isPodFinished(pod) || !pod.spec.nodeName) return false;
  const owner = claim.metadata.ownerReferences?.find((/** @type {any} */ one) => one.controller);
  return owner?.kind !== 'Pod' || owner.uid === pod.metadata.uid;
}
