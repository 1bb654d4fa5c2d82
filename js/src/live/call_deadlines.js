/**
 * Limits the duration of calls: a call without an answer by its deadline is given up. All calls
 * have the same timeout, so one sleep until the oldest call's deadline serves all of them. A timer
 * and a signal for each would cost more than the call.
 */
import { sleepOrStop } from '../io/in_time.js';

/** @import { Clock } from '../engine/types.js' */

export class CallDeadlines {
  #clock;
  #timeout;
  #signal;
  /**
   * The function that gives each call up, with its deadline; the oldest first.
   * @type {Map<() => void, number>}
   */
  #underWay = new Map();
  #isWatching = false;

  /**
   * @param {{ clock: Clock, timeout: number, signal: AbortSignal }} parts `timeout` of each call,
   *   in milliseconds; after the signal no call is given up any more
   */
  constructor({ clock, timeout, signal }) {
    this.#clock = clock;
    this.#timeout = timeout;
    this.#signal = signal;
  }

  /**
   * Runs a call and returns its result. After the timeout it stops waiting for it.
   * @template T
   * @param {() => Promise<T>} make
   * @returns {Promise<T>} rejected with an Error on a timeout
   */
  run(make) {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error('no answer in time'));
      this.#underWay.set(giveUp, this.#clock.now() + this.#timeout);
      if (!this.#isWatching) void this.#watch();
      const end =
        (/** @type {(value: any) => void} */ settle) => (/** @type {unknown} */ value) => {
          this.#underWay.delete(giveUp);
          settle(value);
        };
      make().then(end(resolve), end(reject));
    });
  }

  async #watch() {
    this.#isWatching = true;
    while (this.#underWay.size > 0 && !this.#signal.aborted) {
      const [[giveUp, until]] = this.#underWay;
      await sleepOrStop(this.#clock, until, this.#signal);
      if (!this.#signal.aborted && this.#underWay.delete(giveUp)) giveUp();
    }
    this.#isWatching = false;
  }
}
