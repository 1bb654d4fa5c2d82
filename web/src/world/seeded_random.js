import { hashWords } from '../../../js/src/kubernetes.js';

/**
 * Numbers in [0, 1) that follow from a seed: mulberry32.
 * @param {number} seed an integer
 * @returns {() => number}
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * As `seededRandom`, with a stream of its own for each prefix. The pods of a workload get the same
 * names whatever else was drawn, so that two worlds can be compared.
 * @param {number} seed an integer
 * @returns {(prefix?: string) => number}
 */
export function seededRandoms(seed) {
  const common = seededRandom(seed);
  /** @type {Map<string, () => number>} */
  const own = new Map();
  return (prefix) => {
    if (prefix === undefined) return common();
    let random = own.get(prefix);
    if (!random) own.set(prefix, (random = seededRandom(hashWords(`${seed} ${prefix}`)[0])));
    return random();
  };
}
