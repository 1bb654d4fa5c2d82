/**
 * The delay before a workload counts its pods again after a status change, to batch further
 * changes. It grows with the number of pods, so that the average work per change does not.
 */

/** Workloads with fewer pods do not wait. */
const BATCH_FROM = 100;

/** Milliseconds per pod, and the maximum. */
const PER_POD = 0.1;
const LONGEST = 1000;

/**
 * @param {number} count the number of the workload's pods
 * @returns {number} milliseconds
 */
export function batchDelay(count) {
  return count < BATCH_FROM ? 0 : Math.min(count * PER_POD, LONGEST);
}
