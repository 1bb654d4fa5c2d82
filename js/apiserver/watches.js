/**
 * The active watches, which end with the server. Each is ended by a call of its own, because some
 * runtimes report a signal with many listeners as a leak.
 */
export class Watches {
  /** @type {Set<() => void>} */
  #ends = new Set();
  #isOver = false;

  /**
   * @param {() => void} end ends one of them; it is called at once when the server has stopped
   * @returns {() => void} to be called when it has ended
   */
  add(end) {
    if (this.#isOver) end();
    else this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  endAll() {
    this.#isOver = true;
    for (const end of [...this.#ends]) end();
  }
}
