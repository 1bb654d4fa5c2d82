/** An embedded API server with nodes, where pods are created and are awaited to be bound. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import { createApiServer } from '../../js/apiserver/index.js';
import { percentile } from './measure.js';
import { realisticPod, WORKLOADS } from './workloads.js';

/** How many pods are created before everything else in the process has its turn. */
const SLICE = 50;

/** How long nothing may happen: milliseconds. */
const PATIENCE = 10_000;

/**
 * @typedef {object} Wave
 * @property {number} perSecond pods, from the first creation to the last binding
 * @property {number} p50Ms from the creation of a pod to its binding, as the store has them
 * @property {number} p99Ms
 * @property {number} cpuUs what this process spent on each pod
 * @property {number} heapBytes how much its heap grew with each
 */

export class LiveCluster {
  #server = createApiServer();
  #created = 0;
  /** When each was created that is not bound yet. @type {Map<string, number>} */
  #waiting = new Map();
  /** How many milliseconds the others waited. @type {number[]} */
  #latencies = [];
  #wanted = 0;
  #owner;
  #allBound = () => {};

  /** @param {number} nodes */
  constructor(nodes) {
    const { store } = this.#server;
    const { node } = WORKLOADS.basic('');
    for (let row = 0; row < nodes; row += 1) store.load(/** @type {any} */ (node(row)));
    store.subscribe('pods', ({ object }) => this.#saw(object));
    this.#owner = ownerOf(/** @type {any} */ (realisticPod(0)), store);
  }

  get fetch() {
    return this.#server.fetch;
  }

  dispose() {
    this.#server.dispose();
  }

  /**
   * Creates pods in the store, as a controller in the server's process does.
   * @param {number} count
   * @param {number} [pace] pods a second; default: as fast as it goes
   * @returns {Promise<Wave>} when all of them are bound
   */
  async createPods(count, pace = Infinity) {
    this.#latencies = [];
    this.#wanted = count;
    const usage = usageSince(process.cpuUsage(), heapBytes());
    const begin = performance.now();
    const allBound = new Promise((resolve) => void (this.#allBound = () => resolve(undefined)));
    for (let made = 0; made < count;) {
      const due = Math.min(count, ((performance.now() - begin) / 1000) * pace);
      for (let slice = 0; slice < SLICE && made < due; slice += 1, made += 1) this.#createPod();
      await setImmediate();
    }
    await this.#progress(allBound);
    return {
      perSecond: (count * 1000) / (performance.now() - begin),
      p50Ms: percentile(this.#latencies, 50),
      p99Ms: percentile(this.#latencies, 99),
      ...usage(count),
    };
  }

  /** @param {Promise<unknown>} allBound */
  async #progress(allBound) {
    for (let before = -1; this.#latencies.length < this.#wanted;) {
      if (this.#latencies.length === before) {
        throw new Error(`${before} of ${this.#wanted} pods are bound, and no more`);
      }
      before = this.#latencies.length;
      const stop = new AbortController();
      const { signal } = stop;
      await Promise.race([allBound, setTimeout(PATIENCE, null, { signal }).catch(() => {})]);
      stop.abort();
    }
  }

  #createPod() {
    const { metadata, ...pod } = realisticPod(this.#created);
    const { name, namespace, labels, annotations } = metadata;
    this.#created += 1;
    this.#waiting.set(name, performance.now());
    const given = { name, namespace, labels, annotations, ownerReferences: [this.#owner] };
    this.#server.store.create('pods', { ...pod, metadata: given });
  }

  /** @param {any} pod */
  #saw({ metadata: { name }, spec }) {
    const createdAt = this.#waiting.get(name);
    if (createdAt === undefined || !spec.nodeName) return;
    this.#waiting.delete(name);
    this.#latencies.push(performance.now() - createdAt);
    if (this.#latencies.length === this.#wanted) this.#allBound();
  }
}

/**
 * The reference to what owns the pods, which is made: else they would be garbage.
 * @param {any} pod @param {import('../../js/apiserver/store.js').Store} store
 */
function ownerOf({ metadata: { namespace, labels, ownerReferences }, spec }, store) {
  const [{ name, ...reference }] = ownerReferences;
  const template = { metadata: { labels }, spec };
  const replicaSet = { selector: { matchLabels: labels }, template };
  const object = { metadata: { name, namespace }, spec: replicaSet };
  const { uid } = store.create('replicasets', object).metadata;
  return { ...reference, name, uid };
}

/**
 * @param {NodeJS.CpuUsage} cpuBefore @param {number} heapBefore
 * @returns {(count: number) => { cpuUs: number, heapBytes: number }} what was used since, by each
 */
export function usageSince(cpuBefore, heapBefore) {
  return (count) => {
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuUs = (user + system) / count;
    return { cpuUs, heapBytes: (heapBytes() - heapBefore) / count };
  };
}

/** What is left after a collection. */
export function heapBytes() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
