/** Longer texts are not cached; a full cache is cleared. */
const LONGEST = 64;
const MOST = 1024;

/**
 * Caches a function of a text, for texts that recur, such as the quantities of a workload's pods.
 * @template R
 * @param {(text: string) => R} make its exceptions are not cached
 * @returns {(text: string) => R}
 */
export function remembered(make) {
  /** @type {Map<string, R>} */
  const known = new Map();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (text.length > LONGEST) return made;
    if (known.size === MOST) known.clear();
    known.set(text, made);
    return made;
  };
}
