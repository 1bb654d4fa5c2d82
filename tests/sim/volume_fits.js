/**
 * Whether a decision's node suits the pod's volumes, by the engine's input and its assumed objects.
 */
import { hold } from './invariants.js';
import { choiceOn } from './volume_choice.js';
import { volumesOverLimit } from './volume_limits.js';
import {
  allows,
  annotationsOf,
  claimsOf,
  classOf,
  hasProvisioner,
  hasRoom,
  isControlledBy,
  isDelayed,
  isFree,
  isFullyBound,
  isInZoneOf,
  isLargeEnough,
  isSetAsideFor,
  reaches,
  SELECTED_NODE,
  suits,
} from './volumes.js';
import { keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */
/** @typedef {import('./volumes.js').PodClaim} PodClaim */

/**
 * @typedef {object} Known
 * @property {ExpectedCache} told
 * @property {import('./set_aside.js').SetAside} aside
 * @property {Record<string, string>} volumes  of the decision: a volume, or `provision`, by claim
 */

const VOLUME = 'PersistentVolume';
const CLAIM = 'PersistentVolumeClaim';

/** @param {any} pod @param {string} nodeName @param {Known} known */
export function checkClaims(pod, nodeName, known) {
  const claims = claimsOf(pod);
  const { told, volumes } = known;
  const chosen = Object.values(volumes).filter((volume) => volume !== 'provision');
  hold(new Set(chosen).size === chosen.length, 'one claim per volume', () => {
    return `${keyOf(pod)} takes one volume for two claims: ${JSON.stringify(volumes)}`;
  });
  const others = Object.keys(volumes).filter((name) =>
    claims.every((claim) => claim.name !== name),
  );
  hold(others.length === 0, 'volumes fit', () => `${keyOf(pod)} has no claim ${others.join()}`);
  if (claims.length === 0) return;
  const node = told.objects('Node').get(nodeName);
  for (const podClaim of claims) {
    checkAside(pod, podClaim, known);
    const fault = faultOf(pod, podClaim, node, known);
    hold(
      !fault,
      'volumes fit',
      () => `${keyOf(pod)} goes to ${nodeName}: ${podClaim.key} ${fault}`,
    );
  }
  const must = JSON.stringify(choiceOn(pod, node, known).volumes);
  hold(JSON.stringify(volumes) === must, 'volumes are judged', () => {
    return `${keyOf(pod)} on ${nodeName} takes ${JSON.stringify(volumes)} instead of ${must}`;
  });
  for (const podClaim of claims) {
    const user = userOfClaim(podClaim, told);
    hold(!user, 'one pod per claim', () => {
      return `${keyOf(pod)} uses ${podClaim.key}, as ${keyOf(user)} does`;
    });
  }
  const excess = volumesOverLimit(told, pod, nodeName);
  hold(!excess, 'no node over its volume limit', () => {
    return `${keyOf(pod)} makes ${excess} on ${nodeName}`;
  });
}

/**
 * The problem with a claim of the pod on the node; empty if there is none.
 * @param {any} pod @param {PodClaim} podClaim @param {any} node @param {Known} known
 */
function faultOf(pod, { name, key, isEphemeral }, node, { told, aside, volumes }) {
  const profile = pod.spec.schedulerName;
  const stored = told.objects(CLAIM).get(key);
  if (!stored) return 'is missing';
  if (stored.status?.phase === 'Lost') return 'is lost';
  if (stored.metadata.deletionTimestamp) return 'is being deleted';
  if (isEphemeral && !isControlledBy(stored, pod)) return 'belongs to another pod';
  const claim = aside.get(profile, CLAIM, key);
  const choice = volumes[name];
  if (!isFullyBound(claim)) {
    if (choice === undefined) return 'is not bound';
    if (choice !== 'provision') return faultOfVolume(claim, choice, node, { told, aside, profile });
    return faultOfProvision(claim, node, told);
  }
  if (choice !== undefined) return 'is bound';
  const volume = aside.get(profile, VOLUME, claim.spec.volumeName);
  if (!volume) return 'has no volume';
  if (!reaches(volume, node)) return 'has a volume that the node does not reach';
  const isNear = isEphemeral || isInZoneOf(told.objects(VOLUME).get(volume.metadata.name), node);
  return isNear ? '' : 'has a volume in another zone';
}

/**
 * @param {any} claim @param {string} name @param {any} node
 * @param {Pick<Known, 'told' | 'aside'> & {profile: string}} known
 */
function faultOfVolume(claim, name, node, { told, aside, profile }) {
  const volume = aside.get(profile, VOLUME, name);
  if (!volume) return 'is to get a volume that is not there';
  if (!isDelayed(told.objects('StorageClass').get(classOf(claim))))
    return 'does not wait for a pod';
  if (SELECTED_NODE in annotationsOf(claim)) return 'is to get a new volume';
  if (!reaches(volume, node)) return `is to get ${name}, which the node does not reach`;
  const isFitting = isSetAsideFor(volume, claim)
    ? isLargeEnough(volume, claim)
    : isFree(volume) && suits(volume, claim);
  return isFitting ? '' : `is to get ${name}, which does not suit it`;
}

/** @param {any} claim @param {any} node @param {ExpectedCache} told */
function faultOfProvision(claim, node, told) {
  const storageClass = told.objects('StorageClass').get(classOf(claim));
  if (!isDelayed(storageClass)) return 'does not wait for a pod';
  if (!hasProvisioner(storageClass)) return 'waits for a volume that no provisioner makes';
  if (!allows(storageClass, node)) return 'is to get a volume where its class does not allow it';
  const selected = annotationsOf(claim)[SELECTED_NODE];
  if (selected !== undefined && selected !== node.metadata.name) return `is made for ${selected}`;
  const driver = told.objects('CSIDriver').get(storageClass.provisioner);
  const capacities = told.objects('CSIStorageCapacity').values();
  const isRoom = hasRoom({ claim, storageClass, node }, { driver, capacities });
  return isRoom ? '' : 'is to get a volume where there is no room';
}

/** @param {any} pod @param {PodClaim} podClaim @param {Known} known */
function checkAside(pod, { name, key }, { aside, volumes }) {
  const profile = pod.spec.schedulerName;
  const choice = volumes[name];
  if (choice === undefined || choice === 'provision') return;
  const claimRef = aside.get(profile, VOLUME, choice)?.spec.claimRef;
  const claim = aside.get(profile, CLAIM, key);
  const isOthers = claim && claimRef && !isSetAsideFor({ spec: { claimRef } }, claim);
  hold(!isOthers, 'one claim per volume', () => {
    const others = JSON.stringify(claimRef);
    return `${keyOf(pod)} takes ${choice} for ${key}, which is set aside: ${others}`;
  });
}

/**
 * A pod that uses the claim, if only one may.
 * @param {PodClaim} podClaim @param {ExpectedCache} told
 */
export function userOfClaim({ key, isEphemeral }, told) {
  const modes = told.objects(CLAIM).get(key)?.spec.accessModes ?? [];
  if (isEphemeral || !modes.includes('ReadWriteOncePod')) return undefined;
  const user = [...told.cache.values()].find(({ pod, node }) => {
    // Pods on a deleted node do not count.
    if (!told.objects('Node').has(node)) return false;
    return claimsOf(pod).some((one) => one.key === key && !one.isEphemeral);
  });
  return user?.pod;
}
