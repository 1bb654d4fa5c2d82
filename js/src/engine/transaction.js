/** @import { Scheduler } from './scheduler.js' */

/**
 * Calls `change` with a fork, and disposes of the fork when that is over.
 * @template T
 * @param {Scheduler} fork
 * @param {(fork: Scheduler) => T} change
 * @returns {T}
 */
export function withFork(fork, change) {
  let result;
  try {
    result = change(fork);
  } catch (cause) {
    fork.dispose();
    throw cause;
  }
  if (!(result instanceof Promise)) {
    fork.dispose();
    return result;
  }
  return /** @type {T} */ (result.finally(() => fork.dispose()));
}
