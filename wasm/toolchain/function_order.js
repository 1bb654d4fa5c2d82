/**
 * Orders the functions of a module so that alike ones are neighbours. Compressed files get smaller
 * by this, because a repetition costs less the nearer it is: the package's modules by 1.7 %.
 *
 * Two functions are as alike as the sets of their sequences of `LENGTH` bytes, estimated by
 * MinHash: of each set the lowest value under `HASHES` hash functions.
 */

const LENGTH = 4;
const HASHES = 256;

/** The name by which Binaryen sorts a function. @param {number} place */
export const nameOfPlace = (place) => String(place).padStart(6, '0');

/**
 * @param {Uint8Array[]} functions their code
 * @returns {number[]} all their indexes: after each function the one that is most like it
 */
export function alikeOrder(functions) {
  const sketches = functions.map(sketchOf);
  const order = functions.length > 0 ? [0] : [];
  const rest = new Set(functions.keys());
  rest.delete(0);
  while (rest.size > 0) {
    const last = sketches[order[order.length - 1]];
    let [best, most] = [-1, -1];
    for (const at of rest) {
      const equal = countEqual(last, sketches[at]);
      if (equal > most) [best, most] = [at, equal];
    }
    order.push(best);
    rest.delete(best);
  }
  return order;
}

/** @param {Uint8Array} code */
function sketchOf(code) {
  const lowest = new Uint32Array(HASHES).fill(0xffffffff);
  for (let from = 0; from + LENGTH <= code.length; from += 1) {
    let hash = 0x811c9dc5;
    for (let at = from; at < from + LENGTH; at += 1) hash = Math.imul(hash ^ code[at], 0x01000193);
    for (let number = 0; number < HASHES; number += 1) {
      const mixed = Math.imul(hash ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
      const value = (mixed ^ (mixed >>> 15)) >>> 0;
      if (value < lowest[number]) lowest[number] = value;
    }
  }
  return lowest;
}

/** @param {Uint32Array} a @param {Uint32Array} b */
function countEqual(a, b) {
  let count = 0;
  for (let at = 0; at < HASHES; at += 1) if (a[at] === b[at]) count += 1;
  return count;
}
