/**
 * A scheduler that runs in a cluster.
 * @module stowage/live
 */
import { createInformers } from './informer/informers.js';
import { startScheduler } from './live/run_scheduler.js';

export { createLeaderElector, LeaderElector } from './live/leader_elector.js';
export { LeaderElectionLost } from './live/leader_election_lost.js';
export { createRequestMetrics } from './live/request_metrics.js';

/** @typedef {import('./live/election_options.js').ElectionOptions} ElectionOptions */
/** @typedef {import('./live/live_configuration.js').LeaderElectionOptions} LeaderElectionOptions */
/** @typedef {import('./live/live_options.js').RunSchedulerOptions} RunSchedulerOptions */
/** @typedef {import('./live/log_entry.js').LogEntry} LogEntry */
/** @typedef {import('./live/metrics_text.js').MetricFamily} MetricFamily */
/** @typedef {import('./live/run_scheduler.js').RunningScheduler} RunningScheduler */

/**
 * Schedules the pods of the client's cluster until the signal aborts: informers feed the scheduler,
 * it waits for the lease, and binds. After the signal it makes no more decisions; calls in progress
 * have a grace period, and it releases the lease.
 * @param {RunSchedulerOptions} options
 * @returns {RunningScheduler}
 */
export function runScheduler(options) {
  return startScheduler(options, createInformers);
}
