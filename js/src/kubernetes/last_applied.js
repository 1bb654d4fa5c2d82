import { parseJson } from './nesting.js';
import { isRecord } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/** The annotation with the manifest that `kubectl apply` applied last, as JSON. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns the manifest that `kubectl apply` applied last to a stored object.
 * @param {KubernetesObject} stored
 * @returns {KubernetesObject | undefined} undefined without the annotation, or if it is no object
 */
export function lastAppliedTo({ metadata }) {
  const text = metadata?.annotations?.[LAST_APPLIED];
  if (typeof text !== 'string') return undefined;
  try {
    const value = parseJson(text);
    return isRecord(value) ? /** @type {any} */ (value) : undefined;
  } catch {
    return undefined;
  }
}
