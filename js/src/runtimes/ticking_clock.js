/** @import { Clock } from '../io/clock.js' */

/** The longest time that a timer of the host can wait: milliseconds. */
export const LONGEST = 2 ** 31 - 1;

/**
 * A clock of the host's timers that tells the time by `now`.
 * @param {() => number} now milliseconds
 * @returns {Clock}
 */
export function tickingClock(now) {
  const delayTo = (/** @type {number} */ until) => Math.min(LONGEST, Math.max(0, until - now()));
  return {
    now,
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
