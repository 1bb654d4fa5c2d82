/**
 * The log of a scheduler: JSON lines, first a header, then all that went into the engine, in order.
 * It is the only complete state: js/src/engine/replay.js makes a scheduler of it again.
 *
 * - `{"now","apply":"document"|"lines","text"|"base64"}`: a batch, as the engine got it; answers of
 *   calls are in there, too
 * - `{"now","run":maxCycles}`: a turn
 * - `{"answers":[["1f0c…","…"]]}`: what plugins answered inside of the call above, each to a
 *   question of that digest
 * - `{"seq","hash","output"}`: of the last decision of the turn above, if it made one, and a digest
 *   of all that it said
 * - `{"priorityClass":{…},"change":"set"|"delete"}`, the same with `storageClass`, `{"named":3}`:
 *   what this side has to know
 *
 * Times are microseconds since the epoch.
 */

import { hashWords } from '../kubernetes/hash.js';
import { digestOfOutput } from './turn.js';

/**
 * @import { Boundary } from './boundary.js'
 * @import { Completer } from './completer.js'
 */

/** What schedulers need of the engine. @typedef {Pick<Boundary, keyof Boundary>} Door */

/** @typedef {{ stowage: string, kubernetesVersion: string }} Versions */

/**
 * LoggedDoor writes down what goes through another door; an input before it goes in, so that the
 * log of an engine that stopped itself ends with the cause.
 * @implements {Door}
 */
export class LoggedDoor {
  #door;
  #log;
  #versions;
  #completer;
  #named = 0;
  /** Null: what is asked now changes nothing. @type {[string, string][] | null} */
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
    const heard = (/** @type {string} */ request) => {
      const answer = /** @type {Function} */ (bridge)(request);
      this.#answers?.push([digestOf(request), answer]);
      return answer;
    };
    const handle = this.#door.create(parts, bridge && heard);
    this.write(header);
    return handle;
  }

  /** @param {number} handle */
  destroy(handle) {
    this.#door.destroy(handle);
  }

  /**
   * @param {number} handle
   * @param {number} nowUs
   * @param {'document' | 'lines'} format
   * @param {(string | Uint8Array)[]} parts
   */
  apply(handle, nowUs, format, parts) {
    // A plugin that calls from inside of a call is refused: nothing goes in.
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
 * What tells one question to a plugin from another; how it is told of cycles and nodes depends on
 * evaluations, too.
 * @param {string} request
 */
export function digestOf(request) {
  const { state, ops, pod, changed, rows, ...question } = JSON.parse(request);
  return hashWords(JSON.stringify(question))[0].toString(16).padStart(8, '0');
}

/**
 * The last decision in the text of a turn that has a hash.
 * @param {string} text
 * @returns {{ seq: number, hash: string } | null}
 */
export function lastDecision(text) {
  // Inside of a string the quotes would be escaped.
  const at = text.lastIndexOf(',"hash":"');
  if (at < 0) return null;
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  const { seq, hash } = JSON.parse(text.slice(start, end < 0 ? undefined : end));
  return { seq, hash };
}

/**
 * Pieces of an input as they stand in a line: text, where they are.
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
 * The bytes of a line, as they were.
 * @param {{ text?: string, base64?: string }} line
 * @returns {string | Uint8Array}
 */
export function unwritten({ text, base64 = '' }) {
  return text ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Each byte as a character. @param {Uint8Array} bytes */
function latin1(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}
