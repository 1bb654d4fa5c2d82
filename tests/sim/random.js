/** Draws that depend on a seed alone, and draws that also depend on their purpose. */

const GOLDEN = 0x9e3779b9;

/** @param {number} value  32 bits */
function mixed(value) {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * A hash of 32 bits of all parts. Draws for other purposes do not change it, so that a smaller
 * world keeps its faults.
 * @param {...(string | number)} parts
 */
function hashOf(...parts) {
  let hash = GOLDEN;
  for (const character of parts.join('\n')) {
    hash = Math.imul(hash ^ /** @type {number} */ (character.codePointAt(0)), 0x01000193);
  }
  return mixed(hash);
}

/** A sequence of draws. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} in [0, 1) */
  next() {
    this.#state = (this.#state + GOLDEN) >>> 0;
    return mixed(this.#state) / 2 ** 32;
  }

  /** @param {number} count @returns {number} from 0 up to, without, `count` */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.below(list.length)];
  }

  /**
   * A name, drawn by weight.
   * @template {string} T
   * @param {Record<T, number>} weights
   * @returns {T}
   */
  weighted(weights) {
    const entries = /** @type {[T, number][]} */ (Object.entries(weights));
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      rest -= weight;
      if (rest < 0) return name;
    }
    return entries[0][0];
  }
}

/** Draws for one purpose. @param {...(string | number)} parts */
export function randomFor(...parts) {
  return new Random(hashOf(...parts));
}
