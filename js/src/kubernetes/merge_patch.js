import { isRecord } from './values.js';

/**
 * Applies a JSON Merge Patch, RFC 7396.
 * @param {any} current not changed; the result shares unpatched parts
 * @param {any} patch
 * @returns {any}
 */
export function mergePatch(current, patch) {
  if (!isRecord(patch)) return patch;
  const result = new Map(isRecord(current) ? Object.entries(current) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, mergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}
