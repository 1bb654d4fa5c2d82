/** What comes and goes by the thousand: requests, calls. */

/** The place belongs to InProgress; -1: not in progress. @typedef {{ place: number }} Item */

/**
 * InProgress has the items that are in progress, in no order. Not a Set or a Map: as items come and
 * go, these replace their tables, and V8 keeps what was in a former table until a full garbage
 * collection, which is half of all items.
 * @template {Item} T
 */
export class InProgress {
  /** @type {T[]} */
  #items = [];

  get size() {
    return this.#items.length;
  }

  /** @param {T} item */
  add(item) {
    item.place = this.#items.length;
    this.#items.push(item);
  }

  /** @param {T} item one that is in progress */
  remove(item) {
    const last = /** @type {T} */ (this.#items.pop());
    if (last !== item) {
      this.#items[item.place] = last;
      last.place = item.place;
    }
    item.place = -1;
  }

  /** @returns {T[]} the items, as they are now */
  all() {
    return [...this.#items];
  }
}
