/** The calls that wait for their turn. */

/** A waiting call; without `begin` it has left. @typedef {{ begin?: () => void }} Waiting */

/**
 * CallQueue has waiting calls in their order. A Set would not do: to find its first item takes time
 * for each item that was taken before.
 */
export class CallQueue {
  /** @type {Waiting[]} */
  #calls = [];
  /** The first that waits. */
  #head = 0;
  /** The number of those that wait. */
  length = 0;

  /** @param {() => void} begin @returns {Waiting} */
  add(begin) {
    const call = { begin };
    this.#calls.push(call);
    this.length += 1;
    return call;
  }

  /** @param {Waiting} call one that waits */
  remove(call) {
    call.begin = undefined;
    this.length -= 1;
    if (this.length === 0) this.#drop(this.#calls.length);
  }

  /** Removes the first one, of at least one, and returns what begins it. */
  take() {
    while (!this.#calls[this.#head].begin) this.#head += 1;
    const first = this.#calls[this.#head];
    const { begin } = first;
    first.begin = undefined;
    this.length -= 1;
    this.#head += 1;
    if (this.#head * 2 > this.#calls.length) this.#drop(this.#head);
    return begin;
  }

  /** @param {number} count of calls at the front that do not wait any more */
  #drop(count) {
    this.#calls = this.#calls.slice(count);
    this.#head = 0;
  }
}
