/** DynamicResources' score of a pod without claims; that of claims takes the whole allocation. */

/** @import { Facts, Formula } from './facts.js' */

/**
 * @param {Facts} facts
 * @returns {Formula | null} null: the pod has claims
 */
export function dynamicResources({ pod }) {
  if ((pod.spec.resourceClaims ?? []).length > 0) return null;
  return { lines: ['the pod has no resource claims: 0'], value: 0 };
}
