/** Names that are close to a misspelt one. */

/** How many are named. */
const MOST = 3;

/**
 * The names that are near to a text: those that hold it, and those that a few slips of a finger
 * make of it.
 * @param {string} text
 * @param {Iterable<string>} names
 * @returns {string[]} the nearest first, at most three
 */
export function namesNear(text, names) {
  const most = Math.max(1, Math.floor(text.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, slips: slipsBetween(text, name) }))
    .filter(({ name, slips }) => slips <= most || (text.length > 1 && name.includes(text)))
    .sort((a, b) => a.slips - b.slips)
    .slice(0, MOST)
    .map(({ name }) => name);
}

/**
 * `; did you mean a or b?`, where there is something near.
 * @param {string[]} names
 */
export function didYouMean(names) {
  return names.length > 0 ? `; did you mean ${names.join(' or ')}?` : '';
}

/**
 * Letters that are too many, lacking, wrong, or swapped with the next one: the distance of Damerau
 * and Levenshtein, in which no letter is swapped and changed.
 * @param {string} first
 * @param {string} second
 * @returns {number}
 */
function slipsBetween(first, second) {
  let [older, old] = [/** @type {number[]} */ ([]), [...second, ''].map((_, at) => at)];
  for (let row = 1; row <= first.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const [a, b] = [first[row - 1], second[column - 1]];
      const wrong = old[column - 1] + (a === b ? 0 : 1);
      let slips = Math.min(old[column] + 1, line[column - 1] + 1, wrong);
      const isSwapped = row > 1 && column > 1 && a === second[column - 2] && first[row - 2] === b;
      if (isSwapped) slips = Math.min(slips, older[column - 2] + 1);
      line.push(slips);
    }
    [older, old] = [old, line];
  }
  return old[second.length];
}
