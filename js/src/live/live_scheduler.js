/**
 * Runs a scheduler in a cluster: informers feed it, an election permits it to decide, and its calls
 * go to the API server. Counterpart: cmd/kube-scheduler/app/server.go, v1.36.
 */
import { messageOf } from '../engine/calls_in_time.js';
import { loadEngine } from '../engine/engine.js';
import { TAKES_END } from '../io/call_end.js';
import { CallDeadlines } from './call_deadlines.js';
import { CallLimits } from './call_limits.js';
import { answerDryRun, extendersWithoutBinding, fetchWithoutBinding } from './dry_run.js';
import { Durations } from './scheduling_durations.js';
import { LeaderElectionLost } from './leader_election_lost.js';
import { createLeaderElector } from './leader_elector.js';
import { leaderEvent, sendEvent } from './leader_event.js';
import { failure, info } from './log_entry.js';
import { listedPods } from './listed_pods.js';
import { RecordLog } from './record_log.js';
import { UnconfirmedBindings } from './unconfirmed_bindings.js';

/**
 * @import { CreateInformers, Informers } from './informers.js'
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { Answer, Call } from '../engine/types.js'
 * @import { EndSignal } from '../io/call_end.js'
 * @import { LeaderElector } from './leader_elector.js'
 * @import { liveOptions } from './live_options.js'
 */

/** @typedef {ReturnType<typeof liveOptions>} Settings */

/**
 * The timeout of a call once it has begun, in milliseconds. By then an API server has answered or
 * refused (its `--request-timeout`); a longer silence means that the connection is dead.
 */
const CALL_TIMEOUT = 60_000;

const EVENTS = '/apis/events.k8s.io/';

export class LiveScheduler {
  #settings;
  #createInformers;
  /** Ends everything; its reason is the fault, if there was one. */
  #end = new AbortController();
  /** Ends new decisions; calls in progress may still finish. */
  #stop = new AbortController();
  #durations;
  #limits;
  /** Limits the writes of Events, for which kube-scheduler has a client of its own, too. */
  #eventLimits;
  #deadlines;
  /** @type {Scheduler | undefined} */
  #scheduler;
  /** @type {Informers | undefined} */
  #informers;
  /** @type {LeaderElector | undefined} */
  #elector;
  #isSynced = false;
  #hasEnded = false;
  /** The first fault. @type {{ cause: unknown } | undefined} */
  #fault;

  /**
   * @param {Settings} settings
   * @param {CreateInformers} createInformers
   */
  constructor(settings, createInformers) {
    this.#settings = settings;
    this.#createInformers = createInformers;
    const { steady: clock, maxConcurrentCalls: concurrency, rate } = settings;
    const { signal } = this.#end;
    this.#durations = new Durations({ clock });
    const limits = { concurrency, rate, clock, signal };
    this.#limits = new CallLimits(limits);
    this.#eventLimits = new CallLimits(limits);
    this.#deadlines = new CallDeadlines({ clock, timeout: CALL_TIMEOUT, signal });
  }

  /** The state for health checks and metrics. */
  get state() {
    const { signal, election } = this.#settings;
    return {
      election,
      elector: this.#elector,
      scheduler: this.#scheduler,
      durations: this.#durations,
      isSynced: this.#isSynced,
      isStopping: signal.aborted,
      hasEnded: this.#hasEnded,
      unsynced: () => this.#informers?.status().filter(isUnsynced).map(nameOf) ?? [],
      pods: (/** @type {AbortSignal} */ asked) => listedPods(this.#settings, asked),
    };
  }

  /**
   * Creates the scheduler, which then waits for its cluster.
   * @returns {Promise<Scheduler>}
   * @throws {ConfigurationError | LoadError}
   */
  async create() {
    const { engine, wasm, deferredWasm, configuration, ownClock, dryRun } = this.#settings;
    const { schedulerOptions, onLog } = this.#settings;
    const { extenders } = schedulerOptions;
    try {
      const loaded = engine ?? (await loadEngine({ wasm, deferredWasm }));
      this.#scheduler = loaded.createScheduler({
        keepObjects: false,
        ...schedulerOptions,
        configuration,
        api: 'host',
        metrics: true,
        fetch: this.#extenderFetch(),
        ...(ownClock && { clock: ownClock }),
        ...(extenders && dryRun && { extenders: extendersWithoutBinding(extenders) }),
      });
      for (const warning of this.#scheduler.warnings) onLog?.(info(0, `Warning: ${warning}`));
      return this.#scheduler;
    } catch (error) {
      this.#hasEnded = true;
      throw error;
    }
  }

