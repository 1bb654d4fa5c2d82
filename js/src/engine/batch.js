import { InputError } from '../kubernetes/errors.js';
import { wordsOf } from '../kubernetes/values.js';

/** @import { KubernetesObject, WatchEvent } from '../kubernetes/types.js' */

/**
 * What one call of the engine's `apply` gets: `parts` of its input, and for each line the `indexes`
 * it has in the caller's batch. Instead, or besides, an `error` of an item that did not get that
 * far, and how many items were `read` on this side.
 * @typedef {{ format: 'document' | 'lines', parts?: (string | Uint8Array)[], indexes?: number[],
 *   error?: InputError, read?: number }} Batch
 */

/** @typedef {'set' | 'delete'} Change */

/**
 * What makes an object complete, or null when the engine need not see it.
 * @typedef {(object: KubernetesObject, change: Change) => KubernetesObject | null} CompleteObject
 */

/** Lines are sent on in pieces of about this many characters, to bound the memory of both sides. */
const PIECE = 8 << 20;

/** Events whose object is a cluster object; BOOKMARK and ERROR carry something else. */
const CHANGES = new Map(
  /** @type {[string, Change][]} */ ([
    ['ADDED', 'set'],
    ['MODIFIED', 'set'],
    ['DELETED', 'delete'],
  ]),
);

/**
 * What the caller gave, as the engine takes it.
 * @param {KubernetesObject | WatchEvent | Iterable<KubernetesObject | WatchEvent> | string |
 *   Uint8Array} input
 * @param {{ format?: 'document' | 'lines', limits: { batchBytes: number }, complete:
 *   CompleteObject }} how `format` is that of a text
 * @returns {Iterable<Batch>}
 */
export function batchesOf(input, { format = 'document', limits, complete }) {
  if (typeof input === 'string' || input instanceof Uint8Array)
    return encodeText(input, format, limits);
  return encodeBatches(input, complete, limits);
}

/**
 * Text or bytes as one batch.
 * @param {string | Uint8Array} input
 * @param {'document' | 'lines'} format
 * @param {{ batchBytes: number }} limits
 * @returns {Batch[]}
 */
function encodeText(input, format, { batchBytes }) {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  if (bytes.byteLength <= batchBytes) return [{ format, parts: [bytes] }];
  const detail = `the batch has ${bytes.byteLength} bytes, more than the limit of ${batchBytes}`;
  return [{ format, error: new InputError({ code: 'TooLarge', detail }) }];
}

/**
 * Objects and events as JSON lines, in pieces. A generator: a piece is gone before the next is
 * made.
 * @param {KubernetesObject | WatchEvent | Iterable<KubernetesObject | WatchEvent>} input
 * @param {CompleteObject} complete
 * @param {{ batchBytes: number }} limits
 * @returns {Generator<Batch>}
 */
function* encodeBatches(input, complete, { batchBytes }) {
  const pieceSize = Math.min(PIECE, batchBytes >> 2);
  /** @type {number[]} */
  let indexes = [];
  let text = '';
  for (const { item, index } of inOrderOfUse(input)) {
    const line = encodeItem(item, complete, index);
    if (typeof line !== 'string') {
      yield { format: 'lines', ...line };
      continue;
    }
    text += line;
    indexes.push(index);
    if (text.length < pieceSize) continue;
    yield { format: 'lines', parts: [text], indexes };
    indexes = [];
    text = '';
  }
  if (text !== '') yield { format: 'lines', parts: [text], indexes };
}

/**
 * The single objects and events of an input, Lists taken apart.
 * @param {any} input
 * @returns {Generator<any>}
 */
function* itemsOf(input) {
  if (isList(input)) {
    for (const item of listItems(input)) yield* itemsOf(item);
  } else if (isRecord(input) && Symbol.iterator in input) {
    for (const item of /** @type {any} */ (input)) yield* itemsOf(item);
  } else {
    yield input;
  }
}

/**
 * The items of a List. As the API returns them they have no kind of their own: it is the List's. A
 * Go program that has none may write null.
 * @param {KubernetesObject} list
 * @returns {any[]}
 */
