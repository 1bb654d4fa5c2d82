/**
 * The engine's functions with encoding and nothing else: conformance and bench use the native
 * addon and the WASM module through one interface, independent of the package's API.
 */

/**
 * @typedef {object} Surface
 * @property {() => string} abi
 * @property {(size: number) => Uint8Array} input       a view to fill, valid until the next call
 * @property {() => Uint8Array} output                  valid until the next call
 * @property {(size: number, bridge: null) => number} create
 * @property {(handle: number, bridge: null) => number} fork
 * @property {(handle: number, action: number) => number} revert
 * @property {(handle: number) => number} destroy
 * @property {(handle: number, nowUs: number, format: number, size: number) => number} apply
 * @property {(handle: number, nowUs: number, maxCycles: number) => number} run
 * @property {(handle: number, nowUs: number, size: number) => number} evaluate
 * @property {(handle: number, size: number) => number} inspect
 */

/**
 * @typedef {object} SchedulerOptions
 * @property {object} [configuration]  a KubeSchedulerConfiguration; absent: the defaults
 * @property {string} [kubernetesVersion] such as `1.34`; default: the newest
 * @property {Record<string, boolean>} [behaviour] facts that differ from those of the release
 * @property {Record<string, boolean>} [featureGates]
 * @property {number} [seed]
 * @property {'heap' | 'name' | 'random'} [tieBreak]
 * @property {'simulated' | 'host'} [api]
 * @property {'summary' | 'nodes' | 'table'} [detail]
 * @property {VerdictCacheMode} [verdictCache]
 * @property {number} [startTimeUs]
 * @property {boolean} [events]  whether there are Event records
 * @property {number} [apiCallTimeout]  in milliseconds; 0: none
 * @property {number} [preBindPollInterval]  in milliseconds; default 1000
 */

/** The verdict cache's mode, which may change speed only (core/scheduler/scheduler_options.h). */
export const VERDICT_CACHE_MODES = /** @type {const} */ ([
  'off',
  'firstUse',
  'secondUse',
  'tiny',
  'refill',
]);

/** @typedef {typeof VERDICT_CACHE_MODES[number]} VerdictCacheMode */

const BAD_ARGUMENT = -3;
const REFUSALS = new Map([
  [-1, 'stale handle'],
  [-2, 'reentrant call'],
  [BAD_ARGUMENT, 'bad argument'],
  [-4, 'failed'],
]);
const FORMAT_LINES = 1;
const NEWLINE = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The engine refused a call. `code` is the surface's negative result, `answer` its typed error. */
export class RefusedError extends Error {
  /** @param {{call: string, code: number, answer: string}} options */
  constructor({ call, code, answer }) {
    super(`${call}: ${REFUSALS.get(code) ?? `refused with ${code}`}${answer && `: ${answer}`}`);
    this.name = 'RefusedError';
    this.code = code;
    this.answer = answer;
  }
}

/** The engine refused part of a batch, so its next decisions would lack that part. */
class RejectedInputError extends Error {
  /** @param {{errors?: object[], unknownKinds?: string[]}} result */
  constructor({ errors = [], unknownKinds = [] }) {
    const first = JSON.stringify(errors[0] ?? unknownKinds[0]);
    super(`the engine rejected ${errors.length + unknownKinds.length} inputs, the first: ${first}`);
    this.name = 'RejectedInputError';
  }
}

/** The actions of `revert`, by number. */
const ACTIONS = ['begin', 'revert', 'commit'];

/** A loaded module; its schedulers share the module's memory. */
export class RawEngine {
  #surface;
  #memoryBytes;

  /**
   * @param {Surface} surface
   * @param {{memoryBytes?: () => number}} [options] `memoryBytes`: size of the module's memory
   */
  constructor(surface, { memoryBytes } = {}) {
    this.#surface = surface;
    this.#memoryBytes = memoryBytes;
  }

