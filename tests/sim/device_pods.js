/** The claims of a pod, as its entries and its containers name them. */
import { CARD, cardsOf, entriesOf, hasExtended, ownerOf } from './devices.js';
import { keyOf } from './world.js';

/** @typedef {import('./claim_store.js').ClaimStore} ClaimStore */
/** @typedef {import('./device_fits.js').Known} Known */

/**
 * The claims of the pod's entries, or why there is none.
 * @param {any} pod @param {{get: (key: string) => any}} store
 * @returns {{claims: any[], fault: string}}
 */
export function claimsOfPod(pod, store) {
  /** @type {any[]} */
  const claims = [];
  for (const entry of entriesOf(pod)) {
    const made = pod.status.resourceClaimStatuses?.find(
      (/** @type {any} */ { name }) => name === entry.name,
    );
    if (!entry.resourceClaimName && !made) {
      return { claims, fault: `pod "${keyOf(pod)}": ResourceClaim not created yet` };
    }
    const name = entry.resourceClaimName ?? made.resourceClaimName;
    if (!name) continue;
    const key = `${pod.metadata.namespace}/${name}`;
    const claim = store.get(key);
    const fault = claim
      ? faultOf(claim, pod, !entry.resourceClaimName)
      : `could not find ResourceClaim "${key}"`;
    if (fault) return { claims, fault };
    claims.push(claim);
  }
  return { claims, fault: '' };
}

/** @param {any} claim @param {any} pod @param {boolean} isMade for the pod */
function faultOf(claim, pod, isMade) {
  if (claim.metadata.deletionTimestamp) {
    return `resourceclaim "${claim.metadata.name}" is being deleted`;
  }
  if (!isMade || ownerOf(claim)?.uid === pod.metadata.uid) return '';
  return `ResourceClaim ${keyOf(claim)} was not created for Pod ${keyOf(pod)} (Pod is not owner)`;
}

/** The class whose devices serve the resource. @param {Known['told']} told */
export const cardClass = (told) =>
  [...told.objects('DeviceClass').values()].find(({ spec }) => spec.extendedResourceName === CARD);

/**
 * The claim that would be created for the pod's extended resources on the node; undefined: it needs
 * none.
 * @param {any} pod @param {any} node @param {Known} known @returns {any}
 */
export function extendedClaimFor(pod, node, { told }) {
  const deviceClass = cardClass(told);
  if (!hasExtended(pod) || !deviceClass || node.status.allocatable?.[CARD]) return undefined;
  const requests = cardsOf(pod).flatMap((/** @type {number} */ count, /** @type {number} */ at) => {
    if (count === 0) return [];
    const names = Object.keys(pod.spec.containers[at].resources.requests).sort();
    return {
      name: `container-${at}-request-${names.indexOf(CARD)}`,
      exactly: { deviceClassName: deviceClass.metadata.name, allocationMode: 'ExactCount', count },
    };
  });
  const { namespace } = pod.metadata;
  return { metadata: { namespace }, spec: { devices: { requests } } };
}
