/** Checks the options of a live scheduler. */
import { ConfigurationError } from '../kubernetes/errors.js';
import { kindsWatchedWith } from '../kubernetes/watched_kinds.js';
import { steadyClock } from '../runtimes/steady_clock.js';
import { systemClock } from '../runtimes/system_clock.js';
import { systemRandom } from '../runtimes/system_random.js';
import { isAmount } from './election_options.js';
import { candidateIdentity } from './identity.js';
import { liveConfiguration } from './live_configuration.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { ApiClient } from '../client/api_client.js'
 * @import { Clock, EngineRecord, EngineSources, SchedulerOptions } from '../engine/types.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 * @import { LeaderElectionOptions } from './live_configuration.js'
 * @import { OnLog } from './log_entry.js'
 * @import { MetricFamily } from './metrics_text.js'
 */

/**
 * @typedef {object} LiveOptions
 * @property {Pick<ApiClient, 'list' | 'watch' | 'json' | 'perform'>} client
 * @property {string} [schedulerName] of the only profile, instead of the configuration's; also the
 *   name of the Lease, unless `leaderElection` names one
 * @property {boolean} [dryRun] decides but writes nothing; default false
 * @property {boolean | LeaderElectionOptions} [leaderElection] overrides the configuration's, which
 *   is on by default
 * @property {string} [identity] of this candidate; default `HOST_UUID`, with `hostname`
 * @property {AbortSignal} [signal] ends the scheduler
 * @property {number} [shutdownGracePeriod] milliseconds that calls in progress have after the
 *   signal, and then the release of the lease; default 500
 * @property {number} [maxConcurrentCalls] API calls in progress at once, and as many for Events;
 *   default 100
 * @property {(record: EngineRecord) => void} [onRecord] gets all records
 * @property {OnLog} [onLog] gets the entries that kube-scheduler would log
 * @property {readonly Kind[]} [kinds] the watched kinds; default: those of kube-scheduler with the
 *   same feature gates
 * @property {{ families(): MetricFamily[] }} [requestMetrics] metrics of the client's requests: see
 *   `createRequestMetrics`
 * @property {Clock} [clock] default: the host's
 * @property {Clock} [steady] for durations; default: `clock`, or else the host's monotonic timer
 * @property {() => number} [random] 0 ≤ x < 1; default: the host's
 * @property {Engine} [engine] default: the package's, or one made from `wasm`
 * @property {EngineSources['wasm']} [wasm]
 * @property {EngineSources['deferredWasm']} [deferredWasm]
 */

/**
 * All other options are the scheduler's.
 * @typedef {LiveOptions & Omit<SchedulerOptions, 'api' | 'simulate' | 'startTime'>}
 *   RunSchedulerOptions
 */

/** Options that make sense in a simulation only. */
const SIMULATION_ONLY = ['api', 'simulate', 'startTime'];

const GRACE_PERIOD = 500;
const CONCURRENT_CALLS = 100;

/**
 * @param {RunSchedulerOptions} options
 * @throws {ConfigurationError}
 */
export function liveOptions({
  client,
  configuration,
  schedulerName,
  dryRun = false,
  leaderElection,
  identity,
  signal = new AbortController().signal,
  shutdownGracePeriod = GRACE_PERIOD,
  maxConcurrentCalls = CONCURRENT_CALLS,
  onRecord,
  onLog,
  kinds,
  requestMetrics,
  clock,
  steady = clock ?? steadyClock(),
  random = systemRandom,
  engine,
  wasm,
  deferredWasm,
  ...schedulerOptions
}) {
  const misplaced = Object.keys(schedulerOptions).find((name) => SIMULATION_ONLY.includes(name));
  if (misplaced) throw badOption(misplaced, 'a live scheduler has no such option');
  if (typeof client?.perform !== 'function' || typeof client?.json !== 'function')
    throw badOption('client', 'must be an API client, as createApiClient makes it');
  if (!isAmount(shutdownGracePeriod))
    throw badOption('shutdownGracePeriod', 'must be milliseconds from 0');
  if (!Number.isInteger(maxConcurrentCalls) || maxConcurrentCalls < 1)
    throw badOption('maxConcurrentCalls', 'must be an integer from 1');
  const { hostname = '' } = schedulerOptions;
  return {
    ...liveConfiguration({ configuration, schedulerName, leaderElection, dryRun }),
    client,
    dryRun,
    identity: identity ?? candidateIdentity(hostname, random),
    signal,
    shutdownGracePeriod,
    maxConcurrentCalls,
    onRecord,
    onLog,
    kinds: kinds ?? kindsWatchedWith(schedulerOptions.featureGates),
    requestMetrics,
    ownClock: clock,
    clock: clock ?? systemClock(),
    steady,
    random,
    engine,
    wasm,
    deferredWasm,
    schedulerOptions,
  };
}

/**
 * @param {string} field
 * @param {string} detail
 */
function badOption(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
