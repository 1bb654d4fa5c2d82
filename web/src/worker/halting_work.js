/** Work that halts where it says so, until somebody wants it to go on. */

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
   * Goes on to where it halts next, or to its end.
   * @returns {Promise<{ at: number } | { result: T }>} `at`: what it said when it halted
   */
  goOn() {
    /** @type {Promise<{ at: number }>} */
    const halted = new Promise((resolve) => {
      this.#halted = resolve;
    });
    this.#release();
    this.#result ??= this.#work((at) => this.#halt(at));
    const ended = this.#result.then((result) => ({ result }));
    // Whoever waits when it fails is told.
    ended.catch(() => {});
    return Promise.race([halted, ended]);
  }

  /** Goes on to its end, without halting. @returns {Promise<T>} */
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
