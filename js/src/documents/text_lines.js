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
    const starts = (this.#starts ??= startsOf(this.#text));
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - starts[low] + 1 };
  }
}

/** @param {string} text */
function startsOf(text) {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1))
    starts.push(end + 1);
  return starts;
}
