/** What tests with thousands of values share. */
import fc from 'fast-check';

/** Names that every object of JavaScript has something under, though no record says so. */
export const ODD_NAMES = Object.freeze([
  'constructor',
  '__proto__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
]);

export const oddName = fc.constantFrom(...ODD_NAMES);

/**
 * Records as JSON can say them, `__proto__` among their names.
 * @template T
 * @param {fc.Arbitrary<string>} name
 * @param {fc.Arbitrary<T>} value
 * @param {{ maxLength?: number }} [options]
 * @returns {fc.Arbitrary<Record<string, T>>}
 */
export function record(name, value, { maxLength = 4 } = {}) {
  return fc
    .array(fc.tuple(name, value), { maxLength })
    .map((entries) => Object.fromEntries(entries));
}

/**
 * Asserts that a property holds of so many values; a failure says its seed, and what was wrong.
 * @template T
 * @param {number} numRuns
 * @param {fc.Arbitrary<T>} values
 * @param {(value: T) => void} check
 */
export function holds(numRuns, values, check) {
  fc.assert(fc.property(values, check), { numRuns, includeErrorInReport: true });
}
