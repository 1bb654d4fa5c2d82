/** Follows all objects of one kind. Source: client-go/tools/cache/reflector.go, v1.36. */
import { StowageError } from '../kubernetes/errors.js';
import { ApiError } from '../kubernetes/api_error.js';
import { ConnectionError } from '../client/connection_error.js';
import { Backoff } from './backoff.js';
import { CallerFault, isContradiction } from './feed.js';
import { FullList } from './full_list.js';
import { takeInitialEvents } from './initial_events.js';
import { errorStatus, firstStatus } from './reflector_status.js';
import {
  isExpired,
  isForbidden,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
} from '../kubernetes/status_reasons.js';
import { TimedIterator } from './timed_iterator.js';

/**
 * @import { Clock } from '../engine/types.js'
 * @import { Feed } from './feed.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 * @import { ListWatch } from './list_watch.js'
 * @import { ReflectorState, ReflectorStatus } from './reflector_status.js'
 */

/** The requested duration of a watch: this to twice as long, at random. */
const MIN_WATCH_TIMEOUT_SECONDS = 300;
/** The silence of a watch that is tolerated beyond its requested duration. */
const WATCH_GRACE_MS = 30_000;
/** The maximum silence before the initial objects, or the bookmark after them. */
const INITIAL_EVENTS_IDLE_MS = 30_000;
/** A watch that ends sooner, without an event, counts as failed. */
const VERY_SHORT_WATCH_MS = 1000;
/** The interval of retries for a kind that the server does not serve. */
const ABSENT_RETRY_MS = MIN_WATCH_TIMEOUT_SECONDS * 1000;
/** The maximum Retry-After that is obeyed. */
const RETRY_AFTER_MAX_MS = MIN_WATCH_TIMEOUT_SECONDS * 1000;

/**
 * @typedef {object} ReflectorParts
 * @property {Kind} kind
 * @property {ListWatch} listWatch
 * @property {Feed} feed
 * @property {Clock} clock
 * @property {() => number} random
 * @property {(status: ReflectorStatus) => void} onStatus called when the state, the relists or the
 *   last error changes
 * @property {(error: unknown, resource: string) => void} onError
 */

/**
 * Reflector reads the objects of a kind, as a stream or in pages, and watches their changes from
 * there. It retries after every failure, until it is stopped.
 */
export class Reflector {
  #parts;
  #backoff;
  #fullList;
  #status;
  /** Whether the first list is complete, or `synced` does not wait for it any more. */
  isSettled = false;
  #hasSynced = false;
  #lastSyncResourceVersion = '';
  /** The server has dropped this version, or does not have it yet. */
  #isLastSyncResourceVersionUnavailable = false;
  #ignoresSendInitialEvents = false;

