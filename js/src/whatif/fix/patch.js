/** Writes the difference of two objects as a strategic merge patch. */
import { isRecord, itemsIn } from '../../kubernetes/values.js';

/** Lists that a strategic merge patch merges by the name of their items. */
const BY_NAME = ['containers', 'initContainers', 'volumes', 'resourceClaims'];

/** Lists that it merges by keys that need not be unique: they are replaced as a whole. */
const REPLACED = ['ports', 'topologySpreadConstraints', 'schedulingGates'];

/**
 * Returns the patch that makes `before` into `after`, for `kubectl patch` (type strategic, its
 * default). Counterpart: apimachinery/pkg/util/strategicpatch.
 * @param {any} before
 * @param {any} after
 * @returns {any} `{}` if they are equal
 */
export function strategicPatch(before, after) {
  /** @type {Record<string, any>} */
  const patch = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, value] = [before[name], after[name]];
    if (isEqual(old, value)) continue;
    if (value === undefined) patch[name] = null;
    else if (isRecord(old) && isRecord(value)) patch[name] = strategicPatch(old, value);
    else if (Array.isArray(value)) patch[name] = listPatch(name, itemsIn(old), value);
    else patch[name] = value;
  }
  return patch;
}

/**
 * @param {string} name of the list
 * @param {any[]} before
 * @param {any[]} after
 */
function listPatch(name, before, after) {
  if (REPLACED.includes(name)) return [{ $patch: 'replace' }, ...after];
  if (!BY_NAME.includes(name)) return after;
  const known = new Map(before.map((item) => [item.name, item]));
  return after
    .filter((item) => !isEqual(known.get(item.name), item))
    .map((item) => ({ name: item.name, ...strategicPatch(known.get(item.name) ?? {}, item) }));
}

/**
 * @param {unknown} a
 * @param {unknown} b
 */
function isEqual(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
