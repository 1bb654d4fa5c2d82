/**
 * Limits the depth of plain data. kube-apiserver accepts 10,000 levels, on a growing stack; here
 * every recursion over an object must fit on the stack of a page's worker.
 */
import { isDeeperThan } from './values.js';

export const LEVELS_MAX = 1000;

/** The message of Go's decoder. */
const TOO_DEEP = `exceeded max depth: ${LEVELS_MAX} levels`;

/** The data has too many levels. */
export class TooDeepError extends Error {
  constructor() {
    super(TOO_DEEP);
  }
}

/**
 * @template T
 * @param {T} data
 * @returns {T}
 * @throws {TooDeepError}
 */
export function notTooDeep(data) {
  if (isDeeperThan(data, LEVELS_MAX)) throw new TooDeepError();
  return data;
}

/**
 * Parses JSON of a bounded depth. Each level takes at least two characters, so a short text needs
 * no check.
 * @param {string} text
 * @returns {any}
 * @throws {TooDeepError | SyntaxError}
 */
export function parseJson(text) {
  const data = JSON.parse(text);
  return text.length > 2 * LEVELS_MAX ? notTooDeep(data) : data;
}
