/** A map that can lie over another one: what it changes stays its own. */

/**
 * Keys are visited in the order of their insertion, as those of a Map.
 * @template Key, Value
 */
export class LayeredMap {
  #base;
  /** @type {Map<Key, Value>} */
  #own = new Map();
  /** The keys of the base that were deleted here; they may have been set again. @type {Set<Key>} */
  #deleted = new Set();

  /** @param {Map<Key, Value> | LayeredMap<Key, Value>} [base] */
  constructor(base = new Map()) {
    this.#base = base;
  }

  /**
   * Returns a map over this one, which takes no time. This one must not change while that is used.
   * @returns {LayeredMap<Key, Value>}
   */
  layer() {
    return new LayeredMap(this);
  }

  /** @param {Key} key @returns {boolean} */
  has(key) {
    return this.#own.has(key) || this.#isOfBase(key);
  }

  /** @param {Key} key @returns {Value | undefined} */
  get(key) {
    return this.#own.get(key) ?? (this.#isOfBase(key) ? this.#base.get(key) : undefined);
  }

  /**
   * Returns a value that can be changed in place: that of the base is copied first.
   * @param {Key} key
   * @param {(value: Value) => Value} copyOf
   * @returns {Value | undefined}
   */
  own(key, copyOf) {
    const value = this.get(key);
    if (value !== undefined && !this.#own.has(key)) this.#own.set(key, copyOf(value));
    return this.#own.get(key);
  }

  /** @param {Key} key @param {Value} value */
  set(key, value) {
    this.#own.set(key, value);
  }

  /** @param {Key} key */
  delete(key) {
    this.#own.delete(key);
    if (this.#isOfBase(key)) this.#deleted.add(key);
  }

  /** @returns {Generator<[Key, Value]>} */
  *entries() {
    for (const [key, value] of this.#base.entries())
      if (!this.#deleted.has(key)) yield [key, this.#own.get(key) ?? value];
    for (const entry of this.#own) if (!this.#isOfBase(entry[0])) yield entry;
  }

  /** @returns {Generator<Key>} */
  *keys() {
    for (const [key] of this.entries()) yield key;
  }

  /** @returns {Generator<Value>} */
  *values() {
    for (const [, value] of this.entries()) yield value;
  }

  /** @param {Key} key @returns {boolean} */
  #isOfBase(key) {
    return !this.#deleted.has(key) && this.#base.has(key);
  }
}
