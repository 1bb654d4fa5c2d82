/** Loads a snapshot's bytes into a scheduler. */
import { InputError } from '../kubernetes/errors.js';
import { endOfValue, OPEN_BRACKET, parsedJson, startOfMember } from '../io/json_scan.js';
import { listPieces } from '../io/list_pieces.js';
import { pause } from '../runtimes/pause.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { RefusedObject } from './documents.js'
 */

/** The engine gets this many bytes at once, which bounds its input buffer. */
const PIECE_BYTES = 1 << 20;

/** The maximum number of unreadable objects that are named. */
const NAMED_OBJECTS = 20;

/** Codes of errors that concern the whole text. */
const BROKEN = ['MalformedJson', 'InvalidUtf8'];

/** The scheduler gets objects of this kind as values: see `givePriorityClasses`. */
const PRIORITY_CLASS = /\bKind=PriorityClass$/;

/**
 * @typedef {object} LoadedObjects
 * @property {number} objects the number of objects that were read
 * @property {number} refused
 * @property {RefusedObject[]} refusedObjects the first unreadable objects
 * @property {string[]} unknownKinds
 */

/**
 * Applies a List piece by piece, with pauses for other tasks. Objects that cannot be read do not
 * stop the others. A List without any readable object is rejected, because it describes no cluster.
 * @param {Scheduler} scheduler
 * @param {Uint8Array} bytes
 * @param {AbortSignal} signal
 * @returns {Promise<LoadedObjects>}
 * @throws {InputError} if it is not a List, its text is broken, or none of its objects can be read;
 *   also the signal's reason
 */
export async function loadSnapshot(scheduler, bytes, signal) {
  /** @type {LoadedObjects} */
  const loaded = { objects: 0, refused: 0, refusedObjects: [], unknownKinds: [] };
  let isFirst = true;
  for (const piece of listPieces(bytes, PIECE_BYTES)) {
    signal.throwIfAborted();
    if (isFirst) checkList(piece);
    isFirst = false;
    givePriorityClasses(scheduler, piece);
    /** @type {InputError[]} */
    const errors = [];
    const result = scheduler.apply(piece, { onError: (error) => errors.push(error) });
    noteErrors(loaded, errors);
    loaded.objects += result.applied;
    const unknown = result.unknownKinds.filter((kind) => !PRIORITY_CLASS.test(kind));
    for (const kind of unknown) loaded.unknownKinds.push(kind);
    await pause();
  }
  if (loaded.objects === 0) checkNothingIsLost(loaded);
  return loaded;
}

/**
 * Each piece is a complete List with the same kind and version.
 * @param {Uint8Array} piece
 * @throws {InputError}
 */
function checkList(piece) {
  if (!wordOf(piece, 'kind').endsWith('List')) throw required('kind', 'a List of objects');
  if (wordOf(piece, 'apiVersion') === '') throw required('apiVersion', 'the version of the List');
  if (piece[startOfMember(piece, 'items')] !== OPEN_BRACKET) throw required('items', 'objects');
}

/**
 * @param {Uint8Array} piece
 * @param {string} member
 * @returns {string} empty if there is none
 */
function wordOf(piece, member) {
  const start = startOfMember(piece, member);
  if (start < 0) return '';
  const value = parsedJson(piece.subarray(start, endOfValue(piece, start)));
  return typeof value === 'string' ? value : '';
}

/**
 * @param {string} field
 * @param {string} what
 */
function required(field, what) {
  const detail = `${what} is expected`;
  return new InputError({ code: 'FieldValueRequired', field, detail });
}

/**
 * @param {LoadedObjects} loaded a result without objects
 * @throws {InputError} if the List has some
 */
function checkNothingIsLost({ refused, refusedObjects: [first], unknownKinds: [kind] }) {
  if (refused === 0 && kind === undefined) return;
  const reason = first?.message ?? `the kind is unknown: ${kind}`;
  const detail = `none of the objects can be read; of the first: ${reason}`;
  throw new InputError({ code: 'FieldValueInvalid', field: 'items', detail });
}

/**
 * Gives the scheduler the PriorityClasses of a piece: the engine ignores them, but later questions
 * may have pods that name one.
 * @param {Scheduler} scheduler
 * @param {Uint8Array} piece
 */
function givePriorityClasses(scheduler, piece) {
  if (!new TextDecoder().decode(piece).includes('"PriorityClass"')) return;
  const items = /** @type {any[]} */ (parsedJson(piece).items);
  scheduler.apply(items.filter((item) => item?.kind === 'PriorityClass'));
}

/**
 * Counts one error per object: an object may have several, and the first one is enough.
 * @param {LoadedObjects} loaded
 * @param {InputError[]} errors of one piece
 */
function noteErrors(loaded, errors) {
  const seen = new Set();
  for (const error of errors) {
    // A broken text may hide any number of objects, so the whole load fails.
    if (BROKEN.includes(error.code)) throw error;
    if (error.code === 'UnknownKind' || seen.has(error.index)) continue;
    seen.add(error.index);
    loaded.refused += 1;
    if (loaded.refusedObjects.length < NAMED_OBJECTS) loaded.refusedObjects.push(refusal(error));
  }
}

/** @param {InputError} error @returns {RefusedObject} */
function refusal({ kind, namespace, objectName: name, field, message }) {
  return {
    ...(kind !== undefined && { kind }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
    ...(field !== undefined && { field }),
    message,
  };
}
