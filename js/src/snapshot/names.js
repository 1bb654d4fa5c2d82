/**
 * Replaces names. New names are assigned when all are known, so that they sort like the old ones.
 */

/**
 * Gives new names. `word` is for values compared as a whole; `part` for the pieces of zones, whose
 * regions consist of them; `number` for integers of a label or taint that are compared by size;
 * `uid` and `address` for values with a form.
 * @typedef {object} Names
 * @property {(text: string) => string} word
 * @property {(text: string) => string} part
 * @property {(text: string) => string} domain of a resource, which is not one of Kubernetes' own
 * @property {(text: string) => string} uid
 * @property {(text: string) => string} address
 * @property {(key: string, text: string) => string} value of a label or taint
 * @property {(key: string) => void} comparesBySize reports that values of this key are compared by
 *   size
 * @property {(text: string) => string} digest for values that are only compared for equality: it
 *   distinguishes texts and reveals nothing of them
 */

/**
 * Numbers texts by their first occurrence. A hash would let an attacker verify a guess of a text,
 * such as a password.
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

/** Keeps every name. @implements {Names} */
export class SameNames {
  #digests = new Digests();

  word = (/** @type {string} */ text) => text;

  part = (/** @type {string} */ text) => text;

  domain = (/** @type {string} */ text) => text;

  uid = (/** @type {string} */ text) => text;

  address = (/** @type {string} */ text) => text;

  value = (/** @type {string} */ _key, /** @type {string} */ text) => text;

  digest = (/** @type {string} */ text) => this.#digests.of(text);

  comparesBySize() {}
}

const INTEGER = /^([+-]?)(0*)((?:[1-9]\d*)?)$/;
const INT64_DIGITS = 19;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Texts of one kind and their replacements, in the same order. */
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

  /** @returns {Iterable<[string, string]>} each text with its replacement */
  entries() {
    return this.#tokens;
  }
}

/**
 * New names. A first pass over all objects collects the texts and returns them unchanged; after
 * `settle` the methods return the replacements. Empty texts stay empty.
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
  /** The ranks of absolute values of integers. @type {Map<string, number>} */
  #ranks = new Map();
  /** Names whose last part, a number, stays. @type {Set<string>} */
  #numbered = new Set();
  /** Words of several parts, with their replacements. @type {Map<string, string>} */
  #compounds = new Map();

  /** Ends the collection. */
  settle() {
    const sizes = new Set();
    for (const [key, texts] of this.#values) {
      for (const text of texts) {
        const size = this.#keysBySize.has(key) ? sizeOf(text) : undefined;
        if (size === undefined) this.word(text);
        else if (size > 0n) sizes.add(size);
      }
    }
    [...sizes]
      .sort((a, b) => (a < b ? -1 : 1))
      .forEach((size, rank) => this.#ranks.set(String(size), rank + 1));
    for (const space of [this.#words, this.#parts, this.#uids, this.#addresses]) space.settle();
    this.#isSettled = true;
  }

  /**
   * Renames each part between hyphens, because names are made of others: a pod's of its
   * controller's, a claim's of its pod's.
   * @type {(text: string) => string}
   */
  word = (text) => {
    const parts = text.split('-');
    const made = parts
      .map((part, at) =>
        part === '' || this.#isKept(parts, at) ? part : this.#named(this.#words, part),
      )
      .join('-');
    if (this.#isSettled && parts.length > 1) this.#compounds.set(text, made);
    return made;
  };

  part = (/** @type {string} */ text) => this.#named(this.#parts, text);

  domain = (/** @type {string} */ text) => `${this.word(text)}.example`;

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

  /**
   * Keeps the number at the end of a name, also in names that are made of that name.
   * @param {string} name
   */
  keepsNumberOf(name) {
    this.#numbered.add(name);
  }

  /**
   * Returns the true names of all one-to-one replacements.
   * @returns {Map<string, string>} from the new name to the true one
   */
  originals() {
    const spaces = [this.#words, this.#parts, this.#uids, this.#addresses];
    const pairs = [...this.#compounds, ...spaces.flatMap((space) => [...space.entries()])];
    return new Map(pairs.map(([text, token]) => [token, text]));
  }

  /**
   * Whether a part is the number of one of the numbered names.
   * @param {string[]} parts
   * @param {number} at
   */
  #isKept(parts, at) {
    if (this.#numbered.size === 0 || !/^\d+$/.test(parts[at])) return false;
    for (let start = 0; start < at; start += 1)
      if (this.#numbered.has(parts.slice(start, at + 1).join('-'))) return true;
    return false;
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
 * Returns the absolute value of an int64; undefined for other texts.
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
