/** Whether a node has room for a pod's volumes, by driver (spec plugins/node-volume-limits.md). */
import { claimsOf, classOf, isControlledBy } from './volumes.js';
import { keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */

/**
 * The volume that counts for a claim: `driver handle`, or `driver namespace/name` before it is
 * provisioned; none if nothing has to be attached.
 * @param {any} claim @param {ExpectedCache} told @returns {string[]}
 */
function attachableOf(claim, told) {
  const volume = told.objects('PersistentVolume').get(claim.spec.volumeName);
  if (volume) {
    const { csi } = volume.spec;
    return csi ? [`${csi.driver} ${csi.volumeHandle}`] : [];
  }
  const storageClass = told.objects('StorageClass').get(classOf(claim));
  return storageClass ? [`${storageClass.provisioner} ${keyOf(claim)}`] : [];
}

/** @param {any} pod @param {ExpectedCache} told @returns {string[]} */
function attachablesOf(pod, told) {
  return claimsOf(pod).flatMap(({ key, isEphemeral }) => {
    const claim = told.objects('PersistentVolumeClaim').get(key);
    if (!claim || (isEphemeral && !isControlledBy(claim, pod))) return [];
    return attachableOf(claim, told);
  });
}

/**
 * The volumes that VolumeAttachments report.
 * @param {ExpectedCache} told
 * @param {string} nodeName
 */
function attachedTo(told, nodeName) {
  return [...told.objects('VolumeAttachment').values()].flatMap(({ spec }) => {
    const { attacher, source } = spec;
    const volume = told.objects('PersistentVolume').get(source.persistentVolumeName);
    const isHere = spec.nodeName === nodeName && volume?.spec.csi;
    return isHere ? [`${attacher} ${volume.spec.csi.volumeHandle}`] : [];
  });
}

/**
 * The first driver whose limit the node would exceed, as text; empty if there is none.
 * @param {ExpectedCache} told @param {any} pod  that is to go to the node @param {string} nodeName
 */
export function volumesOverLimit(told, pod, nodeName) {
  const others = [...told.cache.values()].filter(({ node }) => node === nodeName);
  const there = new Set(others.flatMap((one) => attachablesOf(one.pod, told)));
  const wanted = new Set(attachablesOf(pod, told).filter((one) => !there.has(one)));
  const taken = new Set([...there, ...attachedTo(told, nodeName)]);
  const drivers = told.objects('CSINode').get(nodeName)?.spec.drivers ?? [];
  for (const { name, allocatable } of drivers) {
    const limit = allocatable?.count ?? Infinity;
    const countIn = (/** @type {Set<string>} */ volumes) =>
      [...volumes].filter((volume) => volume.startsWith(`${name} `)).length;
    const own = countIn(wanted);
    const count = countIn(taken) + own;
    if (own > 0 && count > limit) return `${count} of ${limit} ${name}`;
  }
  return '';
}
