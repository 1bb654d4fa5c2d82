/**
 * The log of a scheduler: JSON lines, a header and then every input of the engine, in order. It is
 * the only complete state: js/src/engine/replay.js creates a scheduler from it.
 *
 * - `{"now","apply":"document"|"lines","text"|"base64"}`: a batch, as the engine got it, including
 *   answers of calls
 * - `{"now","run":maxCycles}`: a turn
 * - `{"answers":[["1f0c…","…"]]}`: answers of plugins during the call above, each
 *   with the digest of its question
 * - `{"seq","hash","output"}`: the last decision of the turn above, if it made one, and a digest of
 *   the whole output
 * - `{"priorityClass":{…},"change":"set"|"delete"}`, the same with `storageClass`, `{"named":3}`:
 *   the state of JavaScript's side
 *
 * Times are microseconds since the epoch.
 */

import { hashWords } from '../kubernetes/hash.js';
import { digestOfOutput } from './turn.js';

/**
 * @import { Boundary } from './boundary.js'
 * @import { Completer } from './completer.js'
 */

/**
 * The part of the engine that schedulers use.
 * @typedef {Omit<Boundary, 'takeNotProved'>} Door
 */

/** What a log can hold: transactions of a scheduler with a log are made on forks.
 * @typedef {Omit<Door, 'transact'>} LoggableDoor */

/** @typedef {{ stowage: string, kubernetesVersion: string }} Versions */

/**
 * LoggedDoor logs every input on its way to another door. It writes an input before the engine gets
 * it, so that the log of an engine that stopped ends with the cause.
 * @implements {LoggableDoor}
 */
export class LoggedDoor {
  #door;
  #log;
  #versions;
  #completer;
  #named = 0;
  /**
   * Null while a query runs that changes nothing, so its answers are not logged.
   * @type {[string, string][] | null}
   */
  #answers = null;

  /**
   * @param {Door} door
   * @param {{ log: (line: string) => void, versions: Versions, completer: Completer }} parts
   */
  constructor(door, { log, versions, completer }) {
    this.#door = door;
    this.#log = log;
    this.#versions = versions;
    this.#completer = completer;
  }

  get failure() {
    return this.#door.failure;
  }

  get isBusy() {
    return this.#door.isBusy;
  }

  /**
   * Writes a line.
   * @param {object} fields
   */
  write(fields) {
    this.#log(`${JSON.stringify(fields)}\n`);
  }

  /**
   * @param {(string | Uint8Array)[]} parts
   * @param {((request: string) => string) | null} bridge
   */
  create(parts, bridge) {
    const [options, , configuration] = parts;
    const { startTimeUs, ...others } = JSON.parse(String(options));
    const head = { apiVersion: 'stowage/v1', kind: 'Log', ...this.#versions };
    const { text } = written([configuration]);
    const header = { ...head, startTime: startTimeUs, configuration: text, ...others };
    const logged = (/** @type {string} */ request) => {
      const answer = /** @type {Function} */ (bridge)(request);
      this.#answers?.push([digestOf(request), answer]);
      return answer;
    };
    const handle = this.#door.create(parts, bridge && logged);
    this.write(header);
    return handle;
  }

  /**
   * The log is that of the original alone.
   * @param {number} handle
   * @param {((request: string) => string) | null} bridge
   */
  fork(handle, bridge) {
    return this.#door.fork(handle, bridge);
  }

  /** @param {number} handle */
  destroy(handle) {
    this.#door.destroy(handle);
  }

  /**
   * @param {number} handle
   * @param {number} nowUs
   * @param {'document' | 'lines' | 'again'} format
   * @param {(string | Uint8Array)[]} parts
   */
  apply(handle, nowUs, format, parts) {
    // The engine refuses a plugin's call from inside a call, so there is no input to log.
    if (this.#door.isBusy) return this.#door.apply(handle, nowUs, format, parts);
    const { named } = this.#completer;
    if (named !== this.#named) this.write({ named });
    this.#named = named;
    this.write({ now: nowUs, apply: format, ...written(parts) });
    return this.#hearing(() => this.#door.apply(handle, nowUs, format, parts));
  }

  /**
   * @param {number} handle
   * @param {number} nowUs
   * @param {number} maxCycles
   */
  run(handle, nowUs, maxCycles) {
    if (this.#door.isBusy) return this.#door.run(handle, nowUs, maxCycles);
    this.write({ now: nowUs, run: maxCycles });
    const output = this.#hearing(() => this.#door.run(handle, nowUs, maxCycles));
    this.write({ ...lastDecision(output.text), output: digestOfOutput(output) });
    return output;
  }

  /**
   * @param {number} handle
   * @param {number} nowUs
   * @param {(string | Uint8Array)[]} parts
   */
  evaluate(handle, nowUs, parts) {
    return this.#door.evaluate(handle, nowUs, parts);
  }

  /**
   * @param {number} handle
   * @param {(string | Uint8Array)[]} parts
   */
  inspect(handle, parts) {
    return this.#door.inspect(handle, parts);
  }

  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  #hearing(call) {
    /** @type {[string, string][]} */
    const answers = [];
    this.#answers = answers;
    try {
      return call();
    } finally {
      this.#answers = null;
      if (answers.length > 0) this.write({ answers });
    }
  }
}

/**
 * The digest of a question to a plugin. It leaves out the cycle and node details, because how they
 * are sent depends on earlier evaluations.
 * @param {string} request
 */
export function digestOf(request) {
  const { state, ops, pod, changed, rows, ...question } = JSON.parse(request);
  return hashWords(JSON.stringify(question))[0].toString(16).padStart(8, '0');
}

/**
 * Finds the last decision with a hash in the text of a turn.
 * @param {string} text
 * @returns {{ seq: number, hash: string } | null}
 */
export function lastDecision(text) {
  // This cannot match inside a JSON string: its quotes would be escaped.
  const at = text.lastIndexOf(',"hash":"');
  if (at < 0) return null;
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  const { seq, hash } = JSON.parse(text.slice(start, end < 0 ? undefined : end));
  return { seq, hash };
}

/**
 * Returns an input's pieces as they stand in a log line: as text if possible, else as base64.
 * @param {(string | Uint8Array)[]} parts
 * @returns {{ text: string } | { text?: undefined, base64: string }}
 */
function written(parts) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const texts = parts.map((part) => (typeof part === 'string' ? part : decoder.decode(part)));
    return { text: texts.join('') };
  } catch {
    const bytes = parts.map((part) =>
      typeof part === 'string' ? new TextEncoder().encode(part) : part,
    );
    return { base64: btoa(bytes.map(latin1).join('')) };
  }
}

/**
 * Returns the original bytes of a log line's input.
 * @param {{ text?: string, base64?: string }} line
 * @returns {string | Uint8Array}
 */
export function unwritten({ text, base64 = '' }) {
  return text ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Returns each byte as one character. @param {Uint8Array} bytes */
function latin1(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}
