/** Finds names that are close to a misspelt one. */

/** The maximum number of suggestions. */
const MOST = 3;

/**
 * Returns the names near a text: those that contain it, and those within a few typing errors.
 * @param {string} text
 * @param {Iterable<string>} names
 * @returns {string[]} the nearest first, at most three
 */
export function namesNear(text, names) {
  const most = Math.max(1, Math.floor(text.length / 3));
  const contains = (/** @type {string} */ name) => text.length > 1 && name.includes(text);
  // Each letter more or less is an error. Comparing costs the product of the lengths.
  const isLike = (/** @type {string} */ name) => Math.abs(name.length - text.length) <= most;
  return [...new Set(names)]
    .filter((name) => isLike(name) || contains(name))
    .map((name) => ({ name, errors: typingErrorsBetween(text, name) }))
    .filter(({ name, errors }) => errors <= most || contains(name))
    .sort((a, b) => a.errors - b.errors)
    .slice(0, MOST)
    .map(({ name }) => name);
}

/**
 * Returns `; did you mean a or b?`, if there are near names.
 * @param {string[]} names
 */
export function didYouMean(names) {
  return names.length > 0 ? `; did you mean ${names.join(' or ')}?` : '';
}

/**
 * Returns the number of typing errors: inserted, missing, wrong, or transposed letters. This is the
 * Damerau-Levenshtein distance in the form in which no letter is transposed and changed.
 * @param {string} first
 * @param {string} second
 * @returns {number}
 */
function typingErrorsBetween(first, second) {
  let [older, old] = [/** @type {number[]} */ ([]), [...second, ''].map((_, at) => at)];
  for (let row = 1; row <= first.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const [a, b] = [first[row - 1], second[column - 1]];
      const wrong = old[column - 1] + (a === b ? 0 : 1);
      let errors = Math.min(old[column] + 1, line[column - 1] + 1, wrong);
      const isSwapped = row > 1 && column > 1 && a === second[column - 2] && first[row - 2] === b;
      if (isSwapped) errors = Math.min(errors, older[column - 2] + 1);
      line.push(errors);
    }
    [older, old] = [old, line];
  }
  return old[second.length];
}
