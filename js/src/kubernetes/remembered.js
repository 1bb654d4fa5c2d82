/** Texts that are longer are not remembered; when there are more, all are forgotten. */
const LONGEST = 64;
const MOST = 1024;

/**
 * What is made of a text, remembered for texts that come again and again, such as the quantities of
 * a workload's pods.
 * @template R
 * @param {(text: string) => R} make what it throws is not remembered
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
