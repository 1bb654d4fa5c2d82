/** @import { Clock } from './clock.js' */

const AWAKE = 'awake';

/** ChangeSignal wakes loops that sleep until there is something to do. */
export class ChangeSignal {
  /** @type {Set<() => void>} */
  #sleepers = new Set();
  /** The number of changes so far. */
  count = 0;

  /** Reports a change: wakes all current waiters. */
  notify() {
    this.count += 1;
    const sleepers = [...this.#sleepers];
    this.#sleepers.clear();
    for (const wake of sleepers) wake();
  }

  /**
   * Resolves with the next change.
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>} rejected with the signal's reason
   */
  next(signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = () => {
        this.#sleepers.delete(wake);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /**
   * Resolves at that time, or with the next change before it.
   * @param {Clock} clock
   * @param {number} until
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>} rejected with the signal's reason
   */
  async sleep(clock, until, signal) {
    const awake = new AbortController();
    const abort = () => awake.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { signal: awake.signal });
    if (signal?.aborted) abort();
    try {
      await Promise.race([clock.sleep(until, awake.signal), this.next(awake.signal)]);
    } finally {
      // An explicit reason: without one, abort() would create an error with its stack each time.
      awake.abort(AWAKE);
    }
  }
}
