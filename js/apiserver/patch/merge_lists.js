/**
 * Merges lists of a strategic merge patch by key, or as sets of scalars, and orders them by the
 * patch's and the server's order. Counterpart: mergeSlice, mergePatchIntoOriginal and
 * normalizeElementOrder of apimachinery/pkg/util/strategicpatch/patch.go, v1.36.
 */
import { isRecord } from '../../src/kubernetes/values.js';
import { badArgument, badPatchType, noListsOfLists, noMergeKey, unknown } from './patch_errors.js';
import { goText, goType } from './go_text.js';

/** @import { Shape } from '../schema/types.js' */
/** @import { ListMeta } from './strategic_merge_patch.js' */

/**
 * @typedef {object} Merging
 * @property {ListMeta} meta
 * @property {(original: any, patch: any, shape: Shape) => any} mergeMaps
 * @property {(value: any) => any} clean without nulls and directives
 */

/**
 * @param {Merging & { original: any[], patch: any[] }} lists
 * @returns {any[]}
 */
export function mergeLists({ original, patch, meta, mergeMaps, clean }) {
  if (original.length === 0 && patch.length === 0) return original;
  const isOfMaps = areMaps([...original, ...patch]);
  if (!isOfMaps) {
    const merged = [...new Set([...original, ...patch])];
    return ordered(merged, { patchOrder: patch, serverOrder: original, keyOf: (each) => each });
  }
  if (meta.mergeKey === '') {
    throw unknown(`cannot merge lists without merge key for ${meta.element.kind}`);
  }
  const rest = performDirectives(original, patch, meta.mergeKey);
  const merged = mergeByKey({ ...rest, meta, mergeMaps, clean });
  return ordered(merged, {
    patchOrder: rest.patch,
    serverOrder: rest.original,
    keyOf: keyReader(meta.mergeKey),
  });
}

/**
 * Merges a list that has a `$setElementOrder`.
 * @param {Merging & { original?: any[], patch?: any[], order: any[] }} lists
 * @returns {any[] | undefined} undefined if there is no list
 */
export function inElementOrder({ original, patch, order, meta, mergeMaps, clean }) {
  const { strategy, mergeKey } = meta;
  validateOrder(patch ?? [], order, mergeKey);
  if (!original && !patch) return undefined;
  /** @type {any[]} */
  let merged;
  if (!patch) merged = original ?? [];
  else if (!original) merged = clean(patch);
  else if (strategy === 'merge') merged = mergeLists({ original, patch, meta, mergeMaps, clean });
  else merged = patch;
  areMaps([...(original ?? []), ...(patch ?? [])]);
  const keyOf = mergeKey === '' ? (/** @type {any} */ each) => each : keyReader(mergeKey);
  const serverOrder = serverOrderOf({ original: original ?? [], patch: patch ?? [], mergeKey });
  return ordered(merged, { patchOrder: order, serverOrder, keyOf });
}

/**
 * Returns the order of the server's own elements. Upstream deletes in place, and the first
 * additions fill the freed places: that many additions count as the server's.
 * @param {{ original: any[], patch: any[], mergeKey: string }} lists
 */
function serverOrderOf({ original, patch, mergeKey }) {
  const deleted = patch.filter((each) => isRecord(each) && each.$patch === 'delete');
  if (deleted.length === 0 || mergeKey === '') return original;
  const keysOf = (/** @type {any[]} */ list) => new Set(list.map((each) => each[mergeKey]));
  const gone = keysOf(deleted);
  const rest = original.filter((element) => !gone.has(element[mergeKey]));
  const kept = keysOf(rest);
  const added = patch.filter(
    (element) => !Object.hasOwn(element, '$patch') && !kept.has(element[mergeKey]),
  );
  return [...rest, ...added.slice(0, original.length - rest.length)];
}

/**
 * @param {any[]} elements
 * @returns {boolean} whether the elements are maps, not scalars
 */
function areMaps(elements) {
  if (elements.length === 0) throw unknown('no elements in any of the given slices');
  const types = new Set(elements.map(goType));
  if (types.has('[]interface {}')) throw noListsOfLists();
  if (types.size > 1) {
    throw unknown(`list element types are not identical: ${goText([elements])}`);
  }
  return isRecord(elements[0]);
}

