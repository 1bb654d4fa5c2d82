/**
 * Applies a PATCH by its content type. Counterpart: apiserver/pkg/endpoints/handlers/patch.go,
 * v1.36.
 */
import { isRecord } from '../../src/kubernetes/values.js';
import { applyConfiguration } from '../managed_fields/field_manager.js';
import { shapeOf, structOf } from '../schema/types.js';
import { failure, invalid } from '../../src/kubernetes/status_errors.js';
import { forbiddenField, required, tooLong } from '../../src/kubernetes/field_errors.js';
import { applyJsonPatch } from './json_patch.js';
import { applyMergePatch } from './merge_patch.js';
import { cannotDecodeYaml, unknown } from './patch_errors.js';
import { applyStrategicMergePatch } from './strategic_merge_patch.js';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** The supported content types of a PATCH. */
export const PATCH_TYPES = Object.freeze([
  JSON_PATCH,
  MERGE_PATCH,
  STRATEGIC_MERGE_PATCH,
  APPLY_PATCH,
]);

const FIELD_MANAGER_LENGTH_MAX = 128;

/**
 * @typedef {object} PatchOptions
 * @property {string} contentType one of PATCH_TYPES; parameters such as `; charset` are ignored
 * @property {any} patch as parsed
 * @property {Readonly<Record<string, any>> | null} current the stored object, not changed; null if
 *   there is none: only server-side apply can create one
 * @property {{ apiVersion: string, kind: string }} resource
 * @property {string} [subresource]
 * @property {string} [fieldManager] of the request; required for server-side apply
 * @property {boolean} [force] of the request
 * @property {number} now milliseconds since the epoch
 */

/**
 * Returns the patched object before defaulting. Server-side apply has written its managedFields;
 * for the other types call `withManagedFields` after defaulting. Fields that the server sets itself
 * (uid, resourceVersion, the status of a main resource…) are not protected.
 * @param {PatchOptions} options
 * @returns {any} throws an ApiError
 */
export function applyPatch(options) {
  const { patch, current, resource } = options;
  const contentType = options.contentType.split(';')[0].trim();
  if (!PATCH_TYPES.includes(contentType)) throw unsupportedPatchType();
  checkPatchOptions(contentType, options);
  if (contentType === APPLY_PATCH) {
    const { fieldManager = '', force = false, subresource, now } = options;
    const rest = { resource, subresource, fieldManager, force, now };
    const config = patch ?? {};
    if (!isRecord(config)) throw cannotDecodeYaml(config, 'map[string]interface {}');
    return applyConfiguration({ live: current, config, ...rest });
  }
  if (current === null) throw unknown(`${contentType} needs an object to patch`);
  if (contentType === JSON_PATCH) return applyJsonPatch(current, patch);
  if (contentType === MERGE_PATCH) return applyMergePatch(current, patch);
  const { apiVersion, kind } = resource;
  if (!structOf(apiVersion, kind))
    throw unsupportedPatchType([JSON_PATCH, MERGE_PATCH, APPLY_PATCH]);
  return applyStrategicMergePatch(current, patch, shapeOf(apiVersion, kind));
}

/** @param {string} contentType @param {PatchOptions} options */
function checkPatchOptions(contentType, { fieldManager = '', force }) {
  const isApply = contentType === APPLY_PATCH;
  const errors = [];
  if (isApply && fieldManager === '') {
    errors.push(required('fieldManager', 'is required for apply patch'));
  }
  if (!isApply && force !== undefined) {
    errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  }
  if (fieldManager.length > FIELD_MANAGER_LENGTH_MAX) {
    errors.push(tooLong('fieldManager', FIELD_MANAGER_LENGTH_MAX));
  }
  if (errors.length > 0) {
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', errors);
  }
}

/** @param {readonly string[]} types */
function unsupportedPatchType(types = PATCH_TYPES) {
  const accepted = `accepted media types include: ${types.join(', ')}`;
  const message = `the body of the request was in an unknown format - ${accepted}`;
  return failure(415, 'UnsupportedMediaType', message);
}
