/** @import { Clock } from '../../../js/src/index.js' */

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

  /**
   * The same time for what is done again and again, such as nodes' reports: who sleeps by it is
   * woken in time, and is nothing that anybody waits for.
   * @type {Clock}
   */
  routine = {
    isVirtual: true,
    now: () => this.now(),
    sleep: (until, signal) => this.#sleep(until, true, signal),
  };

  /** @param {number} start milliseconds since the epoch */
  constructor(start) {
    this.#now = start;
  }

  now() {
    return this.#now;
  }

  /** When the first sleeper is to be woken, routine apart; null: nobody sleeps. */
  get nextDeadline() {
    return this.#sleepers.find(({ isRoutine }) => !isRoutine)?.until ?? null;
  }

  /** When the first sleeper of all is to be woken; null: nobody sleeps. */
  get nextWake() {
    return this.#sleepers[0]?.until ?? null;
  }

  /**
   * @param {number} until
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   */
  sleep(until, signal) {
    return this.#sleep(until, false, signal);
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

  /**
   * @param {number} until
   * @param {boolean} isRoutine
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   */
  #sleep(until, isRoutine, signal) {
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
      const sleeper = { until, isRoutine, wake };
      signal?.addEventListener('abort', leave, { once: true });
      this.#insert(sleeper);
    });
  }

  /** @param {Sleeper} sleeper */
  #insert(sleeper) {
    let at = this.#sleepers.length;
    while (at > 0 && this.#sleepers[at - 1].until > sleeper.until) at -= 1;
    this.#sleepers.splice(at, 0, sleeper);
  }
}

/** @typedef {{ until: number, isRoutine: boolean, wake: () => void }} Sleeper */
