/** The difference of two versions of an object, as merge patches. */
import { isRecord } from '../../../js/src/kubernetes.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Action } from '../world/world.js'
 */

/** @typedef {Extract<Action, { do: 'patch' }>} Patch */

/**
 * Merge patches that turn one object into the other. Status has its own patch if the kind has the
 * status subresource.
 * @param {KubernetesObject} before
 * @param {KubernetesObject} after
 * @returns {Patch[]}
 */
export function patchesOf(before, after) {
  const { apiVersion = '', kind = '', metadata } = before;
  const { namespace, name } = metadata;
  const object = { apiVersion, kind, ...(namespace && { namespace }), name };
  const { status, ...patch } = difference(before, after) ?? {};
  /** @type {Patch[]} */
  const patches = [];
  if (Object.keys(patch).length > 0) patches.push({ do: 'patch', object, patch });
  if (status !== undefined)
    patches.push({ do: 'patch', object, patch: { status }, subresource: 'status' });
  return patches;
}

/**
 * @param {any} before
 * @param {any} after
 * @returns {any} undefined: they are equal
 */
function difference(before, after) {
  if (!isRecord(before) || !isRecord(after))
    return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].flatMap((key) => {
    const value = key in after ? difference(before[key], after[key]) : null;
    return value === undefined ? [] : [[key, value]];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}