  /** @param {ReflectorParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#backoff = new Backoff(parts);
    this.#fullList = new FullList(parts);
    this.#status = firstStatus(parts.kind);
  }

  /** @returns {ReflectorStatus} */
  get status() {
    return { ...this.#status, resourceVersion: this.#lastSyncResourceVersion };
  }

  /**
   * Runs until the signal aborts.
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   * @throws {CallerFault} the exceptions of the sink and of the caller's other functions
   */
  async run(signal) {
    while (!signal.aborted) {
      try {
        await this.#listAndWatch(signal);
      } catch (cause) {
        if (cause instanceof CallerFault) throw cause;
        if (!signal.aborted) await this.#backOff(cause, signal);
      }
    }
  }

  /**
   * Reports an error.
   * @param {unknown[]} errors
   * @param {ReflectorState} [state] the state after it
   */
  report(errors, state = this.#status.state) {
    const { clock, onError } = this.#parts;
    for (const error of errors) onError(error, this.#status.resource);
    this.#set({ state, lastError: errorStatus(errors.at(-1), clock.now()) });
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<never>} the loop's promise; it rejects with the first exception
   */
  async #listAndWatch(signal) {
    const stream = await this.#watchList(signal);
    if (!stream) await this.#list(signal);
    return this.#watch(stream, signal);
  }

  /**
   * Reads all objects as the start of a watch, which then continues.
   * @param {AbortSignal} signal
   * @returns {Promise<TimedIterator<Uint8Array> | undefined>} undefined if the objects have to be
   *   listed
   */
  async #watchList(signal) {
    for (;;) {
      this.#lists();
      if (this.#ignoresSendInitialEvents) return undefined;
      const resourceVersion = this.#mostRecent() ? '' : this.#lastSyncResourceVersion;
      const timeoutSeconds = this.#timeoutSeconds();
      const options = { resourceVersion, timeoutSeconds, sendInitialEvents: true };
      const stream = this.#open(options, { signal, idleMs: INITIAL_EVENTS_IDLE_MS });
      try {
        this.#synced(await takeInitialEvents(stream, this.#parts.feed, signal));
        stream.idleMs = timeoutSeconds * 1000 + WATCH_GRACE_MS;
        return stream;
      } catch (cause) {
        stream.close();
        if (!(await this.#asksAgain(cause, stream, signal))) return undefined;
      }
    }
  }

  /** After the server rejected streaming, it is not asked again until a list succeeds. */
  #lists() {
    const { state } = this.#status;
    if (state !== 'forbidden' && state !== 'absent') this.#set({ state: 'listing' });
  }

  /**
   * Decides what follows a failed stream.
   * @param {unknown} cause
   * @param {TimedIterator<Uint8Array>} stream
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether to try streaming again; otherwise the objects are listed,
   *   because progress matters more
   */
  async #asksAgain(cause, stream, signal) {
    if (cause instanceof CallerFault || signal.aborted) throw cause;
    if (isTooManyRequests(cause)) {
      await this.#backOff(cause, signal);
      return true;
    }
    if (isUnavailableVersion(cause) && !this.#isLastSyncResourceVersionUnavailable) {
      this.#isLastSyncResourceVersionUnavailable = true;
      return true;
    }
    const isDown = cause instanceof ConnectionError && !stream.isIdle && stream.count === 0;
    if (isDown || isUnauthorized(cause) || isNotFound(cause)) throw cause;
    this.#ignoresSendInitialEvents = stream.isIdle && stream.count > 0;
    this.report([cause]);
    return false;
  }

  /** @param {AbortSignal} signal */
  async #list(signal) {
    try {
      const resourceVersion = this.#mostRecent() ? '' : this.#lastSyncResourceVersion || '0';
      this.#synced(await this.#fullList.read(resourceVersion, signal));
    } catch (cause) {
      if (!isUnavailableVersion(cause)) throw cause;
      this.#isLastSyncResourceVersionUnavailable = true;
      this.#synced(await this.#fullList.read('', signal));
    }
  }

