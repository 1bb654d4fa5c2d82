/** The size of a block: few conversions in advance, and a short one for each offset. */
const BLOCK = 4 << 10;

/** UTF-8 needs this many bytes for a character, at most. */
const CHARACTER_BYTES_MAX = 4;

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();

/**
 * ConvertedOffsets converts the offsets of a text between UTF-8 and UTF-16. The time for an offset
 * does not grow with the text: what the blocks before it take in the other encoding is counted on
 * first use.
 */
class ConvertedOffsets {
  #length;
  #isCharacter;
  #sizeOf;
  /** @type {{ starts: number[], sums: number[] } | undefined} */
  #blocks;

  /**
   * @param {number} length of the text
   * @param {(at: number) => boolean} isCharacter whether a character begins at an offset
   * @param {(start: number, end: number) => number} sizeOf the size of a part in the other encoding
   */
  constructor(length, isCharacter, sizeOf) {
    this.#length = length;
    this.#isCharacter = isCharacter;
    this.#sizeOf = sizeOf;
  }

  /**
   * Returns the difference of two offsets in the other encoding.
   * @param {number} start
   * @param {number} end at least `start`
   */
  between(start, end) {
    if (end - start <= BLOCK) return this.#sizeOf(start, end);
    return this.#before(end) - this.#before(start);
  }

  /** @param {number} offset */
  #before(offset) {
    const { starts, sums } = (this.#blocks ??= this.#counted());
    const block = lastUpTo(starts, offset);
    return sums[block] + this.#sizeOf(starts[block], offset);
  }

  #counted() {
    const starts = [0];
    const sums = [0];
    for (let start = 0, sum = 0; start + BLOCK < this.#length;) {
      const end = this.#characterUpTo(start + BLOCK);
      sum += this.#sizeOf(start, end);
      starts.push(end);
      sums.push(sum);
      start = end;
    }
    return { starts, sums };
  }

  /** @param {number} at */
  #characterUpTo(at) {
    for (let back = 0; back < CHARACTER_BYTES_MAX; back += 1)
      if (this.#isCharacter(at - back)) return at - back;
    return at;
  }
}

/**
 * From bytes to UTF-16 units.
 * @param {Uint8Array} bytes UTF-8
 */
export function unitsOfBytes(bytes) {
  return new ConvertedOffsets(
    bytes.length,
    (at) => (bytes[at] & 0xc0) !== 0x80,
    (start, end) => DECODER.decode(bytes.subarray(start, end)).length,
  );
}

/**
 * From UTF-16 units to bytes.
 * @param {string} text
 */
export function bytesOfUnits(text) {
  return new ConvertedOffsets(
    text.length,
    (at) => (text.charCodeAt(at) & 0xfc00) !== 0xdc00,
    (start, end) => ENCODER.encode(text.slice(start, end)).byteLength,
  );
}

/**
 * @param {number[]} sorted starts with 0
 * @param {number} value
 * @returns {number} the index of the last one that is not greater
 */
export function lastUpTo(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}
