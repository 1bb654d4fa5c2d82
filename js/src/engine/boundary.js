import { takeCalls } from './calls.js';
import { DisposedError, EngineError, errorFromDocument, InputError } from '../kubernetes/errors.js';

/**
 * @import { AnyCall } from './calls.js'
 * @import { EngineSurface } from './types.js'
 */

/**
 * The result of one call: requests to be made, and text.
 * @typedef {{ calls: AnyCall[], text: string }} Output
 */

/** The meaning of the engine's negative results. */
const STALE_HANDLE = -1;
const REENTRANT = -2;
const BAD_ARGUMENT = -3;
const FAILED = -4;

/** In records and evaluations: plugins whose part in it no recordings of the release prove. */
const NOT_PROVED = /"notProved":(\[[^\]]*\])/g;

/** The actions of the surface's `revert`, by number. */
const ACTIONS = ['begin', 'revert', 'commit'];

/** The formats of the surface's `apply`, by number; `again`: the handle of another scheduler. */
const FORMATS = ['document', 'lines', 'again'];

/**
 * Boundary is the only code that touches the engine's memory: bytes in, text out, refusals as typed
 * errors. It reads views of the memory again after each call, because any call may move it. If a
 * call throws, the engine has stopped in an unknown state: the boundary never enters it again.
 */
export class Boundary {
  #surface;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** @type {EngineError | null} */
  #failure = null;
  #depth = 0;
  /** @type {Set<string>} */
  #notProved = new Set();
  /** What frees or reverts schedulers when the current call returns. @type {(() => void)[]} */
  #ended = [];

  /** @param {EngineSurface} surface */
  constructor(surface) {
    this.#surface = surface;
  }

  /** The error that ended the engine, or null. */
  get failure() {
    return this.#failure;
  }

