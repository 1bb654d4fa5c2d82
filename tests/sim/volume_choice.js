/**
 * The volumes that a pod's unbound claims would get on a node, computed from the rules (spec
 * plugins/volume-binding.md, "Filter").
 */
import {
  allows,
  annotationsOf,
  capacityOf,
  claimsOf,
  classOf,
  hasProvisioner,
  hasRoom,
  isFree,
  isFullyBound,
  isLargeEnough,
  isSetAsideFor,
  reaches,
  requestOf,
  SELECTED_NODE,
  suits,
} from './volumes.js';

/** @typedef {import('./volume_verdicts.js').Known} Known */

const VOLUME = 'PersistentVolume';
const BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = 'node(s) did not have enough free storage';

/** @param {any} claim @returns {string | undefined} */
const selectedOf = (claim) => annotationsOf(claim)[SELECTED_NODE];

/**
 * @param {any} pod @param {any} node @param {Known} known
 * @returns {{volumes: Record<string, string>, reason: string}} by claim, in the order of the
 *   writes; `reason`: why there are none, otherwise empty
 */
export function choiceOn(pod, node, { told, aside }) {
  const profile = pod.spec.schedulerName;
  const claims = claimsOf(pod)
    .map(({ key }) => aside.get(profile, 'PersistentVolumeClaim', key))
    .filter((claim) => !isFullyBound(claim));
  const selected = claims.filter((claim) => selectedOf(claim) !== undefined);
  if (selected.some((claim) => selectedOf(claim) !== node.metadata.name)) {
    return { volumes: {}, reason: BIND_CONFLICT };
  }
  const names = [...told.objects(VOLUME).keys()].sort();
  const candidates = names.map((name) => aside.get(profile, VOLUME, name));
  const others = claims.filter((claim) => selectedOf(claim) === undefined);
  const toProvision = [...selected];
  /** @type {Map<any, any>} */
  const chosen = new Map();
  for (const claim of others.sort((a, b) => requestOf(a) - requestOf(b))) {
    const rest = candidates.filter((one) => !chosen.has(one) && classOf(one) === classOf(claim));
    const volume = volumeFor(claim, rest, node);
    if (volume) chosen.set(volume, claim);
    else toProvision.push(claim);
  }
  const nameOf = (/** @type {any} */ { metadata }) => metadata.name;
  const volumes = Object.fromEntries([
    ...[...chosen].map(([volume, claim]) => [nameOf(claim), nameOf(volume)]),
    ...toProvision.map((claim) => [nameOf(claim), 'provision']),
  ]);
  return { volumes, reason: reasonAgainst(toProvision, node, told) };
}

/** @param {any} claim @param {any[]} volumes  of its class, by name @param {any} node */
function volumeFor(claim, volumes, node) {
  const own = volumes.find((one) => isSetAsideFor(one, claim) && isLargeEnough(one, claim));
  if (own) return reaches(own, node) ? own : undefined;
  const free = volumes.filter((one) => isFree(one) && suits(one, claim) && reaches(one, node));
  return free.sort((a, b) => capacityOf(a) - capacityOf(b))[0];
}

/**
 * The reason why volumes cannot be provisioned for claims.
 * @param {any[]} claims @param {any} node @param {Known['told']} told
 */
function reasonAgainst(claims, node, told) {
  for (const claim of claims) {
    const storageClass = told.objects('StorageClass').get(classOf(claim));
    if (!hasProvisioner(storageClass) || !allows(storageClass, node)) return BIND_CONFLICT;
    const driver = told.objects('CSIDriver').get(storageClass.provisioner);
    const capacities = told.objects('CSIStorageCapacity').values();
    if (!hasRoom({ claim, storageClass, node }, { driver, capacities })) return NO_SPACE;
  }
  return '';
}
