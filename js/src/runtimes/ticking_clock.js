/** @import { Clock } from '../io/clock.js' */

/** The maximum delay of a host timer: milliseconds. */
export const LONGEST = 2 ** 31 - 1;

/**
 * Returns a clock that sleeps by the host's timers and reads its time from `now`.
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
