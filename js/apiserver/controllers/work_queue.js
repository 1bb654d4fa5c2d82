import { Fifo } from '../../src/io/fifo.js';
import { TimerHeap } from './timer_heap.js';

/** @import { Clock } from '../../src/io/clock.js' */

/** The delays of an item that fails repeatedly: milliseconds, doubled each time. */
const BASE_DELAY = 5;
const MAX_DELAY = 1_000_000;

/**
 * The keys that a controller has to process, as in client-go's rate limiting workqueue: a waiting
 * key is not added again, and one that is added while it is processed waits for its `done`. The
 * order is that of the additions, without randomness. Counterpart: k8s.io/client-go/util/workqueue,
 * v1.36.
 */
export class WorkQueue {
  #clock;
  /** @type {Fifo<string>} */
  #queue = new Fifo();
  #dirty = new Set();
  #processing = new Set();
  /** @type {TimerHeap<string>} */
  #timers = new TimerHeap();
  /** The due times of delayed items. @type {Map<string, number>} */
  #waiting = new Map();
  /** @type {Map<string, number>} */
  #failures = new Map();

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /** The number of items that wait for `get`. */
  get length() {
    return this.#queue.length;
  }

  /** The due time of the first delayed item; null if there is none. */
  get nextReadyAt() {
    for (;;) {
      const first = this.#timers.peek();
      if (first === undefined) return null;
      if (this.#waiting.get(first.item) === first.at) return first.at;
      this.#timers.pop();
    }
  }

  /** @param {string} item */
  add(item) {
    if (this.#dirty.has(item)) return;
    this.#dirty.add(item);
    if (!this.#processing.has(item)) this.#queue.push(item);
  }

  /**
   * Adds the item later; of several times the earliest counts.
   * @param {string} item
   * @param {number} delay milliseconds
   */
  addAfter(item, delay) {
    if (delay <= 0) return this.add(item);
    const at = this.#clock.now() + delay;
    if ((this.#waiting.get(item) ?? Infinity) <= at) return;
    this.#waiting.set(item, at);
    this.#timers.push(at, item);
  }

  /** Adds the item after a delay that grows with each failure. @param {string} item */
  addRateLimited(item) {
    const failures = this.#failures.get(item) ?? 0;
    this.#failures.set(item, failures + 1);
    this.addAfter(item, Math.min(BASE_DELAY * 2 ** failures, MAX_DELAY));
  }

  /** Resets the item's delay after a success. @param {string} item */
  forget(item) {
    this.#failures.delete(item);
  }

  /** Returns the next item, which is in process until `done`. @returns {string | undefined} */
  get() {
    this.#addDue();
    const item = this.#queue.shift();
    if (item === undefined) return undefined;
    this.#dirty.delete(item);
    this.#processing.add(item);
    return item;
  }

  /** @param {string} item */
  done(item) {
    this.#processing.delete(item);
    if (this.#dirty.has(item)) this.#queue.push(item);
  }

  #addDue() {
    const now = this.#clock.now();
    for (let at = this.nextReadyAt; at !== null && at <= now; at = this.nextReadyAt) {
      const { item } = this.#timers.pop();
      this.#waiting.delete(item);
      this.add(item);
    }
  }
}
