/** The calls that wait for their turn. */
import { Fifo } from '../io/fifo.js';

/** A waiting call; without `begin` it has left. @typedef {{ begin?: () => void }} Waiting */

/** CallQueue has waiting calls in their order. */
export class CallQueue {
  /** @type {Fifo<Waiting>} */
  #calls = new Fifo();
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
    if (this.length === 0) this.#calls.clear();
  }

  /** Removes the first of the waiting calls, at least one, and returns its `begin`. */
  take() {
    let begin;
    while (!begin) begin = this.#calls.shift()?.begin;
    this.length -= 1;
    return begin;
  }
}
