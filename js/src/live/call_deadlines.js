/**
 * How long a call may take: what has no answer by then is given up. All have the same time, so that
 * one sleep is enough for all of them, until that of the oldest is over. A timer and its signal for
 * each would cost more than the call.
 */
import { sleepOrStop } from '../io/in_time.js';

/** @import { Clock } from '../engine/types.js' */

export class CallDeadlines {
  #clock;
  #timeout;
  #signal;
  /**
   * What gives each up, and when; the oldest first.
   * @type {Map<() => void, number>}
   */
  #underWay = new Map();
  #isWatching = false;

  /**
   * @param {{ clock: Clock, timeout: number, signal: AbortSignal }} parts `timeout` of each,
   *   milliseconds; with the signal nothing is given up any more
   */
  constructor({ clock, timeout, signal }) {
    this.#clock = clock;
    this.#timeout = timeout;
    this.#signal = signal;
  }

  /**
   * What is made, unless its time is over first: then nobody waits for it any more.
   * @template T
   * @param {() => Promise<T>} make
   * @returns {Promise<T>} rejected with an Error when it is too late
   */
  run(make) {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error('no answer in time'));
      this.#underWay.set(giveUp, this.#clock.now() + this.#timeout);
      if (!this.#isWatching) void this.#watch();
      const made = make().finally(() => this.#underWay.delete(giveUp));
      made.then(resolve, reject);
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
