/** A scheduler that follows a cluster through informers, and is run by hand. */
import { pause } from '../../../js/src/index.js';
import { createInformers } from '../../../js/src/informer.js';
import { watchedIn } from './watched.js';

/**
 * @import { Answer, Call, Engine, SchedulerOptions, Turn } from '../../../js/src/index.js'
 * @import { ApiClient } from '../../../js/src/informer.js'
 * @import { Watched } from './watched.js'
 */

/** A call that was made, and what the API server said to it. */
/** @typedef {{ call: Call, answer: Answer }} PerformedCall */

/** How often everybody else in this thread has a turn before nothing more is expected. */
const QUIET_PAUSES = 2;

/** States of informers that do not know all that there is. */
const STATES_BEHIND = new Set(['listing', 'backoff']);

/**
 * A turn, and how many lines the log had before it: whoever replays those can ask why.
 * @typedef {{ turn: Turn, logLine: number }} RunTurn
 */

export class FollowedScheduler {
  #scheduler;
  #client;
  #stop = new AbortController();
  #informers;
  /** How much came in: batches and answers. */
  #news = 0;
  /** @type {Promise<void>} */
  #following;
  /** All that went in, to be replayed. @type {string[]} */
  log = [];

  /**
   * @param {{ engine: Engine, client: ApiClient, options: SchedulerOptions, onTurn: (run: RunTurn)
   *   => void, onWatched: (watched: Watched[]) => void, onCall: (performed: PerformedCall) => void,
   *   onError: (error: unknown) => void }} parts `onWatched` gets what comes in, before the
   *   scheduler does; `onError` what the informers complain about
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

  /** What it is asked with. */
  get scheduler() {
    return this.#scheduler;
  }

  /** Resolves when it knows the cluster. */
  synced() {
    return this.#informers.synced();
  }

  /**
   * One turn, and all that follows from it at the present time: its calls are made, and what they
   * change comes back.
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
   * Resolves when nothing comes in any more: what is in this process needs no longer than a moment.
   * A watch that was too slow for what happened begins anew first.
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
   * Makes a pod the next one, whatever the queue says.
   * @param {string} pod `namespace/name`
   * @throws {import('../../../js/src/index.js').BatchError} when it does not wait
   */
  scheduleOne(pod) {
    this.#scheduler.apply({ type: 'SCHEDULE_ONE', pod });
  }

  /** Ends it; the cluster stays as it is. */
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
