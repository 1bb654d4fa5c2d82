/**
 * The correct steps of drivers and of the controller of claims: each is the next write for a pool,
 * a claim or a pod. The write is observed, which plans the next step. Counterparts:
 * dynamic-resource-allocation/resourceslice and pkg/controller/resourceclaim.
 */
import {
  allocationOf,
  entriesOf,
  FINALIZER,
  hasConditions,
  idOf,
  isExtended,
  ownerOf,
  readinessOf,
  reservationsOf,
  resultsOf,
} from './devices.js';
import { isFinished, keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */

/** A write: an object to store, or to remove. @typedef {{put?: any, remove?: any}} Step */

const CLAIM = 'ResourceClaim';
const SLICE = 'ResourceSlice';

/** The slices that a driver publishes for a pool. @param {any} pool @returns {any[]} */
export function slicesOf({ metadata, spec }) {
  const { driver, generation, place, perSlice, devices, sharedCounters } = spec;
  const parts = [];
  for (let at = 0; at < devices.length; at += perSlice) {
    parts.push({ devices: devices.slice(at, at + perSlice) });
  }
  if (sharedCounters) parts.unshift(/** @type {any} */ ({ sharedCounters }));
  const pool = { name: metadata.name, generation, resourceSliceCount: parts.length };
  return parts.map((part, index) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: SLICE,
    metadata: { name: `${metadata.name}-${index}`, uid: `u-${metadata.name}-${index}` },
    spec: { driver, pool, ...place, ...part },
  }));
}

/**
 * The next write of the pool's driver.
 * @param {World} world @param {any} pool @returns {Step | null}
 */
export function stepOfPool(world, pool) {
  const slices = slicesOf(pool);
  const wrong = slices.find((slice) => {
    const stored = world.get(SLICE, slice.metadata.name);
    return JSON.stringify(stored?.spec) !== JSON.stringify(slice.spec);
  });
  if (wrong) return { put: wrong };
  const more = world.get(SLICE, `${pool.metadata.name}-${slices.length}`);
  return more ? { remove: more } : null;
}

/** The slices of a pool that is gone. @param {World} world @param {string} name */
export function removeSlices(world, name) {
  for (let index = 0; world.get(SLICE, `${name}-${index}`); index += 1) {
    world.remove(SLICE, `${name}-${index}`);
  }
}

/** @param {World} world @param {any} claim @param {{name: string, uid: string}} pod */
function isAlive(world, { metadata: { namespace } }, { name, uid }) {
  const pod = world.get('Pod', `${namespace}/${name}`);
  return pod?.metadata.uid === uid && !isFinished(pod);
}

/** @param {any} claim */
function withoutFinalizer({ metadata, ...rest }) {
  const others = metadata.finalizers.filter((/** @type {string} */ one) => one !== FINALIZER);
  const finalizers = others.length > 0 ? others : undefined;
  return { ...rest, metadata: { ...metadata, finalizers } };
}

/** @param {any} claim */
export function released(claim) {
  const { allocation: _, reservedFor: __, devices: ___, ...status } = claim.status;
  const changed = { ...claim, status };
  return claim.metadata.finalizers ? withoutFinalizer(changed) : changed;
}

/** The next write to a claim. @param {World} world @param {any} claim @returns {Step | null} */
export function stepOfClaim(world, claim) {
  const { deletionTimestamp, finalizers } = claim.metadata;
  const reserved = reservationsOf(claim);
  const alive = reserved.filter((/** @type {any} */ pod) => isAlive(world, claim, pod));
  if (alive.length < reserved.length) {
    const { status } = claim;
    if (alive.length > 0) return { put: { ...claim, status: { ...status, reservedFor: alive } } };
    return { put: released(claim) };
  }
  if (reserved.length === 0 && deletionTimestamp) {
    if (allocationOf(claim)) return { put: released(claim) };
    return finalizers ? { put: withoutFinalizer(claim) } : { remove: claim };
  }
  const owner = ownerOf(claim);
  if (owner && !deletionTimestamp && !isAlive(world, claim, owner)) return { remove: claim };
  return null;
}

/** A claim that is allocated for no pod. @param {any} claim @returns {Step | null} */
export function stepOfUnused(claim) {
  const isUnused = allocationOf(claim) && reservationsOf(claim).length === 0;
  return isUnused && !isExtended(claim) ? { put: released(claim) } : null;
}

/**
 * The status of a claim's devices by their drivers.
 * @param {any} claim @param {boolean} isFailure @returns {Step | null}
 */
export function stepOfDevices(claim, isFailure) {
  if (!hasConditions(claim) || readinessOf(claim) !== 'waits') return null;
  const isTrue = (/** @type {string} */ type) => ({ type, status: 'True', reason: 'Driver' });
  const devices = resultsOf(claim).map((/** @type {any} */ result) => {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    const types = isFailure ? bindingFailureConditions : bindingConditions;
    const [driver, pool, device] = idOf(result).split('/');
    return { driver, pool, device, conditions: types.map(isTrue) };
  });
  return { put: { ...claim, status: { ...claim.status, devices } } };
}

/**
 * The next claim of the pod, or the name of one in its status.
 * @param {World} world @param {any} pod @returns {Step | null}
 */
export function stepOfPod(world, pod) {
  if (pod.metadata.deletionTimestamp || isFinished(pod)) return null;
  const { namespace, name: podName, uid: podUid } = pod.metadata;
  const made = pod.status.resourceClaimStatuses ?? [];
  const entry = entriesOf(pod).find(({ name, resourceClaimTemplateName }) => {
    const isMade = made.some((/** @type {any} */ one) => one.name === name);
    return resourceClaimTemplateName && !isMade;
  });
  if (!entry) return null;
  const name = `${podName}-${entry.name}-${podUid}`;
  if (world.get(CLAIM, `${namespace}/${name}`)) {
    const statuses = [...made, { name: entry.name, resourceClaimName: name }];
    return { put: { ...pod, status: { ...pod.status, resourceClaimStatuses: statuses } } };
  }
  const template = world.get(
    'ResourceClaimTemplate',
    `${namespace}/${entry.resourceClaimTemplateName}`,
  );
  if (!template) return null;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: podName, uid: podUid, controller: true };
  const metadata = { namespace, name, uid: `u-${name}`, ownerReferences: [owner] };
  const claim = { apiVersion: 'resource.k8s.io/v1', kind: CLAIM, metadata };
  return { put: { ...claim, spec: template.spec.spec, status: {} } };
}

/**
 * @param {World} world @param {Step} step
 * @param {(world: World, claim: any) => void} removeClaim
 */
export function take(world, { put, remove }, removeClaim) {
  if (put) world.put(put);
  else if (remove.kind === CLAIM) removeClaim(world, remove);
  else world.remove(remove.kind, keyOf(remove));
}
