/**
 * How deep plain data may be. kube-apiserver reads 10,000 levels, on a stack that grows; here
 * everything that walks through an object must stay on the stack of a page's worker.
 */
import { isDeeperThan } from './values.js';

export const LEVELS_MAX = 1000;

/** What is said of more, as Go's decoder says it. */
export const TOO_DEEP = `exceeded max depth: ${LEVELS_MAX} levels`;

/** Data that is too deep. */
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
 * JSON of a bounded depth. A level takes two characters at least.
 * @param {string} text
 * @returns {any}
 * @throws {TooDeepError | SyntaxError}
 */
export function parseJson(text) {
  const data = JSON.parse(text);
  return text.length > 2 * LEVELS_MAX ? notTooDeep(data) : data;
}
