/**
 * Which volumes a claim can have, whatever the class and the node. Counterpart:
 * component-helpers/storage/volume/pv_helpers.go, v1.36 (IsVolumeBoundToClaim, FindMatchingVolume).
 */
import { parseQuantity } from './quantity.js';

/** @import { KubernetesObject } from './types.js' */

/** The annotation of a claim for which the scheduler has chosen a node. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/**
 * Whether the volume is reserved for the claim, or for one of its name.
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 */
export function isBoundToClaim({ spec: { claimRef } }, { metadata }) {
  if (!claimRef) return false;
  const isNamed = claimRef.namespace === metadata.namespace && claimRef.name === metadata.name;
  return isNamed && (!claimRef.uid || claimRef.uid === metadata.uid);
}

/**
 * Whether a claim can have the volume, also one that is reserved for it.
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 */
export function isSuitable(volume, claim) {
  return (
    isLarge(volume, claim) &&
    modeOf(volume) === modeOf(claim) &&
    attributesOf(volume) === attributesOf(claim) &&
    !volume.metadata.deletionTimestamp
  );
}

/**
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 */
export function isLarge(volume, claim) {
  const wanted = parseQuantity(claim.spec.resources?.requests?.storage ?? '0') ?? 0n;
  return capacityOf(volume) >= wanted;
}

/** @param {KubernetesObject} volume */
export function capacityOf({ spec }) {
  return parseQuantity(spec.capacity?.storage ?? '0') ?? 0n;
}

/** @param {KubernetesObject} object a volume or claim @returns {string} */
export function modeOf({ spec }) {
  return spec.volumeMode ?? 'Filesystem';
}

/** @param {KubernetesObject} object a volume or claim @returns {string} */
function attributesOf({ spec }) {
  return spec.volumeAttributesClassName ?? '';
}
