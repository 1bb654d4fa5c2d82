/**
 * The active watches, which end with the server. Each is ended by a call of its own, because some
 * runtimes report a signal with many listeners as a leak.
 */
export class Watches {
  /** @type {Set<() => void>} */
  #ends = new Set();
  #isOver = false;

  /**
   * @param {() => void} end ends the watch; called at once if the server has stopped already
   * @returns {() => void} call it when the watch has ended
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
