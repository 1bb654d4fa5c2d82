/** An embedded API server with nodes, which creates pods and waits for their bindings. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import { createApiServer } from '../../js/apiserver/index.js';
import { percentile } from './measure.js';
import { realisticPod, WORKLOADS } from './workloads.js';

/** Pods that are created before the process's other work gets a turn. */
const SLICE = 50;

/** The longest time without progress: milliseconds. */
const PATIENCE = 10_000;

/**
 * @typedef {object} Wave
 * @property {number} perSecond pods, from the first creation to the last binding
 * @property {number} p50Ms from the creation of a pod to its binding, by the store's times
 * @property {number} p99Ms
 * @property {number} cpuUs CPU time of this process per pod
 * @property {number} heapBytes growth of its heap per pod
 */

export class LiveCluster {
  #server = createApiServer();
  #created = 0;
  /** The creation time of each unbound pod. @type {Map<string, number>} */
  #waiting = new Map();
  /** The latencies of the bound pods, in milliseconds. @type {number[]} */
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
   * @param {number} [pace] pods per second; default: as fast as possible
   * @returns {Promise<Wave>} resolves when all of them are bound
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
 * Creates the owner of the pods and returns a reference to it. Pods with a missing owner would be
 * garbage collected.
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
 * @returns {(count: number) => { cpuUs: number, heapBytes: number }} returns the use since then,
 *   per pod
 */
export function usageSince(cpuBefore, heapBefore) {
  return (count) => {
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuUs = (user + system) / count;
    return { cpuUs, heapBytes: (heapBytes() - heapBefore) / count };
  };
}

/** The heap in use after a collection. */
export function heapBytes() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
