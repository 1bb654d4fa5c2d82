/** @import { Clock } from '../../../js/src/types.js' */

/**
 * A clock that stands still until it is set. Who sleeps is woken when it is set to his time or a
 * later one, in the order of the times.
 * @implements {Clock}
 */
export class SteppedClock {
  isVirtual = true;
  #now;
  /** By time, those of one time in the order of their coming. @type {Sleeper[]} */
  #sleepers = [];

  /** @param {number} start milliseconds since the epoch */
  constructor(start) {
    this.#now = start;
  }

  now() {
    return this.#now;
  }

  /** When the first sleeper is to be woken; null: nobody sleeps. */
  get nextDeadline() {
    return this.#sleepers[0]?.until ?? null;
  }

  /**
   * @param {number} until
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   */
  sleep(until, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (until <= this.#now) return resolve();
      const leave = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      /** @type {Sleeper} */
      const sleeper = { until, wake };
      signal?.addEventListener('abort', leave, { once: true });
      this.#insert(sleeper);
    });
  }

  /**
   * Sets it, never back, and wakes those whose time has come.
   * @param {number} time
   */
  advanceTo(time) {
    this.#now = Math.max(this.#now, time);
    while (this.#sleepers.length > 0 && this.#sleepers[0].until <= this.#now)
      this.#sleepers.shift()?.wake();
  }

  /** @param {Sleeper} sleeper */
  #insert(sleeper) {
    let at = this.#sleepers.length;
    while (at > 0 && this.#sleepers[at - 1].until > sleeper.until) at -= 1;
    this.#sleepers.splice(at, 0, sleeper);
  }
}

/** @typedef {{ until: number, wake: () => void }} Sleeper */
