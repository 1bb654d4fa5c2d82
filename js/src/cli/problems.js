import { positionOf } from '../manifests/positions.js';
import { say } from './terminal.js';

/**
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { KubernetesObject, Position } from '../kubernetes/types.js'
 */

/** Exit codes of every command. */
export const EXIT = Object.freeze({ yes: 0, no: 1, badInput: 2, ourFault: 3 });

/** How many errors of the input are printed. */
const SHOWN = 20;

/** The command line cannot be understood. */
export class UsageError extends Error {}

/**
 * Files that cannot be used; a line for each thing that is wrong with them, and further ones that
 * say what to do.
 */
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

/** One file cannot be read; the line where that shows, from 1, if there is one. */
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
 * Something that is wrong with a file; `code` is that of an InputError, or `Unreadable`.
 * @typedef {{ source: string, code: string, message: string, field?: string } & Partial<Position>}
 *   Problem
 */

/** What is wrong with the input, each thing once: the pods of one template share a mistake. */
export class Problems {
  /** @type {Map<string, Problem>} */
  #byPlace = new Map();
  #told = 0;

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
   * @param {KubernetesObject} [object] that it is about
   */
  addError(source, error, object) {
    const problem = problemOf(source, error, object);
    const { field, code, document, line, column } = problem;
    const place = JSON.stringify([source, document, line, column, field, code]);
    this.#addOnce(object && line !== undefined ? place : lineOf(problem), problem);
  }

  /**
   * Prints those that were not printed before.
   * @param {NodeJS.WritableStream} stream
   */
  tell(stream) {
    const lines = this.all.slice(this.#told).map(lineOf);
    this.#told = this.#byPlace.size;
    for (const line of errorLines(lines)) say(stream, line);
  }

  /**
   * @param {string[]} [hints] what to do
   * @throws {BadInputError} when there is one
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
 * What is wrong with a file, and where, in one line.
 * @param {string} name of the file
 * @param {InputError} error
 * @param {KubernetesObject} [object] that it is about
 */
export function describeProblem(name, error, object) {
  return lineOf(problemOf(name, error, object));
}

/**
 * What is printed of many lines about the input: the first, and how many more there are.
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
  const { code, message, field } = error;
  return { source, code, message, field, document, line, column };
}
