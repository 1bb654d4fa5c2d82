/** Version numbers of other programs. */

/** @param {string} text  what `--version` prints @returns {string | null} */
export function parseVersion(text) {
  return /\b(\d+\.\d+\.\d+)\b/.exec(text)?.[1] ?? null;
}

/**
 * @param {string} text the output of `--version`
 * @returns {string | null} the first number in it
 */
export function parseNumber(text) {
  return /\b(\d+(?:\.\d+)*)\b/.exec(text)?.[1] ?? null;
}

/** @param {string} version @param {string} minimum  both of three numbers */
export function isAtLeast(version, minimum) {
  const [left, right] = [version, minimum].map((text) => text.split('.').map(Number));
  const differing = left.findIndex((part, at) => part !== right[at]);
  return differing < 0 || left[differing] > right[differing];
}
