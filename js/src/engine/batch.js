import { InputError } from '../kubernetes/errors.js';
import { wordsOf } from '../kubernetes/values.js';

/** @import { KubernetesObject, WatchEvent } from '../kubernetes/types.js' */

/**
 * One call of the engine's `apply`: the `parts` of its input, and for each line its `indexes` in
 * the caller's batch. `error` reports an item that could not be encoded, alone or beside the parts.
 * `read` counts the items that this side consumed without the engine.
 * @typedef {{ format: 'document' | 'lines' | 'again', parts?: (string | Uint8Array)[],
 *   indexes?: number[], error?: InputError, read?: number }} Batch
 */

/** @typedef {'set' | 'delete'} Change */

/**
 * Completes an object. Returns null if the engine need not see it.
 * @typedef {(object: KubernetesObject, change: Change) => KubernetesObject | null} CompleteObject
 */

/** Input is sent in pieces of about this many characters, which bounds the memory of both sides. */
const PIECE = 8 << 20;

/** Events whose object is a cluster object. BOOKMARK and ERROR carry other things. */
const CHANGES = new Map(
  /** @type {[string, Change][]} */ ([
    ['ADDED', 'set'],
    ['MODIFIED', 'set'],
    ['DELETED', 'delete'],
  ]),
);

/**
 * Splits the caller's input into batches for the engine.
 * @param {KubernetesObject | WatchEvent | Iterable<KubernetesObject | WatchEvent> | string |
 *   Uint8Array} input
 * @param {{ format?: 'document' | 'lines', limits: { batchBytes: number }, complete:
 *   CompleteObject }} how `format` applies to text and bytes
 * @returns {Iterable<Batch>}
 */
export function batchesOf(input, { format = 'document', limits, complete }) {
  if (typeof input === 'string' || input instanceof Uint8Array)
    return encodeText(input, format, limits);
  return encodeBatches(input, complete, limits);
}

/**
 * Returns what another scheduler was given as one batch.
 * @param {{ door: object, options: { keepBatches?: boolean } }} origin
 * @param {number} handle of it
 * @param {{ door: object, options: { log?: unknown } }} target
 * @returns {Batch}
 */
export function batchAgain({ door, options }, handle, target) {
  if (options.keepBatches && door === target.door && !target.options.log)
    return { format: 'again', parts: [String(handle)] };
  const detail = target.options.log
    ? 'a scheduler with a log cannot be given another one'
    : 'the scheduler must be of the same engine and have the option keepBatches';
  return { format: 'again', error: new InputError({ code: 'FieldValueInvalid', detail }) };
}

/**
 * Returns text or bytes as one batch.
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
 * Encodes objects and events as JSON lines, in pieces. It is a generator, so that each piece can be
 * freed before the next one is encoded.
 * @param {KubernetesObject | WatchEvent | Iterable<KubernetesObject | WatchEvent>} input
 * @param {CompleteObject} complete
 * @param {{ batchBytes: number }} limits
 * @returns {Generator<Batch>}
 */
function* encodeBatches(input, complete, { batchBytes }) {
  // A character takes up to three bytes. A longer line is a piece of its own.
  const pieceSize = Math.min(PIECE, batchBytes / 3);
  /** @type {number[]} */
  let indexes = [];
  let text = '';
  for (const { item, index } of inOrderOfUse(input)) {
    const line = encodeItem(item, complete, index);
    if (typeof line !== 'string') {
      yield { format: 'lines', ...line };
      continue;
    }
    if (text !== '' && text.length + line.length > pieceSize) {
      yield { format: 'lines', parts: [text], indexes };
      indexes = [];
      text = '';
    }
    text += line;
    indexes.push(index);
  }
  if (text !== '') yield { format: 'lines', parts: [text], indexes };
}

/**
 * Yields the single objects and events of an input. Lists are taken apart.
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
 * Returns the items of a List. The API server omits the items' kind, so it is derived from the
 * List's. A Go program writes null for an empty list.
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
    (value.kind === undefined || (typeof value.kind === 'string' && value.kind.endsWith('List')))
  );
}

/**
 * Orders a batch so that classes precede the pods and claims that need them, if the input can be
 * iterated twice. Classes that the engine reads as well move only if the batch has no events that
 * could change them in between.
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
 * Returns one object as JSON.
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
  const why = wordsOf(cause);
  const code = /call stack/.test(why) ? 'TooDeep' : 'MalformedJson';
  const detail = `the object cannot be read: ${why}`;
  return new InputError({ code, ...namesOf(item), detail, index }, { cause });
}

/** @param {any} item one that cannot be read, perhaps not even its name */
function namesOf(item) {
  try {
    const { kind, metadata: { namespace, name } = {} } = item.object ?? item;
    return { kind, namespace, name };
  } catch {
    return {};
  }
}

/** @param {unknown} value @returns {value is Record<string, any>} */
function isRecord(value) {
  return typeof value === 'object' && value !== null;
}
