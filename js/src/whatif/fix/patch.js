/** Writes the difference of two objects as a strategic merge patch. */
import { isRecord, itemsIn } from '../../kubernetes/values.js';

/** Lists that a strategic merge patch merges, and the key of their items. All else it replaces. */
const MERGE_KEYS = new Map([
  ['containers', 'name'],
  ['initContainers', 'name'],
  ['ports', 'containerPort'],
  ['resourceClaims', 'name'],
  ['schedulingGates', 'name'],
  ['topologySpreadConstraints', 'topologyKey'],
  ['volumes', 'name'],
]);

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
 * A patch of a merged list names the items that change, and keeps what the list has besides. Two
 * items can have the same key, such as a port of TCP and UDP: a patch would change the first one,
 * so the list is replaced as a whole.
 * @param {string} name of the list
 * @param {any[]} before
 * @param {any[]} after
 */
function listPatch(name, before, after) {
  const key = MERGE_KEYS.get(name);
  if (key === undefined) return after;
  const [old, next] = [before, after].map((list) => new Map(list.map((item) => [item[key], item])));
  if (old.size < before.length || next.size < after.length)
    return [{ $patch: 'replace' }, ...after];
  const removed = [...old.keys()].filter((value) => !next.has(value));
  return [
    ...removed.map((value) => ({ [key]: value, $patch: 'delete' })),
    ...after
      .filter((item) => !isEqual(old.get(item[key]), item))
      .map((item) => ({ [key]: item[key], ...strategicPatch(old.get(item[key]) ?? {}, item) })),
  ];
}

/**
 * @param {unknown} a
 * @param {unknown} b
 */
function isEqual(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