  /**
   * Whether the most recent objects are required: the last version is unavailable, or an
   * interrupted list contained newer ones.
   */
  #mostRecent() {
    return this.#isLastSyncResourceVersionUnavailable || this.#parts.feed.isIncomplete;
  }

  /** @param {string} resourceVersion */
  #synced(resourceVersion) {
    const relists = this.#status.relists + (this.#hasSynced ? 1 : 0);
    this.#lastSyncResourceVersion = resourceVersion;
    this.#isLastSyncResourceVersionUnavailable = false;
    this.#hasSynced = true;
    this.isSettled = true;
    this.#set({ state: 'watching', relists });
  }

  /**
   * Follows the changes, one watch after the other.
   * @param {TimedIterator<Uint8Array> | undefined} first an open watch
   * @param {AbortSignal} signal
   * @returns {Promise<never>}
   */
  async #watch(first, signal) {
    const { clock } = this.#parts;
    for (let stream = first ?? this.#openWatch(signal); ; stream = this.#openWatch(signal)) {
      if (this.#status.state !== 'watching') this.#set({ state: 'watching' });
      const start = clock.now();
      const { fault, isEmpty } = await this.#follow(stream, signal);
      if (fault && (isEmpty || isTooManyRequests(fault))) await this.#backOff(fault, signal);
      else if (fault) this.report([fault]);
      else if (isEmpty && clock.now() - start < VERY_SHORT_WATCH_MS) throw veryShortWatch();
      signal.throwIfAborted();
    }
  }

  /**
   * @param {TimedIterator<Uint8Array>} stream
   * @param {AbortSignal} signal
   * @returns {Promise<{ fault?: unknown, isEmpty: boolean }>} after the watch ended; `fault`: the
   *   reason, if another watch can continue from there; `isEmpty`: it had no event
   */
  async #follow(stream, signal) {
    const before = this.#lastSyncResourceVersion;
    const isEmpty = () => this.#lastSyncResourceVersion === before;
    try {
      for (let lines; (lines = await stream.next());) {
        const { resourceVersion, status } = await this.#parts.feed.events(lines, signal);
        if (resourceVersion) this.#lastSyncResourceVersion = resourceVersion;
        if (status) throw new ApiError(status);
      }
      return { isEmpty: isEmpty() };
    } catch (fault) {
      // The server has another history, so a version as old as the last one may belong to either.
      if (isContradiction(fault)) this.#isLastSyncResourceVersionUnavailable = true;
      const isRetriable = fault instanceof ConnectionError || isTooManyRequests(fault);
      if (!isRetriable) throw fault;
      return { fault, isEmpty: isEmpty() };
    } finally {
      stream.close();
    }
  }

  /** @param {AbortSignal} signal */
  #openWatch(signal) {
    const timeoutSeconds = this.#timeoutSeconds();
    const idleMs = timeoutSeconds * 1000 + WATCH_GRACE_MS;
    const resourceVersion = this.#lastSyncResourceVersion;
    return this.#open({ resourceVersion, timeoutSeconds }, { signal, idleMs });
  }

  /**
   * @param {Parameters<ListWatch['watch']>[0]} options
   * @param {{ signal: AbortSignal, idleMs: number }} limits
   */
  #open(options, limits) {
    const { listWatch, clock } = this.#parts;
    const begin = (/** @type {AbortSignal} */ end) => listWatch.watch(options, end);
    return new TimedIterator(begin, { clock, ...limits });
  }

  #timeoutSeconds() {
    return Math.floor(MIN_WATCH_TIMEOUT_SECONDS * (1 + this.#parts.random()));
  }

  /**
   * Waits after a failure. For `synced`, an optional kind that the server refuses or does not serve
   * counts as an empty list; objects that the sink has stay.
   * @param {unknown} cause
   * @param {AbortSignal} signal
   */
  async #backOff(cause, signal) {
    const { clock, feed, kind } = this.#parts;
    const state = stateAfter(cause);
    const delay = this.#delayAfter(cause);
    if (state !== 'backoff' && kind.optional !== false && !this.isSettled) {
      await feed.begin(signal);
      await feed.end('', signal);
      this.isSettled = true;
    }
    this.report([cause], state);
    await clock.sleep(clock.now() + delay, signal).catch(() => {});
  }

  /**
   * @param {unknown} cause
   * @returns {number} milliseconds
   */
  #delayAfter(cause) {
    const { random, kind } = this.#parts;
    const backoff = this.#backoff.next();
    const isUsual = isNotFound(cause) && kind.optional !== false && !this.#hasSynced;
    if (isUsual) return ABSENT_RETRY_MS * (1 + random());
    const seconds = cause instanceof ApiError ? (cause.retryAfterSeconds ?? 0) : 0;
    return Math.max(backoff, Math.min(RETRY_AFTER_MAX_MS, seconds * 1000));
  }

  /** @param {Partial<ReflectorStatus>} changes */
  #set(changes) {
    const before = this.#status;
    this.#status = { ...before, ...changes };
    const { state, relists, lastError } = this.#status;
    const isSame = state === before.state && relists === before.relists;
    if (!isSame || lastError !== before.lastError) this.#parts.onStatus(this.status);
  }
}

/**
 * @param {unknown} error
 * @returns {ReflectorState}
 */
function stateAfter(error) {
  if (isForbidden(error)) return 'forbidden';
  return isNotFound(error) ? 'absent' : 'backoff';
}

/** @param {unknown} error */
function isUnavailableVersion(error) {
  return isExpired(error) || isTooLargeResourceVersion(error);
}

function veryShortWatch() {
  const message = 'the watch ended within a second, with nothing new';
  return new StowageError('VeryShortWatch', message);
}
