/**
 * Limits the duration of calls: a call without an answer by its deadline is given up. All calls
 * have the same timeout, so one sleep until the oldest call's deadline serves all of them. A timer
 * and a signal for each would cost more than the call.
 */
import { InProgress } from '../io/in_progress.js';
import { sleepOrStop } from '../io/in_time.js';

/** @import { Clock } from '../engine/types.js' */

export class CallDeadlines {
  #clock;
  #timeout;
  #signal;
  /** @type {InProgress<{ giveUp: () => void, until: number, place: number }>} */
  #calls = new InProgress();
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
      const call = { giveUp, until: this.#clock.now() + this.#timeout, place: -1 };
      this.#calls.add(call);
      if (!this.#isWatching) void this.#watch();
      const end =
        (/** @type {(value: any) => void} */ settle) => (/** @type {unknown} */ value) => {
          if (call.place >= 0) this.#calls.remove(call);
          settle(value);
        };
      make().then(end(resolve), end(reject));
    });
  }

  async #watch() {
    this.#isWatching = true;
    while (this.#calls.size > 0 && !this.#signal.aborted) {
      const oldest = this.#calls.all().reduce((a, b) => (b.until < a.until ? b : a));
      await sleepOrStop(this.#clock, oldest.until, this.#signal);
      if (this.#signal.aborted || oldest.place < 0) continue;
      this.#calls.remove(oldest);
      oldest.giveUp();
    }
    this.#isWatching = false;
  }
}
