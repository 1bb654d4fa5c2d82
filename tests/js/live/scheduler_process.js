/**
 * A process that runs the scheduler: it can stand still, with everything that it waits for, it can
 * be killed, and when it has ended it is started anew under another name.
 */
import { createApiClient } from '../../../js/src/informer.js';
import { runScheduler } from '../../../js/src/live.js';
import { FlakyFetch } from './flaky_fetch.js';

/**
 * @import { Engine } from '../../../js/src/engine/engine.js'
 * @import { Clock } from '../../../js/src/engine/types.js'
 * @import { Fetch } from '../../../js/src/client/api_client.js'
 * @import { Random } from '../../sim/random.js'
 * @import { Odds } from './flaky_fetch.js'
 */

/** The time of a process: while it stands still, none of its sleeps end. */
class ProcessClock {
  #clock;
  #random;
  #isStopped = false;
  /** Those whose time has come meanwhile. @type {(() => void)[]} */
  #due = [];

  /**
   * @param {Clock} clock
   * @param {Random} random in which order they wake afterwards
   */
  constructor(clock, random) {
    this.#clock = clock;
    this.#random = random;
  }

  now = () => this.#clock.now();

  /** @type {(until: number, signal?: AbortSignal) => Promise<void>} */
  sleep = async (until, signal) => {
    await this.#clock.sleep(until, signal);
    await this.awake();
    signal?.throwIfAborted();
  };

  /** @returns {Promise<void> | undefined} when it goes on */
  awake() {
    if (!this.#isStopped) return undefined;
    return new Promise((resolve) => void this.#due.push(resolve));
  }

  stop() {
    this.#isStopped = true;
  }

  resume() {
    this.#isStopped = false;
    while (this.#due.length > 0) {
      const [wake] = this.#due.splice(this.#random.below(this.#due.length), 1);
      wake();
    }
  }
}

/**
 * @typedef {object} SchedulerProcessParts
 * @property {string} name
 * @property {Engine} engine
 * @property {Clock} clock
 * @property {(identity: string) => Fetch} serveAs
 * @property {number} seed
 * @property {Random} random
 * @property {Odds} [odds]
 * @property {object} [options] of `runScheduler`
 */

/** How long it takes to start one that has ended. */
const RESTART_MS = 3000;

/** One process, from its start to its end. */
class Run {
  isKilled = false;
  hasEnded = false;
  stop = new AbortController();

  /** @param {SchedulerProcessParts} parts @param {string} identity */
  constructor({ engine, clock, serveAs, seed, random, odds, options }, identity) {
    const own = new ProcessClock(clock, random);
    this.identity = identity;
    this.clock = own;
    this.network = new FlakyFetch({
      serve: serveAs(identity),
      clock,
      awake: () => own.awake(),
      seed,
      name: identity,
      odds,
    });
    const { done, scheduler } = runScheduler({
      client: createApiClient({ ...this.network.options, clock: own }),
      engine,
      identity,
      clock: own,
      random: () => random.next(),
      signal: this.stop.signal,
      ...options,
    });
    this.done = done;
    this.scheduler = scheduler;
  }
}

export class SchedulerProcess {
  #parts;
  #isOver = false;
  /** @type {Run[]} */
  #runs = [];
  /** @type {Promise<void>[]} */
  #ends = [];
  /** What ended those that were not asked to. @type {any[]} */
  failures = [];

  /** @param {SchedulerProcessParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#start();
  }

  /** The process that runs, or ran last. */
  get run() {
    return /** @type {Run} */ (this.#runs.at(-1));
  }

  /** It is gone, at once; another one is started. */
  kill() {
    const { run } = this;
    if (run.isKilled || run.hasEnded) return;
    run.isKilled = true;
    run.clock.stop();
    run.network.isCutOff = true;
    run.network.breakAll();
    void this.#restart();
  }

  /** It is asked to end; another one is started. */
  replace() {
    const { run } = this;
    if (run.isKilled || run.hasEnded || run.stop.signal.aborted) return;
    run.stop.abort();
    void this.#restart();
  }

  /** @returns {Promise<unknown>} when all of them have ended, which takes time */
  end() {
    this.#isOver = true;
    for (const run of this.#runs) {
      run.stop.abort();
      run.clock.resume();
    }
    return Promise.all(this.#ends);
  }

  #start() {
    const run = new Run(this.#parts, `${this.#parts.name}-${this.#runs.length + 1}`);
    this.#runs.push(run);
    this.#ends.push(this.#supervise(run));
  }

  async #restart() {
    const { clock } = this.#parts;
    await clock.sleep(clock.now() + RESTART_MS);
    if (!this.#isOver) this.#start();
  }

  /** @param {Run} run */
  async #supervise(run) {
    try {
      await run.done;
    } catch (error) {
      if (run.stop.signal.aborted || run.isKilled) return;
      this.failures.push(error);
      void this.#restart();
    } finally {
      run.hasEnded = true;
    }
  }
}
