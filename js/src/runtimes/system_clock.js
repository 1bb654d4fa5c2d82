/** @import { Clock } from '../types.js' */

/** The longest time that a timer of the host can wait: milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * The host's clock.
 * @returns {Clock}
 */
export function systemClock() {
  return {
    now: () => Date.now(),
    sleep: (until, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        let timer = setTimeout(finish, delayTo(until));
        signal?.addEventListener('abort', abort, { once: true });
        function finish() {
          if (delayTo(until) > 0) return void (timer = setTimeout(finish, delayTo(until)));
          signal?.removeEventListener('abort', abort);
          resolve();
        }
        function abort() {
          clearTimeout(timer);
          reject(signal?.reason);
        }
      }),
  };
}

const delayTo = (/** @type {number} */ until) => Math.min(LONGEST, Math.max(0, until - Date.now()));

/** Lets everything else that waits in this thread have its turn. @returns {Promise<void>} */
export function pause() {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}
