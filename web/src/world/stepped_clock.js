/** @import { Clock } from '../../../js/src/index.js' */

/**
 * A clock that stands still until it is set. Setting it wakes the sleepers whose time has come, in
 * the order of their times.
 * @implements {Clock}
 */
export class SteppedClock {
  isVirtual = true;
  #now;
  /** Sorted by time, then by arrival. @type {Sleeper[]} */
  #sleepers = [];

  /**
   * The same clock for periodic work such as the nodes' heartbeats. Its sleepers wake on time, but
   * do not count for `nextDeadline`.
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

  /** When the first sleeper wakes, periodic work aside; null if there is none. */
  get nextDeadline() {
    return this.#sleepers.find(({ isRoutine }) => !isRoutine)?.until ?? null;
  }

  /** When the first sleeper wakes, including periodic work; null if there is none. */
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
   * Sets the clock forward and wakes the sleepers whose time has come.
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
