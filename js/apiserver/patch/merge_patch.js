/** JSON Merge Patch, RFC 7396. */
import { isRecord } from '../../src/kubernetes/values.js';
import { cannotDecode } from './patch_errors.js';

/**
 * @template {object} T
 * @param {T} current not changed; the result shares unpatched parts
 * @param {unknown} patch
 * @returns {T}
 */
export function applyMergePatch(current, patch) {
  if (!isRecord(patch)) throw cannotDecode(patch, 'map[string]interface {}');
  return merged(current, patch);
}

/** @param {any} current @param {any} patch @returns {any} */
function merged(current, patch) {
  if (!isRecord(patch)) return patch;
  const result = new Map(isRecord(current) ? Object.entries(current) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, merged(result.get(key), value));
  }
  return Object.fromEntries(result);
}
