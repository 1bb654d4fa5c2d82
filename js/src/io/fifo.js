/**
 * Fifo has items in the order in which they came. Not a Set or a Map: to find the first item of one
 * takes time for each item that was removed before it.
 * @template T
 */
export class Fifo {
  /** @type {(T | undefined)[]} */
  #items = [];
  #head = 0;

  get length() {
    return this.#items.length - this.#head;
  }

  /** @param {T} item */
  push(item) {
    this.#items.push(item);
  }

  /** @returns {T | undefined} the first item; undefined if there is none */
  peek() {
    return this.#items[this.#head];
  }

  /** @returns {T | undefined} the first item, which is removed */
  shift() {
    const first = this.#items[this.#head];
    if (this.length === 0) return undefined;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head * 2 > this.#items.length) this.#drop(this.#head);
    return first;
  }

  clear() {
    this.#drop(this.#items.length);
  }

  /** @param {number} count of places at the front */
  #drop(count) {
    this.#items = this.#items.slice(count);
    this.#head = 0;
  }
}
