import { BEYOND_EXACT } from '../../kubernetes/int64.js';
import { positionOf } from '../../manifests/positions.js';
import { say } from './terminal.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject, Position } from '../../kubernetes/types.js'
 */

/**
 * The engine's words about an integer that was rounded when JSON was read, or left as text when
 * YAML was: kube-apiserver would take it.
 */
const LARGE_INTEGER = /"?(-?\d{16,})"?: must be (?:an integer, not a string|a 64-bit integer)$/;

/** Exit codes of every command. */
export const EXIT = Object.freeze({ yes: 0, no: 1, badInput: 2, ourFault: 3 });

/** The maximum number of errors of the input that are printed. */
const SHOWN = 20;

/** The command line cannot be understood. */
export class UsageError extends Error {}

/** The input cannot be used; a line for each fault, and further lines with hints. */
export class BadInputError extends Error {
  /**
   * @param {string[]} lines
   * @param {string[]} [hints]
   */
  constructor(lines, hints = []) {
    super(lines[0]);
    this.lines = lines;
    this.hints = hints;
  }
}

/**
 * The fault of a file that cannot be written.
 * @param {string} path
 * @param {unknown} error of the file system
 */
export function unwritable(path, error) {
  const { message } = /** @type {Error} */ (error);
  return new BadInputError([`${path}: it cannot be written: ${message}`]);
}

/** One file cannot be read; `line` is the position of the fault, from 1, if known. */
export class UnreadableError extends Error {
  /**
   * @param {string} message
   * @param {number} [line]
   */
  constructor(message, line) {
    super(message);
    this.line = line;
  }
}

/**
 * A fault of a file; `code` is that of an InputError, or `Unreadable`.
 * @typedef {{ source: string, code: string, message: string, field?: string } & Partial<Position>}
 *   Problem
 */

/** Collects the faults of the input, each once: the pods of one template share a mistake. */
export class Problems {
  /** @type {Map<string, Problem>} */
  #byPlace;
  #printed = 0;

  /** @param {Problems} [found] problems that are there already */
  constructor(found) {
    this.#byPlace = new Map(found ? found.#byPlace : []);
  }

  /** In the order in which they were found. */
  get all() {
    return [...this.#byPlace.values()];
  }

  /** @param {Problem} problem */
  add(problem) {
    this.#addOnce(lineOf(problem), problem);
  }

  /**
   * @param {string} source the name of the file
   * @param {InputError} error
   * @param {KubernetesObject} [object] the faulty object
   */
  addError(source, error, object) {
    const problem = problemOf(source, error, object);
    const { field, code, document, line, column } = problem;
    const place = JSON.stringify([source, document, line, column, field, code]);
    this.#addOnce(object && line !== undefined ? place : lineOf(problem), problem);
  }

  /** The places of the problems. */
  get places() {
    return new Set(this.all.map(({ source, ...position }) => placeKey(source, position)));
  }

  /**
   * Prints the problems that were not printed before.
   * @param {NodeJS.WritableStream} stream
   */
  print(stream) {
    const lines = this.all.slice(this.#printed).map(lineOf);
    this.#printed = this.#byPlace.size;
    for (const line of errorLines(lines)) say(stream, line);
  }

  /**
   * @param {string[]} [hints] advice for the user
   * @throws {BadInputError} if there is a problem
   */
  throwAny(hints) {
    if (this.#byPlace.size > 0) throw new BadInputError(this.all.map(lineOf), hints);
  }

  /**
   * @param {string} key
   * @param {Problem} problem
   */
  #addOnce(key, problem) {
    if (!this.#byPlace.has(key)) this.#byPlace.set(key, problem);
  }
}

/**
 * @param {string} source
 * @param {Partial<Position>} [position]
 */
export function placeKey(source, { document, line, column } = {}) {
  return JSON.stringify([source, document, line, column]);
}

/**
 * Describes a fault of a file with its position, in one line.
 * @param {string} name of the file
 * @param {InputError} error
 * @param {KubernetesObject} [object] the faulty object
 */
export function describeProblem(name, error, object) {
  return lineOf(problemOf(name, error, object));
}

/**
 * Returns the first lines about the input, and the number of the others.
 * @param {string[]} lines
 * @returns {string[]}
 */
export function errorLines(lines) {
  const shown = lines.slice(0, SHOWN).map((line) => `error: ${line}`);
  return lines.length > SHOWN ? [...shown, `error: and ${lines.length - SHOWN} more`] : shown;
}

/**
 * @param {Problem} problem
 * @returns {string}
 */
export function lineOf({ source, document, line, column, message }) {
  const where = [
    document !== undefined && `document ${document}`,
    line !== undefined && `line ${line}`,
    column !== undefined && `column ${column}`,
  ].filter(Boolean);
  return [source, where.join(', '), message].filter(Boolean).join(': ');
}

/**
 * @param {string} source
 * @param {InputError} error
 * @param {KubernetesObject} [object]
 * @returns {Problem}
 */
function problemOf(source, error, object) {
  const { document, line, column } = (object && positionOf(object, error.field)) ?? error;
  const { code, field } = error;
  const message = error.message.replace(LARGE_INTEGER, `$1: ${BEYOND_EXACT}`);
  return { source, code, message, field, document, line, column };
}
