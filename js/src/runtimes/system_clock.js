/** @import { Clock } from '../types.js' */

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
        const timer = setTimeout(finish, Math.max(0, until - Date.now()));
        signal?.addEventListener('abort', abort, { once: true });
        function finish() {
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

/**
 * Lets everything else that waits in this thread have its turn.
 * @returns {Promise<void>}
 */
export function pause() {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
