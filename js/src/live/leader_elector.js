/**
 * Elects a leader by a Lease: at most one of its candidates leads at any time. Counterpart:
 * client-go tools/leaderelection/leaderelection.go, v1.36.
 */
import { electionOptions, JITTER_FACTOR } from './election_options.js';
import { inTime, sleepOrStop } from '../io/in_time.js';
import { LeaderElectionLost } from './leader_election_lost.js';
import { LeaseLock, timesOf } from './lease_lock.js';
import { failure, info } from './log_entry.js';

/**
 * @import { ElectionOptions } from './election_options.js'
 * @import { LeaderElectionRecord } from './lease_lock.js'
 */

/** @type {LeaderElectionRecord} */
const NOTHING_OBSERVED = Object.freeze({
  holderIdentity: '',
  leaseDurationSeconds: 0,
  acquireTime: null,
  renewTime: null,
  leaderTransitions: 0,
});

/**
 * @param {ElectionOptions} options
 * @returns {LeaderElector}
 * @throws {ConfigurationError} if the durations contradict each other, or a name is missing
 */
export function createLeaderElector(options) {
  return new LeaderElector(electionOptions(options));
}

/**
 * A candidate. It relies on its own clock alone: the times in a Lease are informative; it measures
 * from the moment at which it saw the lease change. So clocks may show different times if they run
 * at the same speed.
 */
export class LeaderElector {
  #options;
  #lock;
  #observed = NOTHING_OBSERVED;
  /** The record as last received, to detect changes. */
  #observedRaw = '';
  #observedTime = -Infinity;
  /**
   * The start of the last successful renewal's request: other candidates measure from then or
   * later.
   */
  #renewedAt = -Infinity;
  #reported = '';
  #isLeading = false;
  /** Whether the signal interrupted a request that may have taken the lease. */
  #isUnsure = false;
  #slowPaths = 0;

  /** @param {ReturnType<typeof electionOptions>} options */
  constructor(options) {
    this.#options = options;
    const { client, lock, requestTimeout: timeout } = options;
    this.#lock = new LeaseLock({ client, ...lock, timeout });
  }

  /** The last known holder of the lease; empty if it is free. */
  get leader() {
    return this.#observed.holderIdentity;
  }

  /**
   * Whether this candidate leads, and no other can have taken the lease yet.
   * @returns {boolean}
   */
  isLeader() {
    return this.#isLeading && this.#options.steady.now() < this.#validUntil;
  }

  /** How many renewals had to read the Lease first. */
  get slowPaths() {
    return this.#slowPaths;
  }

