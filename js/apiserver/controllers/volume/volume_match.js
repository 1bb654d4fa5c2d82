import {
  capacityOf,
  isBoundToClaim,
  isLarge,
  isSuitable,
  modeOf,
} from '../../../src/kubernetes/volume_match.js';
import { labelsOf, selectorFor } from '../label_selector.js';
import { classNameOf } from './volume_names.js';

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
  const suitable = volumes.filter((volume) => isSuitable(volume, claim));
  const mine = suitable.find((volume) => isBoundToClaim(volume, claim));
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
  const { name, deletionTimestamp } = volume.metadata;
  if (deletionTimestamp) return `the volume is marked for deletion "${name}"`;
  if (!isLarge(volume, claim)) return 'requested PV is too small';
  if (classNameOf(volume) !== classNameOf(claim)) return 'storageClassName does not match';
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode';
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
    classNameOf(volume) === classNameOf(claim) &&
    (!selector || selectorFor(selector).matches(labelsOf(volume))) &&
    hasModes(volume, claim)
  );
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
 * @param {KubernetesObject} left
 * @param {KubernetesObject} right
 */
function bySize(left, right) {
  const [a, b] = [capacityOf(left), capacityOf(right)];
  if (a !== b) return a < b ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
}
