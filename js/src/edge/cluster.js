/** One loaded snapshot. */
import { loadSnapshot } from './load_snapshot.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { SchedulerOptions } from '../engine/types.js'
 * @import { SnapshotDocument, SnapshotReference } from './documents.js'
 * @import { LoadedObjects } from './load_snapshot.js'
 */

/**
 * The scheduler's part in the answer to a question.
 * @typedef {{ nodes: number, pods: number, pending: number }} Held
 */

/**
 * @typedef {object} ClusterParts
 * @property {string} name
 * @property {string} etag
 * @property {string} [storeEtag] the store's etag; undefined if it has none
 * @property {number} bytes
 * @property {number} time milliseconds since the epoch
 */

/**
 * Cluster answers questions about one snapshot. A retired cluster is disposed when the last
 * question has its answer.
 */
export class Cluster {
  #engine;
  #scheduler;
  #loaded;
  #held;
  #users = 0;
  #isRetired = false;
  /** Whether its scheduler has been disposed. */
  isDisposed = false;

  /**
   * @param {ClusterParts} parts
   * @param {{ engine: Engine, scheduler: Scheduler, loaded: LoadedObjects, held: Held }} contents
   */
  constructor({ name, etag, storeEtag, bytes, time }, { engine, scheduler, loaded, held }) {
    this.name = name;
    this.etag = etag;
    this.storeEtag = storeEtag;
    this.bytes = bytes;
    this.time = time;
    /** Whether a client pushed it here, so that the store got it from this process. */
    this.isPushed = false;
    /**
     * The reason why there is no newer snapshot, if the store has failed.
     * @type {string | undefined}
     */
    this.refreshFailure = undefined;
    this.#engine = engine;
    this.#scheduler = scheduler;
    this.#loaded = loaded;
    this.#held = held;
  }

  /**
   * @param {ClusterParts} parts
   * @param {{ engine: Engine, options: SchedulerOptions, content: Uint8Array, signal: AbortSignal
   *   }} source
   * @returns {Promise<Cluster>}
   * @throws {InputError} as `loadSnapshot`, and a ConfigurationError
   */
  static async load(parts, { engine, options, content, signal }) {
    const scheduler = engine.createScheduler(options);
    try {
      const loaded = await loadSnapshot(scheduler, content, signal);
      return new Cluster(parts, { engine, scheduler, loaded, held: heldBy(scheduler) });
    } catch (error) {
      scheduler.dispose();
      throw error;
    }
  }

  /** The number of objects in the snapshot. */
  get objects() {
    return this.#loaded.objects;
  }

  /** Whether it can answer: its engine has not stopped. */
  get isAlive() {
    return !this.#engine.failure;
  }

  /**
   * @template T
   * @param {(scheduler: Scheduler) => T | Promise<T>} ask
   * @returns {Promise<T>}
   */
  async use(ask) {
    this.#users += 1;
    try {
      return await ask(this.#scheduler);
    } finally {
      this.#users -= 1;
      this.#disposeUnused();
    }
  }

  /** Takes no new questions, and disposes of the scheduler after the last answer. */
  retire() {
    this.#isRetired = true;
    this.#disposeUnused();
  }

  /**
   * @param {number} now milliseconds since the epoch
   * @returns {number} whole seconds
   */
  ageSeconds(now) {
    return Math.max(0, Math.floor((now - this.time) / 1000));
  }

  /**
   * @param {number} now milliseconds since the epoch
   * @returns {SnapshotReference}
   */
  reference(now) {
    const { refused } = this.#loaded;
    return {
      name: this.name,
      etag: this.etag,
      ageSeconds: this.ageSeconds(now),
      nodes: this.#held.nodes,
      ...(refused > 0 && { refused }),
      ...(this.refreshFailure !== undefined && { refreshFailure: this.refreshFailure }),
    };
  }

  /**
   * @param {number} now milliseconds since the epoch
   * @returns {SnapshotDocument}
   */
  document(now) {
    const { objects, refusedObjects, unknownKinds } = this.#loaded;
    return {
      apiVersion: 'stowage/v1',
      kind: 'Snapshot',
      ...this.reference(now),
      time: new Date(this.time).toISOString(),
      bytes: this.bytes,
      counts: { ...this.#held, objects },
      refusedObjects,
      unknownKinds,
    };
  }

  #disposeUnused() {
    if (!this.#isRetired || this.#users > 0) return;
    this.#scheduler.dispose();
    this.isDisposed = true;
  }
}

/** @param {Scheduler} scheduler @returns {Held} */
function heldBy(scheduler) {
  const { queues, cache } = scheduler.inspect();
  const { active, backoff, unschedulable } = queues;
  const pending = active.length + backoff.length + unschedulable.length;
  return { nodes: cache.nodes, pods: cache.pods, pending };
}
