/** @import { Scheduler } from '../engine/scheduler.js' */

/**
 * Calls `use` with a fork, and disposes of it. Unlike during a transaction, the scheduler itself
 * can be used meanwhile: questions may overlap.
 * @template T
 * @param {Scheduler} scheduler
 * @param {(fork: Scheduler) => T | Promise<T>} use
 * @returns {Promise<T>}
 */
export async function onFork(scheduler, use) {
  const fork = scheduler.fork();
  try {
    return await use(fork);
  } finally {
    fork.dispose();
  }
}
