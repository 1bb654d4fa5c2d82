/** Shares one thread fairly among many streams. */
import { pause } from '../runtimes/pause.js';

/** @import { Clock } from '../engine/types.js' */

/** How long work continues before it yields to other tasks of this thread: milliseconds. */
const BUDGET_MS = 10;

/** FairTurns runs pieces of work one after the other, in the order of their requests. */
export class FairTurns {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  #spent = 0;
  #clock;

  /** @param {Pick<Clock, 'now'>} clock measures the work */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * @template T
   * @param {() => T} work
   * @returns {Promise<T>} rejected with the work's exception
   */
  take(work) {
    const turn = this.#last.then(() => this.#do(work));
    this.#last = turn.catch(() => {});
    return turn;
  }

  /**
   * @template T
   * @param {() => T} work
   */
  async #do(work) {
    if (this.#spent >= BUDGET_MS) {
      await pause();
      this.#spent = 0;
    }
    const start = this.#clock.now();
    try {
      return work();
    } finally {
      this.#spent += this.#clock.now() - start;
    }
  }
}
