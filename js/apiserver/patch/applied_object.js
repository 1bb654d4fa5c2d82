/**
 * Applies manifests as `kubectl apply` does: by a strategic merge patch. Counterpart:
 * CreateThreeWayMergePatch of apimachinery/pkg/util/strategicpatch/patch.go, v1.36.
 */
import { ApiError } from '../../src/kubernetes/api_error.js';
import { resourceOf } from '../../src/kubernetes/kinds.js';
import { isRecord, itemsIn, own } from '../../src/kubernetes/values.js';
import { isEqual } from '../frozen.js';
import { storedObject } from '../object_faults.js';
import { shapeOf } from '../schema/types.js';
import { applyStrategicMergePatch, fieldMeta } from './strategic_merge_patch.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Shape } from '../schema/types.js'
 */

/**
 * Returns a stored object after `kubectl apply`: with the manifest's fields, without those that
 * only the manifest before had, and with all others, such as an annotation of
 * `kubectl rollout restart`.
 * @param {KubernetesObject} manifest
 * @param {{ before?: KubernetesObject, stored: KubernetesObject }} versions `before`: the manifest
 *   that was applied last
 * @returns {KubernetesObject | undefined} undefined if one of them is of another API version,
 *   unknown or cannot be decoded
 */
export function appliedObject(manifest, { before, stored }) {
  const resource = resourceOf(manifest);
  const all = [manifest, stored, ...(before ? [{ ...before, kind: manifest.kind }] : [])];
  const isReadable = all.every(
    (object) => object.apiVersion === manifest.apiVersion && storedObject(object),
  );
  if (!resource || !isReadable) return undefined;
  const shape = shapeOf(resource.apiVersion, resource.kind);
  try {
    return applyStrategicMergePatch(stored, patchTo(manifest, { before, stored }, shape), shape);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The API server would refuse the patch: the manifest has fields that it does not know.
    return undefined;
  }
}

/**
 * @param {any} after
 * @param {{ before: any, stored: any }} versions
 * @param {Shape} shape
 * @returns {any}
 */
function patchTo(after, { before, stored }, shape) {
  if (!isRecord(after)) return after;
  const former = isRecord(before) ? before : {};
  const present = isRecord(stored) ? stored : {};
  const removed = Object.keys(former).filter((name) => !Object.hasOwn(after, name));
  /** @type {Record<string, any>} */
  const patch = Object.fromEntries(removed.map((name) => [name, null]));
  for (const [name, value] of Object.entries(after)) {
    const versions = { before: own(former, name), stored: own(present, name) };
    // A list may have a key twice, so that the same list is not the same after a merge.
    if (isEqual(value, versions.stored)) continue;
    const field = fieldMeta(shape, name);
    if (Array.isArray(value) && field.strategy === 'merge')
      Object.assign(patch, listPatch(name, { after: value, ...versions }, field));
    else patch[name] = withRetained(patchTo(value, versions, field.shape), value, field);
  }
  return patch;
}

/**
 * @param {string} name of the field
 * @param {{ after: any[], before: unknown, stored: unknown }} lists
 * @param {ReturnType<typeof fieldMeta>} field
 */
function listPatch(name, { after, before, stored }, field) {
  const { mergeKey } = field;
  const former = itemsIn(before);
  if (mergeKey === '') {
    const gone = former.filter((value) => !after.includes(value));
    return {
      [name]: after,
      ...(gone.length > 0 && { [`$deleteFromPrimitiveList/${name}`]: gone }),
    };
  }
  const element = field.shape.kind === 'list' ? field.shape.element : field.shape;
  const keyOf = (/** @type {any} */ item) => item?.[mergeKey];
  const keys = after.map(keyOf);
  const gone = former.map(keyOf).filter((key) => !keys.includes(key));
  return {
    [`$setElementOrder/${name}`]: keys.map((key) => ({ [mergeKey]: key })),
    [name]: [
      ...after.map((item) => {
        const [version, present] = [former, itemsIn(stored)].map((items) =>
          items.find((other) => keyOf(other) === keyOf(item)),
        );
        const patch = patchTo(item, { before: version, stored: present }, element);
        return withRetained({ ...patch, [mergeKey]: keyOf(item) }, item, field);
      }),
      ...gone.map((key) => ({ $patch: 'delete', [mergeKey]: key })),
    ],
  };
}

/**
 * A union, such as the source of a volume, loses the fields that the manifest does not have.
 * @param {any} patch
 * @param {any} after
 * @param {ReturnType<typeof fieldMeta>} field
 */
function withRetained(patch, after, { retainsKeys }) {
  return retainsKeys && isRecord(after) ? { ...patch, $retainKeys: Object.keys(after) } : patch;
}
