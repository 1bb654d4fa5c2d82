/** Futures that the user left by acting at an earlier step. */

/** @import { Passed } from './opening.js' */

/**
 * `at`: the step after which it was left; `steps`: all its steps.
 * @typedef {{ id: number, at: number, steps: number, hash: string }} LeftFuture
 */

/** The most futures that are kept. */
const MOST = 10;

export class Futures {
  /** The latest first. @type {{ told: LeftFuture, passed: readonly Passed[] }[]} */
  #left = [];
  #count = 0;

  /** @returns {LeftFuture[]} */
  get told() {
    return this.#left.map(({ told }) => told);
  }

  /**
   * @param {readonly Passed[]} passed all steps of the future
   * @param {number} at
   * @param {string} hash of all decisions in it
   */
  leave(passed, at, hash) {
    const told = { id: (this.#count += 1), at, steps: passed.length, hash };
    this.#left = [{ told, passed: [...passed] }, ...this.#left].slice(0, MOST);
  }

  /**
   * Removes it from the list.
   * @param {number} id
   * @param {readonly Passed[]} passed the steps of the present
   * @returns {{ common: number, rest: Passed[], hash: string } | undefined} the number of steps in
   *   common, and the steps after them
   */
  take(id, passed) {
    const found = this.#left.find(({ told }) => told.id === id);
    if (!found) return undefined;
    this.#left = this.#left.filter((one) => one !== found);
    const at = found.passed.findIndex((one, index) => one !== passed[index]);
    const common = at < 0 ? found.passed.length : at;
    return { common, rest: found.passed.slice(common), hash: found.told.hash };
  }
}
