/** Timing: the calibration loop that figures are compared with, medians and percentiles. */

const CALIBRATION_STEPS = 8_000_000;

/** Keeps the calibration loop from being optimised away. */
let sink = 0;

/** Seconds of a fixed loop of 32-bit integer hashing: the present speed of this machine. */
function calibrationSeconds() {
  const start = performance.now();
  let hash = 0x811c9dc5;
  for (let step = 0; step < CALIBRATION_STEPS; step += 1) {
    hash = Math.imul(hash ^ (step & 0xff), 0x01000193);
    hash ^= hash >>> 13;
  }
  sink ^= hash;
  return (performance.now() - start) / 1000;
}

/** @param {number[]} values  at least one */
export function median(values) {
  return percentile(values, 50);
}

/**
 * The smallest value that is at least as large as `percent` of all values (nearest rank).
 * @param {number[]} values  at least one @param {number} percent  0 < percent <= 100
 */
export function percentile(values, percent) {
  if (values.length === 0) throw new Error('a percentile of nothing');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1];
}

/**
 * Repeats a measurement, with a calibration before each run.
 * @template T
 * @param {number} runs @param {() => T} measure
 * @returns {{calibration: number, results: T[]}}  `calibration`: median seconds of the fixed loop
 */
export function repeat(runs, measure) {
  const calibrations = [];
  const results = [];
  for (let run = 0; run < runs; run += 1) {
    calibrations.push(calibrationSeconds());
    results.push(measure());
  }
  return { calibration: median(calibrations), results };
}

/**
 * The same for asynchronous measurements, one after the other.
 * @template T
 * @param {number} runs @param {() => Promise<T>} measure
 * @returns {Promise<{calibration: number, results: T[]}>}
 */
export async function repeatAsync(runs, measure) {
  const calibrations = [];
  const results = [];
  for (let run = 0; run < runs; run += 1) {
    calibrations.push(calibrationSeconds());
    results.push(await measure());
  }
  return { calibration: median(calibrations), results };
}

/**
 * Work per calibration loop, which can be compared between machines.
 * @param {number} perSecond @param {number} calibration
 */
export function ratioOf(perSecond, calibration) {
  return perSecond * calibration;
}
