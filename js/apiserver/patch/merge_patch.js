import { mergePatch } from '../../src/kubernetes/merge_patch.js';
import { isRecord } from '../../src/kubernetes/values.js';
import { cannotDecode } from './patch_errors.js';

/**
 * Applies the body of a request with a JSON Merge Patch.
 * @template {object} T
 * @param {T} current not changed; the result shares unpatched parts
 * @param {unknown} patch
 * @returns {T}
 */
export function applyMergePatch(current, patch) {
  if (!isRecord(patch)) throw cannotDecode(patch, 'map[string]interface {}');
  return mergePatch(current, patch);
}
