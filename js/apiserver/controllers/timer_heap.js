/**
 * Orders items by their due time; equal times keep the order of insertion.
 * @template T
 */
export class TimerHeap {
  /** @type {{ at: number, sequence: number, item: T }[]} */
  #entries = [];
  #count = 0;

  /**
   * @param {number} at
   * @param {T} item
   */
  push(at, item) {
    const entries = this.#entries;
    entries.push({ at, sequence: this.#count++, item });
    let child = entries.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Returns the first item that will be due, with its time. */
  peek() {
    return this.#entries.at(0);
  }

  /** Removes the first item. */
  pop() {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (last !== undefined && entries.length > 0) {
      entries[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink() {
    const { length } = this.#entries;
    for (let parent = 0; ;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < length && this.#isBefore(child, least)) least = child;
      if (least === parent) return;
      this.#swap(parent, least);
      parent = least;
    }
  }

  /**
   * @param {number} left
   * @param {number} right
   */
  #isBefore(left, right) {
    const [a, b] = [this.#entries[left], this.#entries[right]];
    return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
  }

  /**
   * @param {number} left
   * @param {number} right
   */
  #swap(left, right) {
    const entries = this.#entries;
    [entries[left], entries[right]] = [entries[right], entries[left]];
  }
}
