/**
 * Watches are those under way, which end with the server. They are told one by one: a signal that
 * many listen to looks like a leak to some runtimes.
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
