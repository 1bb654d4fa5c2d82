/** Starts a scheduler beside the cluster's kube-scheduler. */
import { endpoints } from './endpoints.js';
import { liveOptions } from './live_options.js';
import { LiveScheduler } from './live_scheduler.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { CreateInformers } from './informers.js'
 * @import { RunSchedulerOptions } from './live_options.js'
 */

/**
 * @typedef {object} RunningScheduler
 * @property {Promise<void>} done resolved when the signal has aborted and all work has ended;
 *   rejected with the fault: a LeaderElectionLost, a ConfigurationError, an EngineError, or an
 *   exception of a callback
 * @property {Promise<Scheduler>} scheduler for evaluations; it ends with `done`. Rejects like
 *   `done` if it could not be created
 * @property {(request: Request) => Promise<Response>} fetch serves `/healthz`, `/livez`, `/readyz`
 *   and `/metrics`
 */

/**
 * Starts a scheduler: `runScheduler` of `stowage/live`, which adds the informers.
 * @param {RunSchedulerOptions} options
 * @param {CreateInformers} createInformers
 * @returns {RunningScheduler}
 */
export function startScheduler(options, createInformers) {
  /** @type {LiveScheduler | undefined} */
  let live;
  let serve = async (/** @type {Request} */ _request) => notThere();
  const scheduler = (async () => {
    const settings = liveOptions(options);
    live = new LiveScheduler(settings, createInformers);
    serve = endpoints(live, settings.requestMetrics);
    return live.create();
  })();
  const done = scheduler.then((made) => live?.run(made));
  // Callers learn of the failure through `done`.
  scheduler.catch(() => {});
  return { done, scheduler, fetch: (request) => serve(request) };
}

function notThere() {
  return new Response('the scheduler could not be made\n', { status: 503 });
}
