/**
 * A scheduler that runs in a cluster.
 * @module stowage/live
 */
export { createLeaderElector, LeaderElector } from './live/leader_elector.js';
export { LeaderElectionLost } from './live/leader_election_lost.js';
export { createRequestMetrics } from './live/request_metrics.js';
export { runScheduler } from './live/run_scheduler.js';

/** @typedef {import('./live/election_options.js').ElectionOptions} ElectionOptions */
/** @typedef {import('./live/live_configuration.js').LeaderElectionOptions} LeaderElectionOptions */
/** @typedef {import('./live/live_options.js').RunSchedulerOptions} RunSchedulerOptions */
/** @typedef {import('./live/log_entry.js').LogEntry} LogEntry */
/** @typedef {import('./live/metrics_text.js').MetricFamily} MetricFamily */
/** @typedef {import('./live/run_scheduler.js').RunningScheduler} RunningScheduler */
