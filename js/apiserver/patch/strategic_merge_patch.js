/**
 * Strategic merge patch: a merge patch that knows from the types which lists are merged and by what
 * key, with the directives `$patch`, `$retainKeys`, `$setElementOrder/…` and
 * `$deleteFromPrimitiveList/…`. Counterpart: apimachinery/pkg/util/strategicpatch/patch.go, v1.36.
 * Upstream follows Go's random order of map keys; this code follows the patch's.
 */
import { isRecord } from '../../src/kubernetes/values.js';
import { ANY } from '../schema/types.js';
import {
  badArgument,
  badFormatOfElementOrder,
  badFormatOfPrimitiveList,
  badFormatOfRetainKeys,
  badPatchType,
  cannotUnmarshal,
  noSuchField,
  unknown,
} from './patch_errors.js';
import { inElementOrder, mergeLists } from './merge_lists.js';

/** @import { Shape } from '../schema/types.js' */

/** @typedef {Record<string, any>} Record_ */
/** @typedef {{ strategy: string, mergeKey: string, element: Shape }} ListMeta */

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const ELEMENT_ORDER = '$setElementOrder';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

/**
 * @param {any} current not changed; the result shares unpatched parts
 * @param {unknown} patch
 * @param {Shape} shape of the object
 * @returns {any}
 */
export function applyStrategicMergePatch(current, patch, shape) {
  if (!isRecord(patch)) throw cannotUnmarshal(patch, 'map[string]interface {}');
  return mergeMaps(current, patch, shape);
}

/**
 * @param {Record_} original
 * @param {Record_} patch
 * @param {Shape} shape
 * @returns {Record_}
 */
function mergeMaps(original, patch, shape) {
  if (Object.hasOwn(patch, DIRECTIVE)) return directed(patch);
  const result = retained(original, patch);
  const done = mergeOrderedLists(result, patch, shape);
  for (const [key, value] of Object.entries(patch)) {
    if (key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER) || done.has(key)) continue;
    if (key.startsWith(DELETE_FROM_LIST)) deleteFromList(result, key, value);
    else mergeField(result, { key, value, shape });
  }
  return Object.fromEntries(result);
}

/** @param {Record_} patch one with a `$patch` */
function directed({ [DIRECTIVE]: directive, ...rest }) {
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw badPatchType(directive, { [DIRECTIVE]: directive, ...rest });
}

/**
 * Returns the fields of the original that `$retainKeys` keeps.
 * @param {Record_} original
 * @param {Record_} patch
 * @returns {Map<string, any>}
 */
function retained(original, patch) {
  const entries = Object.entries(original);
  const keys = patch[RETAIN_KEYS];
  if (keys === undefined) return new Map(entries);
  if (!Array.isArray(keys)) throw badFormatOfRetainKeys();
  const kept = new Set(keys);
  const isOrder = (/** @type {string} */ key) =>
    [RETAIN_KEYS, DELETE_FROM_LIST, ELEMENT_ORDER].some((prefix) => key.startsWith(prefix));
  for (const [key, value] of Object.entries(patch)) {
    if (value !== null && !isOrder(key) && !kept.has(key)) throw badFormatOfRetainKeys();
  }
  return new Map(entries.filter(([key]) => kept.has(key)));
}

/**
 * Merges the lists that have a `$setElementOrder`.
 * @param {Map<string, any>} result
 * @param {Record_} patch
 * @param {Shape} shape
 * @returns {Set<string>} the fields that are finished
 */
function mergeOrderedLists(result, patch, shape) {
  /** @type {Set<string>} */
  const done = new Set();
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(ELEMENT_ORDER)) continue;
    if (!Array.isArray(order)) throw badArgument('[]interface {}', order);
    const key = fieldOf(directive, ELEMENT_ORDER, badFormatOfElementOrder);
    const lists = { original: result.get(key), patch: patch[key], order };
    for (const list of [lists.original, lists.patch]) {
      if (list !== undefined && !Array.isArray(list)) throw badArgument('[]interface {}', list);
    }
    const meta = listMeta(shape, key);
    const merged = inElementOrder({ ...lists, meta, mergeMaps, clean: withoutDirectives });
    if (merged === undefined) continue;
    result.set(key, merged);
    done.add(key);
  }
  return done;
}

