/**
 * A cluster that changes, and informers that follow it over a bad network: on one clock, all of it
 * by one seed.
 */
import assert from 'node:assert/strict';
import { createApiClient, createInformers } from '../../../js/src/informer.js';
import { SCHEDULER_KINDS } from '../../../js/src/kubernetes/watched_kinds.js';
import { randomFor } from '../../sim/random.js';
import { startNative, startWasm } from '../support/real_engine.js';
import { ApiServerProcess } from './apiserver_process.js';
import { BusyCluster } from './busy_cluster.js';
import { cacheOf, podsOf } from './cache_contents.js';
import { FlakyFetch } from './flaky_fetch.js';
import { IdleClock } from './idle_clock.js';
import { keyOf, KnownObjects } from './known_objects.js';

/** @import { Kind } from '../../../js/src/kubernetes/watched_kinds.js' */
/** @import { Odds } from './flaky_fetch.js' */

const { engine: native } = await startNative();
const { engine: wasm } = await startWasm();

/** The first seed has the module as it is shipped, the others the addon, which is faster. */
const engineOf = (/** @type {number} */ seed) => (seed === 1 ? wasm : native);

/** Longer than any watch lasts, and any informer waits. */
const LONGEST_MS = 30 * 60_000;

export class FollowedCluster {
  clock = new IdleClock();
  known = new KnownObjects();
  /** What the informers were told to have gone wrong. @type {any[]} */
  errors = [];
  #stop = new AbortController();
  #scheduler;
  #kinds;

  /**
   * @param {object} options
   * @param {number} options.seed
   * @param {Odds} [options.odds]
   * @param {number} [options.history]
   * @param {readonly Kind[]} [options.kinds]
   */
  constructor({ seed, odds, history, kinds = SCHEDULER_KINDS }) {
    const { clock } = this;
    this.#kinds = kinds;
    this.#scheduler = engineOf(seed).createScheduler({ api: 'host', clock });
    const draw = randomFor(seed, 'server');
    const random = () => draw.next();
    this.random = randomFor(seed, 'events');
    this.apiserver = new ApiServerProcess({ clock, random, ...(history && { history }) });
    this.network = new FlakyFetch({ serve: this.apiserver.fetch, clock, seed, odds });
    this.cluster = new BusyCluster(
      randomFor(seed, 'cluster'),
      kinds.map(({ resource }) => resource),
    );
    const jitter = randomFor(seed, 'jitter');
    this.informers = createInformers({
      client: createApiClient({ ...this.network.options, clock }),
      sink: { apply: (lines, options) => this.#apply(lines, options) },
      kinds,
      signal: this.#stop.signal,
      clock,
      random: () => jitter.next(),
      onError: (error) => this.errors.push(error),
    });
    this.change(100);
    this.running = this.informers.run();
    this.running.catch(() => {});
  }

  get store() {
    return this.apiserver.server.store;
  }

  /** @param {number} count of changes */
  change(count) {
    this.cluster.change(this.store, count);
  }

  /** The API server is gone, and with it all connections. */
  kill() {
    this.apiserver.kill();
    this.network.breakAll();
  }

  /** Nothing goes wrong any more, nothing changes, and there is time. */
  async calmDown() {
    this.network.calm();
    await this.clock.advance(LONGEST_MS);
  }

  /** What is known is what is there: to a reader of the lines, and to the engine. */
  assertKnown() {
    assert.deepEqual(this.known.differences(this.store, this.#kinds), []);
    const { cache, queues } = this.#scheduler.inspect({ cache: true });
    assert.deepEqual(cache, cacheOf(this.store));
    const pending = Object.values(queues).flat();
    const unbound = podsOf(this.store).filter(({ spec }) => !spec.nodeName);
    assert.deepEqual(pending.sort(), unbound.map(keyOf).sort());
  }

  /** All is as the informers say it is. */
  assertWatching() {
    for (const { resource, state } of this.informers.status())
      assert.equal(state, 'watching', resource);
  }

  async end() {
    this.#stop.abort();
    await this.running;
    this.#scheduler.dispose();
    this.apiserver.dispose();
  }

  /**
   * @param {Uint8Array} lines
   * @param {any} options
   */
  #apply(lines, options) {
    const isWhole = this.known.apply(lines, options);
    const codes = /** @type {string[]} */ ([]);
    const onError = (/** @type {any} */ error) => {
      codes.push(error.code);
      options.onError(error);
    };
    const result = this.#scheduler.apply(lines, { ...options, onError });
    assert.equal(codes.includes('MalformedJson'), !isWhole, 'the engine finds what is broken');
    return result;
  }
}
