import { parseQuantity } from '../../../src/kubernetes/quantity.js';
import { labelsOf, selectorFor } from '../label_selector.js';
import { classNameOf, isBoundToClaim } from './volume_names.js';

/**
 * Finds the volume for a claim. Counterpart: component-helpers/storage/volume/pv_helpers.go, v1.36
 * (FindMatchingVolume, CheckVolumeModeMismatches, CheckAccessModes).
 */

/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

/**
 * Returns the volume that is reserved for the claim. Otherwise, unless binding waits for a pod,
 * returns the smallest matching free volume; of several the first by name.
 * @param {KubernetesObject} claim
 * @param {KubernetesObject[]} volumes
 * @param {{ isDelayed: boolean }} options
 * @returns {KubernetesObject | undefined}
 */
export function findMatchingVolume(claim, volumes, { isDelayed }) {
  const suitable = volumes.filter((volume) => !isModeMismatch(volume, claim));
  const mine = suitable.find((volume) => isBoundToClaim(volume, claim) && isLarge(volume, claim));
  if (mine) return mine;
  if (isDelayed) return undefined;
  const free = suitable.filter((volume) => !volume.spec.claimRef && isFree(volume, claim));
  return free.toSorted(bySize)[0];
}

/**
 * Returns the reason why a claim cannot have the volume that it names; undefined if it can.
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 * @returns {string | undefined}
 */
export function mismatchOf(volume, claim) {
  if (!isLarge(volume, claim)) return 'requested PV is too small';
  if (classNameOf(volume) !== classNameOf(claim)) return 'storageClassName does not match';
  if (isModeMismatch(volume, claim)) return 'incompatible volumeMode';
  return hasModes(volume, claim) ? undefined : 'incompatible accessMode';
}

/**
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 */
function isFree(volume, claim) {
  const { selector } = claim.spec;
  return (
    volume.status?.phase === 'Available' &&
    !volume.metadata.deletionTimestamp &&
    classNameOf(volume) === classNameOf(claim) &&
    attributesOf(volume) === attributesOf(claim) &&
    (!selector || selectorFor(selector).matches(labelsOf(volume))) &&
    hasModes(volume, claim) &&
    isLarge(volume, claim)
  );
}

/** @param {KubernetesObject} object @returns {string} */
function attributesOf({ spec }) {
  return spec.volumeAttributesClassName ?? '';
}

/**
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 */
function isModeMismatch(volume, claim) {
  const modeOf = (/** @type {KubernetesObject} */ { spec }) => spec.volumeMode ?? 'Filesystem';
  return modeOf(volume) !== modeOf(claim);
}

/**
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 */
function hasModes(volume, claim) {
  const offered = volume.spec.accessModes ?? [];
  return (claim.spec.accessModes ?? []).every((/** @type {string} */ mode) =>
    offered.includes(mode),
  );
}

/**
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} claim
 */
function isLarge(volume, claim) {
  const wanted = parseQuantity(claim.spec.resources?.requests?.storage ?? '0') ?? 0n;
  return capacityOf(volume) >= wanted;
}

/** @param {KubernetesObject} volume */
function capacityOf({ spec }) {
  return parseQuantity(spec.capacity?.storage ?? '0') ?? 0n;
}

/**
 * @param {KubernetesObject} left
 * @param {KubernetesObject} right
 */
function bySize(left, right) {
  const [a, b] = [capacityOf(left), capacityOf(right)];
  if (a !== b) return a < b ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
}
