/** A second scheduler in a cluster, as kube-scheduler is the first. */
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
 * @property {Promise<void>} done resolved when the signal has come and all has ended; rejected with
 *   what went wrong: a LeaderElectionLost, a ConfigurationError, an EngineError, or what a callback
 *   threw
 * @property {Promise<Scheduler>} scheduler for questions; it ends with `done`. Rejected as `done`
 *   where there is none
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
  // Who waits for the end hears of it there.
  scheduler.catch(() => {});
  return { done, scheduler, fetch: (request) => serve(request) };
}

function notThere() {
  return new Response('the scheduler could not be made\n', { status: 503 });
}
