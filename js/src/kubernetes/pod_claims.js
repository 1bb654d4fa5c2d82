/**
 * The device claims of a pod. Counterpart: dynamic-resource-allocation/resourceclaim/claim.go,
 * v1.36.
 */
import { controllerOf } from './owners.js';
import { itemsIn } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/**
 * Returns the name of the claim that an entry of a pod's `spec.resourceClaims` means: the one that
 * it names, or the one that was created from its template.
 * @param {KubernetesObject} pod
 * @param {any} podClaim
 * @returns {string | null | undefined} null if no claim is needed; undefined if it has not been
 *   created
 */
export function claimNameOf({ status }, podClaim) {
  if (podClaim?.resourceClaimName) return podClaim.resourceClaimName;
  if (!podClaim?.resourceClaimTemplateName) return undefined;
  const made = itemsIn(status?.resourceClaimStatuses).find((one) => one?.name === podClaim.name);
  return made && (made.resourceClaimName ?? null);
}

/**
 * Whether the claim was created for the pod: its controller is the pod.
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} pod
 */
export function isClaimOfPod(claim, { metadata }) {
  const owner = controllerOf(claim);
  return owner !== undefined && owner.kind === 'Pod' && owner.uid === metadata.uid;
}

/**
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} pod
 */
export function isReservedForPod({ status }, { metadata }) {
  return itemsIn(status?.reservedFor).some((one) => one?.uid === metadata.uid);
}

/**
 * Returns the names of the pod's claims that exist or should, and that of its extended resources.
 * @param {KubernetesObject} pod
 * @returns {string[]}
 */
export function claimNamesOf(pod) {
  const named = itemsIn(pod.spec?.resourceClaims).map((podClaim) => claimNameOf(pod, podClaim));
  const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  return [...named, extended].filter((name) => typeof name === 'string' && name !== '');
}
