/** The invariants of claims after all work is done, whatever went wrong before. */
import {
  allocationOf,
  FINALIZER,
  isExtended,
  ownerOf,
  reservationsOf,
  resultsOf,
} from './devices.js';
import { slicesOf } from './device_steps.js';
import { hold } from './invariants.js';
import { isFinished, keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */

/**
 * No claim keeps devices for nothing, and every pool is as its driver means it.
 * @param {World} world
 */
export function checkDevicesAtRest(world) {
  for (const claim of world.values('ResourceClaim')) checkClaim(world, claim);
  for (const pool of world.values('DevicePool')) {
    for (const { metadata, spec } of slicesOf(pool)) {
      const stored = world.get('ResourceSlice', metadata.name);
      hold(JSON.stringify(stored?.spec) === JSON.stringify(spec), 'drivers catch up', () => {
        return `${metadata.name} is ${JSON.stringify(stored?.spec)}`;
      });
    }
  }
}

/** No decision has an allocation that is not written. @param {{inFlight: object[]}} books */
export function checkNothingInFlight({ inFlight }) {
  hold(inFlight.length === 0, 'no claim in flight in the end', () => JSON.stringify(inFlight[0]));
}

/** @param {World} world @param {any} claim */
function checkClaim(world, claim) {
  const settled = (/** @type {boolean} */ holds, /** @type {string} */ what) =>
    hold(holds, 'claims are settled', () => `${keyOf(claim)} ${what}`);
  const podOf = (/** @type {any} */ { name, uid }) => {
    const pod = world.get('Pod', `${claim.metadata.namespace}/${name}`);
    return pod?.metadata.uid === uid && !isFinished(pod) ? pod : undefined;
  };
  const reserved = reservationsOf(claim);
  if (allocationOf(claim)) {
    settled(reserved.length > 0 || isExtended(claim), 'is allocated for no pod');
    // The scheduler takes the finalizer away before it deletes a claim, which may fail.
    const isFinal = claim.metadata.finalizers?.includes(FINALIZER);
    settled(isFinal || isExtended(claim), 'lacks its finalizer');
    settled(resultsOf(claim).length > 0, 'is allocated without devices');
  } else {
    settled(reserved.length === 0, 'is reserved, but not allocated');
  }
  for (const reference of reserved) settled(Boolean(podOf(reference)), `is for ${reference.name}`);
  const isUsed = reserved.length > 0;
  settled(isUsed || !claim.metadata.deletionTimestamp, 'is deleted, but stays');
  const owner = ownerOf(claim);
  settled(!owner || Boolean(podOf(owner)), `outlives ${owner?.name}`);
}
