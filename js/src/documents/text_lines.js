import { lastUpTo, unitsOfBytes } from './converted_offsets.js';

const LINE_FEED = 0x0a;

/** Converts offsets to lines and columns; the lines are indexed on first use. */
export class TextLines {
  #text;
  /** @type {number[] | undefined} */
  #starts;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /**
   * Returns line and column, both from 1.
   * @param {number} offset in UTF-16 units
   */
  positionOf(offset) {
    const starts = (this.#starts ??= startsOf(this.#text, '\n'));
    const line = lastUpTo(starts, offset);
    return { line: line + 1, column: offset - starts[line] + 1 };
  }
}

/** Converts offsets in UTF-8 to lines and columns; the lines are indexed on first use. */
export class ByteLines {
  #bytes;
  #units;
  /** @type {number[] | undefined} */
  #starts;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
    this.#units = unitsOfBytes(bytes);
  }

  /**
   * Returns line and column, both from 1; the column in UTF-16 units.
   * @param {number} offset in bytes
   */
  positionOf(offset) {
    const starts = (this.#starts ??= startsOf(this.#bytes, LINE_FEED));
    const line = lastUpTo(starts, offset);
    return { line: line + 1, column: this.#units.between(starts[line], offset) + 1 };
  }
}

/**
 * @template {string | number} End
 * @param {{ indexOf(end: End, from: number): number }} text
 * @param {End} end of a line
 */
function startsOf(text, end) {
  const starts = [0];
  for (let at = text.indexOf(end, 0); at >= 0; at = text.indexOf(end, at + 1)) starts.push(at + 1);
  return starts;
}
