/** Many streams, one thread: nobody starves. */
import { pause } from '../runtimes/pause.js';

/** @import { Clock } from '../engine/types.js' */

/** How long work goes on before everything else in this thread has its turn: milliseconds. */
const BUDGET_MS = 10;

/** FairTurns does one piece of work after the other, in the order in which they were asked for. */
export class FairTurns {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  #spent = 0;
  #clock;

  /** @param {Pick<Clock, 'now'>} clock by which work is measured */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * @template T
   * @param {() => T} work
   * @returns {Promise<T>} rejected with what the work throws
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
