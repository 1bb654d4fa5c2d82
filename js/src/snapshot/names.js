/**
 * Names that stand for others: which is which is settled when all are known, so that they sort as
 * the others do.
 */
import { InputError } from '../kubernetes/errors.js';

/**
 * What gives names. `word` is for whatever is compared as a whole; `part` for the pieces of zones,
 * whose regions are made of them; `number` for integers of a label or taint that is compared by
 * size; `uid` and `address` for what has a form.
 * @typedef {object} Names
 * @property {(text: string) => string} word
 * @property {(text: string) => string} part
 * @property {(text: string) => string} uid
 * @property {(text: string) => string} address
 * @property {(key: string, text: string) => string} value of a label or taint
 * @property {(key: string) => void} comparesBySize says that values of this key are
 * @property {(text: string) => string} digest of what is compared for being equal and nothing else:
 *   it tells equal texts from others, and nothing of them
 * @property {(first: string, second: string) => void} joins says that somebody makes a name of two,
 *   with a hyphen between them
 */

/**
 * Texts by the order in which they first came. A hash would let those who guess a text, such as a
 * password, know that they have guessed it.
 */
class Digests {
  /** @type {Map<string, string>} */
  #known = new Map();

  /** @param {string} text @returns {string} */
  of(text) {
    const known = this.#known.get(text) ?? String(this.#known.size + 1);
    this.#known.set(text, known);
    return known;
  }
}

/** Everything keeps its name. @implements {Names} */
export class SameNames {
  #digests = new Digests();

  word = (/** @type {string} */ text) => text;

  part = (/** @type {string} */ text) => text;

  uid = (/** @type {string} */ text) => text;

  address = (/** @type {string} */ text) => text;

  value = (/** @type {string} */ _key, /** @type {string} */ text) => text;

  digest = (/** @type {string} */ text) => this.#digests.of(text);

  comparesBySize() {}

  joins() {}
}

const INTEGER = /^([+-]?)(0*)((?:[1-9]\d*)?)$/;
const INT64_DIGITS = 19;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Texts of one kind, and what stands for them: in the same order. */
class Space {
  #write;
  /** @type {Set<string>} */
  #texts = new Set();
  /** @type {Map<string, string>} */
  #tokens = new Map();

  /** @param {(rank: number, width: number) => string} write */
  constructor(write) {
    this.#write = write;
  }

  /** @param {string} text */
  add(text) {
    this.#texts.add(text);
  }

  settle() {
    const sorted = [...this.#texts].sort();
    const width = String(sorted.length).length;
    sorted.forEach((text, rank) => this.#tokens.set(text, this.#write(rank + 1, width)));
  }

  /** @param {string} text @returns {string | undefined} */
  get(text) {
    return this.#tokens.get(text);
  }

  /** @returns {Iterable<[string, string]>} each text and what stands for it */
  entries() {
    return this.#tokens;
  }
}

/**
 * Names that are made up. First everything is gone through with them as they are, so that they hear
 * of all texts; after `settle` they give what stands for these. Empty texts stay empty.
 * @implements {Names}
 */
export class MadeUpNames {
  #words = new Space((rank, width) => `w${String(rank).padStart(width, '0')}`);
  #parts = new Space((rank, width) => `z${String(rank).padStart(width, '0')}`);
  #uids = new Space((rank) => `00000000-0000-4000-8000-${rank.toString(16).padStart(12, '0')}`);
  #addresses = new Space((rank) => `10.${(rank >> 16) & 255}.${(rank >> 8) & 255}.${rank & 255}`);
  #digests = new Digests();
  #isSettled = false;
  /** @type {Map<string, Set<string>>} */
  #values = new Map();
  #keysBySize = new Set();
  /** Sizes of integers, without sign. @type {Map<string, number>} */
  #ranks = new Map();
  /** @type {Map<string, [string, string]>} */
  #joined = new Map();

  /** Everything has been seen. */
  settle() {
    const sizes = new Set();
    for (const [key, texts] of this.#values) {
      for (const text of texts) {
        const size = this.#keysBySize.has(key) ? sizeOf(text) : undefined;
        if (size === undefined) this.#words.add(text);
        else if (size > 0n) sizes.add(size);
      }
    }
    [...sizes]
      .sort((a, b) => (a < b ? -1 : 1))
      .forEach((size, rank) => this.#ranks.set(String(size), rank + 1));
    for (const space of [this.#words, this.#parts, this.#uids, this.#addresses]) space.settle();
    this.#isSettled = true;
  }

  /** @type {(text: string) => string} */
  word = (text) => {
    const joined = this.#isSettled ? this.#joined.get(text) : undefined;
    if (joined) return joined.map(this.word).join('-');
    return this.#named(this.#words, text);
  };

  part = (/** @type {string} */ text) => this.#named(this.#parts, text);

  uid = (/** @type {string} */ text) => this.#named(this.#uids, text);

  address = (/** @type {string} */ text) => this.#named(this.#addresses, text);

  digest = (/** @type {string} */ text) => this.#digests.of(text);

  value = (/** @type {string} */ key, /** @type {string} */ text) => {
    if (!this.#isSettled) {
      const texts = this.#values.get(key);
      if (texts) texts.add(text);
      else this.#values.set(key, new Set([text]));
      return text;
    }
    if (!this.#keysBySize.has(key) || sizeOf(text) === undefined) return this.word(text);
    const [, sign, zeros, digits] = INTEGER.exec(text) ?? [];
    return `${sign}${zeros}${digits && this.#ranks.get(digits)}`;
  };

  comparesBySize = (/** @type {string} */ key) => {
    this.#keysBySize.add(key);
  };

  joins = (/** @type {string} */ first, /** @type {string} */ second) => {
    if (this.#isSettled) return;
    const text = `${first}-${second}`;
    const known = this.#joined.get(text);
    if (known && (known[0] !== first || known[1] !== second)) {
      const both = `${known.join(' and ')}, and ${first} and ${second}`;
      const detail = `is made of ${both}: it cannot have one name that is made of both`;
      throw new InputError({
        code: 'FieldValueNotSupported',
        kind: 'PersistentVolumeClaim',
        name: text,
        field: 'metadata.name',
        detail,
      });
    }
    this.#joined.set(text, [first, second]);
    this.word(first);
    this.word(second);
  };

  /**
   * What stands for what, where it is one for one.
   * @returns {Map<string, string>} from the made-up name to the true one
   */
  originals() {
    const spaces = [this.#words, this.#parts, this.#uids, this.#addresses];
    const pairs = spaces.flatMap((space) => [...space.entries()]);
    return new Map(pairs.map(([text, token]) => [token, text]));
  }

  /**
   * @param {Space} space
   * @param {string} text
   */
  #named(space, text) {
    if (text === '') return text;
    if (!this.#isSettled) {
      space.add(text);
      return text;
    }
    const token = space.get(text);
    if (token === undefined) throw new Error(`${text} was not there when names were given`);
    return token;
  }
}

/**
 * How large an int64 is, without its sign; undefined for other texts.
 * @param {string} text
 * @returns {bigint | undefined}
 */
function sizeOf(text) {
  const [, sign, zeros, digits] = INTEGER.exec(text) ?? [];
  if ((!zeros && !digits) || digits.length > INT64_DIGITS) return undefined;
  const size = BigInt(digits || 0);
  const number = sign === '-' ? -size : size;
  return number >= INT64_MIN && number <= INT64_MAX ? size : undefined;
}
