/** Feeds the API server's data into the sink: marks, events and lists, as bytes. */
import { BatchError, InputError } from '../kubernetes/errors.js';
import { malformed } from '../io/json_scan.js';
import { listPieces } from '../io/list_pieces.js';
import { beginsWithEvent, lastEvent, linePieces } from './watch_lines.js';

/**
 * @import { Status } from '../kubernetes/types.js'
 * @import { FairTurns } from './fair_turns.js'
 */

/**
 * A sink's result for a batch.
 * @typedef {{ resourceVersion?: string | undefined, status?: Status | undefined }} Taken
 */

/**
 * The receiver of lines: a Scheduler, or an object like it. A line, with its line feed, is a watch
 * event, a List, or a SYNC_BEGIN or SYNC_END mark; `source` is its resource. The bytes are valid
 * during the call only. Bad items go to `onError`, or to a BatchError that is thrown after all
 * others were applied.
 * @typedef {object} Sink
 * @property {(lines: Uint8Array, options: { format: 'lines', source: string, onError: (error:
 *   InputError) => void }) => Taken | void} apply
 */

/** The sink gets pieces of about this many bytes, which bounds the duration of one call. */
const PIECE_BYTES = 1 << 20;

const LINE_FEED = 10;
const SPACE = 32;

/** An exception of the caller's function: a retry would not help. */
export class CallerFault extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super('a function of the caller threw', { cause });
  }
}

/** Feed hands the data of one resource to the sink, alternating with all others. */
export class Feed {
  #parts;
  #isListing = false;
  /** Whether the sink has only some objects of an unfinished list. */
  isIncomplete = false;

  /**
   * @param {{ sink: Sink, turns: FairTurns, resource: string, onErrors: (errors: InputError[]) =>
   *   void }} parts `onErrors` gets the bad items after all others were applied
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Starts a list: at its end the sink removes the objects that it does not contain.
   * @param {AbortSignal} signal
   */
  async begin(signal) {
    this.#isListing = true;
    await this.#mark({ type: 'SYNC_BEGIN', resource: this.#parts.resource }, signal);
  }

  /**
   * @param {string} resourceVersion of the list; empty if it has none
   * @param {AbortSignal} signal
   */
  async end(resourceVersion, signal) {
    const mark = { type: 'SYNC_END', resource: this.#parts.resource };
    await this.#mark({ ...mark, ...(resourceVersion && { resourceVersion }) }, signal);
    this.#isListing = false;
    this.isIncomplete = false;
  }

  /**
   * Hands on a list, or one page of it.
   * @param {Uint8Array} page on one line
   * @param {AbortSignal} signal
   * @throws {InputError} if it is not a list, or truncated
   */
  async list(page, signal) {
    this.isIncomplete = true;
    for (const piece of listPieces(page, PIECE_BYTES)) {
      const { errors } = await this.#apply(asLine(piece), signal);
      checkWhole(errors);
    }
  }

  /**
   * Hands on lines of a watch.
   * @param {Uint8Array} lines of a watch
   * @param {AbortSignal} signal
   * @returns {Promise<Taken>} the last version in them, and the reason if the server ends the watch
   *   in them
   * @throws {InputError} if a line is not JSON or names no object, so that a change is lost; or if
   *   an event contradicts the sink's state
   */
  async events(lines, signal) {
    signal.throwIfAborted();
    if (!beginsWithEvent(lines)) throw malformed('a line of a watch that is not an event');
    this.isIncomplete ||= this.#isListing;
    /** @type {Taken} */
    const all = {};
    for (const piece of linePieces(lines, PIECE_BYTES)) {
      const { errors, taken } = await this.#apply(piece, signal);
      checkWhole(errors);
      const fault = errors.find((error) => isNameless(error) || isContradiction(error));
      if (fault) throw fault;
      const isReported = taken?.resourceVersion || taken?.status;
      const { resourceVersion, status } = isReported ? taken : reportedBy(lastEvent(piece));
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
    if (cause instanceof BatchError)
      return { taken: /** @type {Taken} */ (cause.result), errors: cause.errors };
    throw new CallerFault(cause);
  }
}

/**
 * Appends a line feed. Line feeds that the API server wrote have become spaces.
 * @param {Uint8Array} piece a copy that may be changed
 */
function asLine(piece) {
  const hasRoom = piece.at(-1) === SPACE;
  const line = hasRoom ? piece : new Uint8Array(piece.length + 1);
  if (!hasRoom) line.set(piece);
  line[line.length - 1] = LINE_FEED;
  return line;
}

/**
 * Checks that no change is lost. One bad object is the server's fault and concerns only itself. If
 * the text is broken or has no objects, any number of changes may be missing.
 * @param {InputError[]} errors
 * @throws {InputError}
 */
function checkWhole(errors) {
  const fault = errors.find(({ code, field }) => code === 'MalformedJson' || field === 'items');
  if (fault) throw fault;
}

/**
 * Whether an event contradicts the objects before it: a bound pod is on another node, or on none.
 * The server then has a different history, as after its store was restored from a backup.
 * kube-scheduler exits and starts again; here the objects are listed again.
 * @param {unknown} error
 */
export function isContradiction(error) {
  if (!(error instanceof InputError)) return false;
  return error.code === 'FieldValueInvalid' && error.field === 'spec.nodeName';
}

/** The fields of errors in lines without an identifiable object. */
const WHOLE_OBJECT = ['', 'object', 'kind', 'apiVersion'];

/**
 * Whether a line has no identifiable object, so that its change is lost.
 * @param {InputError} error
 */
function isNameless({ kind, objectName, field = '' }) {
  return !kind && !objectName && WHOLE_OBJECT.includes(field);
}

/**
 * Returns the version and fault that an event contains, for sinks that do not report them because
 * they do not read such objects.
 * @param {any} event
 * @returns {Taken}
 */
function reportedBy(event) {
  if (event?.type === 'ERROR') return { status: event.object };
  const resourceVersion = event?.object?.metadata?.resourceVersion;
  return typeof resourceVersion === 'string' ? { resourceVersion } : {};
}
