/** A snapshot's bytes into a scheduler. */
import { InputError } from '../errors.js';
import { OPEN_BRACKET, parsedJson, startOfMember } from '../informer/json_scan.js';
import { listPieces } from '../informer/list_pieces.js';
import { pause } from '../runtimes/system_clock.js';

/**
 * @import { Scheduler } from '../scheduler.js'
 * @import { RefusedObject } from './documents.js'
 */

/** What goes into the engine at once, which bounds the room that it keeps for its input: bytes. */
const PIECE_BYTES = 1 << 20;

/** How many objects that could not be read are named. */
const NAMED_OBJECTS = 20;

/** Codes of errors that are not about one object. */
const BROKEN = ['MalformedJson', 'InvalidUtf8'];

/** Its objects are given to the scheduler as values: see `givePriorityClasses`. */
const PRIORITY_CLASS = /\bKind=PriorityClass$/;

/**
 * @typedef {object} LoadedObjects
 * @property {number} objects that were read
 * @property {number} refused
 * @property {RefusedObject[]} refusedObjects the first of them
 * @property {string[]} unknownKinds
 */

/**
 * Applies a List, piece by piece, with pauses for everyone else. Objects that cannot be read stop
 * none of the others.
 * @param {Scheduler} scheduler
 * @param {Uint8Array} bytes
 * @param {AbortSignal} signal
 * @returns {Promise<LoadedObjects>}
 * @throws {InputError} when it is no List, or its text is broken; and the signal's reason
 */
export async function loadSnapshot(scheduler, bytes, signal) {
  if (bytes[startOfMember(bytes, 'items')] !== OPEN_BRACKET) throw notAList();
  /** @type {LoadedObjects} */
  const loaded = { objects: 0, refused: 0, refusedObjects: [], unknownKinds: [] };
  for (const piece of listPieces(bytes, PIECE_BYTES)) {
    signal.throwIfAborted();
    givePriorityClasses(scheduler, piece);
    const onError = (/** @type {InputError} */ error) => noteError(loaded, error);
    const result = scheduler.apply(piece, { onError });
    loaded.objects += result.applied;
    const unknown = result.unknownKinds.filter((kind) => !PRIORITY_CLASS.test(kind));
    loaded.unknownKinds.push(...unknown);
    await pause();
  }
  return loaded;
}

function notAList() {
  const detail = 'a List of objects is expected';
  return new InputError({ code: 'FieldValueRequired', field: 'items', detail });
}

/**
 * The engine has no use for them, but the pods that are asked about may name one.
 * @param {Scheduler} scheduler
 * @param {Uint8Array} piece
 */
function givePriorityClasses(scheduler, piece) {
  if (!new TextDecoder().decode(piece).includes('"PriorityClass"')) return;
  const items = /** @type {any[]} */ (parsedJson(piece).items);
  scheduler.apply(items.filter((item) => item?.kind === 'PriorityClass'));
}

/**
 * @param {LoadedObjects} loaded
 * @param {InputError} error
 */
function noteError(loaded, error) {
  if (error.code === 'UnknownKind') return;
  // Of a text that is broken nobody knows what is missing.
  if (BROKEN.includes(error.code) || error.field === 'items') throw error;
  loaded.refused += 1;
  if (loaded.refusedObjects.length === NAMED_OBJECTS) return;
  const { kind, namespace, objectName: name, field, message } = error;
  loaded.refusedObjects.push({
    ...(kind !== undefined && { kind }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
    ...(field !== undefined && { field }),
    message,
  });
}
