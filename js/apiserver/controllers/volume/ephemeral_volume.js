import { keyOf } from '../../../src/kubernetes/keys.js';
import { isAlreadyExists } from '../api_errors.js';
import { ephemeralClaimOf } from '../../../src/kubernetes/workloads/claims.js';
import { isPodTerminating } from '../../../src/kubernetes/workloads/pods.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/**
 * Creates the claims of ephemeral volumes, which are deleted with their pods. Counterpart:
 * pkg/controller/volume/ephemeral/controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startEphemeralVolumeController(context) {
  const pods = context.indexer('pods');
  const recorder = context.recorder('ephemeral_volume');
  const reconciler = context.reconciler((key) => {
    const pod = pods.get(key);
    if (!pod || isPodTerminating(pod)) return;
    for (const volume of ephemeralVolumesOf(pod)) createClaim(context, recorder, pod, volume);
  });
  context.onChange('pods', (after, before) => {
    if (after && !before && ephemeralVolumesOf(after).length > 0) reconciler.enqueue(keyOf(after));
  });
  // A deleted claim is created again.
  context.onChange('persistentvolumeclaims', (after, before) => {
    if (after || !before) return;
    const owner = before.metadata.ownerReferences?.find(
      (/** @type {any} */ { kind, controller }) => kind === 'Pod' && controller,
    );
    if (owner) reconciler.enqueue(`${before.metadata.namespace}/${owner.name}`);
  });
}

/** @param {KubernetesObject} pod @returns {any[]} */
function ephemeralVolumesOf({ spec }) {
  return (spec.volumes ?? []).filter((/** @type {any} */ { ephemeral }) => ephemeral);
}

/**
 * @param {ControllerContext} context
 * @param {EventRecorder} recorder
 * @param {KubernetesObject} pod
 * @param {any} volume
 */
function createClaim(context, recorder, pod, volume) {
  const { namespace, uid } = pod.metadata;
  const claim = ephemeralClaimOf(pod, volume);
  const known = context.store.get('persistentvolumeclaims', namespace, claim.metadata.name);
  if (known) return checkOwner(recorder, { pod, claim: known });
  try {
    context.store.create('persistentvolumeclaims', claim);
  } catch (error) {
    if (isAlreadyExists(error)) return;
    const { message } = /** @type {Error} */ (error);
    const said = `ephemeral volume ${volume.name} (${uid}): ${message}`;
    recorder.event(pod, 'Warning', 'FailedBinding', said);
    throw error;
  }
}

/**
 * @param {EventRecorder} recorder
 * @param {{ pod: KubernetesObject, claim: KubernetesObject }} objects
 */
function checkOwner(recorder, { pod, claim }) {
  const isIts = claim.metadata.ownerReferences?.some(
    (/** @type {any} */ { uid }) => uid === pod.metadata.uid,
  );
  if (isIts) return;
  const message =
    `PVC ${keyOf(claim)} was not created for pod ` + `${keyOf(pod)} (pod is not owner)`;
  recorder.event(pod, 'Warning', 'FailedBinding', message);
}