export function listItems(list) {
  if (list.items === null) return [];
  const kind = list.kind?.replace(/List$/, '');
  if (!kind) return list.items;
  const type = { apiVersion: list.apiVersion, kind };
  return list.items.map((/** @type {any} */ item) =>
    !isRecord(item) || item.kind ? item : { ...type, ...item },
  );
}

/**
 * @param {any} value
 * @returns {value is KubernetesObject & { items: any[] | null }}
 */
export function isList(value) {
  return (
    isRecord(value) &&
    (Array.isArray(value.items) || (value.items === null && value.kind !== undefined)) &&
    (value.kind === undefined || String(value.kind).endsWith('List'))
  );
}

/**
 * Pods and claims need the classes of their own batch: where the input can be walked twice, they go
 * first; those that the engine reads as well only where no event could be about them.
 * @param {any} input
 * @returns {Generator<{ item: any, index: number }>}
 */
function* inOrderOfUse(input) {
  const first = firstKinds(input);
  const isFirst = (/** @type {any} */ item) => first.includes(item?.kind);
  if (first.length > 0) yield* numbered(input, isFirst);
  yield* numbered(input, (item) => !isFirst(item));
}

/** @param {any} input */
function firstKinds(input) {
  if (!Array.isArray(input) && !isList(input)) return [];
  for (const item of itemsOf(input)) if (isEvent(item)) return ['PriorityClass'];
  return ['PriorityClass', 'StorageClass'];
}

/**
 * @param {any} input
 * @param {(item: any) => boolean} wanted
 */
function* numbered(input, wanted) {
  let index = 0;
  for (const item of itemsOf(input)) {
    if (wanted(item)) yield { item, index };
    index += 1;
  }
}

/**
 * @param {any} item
 * @param {CompleteObject} complete
 * @param {number} index
 * @returns {string | { error: InputError } | { read: number }}
 */
function encodeItem(item, complete, index) {
  try {
    const value = completeItem(checkedRecord(item), complete);
    return value === null ? { read: 1 } : `${JSON.stringify(value)}\n`;
  } catch (cause) {
    return { error: asInputError(cause, item, index) };
  }
}

/**
 * One object as JSON.
 * @param {any} object
 * @param {(object: KubernetesObject) => KubernetesObject} complete
 * @returns {string}
 * @throws {InputError}
 */
export function encodeObject(object, complete) {
  try {
    return JSON.stringify(complete(checkedRecord(object)));
  } catch (cause) {
    throw asInputError(cause, object);
  }
}

/**
 * @param {any} item
 * @returns {any}
 */
function checkedRecord(item) {
  if (isRecord(item)) return item;
  const detail = `an object is expected, not ${String(item)}`;
  throw new InputError({ code: 'FieldValueTypeInvalid', detail });
}

/**
 * @param {any} item
 * @param {CompleteObject} complete
 */
function completeItem(item, complete) {
  if (!isEvent(item)) return complete(item, 'set');
  const change = CHANGES.get(item.type);
  if (!change || !isRecord(item.object)) return item;
  const object = complete(item.object, change);
  return object && (object === item.object ? item : { ...item, object });
}

/** @param {any} item */
function isEvent(item) {
  return typeof item?.type === 'string' && item.kind === undefined;
}

/**
 * @param {unknown} cause
 * @param {any} item
 * @param {number} [index]
 */
function asInputError(cause, item, index) {
  if (cause instanceof InputError) return new InputError({ ...cause.toJSON(), index });
  const object = item?.object ?? item;
  const { namespace, name } = object?.metadata ?? {};
  const why = wordsOf(cause);
  const code = /call stack/.test(why) ? 'TooDeep' : 'MalformedJson';
  const detail = `the object cannot be read: ${why}`;
  return new InputError({ code, kind: object?.kind, namespace, name, detail, index }, { cause });
}

/** @param {unknown} value @returns {value is Record<string, any>} */
function isRecord(value) {
  return typeof value === 'object' && value !== null;
}