  /** Returns the plugins that records and evaluations named as not proved since the last call. */
  takeNotProved() {
    const names = [...this.#notProved];
    this.#notProved.clear();
    return names;
  }

  /**
   * Whether a call is in progress. Only plugins can observe that: the engine calls them from inside
   * a call.
   */
  get isBusy() {
    return this.#depth > 0;
  }

  /**
   * Creates a scheduler.
   * @param {(string | Uint8Array)[]} parts the creation document, in pieces
   * @param {((request: string) => string) | null} bridge answers the plugins' calls; never throws
   * @returns {number} its handle, > 0
   * @throws {ConfigurationError} and every other StowageError
   */
  create(parts, bridge) {
    return this.#enter(() => {
      const handle = this.#surface.create(this.#fill(parts), bridge);
      if (handle > 0) return handle;
      throw this.#refusal(handle, 'create');
    });
  }

  /**
   * Creates a scheduler in the state of another one.
   * @param {number} handle
   * @param {((request: string) => string) | null} bridge as for `create`
   * @returns {number} its handle, > 0
   * @throws {StowageError}
   */
  fork(handle, bridge) {
    return this.#enter(() => {
      const fork = this.#surface.fork(handle, bridge);
      if (fork > 0) return fork;
      throw this.#refusal(fork, 'fork');
    });
  }

  /**
   * Frees a scheduler. From inside a call, the engine is still using it, so it is freed when the
   * call returns. Stale handles and stopped engines are ignored.
   * @param {number} handle
   */
  destroy(handle) {
    if (this.#failure) return;
    if (this.isBusy) this.#ended.push(() => this.destroy(handle));
    else this.#enter(() => this.#surface.destroy(handle));
  }

  /**
   * Begins a transaction; keeps what has changed since the latest begin (commit), or takes it back
   * (revert). From inside a call, it is taken back when that returns; stopped engines ignore it.
   * @param {number} handle
   * @param {'begin' | 'revert' | 'commit'} action
   * @throws {StowageError} begin: while a cycle waits for an answer; commit: if tasks were under
   *   way when the transaction began
   */
  transact(handle, action) {
    const isRevert = action === 'revert';
    if (isRevert && this.#failure) return;
    if (isRevert && this.isBusy) {
      this.#ended.push(() => this.transact(handle, action));
      return;
    }
    this.#enter(() => {
      const answer = this.#surface.revert(handle, ACTIONS.indexOf(action));
      if (answer < 0) throw this.#refusal(answer, action);
    });
  }

  /**
   * @param {number} handle
   * @param {number} nowUs microseconds since the epoch
   * @param {'document' | 'lines' | 'again'} format
   * @param {(string | Uint8Array)[]} parts
   * @returns {string} JSON
   */
  apply(handle, nowUs, format, parts) {
    const number = FORMATS.indexOf(format);
    return this.#enter(() =>
      this.#answer(this.#surface.apply(handle, nowUs, number, this.#fill(parts)), 'apply', {
        nowUs,
      }),
    );
  }

  /**
   * @param {number} handle
   * @param {number} nowUs
   * @param {number} maxCycles
   * @returns {Output} JSON lines
   */
  run(handle, nowUs, maxCycles) {
    return this.#enter(() =>
      this.#output(this.#surface.run(handle, nowUs, maxCycles), 'run', { nowUs, maxCycles }),
    );
  }

  /**
   * @param {number} handle
   * @param {number} nowUs
   * @param {(string | Uint8Array)[]} parts
   * @returns {Output} JSON, or nothing but calls
   */
  evaluate(handle, nowUs, parts) {
    return this.#enter(() =>
      this.#output(this.#surface.evaluate(handle, nowUs, this.#fill(parts)), 'evaluate', { nowUs }),
    );
  }

  /**
   * @param {number} handle
   * @param {(string | Uint8Array)[]} parts
   * @returns {string} JSON
   */
  inspect(handle, parts) {
    return this.#enter(() =>
      this.#answer(this.#surface.inspect(handle, this.#fill(parts)), 'inspect'),
    );
  }

  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  #enter(call) {
    if (this.#failure) throw this.#failure;
    this.#depth += 1;
    try {
      return call();
    } catch (cause) {
      if (cause instanceof Refusal) throw cause.error;
      const place = cause instanceof Error ? cause.message : String(cause);
      this.#failure = new EngineError(`the engine stopped itself: ${place}`, { cause });
      throw this.#failure;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) for (const end of this.#ended.splice(0)) end();
    }
  }

  /**
   * Copies the pieces one after another into the engine's memory.
   * @param {(string | Uint8Array)[]} parts
   * @returns {number} their size in bytes
   */
  #fill(parts) {
    // A part that is no text (an object without JSON) becomes text that the engine rejects with a
    // typed error; the engine stays usable.
    const pieces = parts.map((part) =>
      part instanceof Uint8Array ? part : this.#encoder.encode(String(part)),
    );
    const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    const view = this.#surface.input(size);
    let offset = 0;
    for (const piece of pieces) {
      copy(piece, view, offset);
      offset += piece.byteLength;
    }
    return size;
  }

  /**
   * @param {number} size
   * @param {string} call
   * @param {Record<string, number>} numbers the call's numeric arguments
   * @returns {Output}
   */
  #output(size, call, numbers) {
    if (size < 0) throw this.#refusal(size, call, numbers);
    const output = takeCalls(this.#surface.output().subarray(0, size), this.#decoder);
    for (const [, names] of output.text.matchAll(NOT_PROVED))
      for (const name of JSON.parse(names)) this.#notProved.add(name);
    return output;
  }

  /**
   * @param {number} size
   * @param {string} call
   * @param {Record<string, number>} [numbers] the call's numeric arguments
   */
  #answer(size, call, numbers) {
    if (size < 0) throw this.#refusal(size, call, numbers);
    return this.#decoder.decode(this.#surface.output().subarray(0, size));
  }

  /**
   * @param {number} number
   * @param {string} call
   * @param {Record<string, number>} [numbers] the call's numeric arguments
   */
  #refusal(number, call, numbers = {}) {
    switch (number) {
      case STALE_HANDLE:
        return new Refusal(new DisposedError());
      case REENTRANT:
        return new Refusal(calledInside(call));
      case BAD_ARGUMENT:
        return new Refusal(new EngineError(badArgument(call, numbers)));
      case FAILED:
        return new Refusal(
          errorFromDocument(JSON.parse(this.#decoder.decode(this.#surface.output()))),
        );
      default:
        return new Refusal(new EngineError(`${call} answered ${number}, which means nothing`));
    }
  }
}

/**
 * Names the argument that the surface rejects on its own: a time or count out of range.
 * @param {string} call
 * @param {Record<string, number>} numbers
 */
function badArgument(call, numbers) {
  const bad = Object.entries(numbers).filter(([, value]) => !Number.isSafeInteger(value));
  const named = bad.map(([name, value]) => `: ${name} is ${value}`).join('');
  return `the engine refuses the arguments of ${call}${named}`;
}

/**
 * @param {Uint8Array} piece
 * @param {Uint8Array} view
 * @param {number} offset
 * @throws {Refusal} if the caller has transferred the buffer of its bytes
 */
function copy(piece, view, offset) {
  try {
    view.set(piece, offset);
  } catch {
    const detail = 'the buffer of the bytes was transferred';
    throw new Refusal(new InputError({ code: 'FieldValueInvalid', detail }));
  }
}

/** @param {string} call */
export function calledInside(call) {
  return new EngineError(`${call} was called from inside another call of the same engine`);
}

/**
 * Carries a typed refusal through `#enter`, which treats all other exceptions as the end of the
 * engine.
 */
class Refusal {
  /** @param {import('../kubernetes/errors.js').StowageError} error */
  constructor(error) {
    this.error = error;
  }
}
