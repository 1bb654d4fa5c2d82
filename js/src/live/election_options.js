/**
 * Checks the options of an election. Counterpart: client-go tools/leaderelection,
 * LeaderElectionConfig and NewLeaderElector, v1.36.
 */
import { ConfigurationError } from '../kubernetes/errors.js';
import { steadyClock } from '../runtimes/steady_clock.js';
import { systemClock } from '../runtimes/system_clock.js';
import { systemRandom } from '../runtimes/system_random.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Clock } from '../engine/types.js'
 * @import { JsonClient } from './lease_lock.js'
 * @import { OnLog } from './log_entry.js'
 */

/** Candidates wait for 1 to 2.2 retry periods, drawn at random. */
export const JITTER_FACTOR = 1.2;

/**
 * Times are milliseconds; the defaults are those of kube-scheduler.
 * @typedef {object} ElectionOptions
 * @property {JsonClient} client
 * @property {{ namespace: string, name: string }} lock the Lease
 * @property {string} identity of this candidate: no two may have the same
 * @property {number} [leaseDuration] how long other candidates wait after the last change of the
 *   lease that they saw; default 15,000
 * @property {number} [renewDeadline] how long a leader retries a renewal before it gives up;
 *   default 10,000. One request may take half of it
 * @property {number} [retryPeriod] between two tries; default 2,000
 * @property {boolean} [releaseOnCancel] whether the lease is released at the end; default true
 * @property {number} [releaseTimeout] how long the release may take; default `renewDeadline`
 * @property {(signal: AbortSignal) => unknown} onStartedLeading leads, until the signal aborts; its
 *   reason is a LeaderElectionLost, or that of the signal that ends the election
 * @property {() => void} [onStoppedLeading] called at the end, even if this candidate never led
 * @property {(identity: string) => void} [onNewLeader] called when the lease's holder changes, also
 *   to this candidate; empty if the lease is free
 * @property {(message: string, lease: KubernetesObject | undefined) => void} [recordEvent] gets the
 *   events of the Lease
 * @property {OnLog} [onLog]
 * @property {Clock} [clock] for the times that are written; default: the host's
 * @property {Clock} [steady] for durations; default: `clock`, or else the host's monotonic timer,
 *   which changes of the time of day do not affect
 * @property {() => number} [random] 0 ≤ x < 1
 */

/**
 * @param {ElectionOptions} options
 * @throws {ConfigurationError} with client-go's messages
 */
export function electionOptions({
  client,
  lock,
  identity,
  leaseDuration = 15_000,
  renewDeadline = 10_000,
  retryPeriod = 2000,
  releaseOnCancel = true,
  releaseTimeout = renewDeadline,
  onStartedLeading,
  onStoppedLeading = () => {},
  onNewLeader = () => {},
  recordEvent = () => {},
  onLog = () => {},
  clock,
  steady = clock ?? steadyClock(),
  random = systemRandom,
}) {
  const times = Object.entries({ leaseDuration, renewDeadline, retryPeriod });
  const wrong = [
    ...times.map(([name, ms]) => [
      !Number.isFinite(ms),
      `${name} must be a number of milliseconds`,
    ]),
    [leaseDuration <= renewDeadline, 'leaseDuration must be greater than renewDeadline'],
    [
      renewDeadline <= JITTER_FACTOR * retryPeriod,
      'renewDeadline must be greater than retryPeriod*JitterFactor',
    ],
    [!(retryPeriod > 0), 'retryPeriod must be greater than zero'],
    [leaseDuration < 1000, 'leaseDuration must be at least a second'],
    [!isAmount(releaseTimeout), 'releaseTimeout must be milliseconds from 0'],
    [identity === '', 'Lock identity is empty'],
    [!lock.namespace || !lock.name, 'Lock must have a namespace and a name'],
    [typeof onStartedLeading !== 'function', 'OnStartedLeading callback must not be nil'],
  ].find(([isWrong]) => isWrong);
  if (wrong) throw new ConfigurationError(String(wrong[1]));
  return {
    client,
    lock,
    identity,
    leaseSeconds: Math.floor(leaseDuration / 1000),
    leaseDuration,
    renewDeadline,
    retryPeriod,
    requestTimeout: Math.max(1000, renewDeadline / 2),
    releaseOnCancel,
    releaseTimeout,
    onStartedLeading,
    onStoppedLeading,
    onNewLeader,
    recordEvent,
    onLog,
    clock: clock ?? systemClock(),
    steady,
    random,
  };
}

/** @param {unknown} value */
export function isAmount(value) {
  return typeof value === 'number' && value >= 0;
}
