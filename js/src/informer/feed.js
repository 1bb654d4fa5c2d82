/** From the API server into the sink: marks, events and lists, as bytes. */
import { BatchError, InputError } from '../kubernetes/errors.js';
import { malformed } from '../io/json_scan.js';
import { listPieces } from '../io/list_pieces.js';
import { beginsWithEvent, lastEvent, linePieces } from './watch_lines.js';

/**
 * @import { Status } from '../kubernetes/types.js'
 * @import { FairTurns } from './fair_turns.js'
 */

/**
 * What a sink says of a batch.
 * @typedef {{ resourceVersion?: string, status?: Status }} Taken
 */

/**
 * Where the lines go: a Scheduler, or anything like one. A line, with its line feed, is a watch
 * event, a List, or a SYNC_BEGIN or SYNC_END mark; `source` is the resource that it is of. The
 * bytes are valid during the call. Bad items go to `onError`, or are thrown as a BatchError when
 * all others were taken.
 * @typedef {object} Sink
 * @property {(lines: Uint8Array, options: { format: 'lines', source: string, onError: (error:
 *   InputError) => void }) => Taken | void} apply
 */

/** Sinks get pieces of about so many bytes, which bounds how long one call takes. */
const PIECE_BYTES = 1 << 20;

const LINE_FEED = 10;
const SPACE = 32;

/** What a function of the caller threw: no other attempt mends that. */
export class CallerFault extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super('a function of the caller threw', { cause });
  }
}

/** Feed hands what comes of one resource to the sink, in turns with all others. */
export class Feed {
  #parts;
  #isListing = false;
  /** Whether the sink has some objects of a list that never ended. */
  isIncomplete = false;

  /**
   * @param {{ sink: Sink, turns: FairTurns, resource: string, onErrors: (errors: InputError[]) =>
   *   void }} parts `onErrors` gets the bad items; all others were taken then
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * A list begins; what it does not name is gone when it ends.
   * @param {AbortSignal} signal
   */
  async begin(signal) {
    this.#isListing = true;
    await this.#mark({ type: 'SYNC_BEGIN', resource: this.#parts.resource }, signal);
  }

  /**
   * @param {string} resourceVersion of the list; empty: there is none
   * @param {AbortSignal} signal
   */
  async end(resourceVersion, signal) {
    const mark = { type: 'SYNC_END', resource: this.#parts.resource };
    await this.#mark({ ...mark, ...(resourceVersion && { resourceVersion }) }, signal);
    this.#isListing = false;
    this.isIncomplete = false;
  }

  /**
   * A list, or a page of one.
   * @param {Uint8Array} page on one line
   * @param {AbortSignal} signal
   * @throws {InputError} when it is no list, or not all of it
   */
  async list(page, signal) {
    this.isIncomplete = true;
    for (const piece of listPieces(page, PIECE_BYTES)) {
      const { errors } = await this.#apply(asLine(piece), signal);
      checkWhole(errors);
    }
  }

  /**
   * @param {Uint8Array} lines of a watch
   * @param {AbortSignal} signal
   * @returns {Promise<Taken>} the version that they lead to, and why the server ends the watch, if
   *   it says so in them
   * @throws {InputError} when a line is no JSON or names no object: something is lost; or when an
   *   event contradicts what the sink knows
   */
  async events(lines, signal) {
    signal.throwIfAborted();
    if (!beginsWithEvent(lines)) throw malformed('a line of a watch that is no event');
    this.isIncomplete ||= this.#isListing;
    /** @type {Taken} */
    const all = {};
    for (const piece of linePieces(lines, PIECE_BYTES)) {
      const { errors, taken } = await this.#apply(piece, signal);
      checkWhole(errors);
      const fault = errors.find((error) => isNameless(error) || isContradiction(error));
      if (fault) throw fault;
      const isTold = taken?.resourceVersion || taken?.status;
      const { resourceVersion, status } = isTold ? taken : toldBy(lastEvent(piece));
      all.resourceVersion = resourceVersion ?? all.resourceVersion;
      all.status = status ?? all.status;
    }
    return all;
  }

  /**
   * @param {object} line
   * @param {AbortSignal} signal
   */
  #mark(line, signal) {
    return this.#apply(new TextEncoder().encode(`${JSON.stringify(line)}\n`), signal);
  }

  /**
   * @param {Uint8Array} lines
   * @param {AbortSignal} signal
   */
  async #apply(lines, signal) {
    const { sink, turns, resource, onErrors } = this.#parts;
    return turns.take(() => {
      signal.throwIfAborted();
      const answer = applied(sink, lines, resource);
      if (answer.errors.length > 0) onErrors(answer.errors);
      return answer;
    });
  }
}

/**
 * @param {Sink} sink
 * @param {Uint8Array} lines
 * @param {string} source
 * @returns {{ taken: Taken | void, errors: InputError[] }}
 */
function applied(sink, lines, source) {
  /** @type {InputError[]} */
  const errors = [];
  const onError = (/** @type {InputError} */ error) => void errors.push(error);
  try {
    return { taken: sink.apply(lines, { format: 'lines', source, onError }), errors };
  } catch (cause) {
    if (cause instanceof BatchError) return { taken: cause.result, errors: cause.errors };
    throw new CallerFault(cause);
  }
}

/**
 * With a line feed at its end. API servers write one, which has become a space.
 * @param {Uint8Array} piece its own
 */
function asLine(piece) {
  const hasRoom = piece.at(-1) === SPACE;
  const line = hasRoom ? piece : new Uint8Array(piece.length + 1);
  if (!hasRoom) line.set(piece);
  line[line.length - 1] = LINE_FEED;
  return line;
}

/**
 * A bad object is lost alone, and is the server's business. Where the text itself is broken, or has
 * no place for objects, nobody knows what is missing.
 * @param {InputError[]} errors
 * @throws {InputError}
 */
function checkWhole(errors) {
  const fault = errors.find(({ code, field }) => code === 'MalformedJson' || field === 'items');
  if (fault) throw fault;
}

/**
 * Whether an event contradicts the objects that came before it: a bound pod is on another node, or
 * on none. The server has another history than the one that was followed, as after its store was
 * restored from a backup. kube-scheduler exits there and begins anew; here its objects are listed
 * anew.
 * @param {unknown} error
 */
export function isContradiction(error) {
  if (!(error instanceof InputError)) return false;
  return error.code === 'FieldValueInvalid' && error.field === 'spec.nodeName';
}

/** Where a line goes wrong that has no object whose kind is known. */
const WHOLE_OBJECT = ['', 'object', 'kind', 'apiVersion'];

/**
 * Whether a line has no object that could be told apart: nobody knows what it was to say.
 * @param {InputError} error
 */
function isNameless({ kind, objectName, field = '' }) {
  return !kind && !objectName && WHOLE_OBJECT.includes(field);
}

/**
 * What an event tells where the sink does not: it may not read such objects.
 * @param {any} event
 * @returns {Taken}
 */
function toldBy(event) {
  if (event?.type === 'ERROR') return { status: event.object };
  const resourceVersion = event?.object?.metadata?.resourceVersion;
  return typeof resourceVersion === 'string' ? { resourceVersion } : {};
}
