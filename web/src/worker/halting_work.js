/** Work that halts at points that it chooses, until the caller lets it continue. */

/**
 * @template T
 */
export class HaltingWork {
  #work;
  #isRushed = false;
  /** @type {Promise<T> | undefined} */
  #result;
  #release = () => {};
  /** @type {(halt: { at: number }) => void} */
  #halted = () => {};

  /**
   * @param {(halt: (at: number) => Promise<void>) => Promise<T>} work awaits `halt` where it may
   *   halt
   */
  constructor(work) {
    this.#work = work;
  }

  /**
   * Continues to the next halt, or to the end.
   * @returns {Promise<{ at: number } | { result: T }>} `at`: the argument of `halt`
   */
  goOn() {
    /** @type {Promise<{ at: number }>} */
    const halted = new Promise((resolve) => {
      this.#halted = resolve;
    });
    this.#release();
    this.#result ??= this.#work((at) => this.#halt(at));
    const ended = this.#result.then((result) => ({ result }));
    // The caller of `finish` gets the error; here it must not count as unhandled.
    ended.catch(() => {});
    return Promise.race([halted, ended]);
  }

  /** Continues to the end without halting. @returns {Promise<T>} */
  async finish() {
    this.#isRushed = true;
    this.#release();
    return (this.#result ??= this.#work((at) => this.#halt(at)));
  }

  /** @param {number} at @returns {Promise<void>} */
  #halt(at) {
    if (this.#isRushed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#release = resolve;
      this.#halted({ at });
    });
  }
}
