import { keyOf } from '../../../src/kubernetes/keys.js';
import { ClaimSync } from './claim_sync.js';
import { claimKeyOf, classNameOf } from './volume_names.js';
import { VolumeSync } from './volume_sync.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/**
 * Binds claims to volumes, provisions volumes for claims whose class names a provisioner, and
 * deletes released volumes if their reclaim policy says so. Counterparts:
 * pkg/controller/volume/persistentvolume/pv_controller.go, v1.36; for the volumes of CSI drivers
 * external-provisioner.
 * @param {ControllerContext} context
 */
export function startPersistentVolumeController(context) {
  const claims = context.indexer('persistentvolumeclaims');
  const volumes = context.indexer('persistentvolumes');
  const recorder = context.recorder('persistentvolume-controller');
  claims.addIndex('volumeName', ({ spec }) => (spec.volumeName ? [spec.volumeName] : []));
  claims.addIndex('unboundOfClass', (claim) =>
    claim.status?.phase === 'Bound' ? [] : [classNameOf(claim)],
  );
  volumes.addIndex('claim', (volume) => {
    const key = claimKeyOf(volume);
    return key ? [key] : [];
  });
  volumes.addIndex('class', (volume) => [classNameOf(volume)]);
  const claimQueue = context.reconciler((key) => {
    const claim = claims.get(key);
    if (claim) new ClaimSync(context, recorder, claim).run();
  });
  const volumeQueue = context.reconciler((key) => {
    const volume = volumes.get(key);
    if (volume) new VolumeSync(context, recorder, volume).run();
  });
  context.onChange('persistentvolumeclaims', (after, before) => {
    const claim = after ?? /** @type {KubernetesObject} */ (before);
    if (after) claimQueue.enqueue(keyOf(after));
    for (const volume of volumes.byIndex('claim', keyOf(claim))) volumeQueue.enqueue(keyOf(volume));
    if (claim.spec.volumeName) volumeQueue.enqueue(claim.spec.volumeName);
  });
  context.onChange('persistentvolumes', (after, before) => {
    const volume = after ?? /** @type {KubernetesObject} */ (before);
    if (after) volumeQueue.enqueue(keyOf(after));
    const key = claimKeyOf(volume);
    if (key) claimQueue.enqueue(key);
    for (const claim of claims.byIndex('volumeName', keyOf(volume)))
      claimQueue.enqueue(keyOf(claim));
    if (after && !key) enqueueWaiting(classNameOf(after));
  });
  context.onChange('storageclasses', (after) => {
    if (!after) return;
    enqueueWaiting(after.metadata.name);
    // The changed class may be the default.
    enqueueWaiting('');
  });
  /** @param {string} className */
  function enqueueWaiting(className) {
    for (const claim of claims.byIndex('unboundOfClass', className))
      claimQueue.enqueue(keyOf(claim));
  }
}
