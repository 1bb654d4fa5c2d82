/** Keeps a sink, such as a scheduler, in sync with a cluster. */
import { ConfigurationError } from '../kubernetes/errors.js';
import { systemClock } from '../runtimes/system_clock.js';
import { systemRandom } from '../runtimes/system_random.js';
import { FairTurns } from './fair_turns.js';
import { CallerFault, Feed } from './feed.js';
import { checkedKinds, resourceText, SCHEDULER_KINDS } from '../kubernetes/watched_kinds.js';
import { ListWatch } from './list_watch.js';
import { Reflector } from './reflector.js';

/**
 * @import { Clock } from '../engine/types.js'
 * @import { ApiClient } from '../client/api_client.js'
 * @import { Sink } from './feed.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 * @import { ReflectorStatus } from './reflector_status.js'
 */

/**
 * @typedef {object} InformersOptions
 * @property {Pick<ApiClient, 'list' | 'watch'>} client
 * @property {Sink} sink
 * @property {readonly Kind[]} [kinds] default: `SCHEDULER_KINDS`
 * @property {AbortSignal} [signal] ends the informers
 * @property {Clock} [clock] a real-time clock; default: the host's
 * @property {() => number} [random] a number ≥ 0 and < 1; default: the host's
 * @property {(status: ReflectorStatus) => void} [onStatus] gets the status of a kind when its
 *   state, relists or last error changes
 * @property {(error: unknown, resource: string) => void} [onError] gets all errors: objects that
 *   the sink cannot read, refusals, lost connections
 */

const OPTION_NAMES = [
  ...['client', 'sink', 'kinds', 'signal', 'clock', 'random', 'onStatus', 'onError'],
];

/**
 * Creates informers of a cluster's objects. They start with `run`.
 * @param {InformersOptions} options
 * @returns {Informers}
 * @throws {ConfigurationError}
 */
export function createInformers(options) {
  return new Informers(options);
}

/** Informers list and watch kinds of objects and hand the results to a sink, as bytes. */
export class Informers {
  #signal;
  #feeds = /** @type {Feed[]} */ ([]);
  #reflectors = /** @type {Reflector[]} */ ([]);
  /** @type {Promise<void> | undefined} */
  #running;
  #hasEnded = false;
  /** @type {unknown} */
  #reason;
  /** @type {Set<{ resolve: () => void, reject: (reason: unknown) => void }>} */
  #waiting = new Set();

  /** @param {InformersOptions} options */
  constructor(options) {
    check(options);
    const { client, sink, kinds = SCHEDULER_KINDS, onStatus, onError } = options;
    const { clock = systemClock(), random = systemRandom } = options;
    this.#signal = options.signal;
    const turns = new FairTurns(clock);
    for (const kind of checkedKinds(kinds)) {
      const onErrors = (/** @type {unknown[]} */ errors) => reflector.report(errors);
      const feed = new Feed({ sink, turns, resource: resourceText(kind), onErrors });
      /** @type {Reflector} */
      const reflector = new Reflector({
        kind,
        feed,
        clock,
        random,
        listWatch: new ListWatch(client, kind),
        onStatus: (status) => {
          this.#settleSynced();
          calling(() => onStatus?.(status));
        },
        onError: (error, resource) => calling(() => onError?.(error, resource)),
      });
      this.#feeds.push(feed);
      this.#reflectors.push(reflector);
    }
  }

  /**
   * Follows all kinds until the signal aborts, which ends all requests.
   * @returns {Promise<void>} the same promise each time
   * @throws  the exceptions of the sink, `onStatus` or `onError`, which end the informers as well
   */
  run() {
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * Resolves when the first lists of all kinds are complete. Optional kinds that the server refuses
   * or does not serve count as complete.
   * @returns {Promise<void>} rejected if the informers end before: with the signal's reason, or as
   *   `run`
   */
  synced() {
    return new Promise((resolve, reject) => {
      if (this.#isSettled()) resolve();
      else if (this.#hasEnded) reject(this.#reason);
      else this.#waiting.add({ resolve, reject });
    });
  }

  /** The status of each kind, in the order of the kinds. @returns {ReflectorStatus[]} */
  status() {
    return this.#reflectors.map(({ status }) => status);
  }

  async #run() {
    // One controller per kind: some runtimes report a leak if many listen to one signal.
    const ends = this.#reflectors.map(() => new AbortController());
    const endAll = (/** @type {unknown} */ reason) => {
      for (const end of ends) end.abort(reason);
    };
    const abort = () => endAll(this.#signal?.reason);
    this.#signal?.addEventListener('abort', abort);
    if (this.#signal?.aborted) abort();
    /** @type {{ cause: unknown } | undefined} */
    let fault;
    const failed = (/** @type {unknown} */ cause) => {
      if (this.#signal?.aborted) return;
      fault ??= { cause: cause instanceof CallerFault ? cause.cause : cause };
      endAll(fault.cause);
    };
    await this.#followAll(ends, failed);
    this.#signal?.removeEventListener('abort', abort);
    this.#end(fault ? fault.cause : this.#signal?.reason);
    if (fault) throw fault.cause;
  }

  /**
   * The sink waits for the end of all lists that have begun, so all of them begin before the first
   * can end.
   * @param {AbortController[]} ends
   * @param {(cause: unknown) => void} failed
   */
  async #followAll(ends, failed) {
    try {
      for (const [index, feed] of this.#feeds.entries()) await feed.begin(ends[index].signal);
    } catch (cause) {
      failed(cause);
    }
    const run = (/** @type {Reflector} */ reflector, /** @type {number} */ index) =>
      reflector.run(ends[index].signal).catch(failed);
    await Promise.all(this.#reflectors.map(run));
  }

  #settleSynced() {
    if (!this.#isSettled()) return;
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #isSettled() {
    return this.#reflectors.every(({ isSettled }) => isSettled);
  }

  /** @param {unknown} reason */
  #end(reason) {
    this.#hasEnded = true;
    this.#reason = reason;
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting.clear();
  }
}

/** @param {() => void} call */
function calling(call) {
  try {
    call();
  } catch (cause) {
    throw new CallerFault(cause);
  }
}

/**
 * @param {InformersOptions} options
 * @throws {ConfigurationError}
 */
function check(options) {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name));
  if (unknown) throw badOption(unknown, `unknown option; there are ${OPTION_NAMES.join(', ')}`);
  const { client, sink, clock } = options;
  if (typeof client?.list !== 'function' || typeof client?.watch !== 'function')
    throw badOption('client', 'must be an API client, as createApiClient makes it');
  if (typeof sink?.apply !== 'function') throw badOption('sink', 'must have a function apply');
  // A virtual clock jumps, so every request would time out at once.
  if (clock?.isVirtual) throw badOption('clock', 'must go by itself');
}

/**
 * @param {string} field
 * @param {string} detail
 */
function badOption(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