  /**
   * Runs until the signal aborts or a fault occurs.
   * @param {Scheduler} scheduler
   * @returns {Promise<void>}
   * @throws {LeaderElectionLost | EngineError | unknown} the first fault
   */
  async run(scheduler) {
    const { signal } = this.#settings;
    const listening = new AbortController();
    const stop = () => this.#stop.abort(signal.reason);
    signal.addEventListener('abort', stop, { signal: listening.signal });
    if (signal.aborted) stop();
    const records = this.#readRecords(scheduler);
    try {
      await this.#untilEnd(scheduler, records);
    } finally {
      this.#hasEnded = true;
      listening.abort();
      scheduler.dispose();
      // Its failure is thrown below, unless another fault came first.
      await records.catch(() => {});
    }
    await records;
  }

  /**
   * @param {Scheduler} scheduler
   * @param {Promise<void>} records
   */
  async #untilEnd(scheduler, records) {
    records.catch(this.#fail);
    const informers = this.#makeInformers(scheduler);
    this.#informers = informers;
    const followed = this.#settings.delayCacheUntilActive ? undefined : this.#follow(informers);
    try {
      await this.#decide(scheduler, () => followed ?? this.#follow(informers));
    } catch (cause) {
      if (!this.#stop.signal.aborted || cause !== this.#stop.signal.reason) this.#fail(cause);
    }
    this.#end.abort(this.#stop.signal.reason);
    await informers.run().catch(() => {});
    if (this.#fault) throw this.#fault.cause;
  }

  #fail = (/** @type {unknown} */ cause) => {
    this.#fault ??= { cause };
    this.#stop.abort(cause);
    this.#end.abort(cause);
  };

  /**
   * Starts reading the cluster.
   * @param {Informers} informers
   * @returns {Promise<void>} resolved when the first lists are complete
   */
  async #follow(informers) {
    informers.run().catch(this.#fail);
    await untilAborted(informers.synced(), this.#stop.signal);
    this.#isSynced = true;
    this.#settings.onLog?.(info(3, 'Handlers synced'));
  }

  /**
   * Waits for the cluster's lists and the lease, then decides.
   * @param {Scheduler} scheduler
   * @param {() => Promise<void>} synced
   */
  async #decide(scheduler, synced) {
    const { election, delayCacheUntilActive } = this.#settings;
    if (!delayCacheUntilActive) await synced();
    if (!election) {
      await this.#schedule(scheduler, this.#stop.signal);
      return;
    }
    this.#elector = this.#makeElector(async (leading) => {
      await synced();
      await this.#schedule(scheduler, leading);
    });
    await this.#elector.run(this.#stop.signal);
  }

  /**
   * @param {Scheduler} scheduler
   * @param {AbortSignal} leading
   */
  async #schedule(scheduler, leading) {
    const lose = () => {
      // Another leader may decide already, so calls in progress must end at once.
      if (leading.reason instanceof LeaderElectionLost) scheduler.dispose();
    };
    leading.addEventListener('abort', lose, { once: true });
    const unconfirmed = this.#unconfirmedBindings(scheduler);
    await scheduler.start({
      signal: leading,
      gracePeriod: this.#settings.shutdownGracePeriod,
      perform: this.#performer(),
      aroundTurn: (run) => {
        const turn = this.#durations.aroundTurn(run);
        unconfirmed?.take(turn);
        return turn;
      },
    });
  }

  /**
   * @param {Scheduler} scheduler
   * @returns {UnconfirmedBindings | undefined} undefined if the scheduler binds nothing
   */
  #unconfirmedBindings(scheduler) {
    const { client, steady: clock, dryRun, onLog } = this.#settings;
    if (dryRun) return undefined;
    const { signal } = this.#end;
    return new UnconfirmedBindings({
      scheduler,
      client,
      clock,
      signal,
      onLog,
      onFault: this.#fail,
      within: (read) => this.#limits.run(signal, () => this.#deadlines.run(read)),
    });
  }

  #performer() {
    const perform = (/** @type {Call} */ call, /** @type {EndSignal} */ end) =>
      this.#perform(call, end);
    return Object.assign(perform, { [TAKES_END]: true });
  }

  /**
   * @param {Call} call
   * @param {EndSignal} signal
   * @returns {Promise<Answer>}
   */
  #perform(call, signal) {
    const { dryRun } = this.#settings;
    return this.#durations.aroundCall(call, async () => {
      if (dryRun) return answerDryRun(call);
      const limits = call.path?.startsWith(EVENTS) ? this.#eventLimits : this.#limits;
      return limits.run(signal, () => this.#ask(call, signal));
    });
  }

  /**
   * @param {Call} call
   * @param {EndSignal} signal
   * @returns {Promise<Answer>}
   */
  async #ask(call, signal) {
    const { client } = this.#settings;
    const beforeAttempt = () => this.#checkLeadership();
    try {
      return await this.#deadlines.run(() => client.perform(call, signal, { beforeAttempt }));
    } catch (cause) {
      signal.throwIfAborted();
      return { error: 'timeout', message: messageOf(cause) };
    }
  }

  /**
   * Checks the lease before each call: a process that was suspended may have lost it unnoticed.
   * @throws {LeaderElectionLost}
   */
  #checkLeadership() {
    const { lock } = this.#settings.election ?? {};
    if (!lock || this.#elector?.isLeader()) return;
    const holder = this.#elector?.leader ?? '';
    throw new LeaderElectionLost({ lock: `${lock.namespace}/${lock.name}`, holder });
  }

  /** @returns {typeof fetch} */
  #extenderFetch() {
    const { dryRun, extenderBindUrls, schedulerOptions } = this.#settings;
    const given =
      schedulerOptions.fetch ??
      ((/** @type {any} */ url, /** @type {any} */ init) => globalThis.fetch(url, init));
    return dryRun ? fetchWithoutBinding(given, extenderBindUrls) : given;
  }

  /** @param {Scheduler} scheduler */
  #makeInformers(scheduler) {
    const { client, kinds, ownClock: clock, random, onLog } = this.#settings;
    return this.#createInformers({
      client,
      sink: scheduler,
      kinds,
      signal: this.#end.signal,
      random,
      ...(clock && { clock }),
      onError: (error, resource) => onLog?.(failure(error, 'Failed to watch', { resource })),
      onStatus: ({ resource, state, resourceVersion, relists }) =>
        onLog?.(info(4, 'Reflector', { resource, state, resourceVersion, relists })),
    });
  }

  /** @param {(leading: AbortSignal) => Promise<void>} onStartedLeading */
  #makeElector(onStartedLeading) {
    const { client, clock, steady, random, identity, onLog } = this.#settings;
    const { election, shutdownGracePeriod, firstScheduler: component } = this.#settings;
    return createLeaderElector({
      client,
      .../** @type {NonNullable<typeof election>} */ (election),
      releaseTimeout: shutdownGracePeriod,
      identity,
      clock,
      steady,
      random,
      onLog,
      onStartedLeading,
      onNewLeader: (leader) => onLog?.(info(1, 'New leader', { leader })),
      recordEvent: (message, lease) => {
        if (!lease) return;
        const event = leaderEvent({ lease, message, component, now: clock.now() });
        sendEvent(client, event, this.#end.signal).catch((error) => {
          if (!this.#end.signal.aborted)
            onLog?.(failure(error, 'Unable to write event', { event: event.metadata.name }));
        });
      },
    });
  }

  /**
   * @param {Scheduler} scheduler
   * @returns {Promise<void>} resolved when the scheduler has ended
   */
  async #readRecords(scheduler) {
    const { onRecord, onLog } = this.#settings;
    if (!onRecord && !onLog) return;
    const log = new RecordLog();
    for await (const record of scheduler.records()) {
      onRecord?.(record);
      if (onLog) log.entriesOf(record).forEach(onLog);
    }
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>} rejected with the signal's reason as soon as it aborts
 */
function untilAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** @param {{ state: string }} status */
function isUnsynced({ state }) {
  return state === 'listing' || state === 'backoff';
}

/** @param {{ resource: string }} status */
function nameOf({ resource }) {
  return resource;
}
