/** A cluster whose pods are to be scheduled, and what the API server has seen of it. */
import assert from 'node:assert/strict';
import { SCHEDULER_KINDS } from '../../../js/src/kubernetes/watched_kinds.js';
import { randomFor } from '../../sim/random.js';
import { makeNode, makePod } from '../support/objects.js';
import { startNative, startWasm } from '../support/real_engine.js';
import { ApiServerProcess } from './apiserver_process.js';
import { BindingLedger } from './binding_ledger.js';
import { cacheOf } from './cache_contents.js';
import { IdleClock } from './idle_clock.js';
import { keyOf } from './known_objects.js';
import { SchedulerProcess } from './scheduler_process.js';

const { engine: native } = await startNative();
const { engine: wasm } = await startWasm();

/** The first seed has the module as it is shipped, the others the addon, which is faster. */
const engineOf = (/** @type {number} */ seed) => (seed === 1 ? wasm : native);

const namespace = 'default';

/** Of all that is watched those that there are, and some; the others cost time here. */
const WATCHED = ['nodes', 'pods', 'namespaces', 'services', 'persistentvolumeclaims'];
const kinds = SCHEDULER_KINDS.filter(({ resource }) => WATCHED.includes(resource));

export class ScheduledCluster {
  clock = new IdleClock();
  ledger = new BindingLedger(this.clock);
  /** @type {SchedulerProcess[]} */
  schedulers = [];
  #seed;
  #pods = 0;

  /** @param {{ seed: number, nodes?: number }} options */
  constructor({ seed, nodes = 20 }) {
    const { clock, ledger } = this;
    this.#seed = seed;
    const draw = randomFor(seed, 'server');
    const random = () => draw.next();
    const objects = Array.from({ length: nodes }, (_, row) => makeNode(`n${row}`, { cpu: '32' }));
    this.random = randomFor(seed, 'events');
    this.apiserver = new ApiServerProcess({ clock, random, objects });
    this.apiserver.onStart(({ store }) => ledger.follow(store));
  }

  get store() {
    return this.apiserver.server.store;
  }

  /**
   * @param {string} name
   * @param {Pick<import('./scheduler_process.js').SchedulerProcessParts, 'odds' | 'options'>} [how]
   */
  startScheduler(name, how) {
    const scheduler = new SchedulerProcess({
      name,
      engine: engineOf(this.#seed),
      clock: this.clock,
      serveAs: (identity) => this.ledger.of(identity, this.apiserver.fetch),
      seed: this.#seed,
      random: randomFor(this.#seed, name),
      ...how,
      options: { kinds, ...how?.options },
    });
    this.schedulers.push(scheduler);
    return scheduler;
  }

  /** @param {string} name @param {{ cpu: string }} options */
  create(name, options) {
    this.store.create('pods', makePod(name, { ...options, metadata: { namespace } }));
  }

  /** @param {number} count of pods for which there is room */
  createPods(count) {
    for (let left = count; left > 0; left -= 1) {
      this.#pods += 1;
      this.create(`p${this.#pods}`, { cpu: '10m' });
    }
  }

  /**
   * A pod comes each second.
   * @param {number} seconds
   */
  async work(seconds) {
    for (let left = seconds; left > 0; left -= 1) {
      this.createPods(1);
      await this.clock.advance(1000);
    }
  }

  /** One of those that are there is deleted. */
  deletePod() {
    const pods = this.store.list('pods', { fieldSelector: 'metadata.name!=never' });
    if (pods.length > 0) this.store.delete('pods', namespace, this.random.pick(pods).metadata.name);
  }

  /** The API server is gone, and with it all connections. */
  killApiServer() {
    this.apiserver.kill();
    for (const { run } of this.schedulers) run.network.breakAll();
  }

  /** Nothing goes wrong any more. */
  calmDown() {
    for (const { run } of this.schedulers) {
      run.clock.resume();
      if (!run.isKilled) run.network.calm();
    }
  }

  /** Pods without a node, in order. */
  get unbound() {
    return this.store.list('pods', { fieldSelector: 'spec.nodeName=' }).map(keyOf);
  }

  /**
   * What a scheduler knows is what is there, and nothing is under way.
   * @param {SchedulerProcess} process
   */
  async assertKnown({ run }) {
    const { cache, assumed, inFlight, queues } = (await run.scheduler).inspect({ cache: true });
    assert.deepEqual(cache, cacheOf(this.store));
    assert.deepEqual({ assumed, inFlight }, { assumed: [], inFlight: [] });
    const waiting = Object.values(queues).flat();
    assert.deepEqual(waiting.map((entry) => entry.pod ?? entry).sort(), this.unbound);
  }

  async end() {
    const ended = Promise.all(this.schedulers.map((scheduler) => scheduler.end()));
    await this.clock.advance(60_000);
    await ended;
    this.apiserver.dispose();
    assert.equal(this.clock.sleepers, 0, 'nothing is left that waits');
  }
}