  get abi() {
    return JSON.parse(this.#surface.abi());
  }

  /** The functions themselves. */
  get surface() {
    return this.#surface;
  }

  /** Bytes of linear memory, or null if the target does not report it. */
  get memoryBytes() {
    return this.#memoryBytes ? this.#memoryBytes() : null;
  }

  /** @param {SchedulerOptions} options */
  createScheduler({ configuration, ...options }) {
    const text = configuration === undefined ? '' : JSON.stringify(configuration);
    const size = fill(this.#surface, encoder.encode(`${JSON.stringify(options)}\n${text}`));
    const handle = this.#surface.create(size, null);
    if (handle < 0) throw refusal(this.#surface, 'create', handle);
    return new RawScheduler(this.#surface, handle);
  }
}

/** One scheduler of an engine. Every method throws `RefusedError` if the engine refuses. */
export class RawScheduler {
  #surface;
  #handle;

  /** @param {Surface} surface @param {number} handle */
  constructor(surface, handle) {
    this.#surface = surface;
    this.#handle = handle;
  }

  /**
   * Applies objects, watch events and commands, one JSON value per line. The engine must accept all
   * of it, because the input of tests and benches is valid.
   * @param {Uint8Array} bytes @param {number} nowUs
   * @returns {{applied: number, ignored: number}}
   */
  applyBytes(bytes, nowUs) {
    return this.applied(this.send(bytes, nowUs));
  }

  /**
   * The engine's call alone; `applied` reads its output, before any other call.
   * @param {Uint8Array} bytes @param {number} nowUs
   */
  send(bytes, nowUs) {
    checkTime('apply', nowUs);
    return this.#surface.apply(this.#handle, nowUs, FORMAT_LINES, fill(this.#surface, bytes));
  }

  /** @param {number} answered  by `send` */
  applied(answered) {
    const result = JSON.parse(decoder.decode(this.#answer('apply', answered)));
    const { errors = [], unknownKinds = [] } = result;
    if (errors.length > 0 || unknownKinds.length > 0) throw new RejectedInputError(result);
    return result;
  }

  /**
   * The engine's result of a batch, unchanged; it may contain refusals.
   * @param {Uint8Array} bytes @param {number} nowUs
   */
  applyText(bytes, nowUs) {
    return decoder.decode(this.#answer('apply', this.send(bytes, nowUs)));
  }

  /** @param {object[]} values @param {number} nowUs */
  apply(values, nowUs) {
    return this.applyBytes(encodeLines(values), nowUs);
  }

  /**
   * One turn; the returned bytes are a copy.
   * @param {number} nowUs @param {number} maxCycles
   * @returns {Uint8Array}
   */
  runBytes(nowUs, maxCycles) {
    return this.turned(this.turn(nowUs, maxCycles));
  }

  /**
   * The engine's call alone; `turned` copies its output, before any other call.
   * @param {number} nowUs @param {number} maxCycles
   */
  turn(nowUs, maxCycles) {
    checkTime('run', nowUs);
    return this.#surface.run(this.#handle, nowUs, maxCycles);
  }

  /** @param {number} answered  by `turn` */
  turned(answered) {
    return this.#answer('run', answered).slice();
  }

  /**
   * One turn and its records.
   * @param {number} nowUs @param {number} maxCycles
   * @returns {any[]}
   */
  run(nowUs, maxCycles) {
    return parseRecords(this.#answer('run', this.turn(nowUs, maxCycles)));
  }

  /**
   * @param {object} question options of an evaluation
   * @param {object | null} pod null if the question names one
   * @param {number} nowUs
   * @returns {string} the Evaluation
   */
  evaluateText(question, pod, nowUs) {
    const text = `${JSON.stringify(question)}\n${pod === null ? '' : JSON.stringify(pod)}`;
    const size = fill(this.#surface, encoder.encode(text));
    const answered = this.#surface.evaluate(this.#handle, nowUs, size);
    return decoder.decode(this.#answer('evaluate', answered));
  }

  /** A scheduler in the same state. */
  fork() {
    const handle = this.#surface.fork(this.#handle, null);
    if (handle < 0) throw refusal(this.#surface, 'fork', handle);
    return new RawScheduler(this.#surface, handle);
  }

  /** @param {'begin' | 'revert' | 'commit'} action of a transaction */
  transact(action) {
    const code = this.#surface.revert(this.#handle, ACTIONS.indexOf(action));
    if (code < 0) throw refusal(this.#surface, action, code);
  }

  /** @param {object} query @returns {string} */
  inspectText(query) {
    const size = fill(this.#surface, encoder.encode(JSON.stringify(query)));
    return decoder.decode(this.#answer('inspect', this.#surface.inspect(this.#handle, size)));
  }

  dispose() {
    const code = this.#surface.destroy(this.#handle);
    if (code < 0) throw refusal(this.#surface, 'destroy', code);
  }

  /** @param {string} call @param {number} size */
  #answer(call, size) {
    if (size < 0) throw refusal(this.#surface, call, size);
    return this.#surface.output().subarray(0, size);
  }
}

/**
 * The engine's error does not name the argument.
 * @param {string} call @param {number} nowUs
 */
function checkTime(call, nowUs) {
  if (!Number.isFinite(nowUs))
    throw new RefusedError({ call, code: BAD_ARGUMENT, answer: `nowUs is ${nowUs}` });
}

/** @param {object[]} values */
export function encodeLines(values) {
  return encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

/**
 * Records of a turn: JSON lines. A Call is followed by exactly `bodyBytes` raw bytes, returned as
 * its `body`.
 * @param {Uint8Array} bytes
 * @returns {any[]}
 */
export function parseRecords(bytes) {
  const records = [];
  let at = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline;
    const line = decoder.decode(bytes.subarray(at, end));
    at = end + 1;
    if (line === '') continue;
    const record = JSON.parse(line);
    if (record.bodyBytes) {
      record.body = decoder.decode(bytes.subarray(at, at + record.bodyBytes));
      at += record.bodyBytes;
    }
    records.push(record);
  }
  return records;
}

/** @param {Surface} surface @param {Uint8Array} bytes */
function fill(surface, bytes) {
  surface.input(bytes.length).set(bytes);
  return bytes.length;
}

/** @param {Surface} surface @param {string} call @param {number} code */
function refusal(surface, call, code) {
  const answer = code === -4 ? decoder.decode(surface.output()) : '';
  return new RefusedError({ call, code, answer });
}