  /**
   * The fault for health checks if a leader neither renewed its lease nor stopped.
   * @param {number} maxTolerableExpiredLease milliseconds after the end of the lease
   * @returns {string | undefined}
   */
  check(maxTolerableExpiredLease) {
    if (!this.#isLeading) return undefined;
    const { leaseDuration, lock, steady } = this.#options;
    if (steady.now() - this.#observedTime <= leaseDuration + maxTolerableExpiredLease)
      return undefined;
    return `failed election to renew leadership on lease ${lock.name}`;
  }

  /**
   * Waits for the lease, leads, and renews the lease. When the signal aborts, it renews the lease
   * until `onStartedLeading` has ended, and then releases it.
   * @param {AbortSignal} signal
   * @returns {Promise<void>} resolved after the signal
   * @throws {LeaderElectionLost} after losing the lease; the signal of the leading work has aborted
   * @throws {unknown} the rejection of `onStartedLeading`; the lease is released then, too
   */
  async run(signal) {
    try {
      if (await this.#acquire(signal)) await this.#lead(signal);
    } finally {
      this.#options.onStoppedLeading();
    }
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} false if the signal aborted
   */
  async #acquire(signal) {
    const { steady, random, retryPeriod, onLog } = this.#options;
    const lock = this.#lock.describe();
    onLog(info(0, 'Attempting to acquire leader lease...', { lock }));
    while (!signal.aborted) {
      const isAcquired = await this.#tryAcquireOrRenew({ until: Infinity, signal });
      this.#reportTransition();
      if (isAcquired) {
        onLog(info(0, 'Successfully acquired lease', { lock }));
        return true;
      }
      onLog(info(4, 'Failed to acquire lease', { lock }));
      const wait = retryPeriod * (1 + random() * JITTER_FACTOR);
      await sleepOrStop(steady, steady.now() + wait, signal);
    }
    if (this.#isUnsure && this.#options.releaseOnCancel) await this.#release();
    return false;
  }

  /** @param {AbortSignal} signal */
  async #lead(signal) {
    const { onStartedLeading, onLog } = this.#options;
    this.#isLeading = true;
    this.#recordEvent('became leader');
    const leading = new AbortController();
    const renewing = new AbortController();
    /** @type {{ cause: unknown } | undefined} */
    let failed;
    const work = Promise.resolve(leading.signal)
      .then(onStartedLeading)
      .catch((cause) => {
        failed = { cause };
        renewing.abort();
      });
    const stop = () => {
      leading.abort(signal.reason);
      void work.finally(() => renewing.abort());
    };
    signal.addEventListener('abort', stop, { signal: renewing.signal });
    if (signal.aborted) stop();
    const isHeld = await this.#renew(renewing.signal);
    this.#isLeading = false;
    if (isHeld && this.#options.releaseOnCancel) await this.#release();
    this.#recordEvent('stopped leading');
    if (failed) throw failed.cause;
    if (isHeld) return;
    const lost = new LeaderElectionLost({ lock: this.#lock.describe(), holder: this.leader });
    onLog(failure(undefined, 'Leaderelection lost', { lock: lost.lock, holder: lost.holder }));
    leading.abort(lost);
    renewing.abort();
    throw lost;
  }

  /**
   * Renews the lease, round after round.
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} true if the signal aborted, false if the lease is lost
   */
  async #renew(signal) {
    const { steady, renewDeadline, retryPeriod } = this.#options;
    while (!signal.aborted) {
      const until = Math.min(steady.now() + renewDeadline, this.#validUntil);
      if (!(await this.#renewBy(until, signal))) return signal.aborted;
      await sleepOrStop(steady, steady.now() + retryPeriod, signal);
    }
    return true;
  }

  /**
   * Runs one round: retries until the renewal succeeds or the deadline has passed.
   * DIVERGENCE(lost-at-once): a leader that sees another holder stops at once, and no leader
   * continues beyond the end of its lease; upstream retries until the renew deadline in both cases.
   * @param {number} until
   * @param {AbortSignal} signal
   */
  async #renewBy(until, signal) {
    const { steady, retryPeriod, onLog } = this.#options;
    const lock = this.#lock.describe();
    for (;;) {
      const start = steady.now();
      const isRenewed = await this.#tryAcquireOrRenew({ until, signal });
      this.#reportTransition();
      if (isRenewed) onLog(info(5, 'Successfully renewed lease', { lock }));
      if (isRenewed || signal.aborted || !this.#isHolder) return isRenewed;
      const next = start + retryPeriod;
      await sleepOrStop(steady, Math.min(next, until), signal);
      if (next < until && !signal.aborted) continue;
      onLog(info(0, 'Failed to renew lease', { lock, err: 'timed out' }));
      return false;
    }
  }

  /**
   * Writes the lease if it is free or this candidate's. Never rejects.
   * @param {{ until: number, signal: AbortSignal }} bounds
   * @returns {Promise<boolean>} whether this candidate holds it now
   */
  async #tryAcquireOrRenew(bounds) {
    const { clock, steady, identity, leaseSeconds, onLog } = this.#options;
    const now = steady.now();
    const lock = this.#lock.describe();
    const record = {
      holderIdentity: identity,
      leaseDurationSeconds: leaseSeconds,
      ...timesOf(clock.now()),
      leaderTransitions: 0,
    };
    // A leader first assumes that the Lease is unchanged, which saves the read.
    if (this.#isHolder && this.#isLeaseValid(now)) {
      const { acquireTime, leaderTransitions } = this.#observed;
      const renewed = { ...record, acquireTime, leaderTransitions };
      const error = await this.#write('update', renewed, bounds);
      if (error === undefined) return true;
      const message = 'Failed to update lease optimistically, falling back to slow path';
      this.#fail(error, message, bounds);
    }
    /** @type {LeaderElectionRecord | undefined} */
    let old;
    try {
      old = await this.#ask(bounds, (signal) => this.#lock.get(signal));
    } catch (error) {
      return this.#fail(error, 'Error retrieving lease lock', bounds);
    }
    if (old === undefined) {
      const error = await this.#write('create', record, bounds);
      return (
        error === undefined || this.#fail(error, 'Error initially creating lease lock', bounds)
      );
    }
    this.#observe(old);
    if (old.holderIdentity !== '' && !this.#isHolder && this.#isLeaseValid(now)) {
      const { holderIdentity: holder } = old;
      onLog(info(4, 'Lease is held by and has not yet expired', { lock, holder }));
      return false;
    }
    return this.#overwrite(old, record, bounds);
  }

  /**
   * @param {LeaderElectionRecord} old the record that may be replaced
   * @param {LeaderElectionRecord} record
   * @param {{ until: number, signal: AbortSignal }} bounds
   */
  async #overwrite(old, record, bounds) {
    if (this.#isHolder) this.#slowPaths += 1;
    const { acquireTime, leaderTransitions } = old;
    const renewed = this.#isHolder
      ? { ...record, acquireTime, leaderTransitions }
      : { ...record, leaderTransitions: leaderTransitions + 1 };
    const error = await this.#write('update', renewed, bounds);
    return error === undefined || this.#fail(error, 'Failed to update lease', bounds);
  }

  /**
   * @param {'create' | 'update'} verb
   * @param {LeaderElectionRecord} record
   * @param {{ until: number, signal?: AbortSignal }} bounds
   * @returns {Promise<unknown>} the error; undefined if the lease was written
   */
  async #write(verb, record, bounds) {
    const { steady } = this.#options;
    const began = steady.now();
    try {
      await this.#ask(bounds, (signal) => this.#lock[verb](record, signal));
    } catch (error) {
      if (bounds.signal?.aborted) this.#isUnsure = true;
      return error ?? new Error('no words');
    }
    this.#observed = record;
    this.#observedTime = steady.now();
    this.#renewedAt = began;
    return undefined;
  }

  /**
   * Releases the lease, so that the next candidate need not wait for its end. Never rejects.
   * DIVERGENCE(release-own): a lease that another candidate holds by now is not written; upstream
   * does not check.
   */
  async #release() {
    const { clock, steady, identity, releaseTimeout, onLog } = this.#options;
    const bounds = { until: steady.now() + releaseTimeout };
    const lock = this.#lock.describe();
    try {
      const held = await this.#ask(bounds, (signal) => this.#lock.get(signal));
      if (held?.holderIdentity !== identity) return;
      const { leaderTransitions } = held;
      const record = {
        holderIdentity: '',
        leaseDurationSeconds: 1,
        ...timesOf(clock.now()),
        leaderTransitions,
      };
      const error = await this.#write('update', record, bounds);
      if (error !== undefined) throw error;
    } catch (error) {
      onLog(failure(error, 'Failed to release lease', { lock }));
    }
  }

  /**
   * @template T
   * @param {{ until: number, signal?: AbortSignal }} bounds
   * @param {(signal: AbortSignal) => Promise<T>} make
   */
  #ask({ until, signal }, make) {
    const { steady: clock, requestTimeout } = this.#options;
    const end = Math.min(until, clock.now() + requestTimeout);
    return inTime({ clock, until: end, signal }, make);
  }

  /**
   * @param {unknown} error
   * @param {string} message
   * @param {{ signal: AbortSignal }} bounds
   */
  #fail(error, message, { signal }) {
    if (!signal.aborted) {
      this.#options.onLog(failure(error, message, { lock: this.#lock.describe() }));
    }
    return false;
  }

  /** @param {LeaderElectionRecord} record as received */
  #observe(record) {
    const raw = JSON.stringify(record);
    if (raw === this.#observedRaw) return;
    this.#observed = record;
    this.#observedRaw = raw;
    this.#observedTime = this.#options.steady.now();
  }

  /** Whether this candidate is the last known holder. */
  get #isHolder() {
    return this.#observed.holderIdentity === this.#options.identity;
  }

  /** @param {number} now */
  #isLeaseValid(now) {
    return this.#observedTime + this.#observed.leaseDurationSeconds * 1000 > now;
  }

  /** The earliest time at which another candidate may take the lease. */
  get #validUntil() {
    return this.#renewedAt + this.#options.leaseSeconds * 1000;
  }

  #reportTransition() {
    if (this.leader === this.#reported) return;
    this.#reported = this.leader;
    this.#options.onNewLeader(this.#reported);
  }

  /** @param {string} what */
  #recordEvent(what) {
    this.#options.recordEvent(`${this.#options.identity} ${what}`, this.#lock.lease);
  }
}
