/**
 * The correct steps of the volume controllers: each is the next write for a claim, a volume or a
 * pod. The write is observed, which plans the next step. Counterparts:
 * pkg/controller/volume/{persistentvolume,ephemeral} and external-provisioner.
 */
import {
  allows,
  annotationsOf,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  capacityOf,
  claimsOf,
  classOf,
  hasProvisioner,
  isDelayed,
  isFree,
  isFullyBound,
  isSetAsideFor,
  PROVISIONED_BY,
  SELECTED_NODE,
  suits,
  ZONE,
} from './volumes.js';
import { keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */

const VOLUME = 'PersistentVolume';
const CLAIM = 'PersistentVolumeClaim';

/** @param {any} object @param {Record<string, string | undefined>} changes  undefined: goes */
export function annotated(object, changes) {
  const all = { ...annotationsOf(object), ...changes };
  const set = Object.entries(all).filter(([, value]) => value !== undefined);
  const annotations = set.length > 0 ? Object.fromEntries(set) : undefined;
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** @param {any} object @param {string} phase */
export const inPhase = (object, phase) => ({ ...object, status: { ...object.status, phase } });

/** @param {any} volume */
function unclaimed(volume) {
  const { claimRef: _, ...spec } = volume.spec;
  return { ...annotated(volume, { [BOUND_BY_CONTROLLER]: undefined }), spec };
}

/** The volume bound to the claim. @param {any} volume @param {any} claim */
export function claimedBy(volume, { metadata: { namespace, name, uid } }) {
  const claimRef = { kind: CLAIM, apiVersion: 'v1', namespace, name, uid };
  const isOurs = !volume.spec.claimRef;
  const marked = isOurs ? annotated(volume, { [BOUND_BY_CONTROLLER]: 'yes' }) : volume;
  return { ...marked, spec: { ...volume.spec, claimRef } };
}

/** @param {any} claim @param {any} volume */
function boundTo(claim, volume) {
  const marked = annotated(claim, { [BIND_COMPLETED]: 'yes' });
  const { name: volumeName } = volume.metadata;
  return { ...inPhase(marked, 'Bound'), spec: { ...claim.spec, volumeName } };
}

/** The volume that is reserved for the claim. @param {World} world @param {any} claim */
export function volumeFor(world, claim) {
  const { volumeName } = claim.spec;
  if (volumeName) return world.get(VOLUME, volumeName);
  return world.list(VOLUME).find((volume) => isSetAsideFor(volume, claim));
}

/** The smallest suitable volume that is free. @param {World} world @param {any} claim */
export function freeVolumeFor(world, claim) {
  const free = world.list(VOLUME).filter((volume) => isFree(volume) && suits(volume, claim));
  return free.sort((a, b) => capacityOf(a) - capacityOf(b))[0];
}

/** The next write to a claim, if any. @param {World} world @param {any} claim */
export function stepOfClaim(world, claim) {
  if (claim.metadata.deletionTimestamp) return null;
  const { volumeName } = claim.spec;
  const volume = volumeFor(world, claim);
  const isTaken = volume?.spec.claimRef && !isSetAsideFor(volume, claim);
  if (isFullyBound(claim)) {
    const isLost = !volume || isTaken;
    if (isLost) return claim.status.phase === 'Lost' ? null : inPhase(claim, 'Lost');
    if (!volume.spec.claimRef?.uid) return claimedBy(volume, claim);
    return claim.status.phase === 'Bound' ? null : inPhase(claim, 'Bound');
  }
  if (volume) {
    if (isTaken) return null;
    return volume.spec.claimRef?.uid ? boundTo(claim, volume) : claimedBy(volume, claim);
  }
  return volumeName ? null : stepOfUnbound(world, claim);
}

/** The step if there is no volume for the claim. @param {World} world @param {any} claim */
function stepOfUnbound(world, claim) {
  const storageClass = world.get('StorageClass', classOf(claim));
  const selected = annotationsOf(claim)[SELECTED_NODE];
  if (isDelayed(storageClass)) {
    if (selected === undefined) return null;
  } else {
    const free = freeVolumeFor(world, claim);
    if (free) return claimedBy(free, claim);
  }
  if (!hasProvisioner(storageClass)) return null;
  const node = selected === undefined ? null : world.get('Node', selected);
  const isAllowed = selected === undefined || (node && allows(storageClass, node));
  if (!isAllowed) return annotated(claim, { [SELECTED_NODE]: undefined });
  return newVolume(world, claim, node?.metadata.labels?.[ZONE]);
}

/**
 * A volume that is provisioned for the claim, reachable from the zone only if one is given.
 * @param {World} world @param {any} claim @param {string} [zone]
 */
export function newVolume(world, claim, zone) {
  const storageClass = world.get('StorageClass', classOf(claim));
  let name = `pvc-${claim.metadata.uid}`;
  while (world.get(VOLUME, name)) name += '-again';
  const expression = { key: ZONE, operator: 'In', values: [zone] };
  const required = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
  const volume = {
    apiVersion: 'v1',
    kind: VOLUME,
    metadata: {
      name,
      uid: `u-${name}`,
      labels: zone === undefined ? {} : { [ZONE]: zone },
      annotations: { [PROVISIONED_BY]: storageClass.provisioner },
    },
    spec: {
      capacity: claim.spec.resources.requests,
      accessModes: claim.spec.accessModes,
      storageClassName: storageClass.metadata.name,
      persistentVolumeReclaimPolicy: 'Delete',
      csi: { driver: storageClass.provisioner, volumeHandle: name },
      ...(zone !== undefined && { nodeAffinity: { required } }),
    },
    status: { phase: 'Pending' },
  };
  const { claimRef } = claimedBy(volume, claim).spec;
  return { ...volume, spec: { ...volume.spec, claimRef } };
}

/** It is no longer needed. */
const GONE = 'gone';

/**
 * The next write to a volume, if any; `gone`: it is deleted.
 * @param {World} world @param {any} volume @returns {any}
 */
export function stepOfVolume(world, volume) {
  const { claimRef } = volume.spec;
  const { phase } = volume.status;
  const become = (/** @type {string} */ next) => (phase === next ? null : inPhase(volume, next));
  if (!claimRef) return become('Available');
  const claim = world.get(CLAIM, `${claimRef.namespace}/${claimRef.name}`);
  const annotations = annotationsOf(volume);
  if (!claim && !claimRef.uid) {
    if (PROVISIONED_BY in annotations) return released(volume);
    if (BOUND_BY_CONTROLLER in annotations) return inPhase(unclaimed(volume), 'Available');
    return become('Available');
  }
  if (!claim || !isSetAsideFor(volume, claim)) return released(volume);
  const { name } = volume.metadata;
  if (!claim.spec.volumeName) return claimRef.uid ? null : become('Available');
  if (claim.spec.volumeName === name) return isFullyBound(claim) ? become('Bound') : null;
  // The claim got another one.
  if (PROVISIONED_BY in annotations) return released(volume);
  if (BOUND_BY_CONTROLLER in annotations) return inPhase(unclaimed(volume), 'Available');
  return null;
}

/** @param {any} volume */
function released(volume) {
  if (volume.spec.persistentVolumeReclaimPolicy === 'Delete') return GONE;
  return volume.status.phase === 'Released' ? null : inPhase(volume, 'Released');
}

/**
 * The missing ephemeral claim of the pod, if any.
 * @param {World} world @param {any} pod
 */
export function stepOfPod(world, pod) {
  const missing = claimsOf(pod).find(({ key, isEphemeral }) => {
    return isEphemeral && !world.get(CLAIM, key);
  });
  if (!missing || pod.metadata.deletionTimestamp) return null;
  const { namespace, name: podName, uid: podUid } = pod.metadata;
  const volume = pod.spec.volumes.find((/** @type {any} */ { name }) => {
    return missing.name === `${podName}-${name}`;
  });
  const owner = { apiVersion: 'v1', kind: 'Pod', name: podName, uid: podUid, controller: true };
  return {
    apiVersion: 'v1',
    kind: CLAIM,
    metadata: {
      namespace,
      name: missing.name,
      uid: `${podUid}-${volume.name}`,
      ownerReferences: [owner],
    },
    spec: volume.ephemeral.volumeClaimTemplate.spec,
    status: { phase: 'Pending' },
  };
}

/**
 * Makes the write or the deletion of a step.
 * @param {World} world @param {any} object @param {any} step
 */
export function take(world, object, step) {
  if (step === GONE) world.remove(object.kind, keyOf(object));
  else world.put(step);
}
