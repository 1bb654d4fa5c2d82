/**
 * Converts time limits to steps. The engine counts steps, because no timer fires while WebAssembly
 * runs.
 */

/**
 * The steps of an evaluation per millisecond. A step takes the module between 5 and 100
 * nanoseconds. This constant assumes 250 ns, so that evaluations end in time on machines that are
 * slower than the measured ones, too.
 */
const STEPS_PER_MS = 4_000;

/**
 * @param {number} milliseconds the remaining time
 * @returns {number} `maxSteps` of an evaluation, at least 1
 */
export function stepsWithin(milliseconds) {
  const steps = Math.floor(milliseconds * STEPS_PER_MS);
  return Math.min(Math.max(1, steps), Number.MAX_SAFE_INTEGER);
}
