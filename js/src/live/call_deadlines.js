/**
 * How long a call may take: what has no answer by then is given up. All have the same time, so that
 * one sleep is enough for all of them, until that of the oldest is over. A timer and its signal for
 * each would cost more than the call.
 */
import { sleepOrStop } from './in_time.js';

/** @import { Clock } from '../types.js' */

export class CallDeadlines {
  #clock;
  #timeout;
  #signal;
  /**
   * What gives each up, and when; the oldest first.
   * @type {Map<(cause: unknown) => void, number>}
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
   * What is made, unless its time is over first, or the signal comes: then its own signal ends, and
   * nobody waits for it any more, whether or not it heeds that.
   * @template T
   * @param {AbortSignal} signal
   * @param {(signal: AbortSignal) => Promise<T>} make
   * @returns {Promise<T>} rejected with the signal's reason, or with an Error when it is too late
   */
  run(signal, make) {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const end = new AbortController();
      const giveUp = (/** @type {unknown} */ cause) => {
        reject(cause);
        end.abort(cause);
      };
      const stop = () => giveUp(signal.reason);
      signal.addEventListener('abort', stop);
      this.#underWay.set(giveUp, this.#clock.now() + this.#timeout);
      if (!this.#isWatching) void this.#watch();
      const done = () => {
        this.#underWay.delete(giveUp);
        signal.removeEventListener('abort', stop);
      };
      make(end.signal).then(resolve, reject).finally(done);
    });
  }

  async #watch() {
    this.#isWatching = true;
    while (this.#underWay.size > 0 && !this.#signal.aborted) {
      const [[giveUp, until]] = this.#underWay;
      await sleepOrStop(this.#clock, until, this.#signal);
      const isLate = !this.#signal.aborted && this.#underWay.delete(giveUp);
      if (isLate) giveUp(new Error('no answer in time'));
    }
    this.#isWatching = false;
  }
}