/** @param {string} mergeKey @returns {(element: any) => any} */
function keyReader(mergeKey) {
  return (element) => {
    if (!isRecord(element)) throw badArgument('map[string]interface {}', element);
    if (!Object.hasOwn(element, mergeKey)) throw noMergeKey(element, mergeKey);
    return element[mergeKey];
  };
}

/**
 * Removes the elements with a `$patch` from the patch and carries them out.
 * @param {any[]} original
 * @param {any[]} patch
 * @param {string} mergeKey
 */
function performDirectives(original, patch, mergeKey) {
  const directives = patch.filter((element) => Object.hasOwn(element, '$patch'));
  const plain = patch.filter((element) => !Object.hasOwn(element, '$patch'));
  const deleted = new Set();
  for (const element of directives) {
    if (element.$patch === 'delete') {
      if (!Object.hasOwn(element, mergeKey)) throw noMergeKey(element, mergeKey);
      deleted.add(element[mergeKey]);
    } else if (element.$patch === 'merge') {
      throw unknown('merging lists cannot yet be specified in the patch');
    } else if (element.$patch !== 'replace') throw badPatchType(element.$patch, element);
  }
  const isReplaced = directives.some((element) => element.$patch === 'replace');
  if (isReplaced) return { original: plain, patch: [] };
  return { original: original.filter((each) => !deleted.has(each[mergeKey])), patch: plain };
}

/** @param {Merging & { original: any[], patch: any[] }} lists */
function mergeByKey({ original, patch, meta, mergeMaps, clean }) {
  const keyOf = keyReader(meta.mergeKey);
  const merged = [...original];
  const places = rankOf(original.map((each) => each[meta.mergeKey]));
  for (const element of patch) {
    const at = places.get(keyOf(element));
    if (at !== undefined) merged[at] = mergeMaps(merged[at], element, meta.element);
    else {
      const added = clean(element);
      places.set(added[meta.mergeKey], merged.push(added) - 1);
    }
  }
  return merged;
}

/**
 * The elements of the patch must have the order of `$setElementOrder`.
 * @param {any[]} patch
 * @param {any[]} order
 * @param {string} mergeKey
 */
function validateOrder(patch, order, mergeKey) {
  if (patch.length === 0 || order.length === 0) return;
  const keyOf = mergeKey === '' ? (/** @type {any} */ each) => each : keyReader(mergeKey);
  const named = patch.filter((element) => !(isRecord(element) && Object.hasOwn(element, '$patch')));
  let at = 0;
  for (const element of order) {
    if (at < named.length && keyOf(named[at]) === keyOf(element)) at += 1;
  }
  if (at < named.length) {
    const lists = `${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}`;
    throw unknown(`The order in patch list:\n${lists}\n`);
  }
}

/**
 * Elements of the patch come in the patch's order, the others in the server's; between the two the
 * server's order decides if possible.
 * @param {any[]} elements
 * @param {{ patchOrder: any[], serverOrder: any[], keyOf: (element: any) => any }} orders
 */
function ordered(elements, { patchOrder, serverOrder, keyOf }) {
  const inPatch = rankOf(patchOrder.map(keyOf));
  const inServer = rankOf(serverOrder.map(keyOf));
  const byRank =
    (/** @type {Map<any, number>} */ ranks) => (/** @type {any} */ a, /** @type {any} */ b) =>
      (ranks.get(keyOf(a)) ?? -1) - (ranks.get(keyOf(b)) ?? -1);
  const named = elements.filter((each) => inPatch.has(keyOf(each))).sort(byRank(inPatch));
  const serverOnly = elements.filter((each) => !inPatch.has(keyOf(each))).sort(byRank(inServer));
  const result = [];
  let next = 0;
  for (const element of named) {
    const rank = inServer.get(keyOf(element));
    while (next < serverOnly.length && rank !== undefined) {
      const other = inServer.get(keyOf(serverOnly[next]));
      if (other === undefined || other >= rank) break;
      result.push(serverOnly[next++]);
    }
    result.push(element);
  }
  return [...result, ...serverOnly.slice(next)];
}

/** @param {any[]} keys @returns {Map<any, number>} */
function rankOf(keys) {
  /** @type {Map<any, number>} */
  const ranks = new Map();
  keys.forEach((key, at) => {
    if (!ranks.has(key)) ranks.set(key, at);
  });
  return ranks;
}
