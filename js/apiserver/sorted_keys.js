/** The number of new keys up to which each is moved to its place; more are sorted together. */
const FEW = 16;

/**
 * The keys of a table in order. Keys are ASCII, so this is the order of their bytes. New keys are
 * put in order with the next read: reads and writes in turn, and many writes at once, take little
 * time.
 */
export class SortedKeys {
  /** @type {string[]} */
  #sorted = [];
  /** Keys that are not in `#sorted` yet. @type {string[]} */
  #added = [];

  /** @param {string} key that is not among them */
  add(key) {
    const isLast = this.#sorted.length === 0 || this.#sorted[this.#sorted.length - 1] < key;
    if (this.#added.length === 0 && isLast) this.#sorted.push(key);
    else this.#added.push(key);
  }

  /** @param {string} key that is among them */
  delete(key) {
    this.all.splice(this.indexOf(key), 1);
  }

  /** All keys in order, not to be changed. */
  get all() {
    if (this.#added.length > FEW) {
      this.#sorted = [...this.#sorted, ...this.#added].sort();
    } else {
      for (const key of this.#added) this.#sorted.splice(lowerBound(this.#sorted, key), 0, key);
    }
    this.#added = [];
    return this.#sorted;
  }

  /**
   * Returns the index of the first key that is not less.
   * @param {string} key
   */
  indexOf(key) {
    return lowerBound(this.all, key);
  }

  /**
   * Returns the index after the last key that starts with the prefix.
   * @param {string} prefix
   */
  endOf(prefix) {
    if (prefix === '') return this.all.length;
    const last = prefix.length - 1;
    return this.indexOf(prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1));
  }
}

/**
 * @param {string[]} keys
 * @param {string} key
 */
function lowerBound(keys, key) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