/** @param {string} directive @param {string} prefix @param {() => Error} fault */
function fieldOf(directive, prefix, fault) {
  if (!directive.startsWith(`${prefix}/`)) throw fault();
  return directive.slice(prefix.length + 1);
}

/** @param {Map<string, any>} result @param {string} directive @param {unknown} values */
function deleteFromList(result, directive, values) {
  const key = fieldOf(directive, DELETE_FROM_LIST, badFormatOfPrimitiveList);
  if (values === null) {
    result.delete(key);
    return;
  }
  const list = result.get(key);
  if (!Array.isArray(list)) return;
  if (!Array.isArray(values)) return;
  const deleted = new Set(values);
  result.set(
    key,
    list.filter((value) => !deleted.has(value)),
  );
}

/** @param {Map<string, any>} result @param {{ key: string, value: any, shape: Shape }} change */
function mergeField(result, { key, value, shape }) {
  const original = result.get(key);
  if (value === null) result.delete(key);
  else if (isRecord(value) && isRecord(original)) {
    const { strategy, shape: inner } = fieldMeta(shape, key);
    result.set(key, strategy === 'replace' ? value : mergeMaps(original, value, inner));
  } else if (Array.isArray(value) && Array.isArray(original)) {
    const meta = listMeta(shape, key);
    const lists = { original, patch: value, meta, mergeMaps, clean: withoutDirectives };
    result.set(key, meta.strategy === 'merge' ? mergeLists(lists) : value);
  } else {
    const kept = withoutDirectives(value);
    if (kept === undefined) result.delete(key);
    else result.set(key, kept);
  }
}

/**
 * Returns a patch's value for which there is nothing to merge with: without nulls and directives,
 * and without the elements that directives delete.
 * @param {any} value
 * @returns {any} undefined if nothing is left
 */
function withoutDirectives(value) {
  if (Array.isArray(value))
    return value.map(withoutDirectives).filter((each) => each !== undefined);
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  const isDirective = (/** @type {string} */ key) =>
    key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER) || key.startsWith(DELETE_FROM_LIST);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => inner !== null && !isDirective(key))
      .map(([key, inner]) => [key, withoutDirectives(inner)])
      .filter(([, inner]) => inner !== undefined),
  );
}

/**
 * Returns how a field is patched. `retainsKeys` concerns the creation of patches; for their
 * application only the directive counts.
 * @param {Shape} shape
 * @param {string} key
 * @returns {{ strategy: string, mergeKey: string, retainsKeys: boolean, shape: Shape }}
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} if the type has no such field
 */
export function fieldMeta(shape, key) {
  const plain = { strategy: '', mergeKey: '', retainsKeys: false };
  if (shape.kind === 'any') return { ...plain, shape: ANY };
  if (shape.kind === 'map') return { ...plain, shape: shape.element };
  if (shape.kind !== 'struct') {
    throw unknown(
      `merging an object in json but data type is not struct, instead is: ${shape.kind}`,
    );
  }
  const field = shape.struct.fields.get(key);
  if (!field) throw noSuchField(shape.struct.goName, key);
  const strategy = field.patchStrategies.find((each) => each !== 'retainKeys') ?? '';
  return {
    strategy,
    mergeKey: field.patchMergeKey,
    retainsKeys: field.patchStrategies.includes('retainKeys'),
    shape: field.shape,
  };
}

/** @param {Shape} shape @param {string} key @returns {ListMeta} */
function listMeta(shape, key) {
  const { strategy, mergeKey, shape: inner } = fieldMeta(shape, key);
  if (inner.kind === 'any') return { strategy, mergeKey, element: ANY };
  if (inner.kind !== 'list') {
    throw unknown(`expected slice or array type, but got: ${inner.kind}`);
  }
  return { strategy, mergeKey, element: inner.element };
}
