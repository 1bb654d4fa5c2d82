/**
 * How long a workload waits for more news of its pods' statuses before it counts them again: longer
 * the more pods there are, so that the work for one change does not grow with them.
 */

/** Workloads of less pods do not wait. */
const BATCH_FROM = 100;

/** Milliseconds per pod, and the longest wait. */
const PER_POD = 0.1;
const LONGEST = 1000;

/**
 * @param {number} count of the workload's pods
 * @returns {number} milliseconds
 */
export function batchDelay(count) {
  return count < BATCH_FROM ? 0 : Math.min(count * PER_POD, LONGEST);
}
