/** A scheduler that follows a cluster through informers. Its turns are run by the caller. */
import { pause } from '../../../js/src/index.js';
import { createInformers, kindsWatchedWith } from '../../../js/src/informer.js';
import { watchedIn } from './watched.js';

/**
 * @import { Answer, Call, Engine, SchedulerOptions, Turn } from '../../../js/src/index.js'
 * @import { ApiClient } from '../../../js/src/informer.js'
 * @import { Watched } from './watched.js'
 */

/** A call of the scheduler, with the API server's response. */
/** @typedef {{ call: Call, answer: Answer }} PerformedCall */

/** After this many pauses without news, nothing more is expected. */
const QUIET_PAUSES = 2;

/** States of informers that have not listed everything. */
const STATES_BEHIND = new Set(['listing', 'backoff']);

/**
 * A turn, with the length of the log before it. A replay of those lines restores the state before
 * the turn.
 * @typedef {{ turn: Turn, logLine: number }} RunTurn
 */

export class FollowedScheduler {
  #scheduler;
  #client;
  #stop = new AbortController();
  #informers;
  /** The number of batches and responses received. */
  #news = 0;
  /** @type {Promise<void>} */
  #following;
  /** The log of all inputs, for replays. @type {string[]} */
  log = [];

  /**
   * @param {{ engine: Engine, client: ApiClient, options: SchedulerOptions, onTurn: (run: RunTurn)
   *   => void, onWatched: (watched: Watched[]) => void, onCall: (performed: PerformedCall) => void,
   *   onError: (error: unknown) => void }} parts `onWatched` gets watch events before the scheduler
   *   does; `onError` gets the informers' errors
   */
  constructor({ engine, client, options, onTurn, onWatched, onCall, onError }) {
    this.#client = client;
    this.#onTurn = onTurn;
    this.#onCall = onCall;
    const log = (/** @type {string} */ line) => void this.log.push(line);
    const own = /** @type {const} */ ({ api: 'host', keepObjects: false, log });
    this.#scheduler = engine.createScheduler({ ...options, ...own });
    this.#informers = createInformers({
      client,
      kinds: kindsWatchedWith(options.featureGates),
      signal: this.#stop.signal,
      sink: {
        apply: (lines, settings) => {
          this.#news += 1;
          onWatched(watchedIn(lines));
          return this.#scheduler.apply(lines, settings);
        },
      },
      onError,
    });
    this.#following = this.#informers.run().catch((cause) => {
      if (!this.#stop.signal.aborted) onError(cause);
    });
  }

  #onTurn;
  #onCall;

  /** The state for questions. */
  get scheduler() {
    return this.#scheduler;
  }

  /** Resolves when the informers have listed the cluster. */
  synced() {
    return this.#informers.synced();
  }

  /**
   * Runs turns until nothing more follows at the present time: makes the scheduler's calls and
   * delivers the watch events that they cause.
   * @param {number} maxCycles
   * @returns {Promise<Turn>} the last one
   */
  async run(maxCycles) {
    let turn = this.#turn(maxCycles);
    for (;;) {
      await this.#perform(turn);
      const before = this.#news;
      await this.settled();
      if (turn.calls.length === 0 && this.#news === before && !turn.waiting) return turn;
      turn = this.#turn(0);
    }
  }

  /**
   * Resolves when no more input arrives. Client and server share this process, so input takes no
   * longer than a pause. A watch that fell behind restarts first.
   * @returns {Promise<void>}
   */
  async settled() {
    for (let quiet = 0, seen = this.#news; quiet < QUIET_PAUSES;) {
      await pause();
      quiet = seen === this.#news && this.#isFollowing() ? quiet + 1 : 0;
      seen = this.#news;
    }
  }

  /**
   * Makes a pod the next to be tried, whatever its place in the queue.
   * @param {string} pod `namespace/name`
   * @throws {import('../../../js/src/index.js').BatchError} if the pod is not waiting
   */
  scheduleOne(pod) {
    this.#scheduler.apply({ type: 'SCHEDULE_ONE', pod });
  }

  /** Disposes of the scheduler. The cluster remains. */
  async dispose() {
    this.#stop.abort();
    await this.#following;
    this.#scheduler.dispose();
  }

  /** @param {number} maxCycles */
  #turn(maxCycles) {
    const logLine = this.log.length;
    const turn = this.#scheduler.run({ maxCycles });
    this.#onTurn({ turn, logLine });
    return turn;
  }

  /** @param {Turn} turn */
  async #perform({ calls }) {
    for (const call of calls) {
      const answer = await this.#client.perform(call);
      this.#onCall({ call, answer });
      this.#scheduler.complete(call.id, answer);
    }
  }

  #isFollowing() {
    return this.#informers.status().every(({ state }) => !STATES_BEHIND.has(state));
  }
}
