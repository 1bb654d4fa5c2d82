/** Time limits as steps: the engine counts them, because no timer fires while WebAssembly runs. */

/**
 * How many steps of an evaluation are allowed for a millisecond. A step takes the module between 5
 * and 100 nanoseconds; this is a step in 250, so that an evaluation ends before its time is over on
 * machines that are slower than those it was measured on, too.
 */
export const STEPS_PER_MS = 4_000;

/**
 * @param {number} milliseconds that are left
 * @returns {number} `maxSteps` of an evaluation, at least 1
 */
export function stepsWithin(milliseconds) {
  const steps = Math.floor(milliseconds * STEPS_PER_MS);
  return Math.min(Math.max(1, steps), Number.MAX_SAFE_INTEGER);
}
