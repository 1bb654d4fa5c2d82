/** The loaded clusters, each loaded once per etag. */
import { ApiError } from '../kubernetes/api_error.js';
import { failure } from '../kubernetes/status_errors.js';
import { ConfigurationError, EngineError, LoadError } from '../kubernetes/errors.js';
import { wordsOf } from '../kubernetes/values.js';
import { Cluster } from './cluster.js';
import { asEtag, etagOf } from './etag.js';
import { inTimeOrTimeout } from './time_limit.js';
import { storedSnapshot } from './snapshot_store.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { ClusterParts } from './cluster.js'
 * @import { EdgeSettings } from './edge_options.js'
 */

/** The maximum number of remembered names without a snapshot. */
const UNKNOWN_NAMES = 1_000;

/**
 * The time for which a store may still have nothing where something was pushed, in milliseconds:
 * Workers KV remembers for a minute that a key is missing.
 */
const SPREADING = 60_000;

/** Faults that another snapshot would not fix. */
const OWN_FAULTS = [ConfigurationError, EngineError, LoadError];

/**
 * The context of a request: bindings, and a way to continue after the response.
 * @typedef {{ env?: any, waitUntil: (work: Promise<unknown>) => void }} Surroundings
 */

/** Clusters keeps a few schedulers: the most recently used ones. */
export class Clusters {
  /** The least recently used first. @type {Map<string, Cluster>} */
  #held = new Map();
  /**
   * The time of the last request to the store, by name: milliseconds since the epoch.
   * @type {Map<string, number>}
   */
  #askedAt = new Map();
  /**
   * The time at which the store had no snapshot of a name; the earliest first.
   * @type {Map<string, number>}
   */
  #unknown = new Map();
  /** @type {Map<string, Promise<Cluster | undefined>>} */
  #underWay = new Map();
  #settings;

  /** @param {EdgeSettings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /** The number of loaded clusters. */
  get size() {
    return this.#held.size;
  }

  /**
   * Asks the newest known snapshot of a cluster. Requests that arrive while it loads wait for the
   * same load.
   * @template T
   * @param {string} name
   * @param {Surroundings} surroundings
   * @param {(cluster: Cluster, scheduler: Scheduler) => T | Promise<T>} ask
   * @returns {Promise<T | undefined>} undefined if there is no snapshot
   * @throws {ApiError} ServiceUnavailable if there is one that cannot be loaded
   */
  async use(name, surroundings, ask) {
    for (;;) {
      const cluster = await this.#get(name, surroundings);
      if (!cluster) return undefined;
      // A parallel load may have evicted this cluster.
      if (!cluster.isDisposed) return cluster.use((scheduler) => ask(cluster, scheduler));
    }
  }

  /**
   * @param {string} name
   * @param {Surroundings} surroundings
   */
  async #get(name, surroundings) {
    const known = this.#alive(name);
    const { clock, limits } = this.#settings;
    const askedAt = (known ? this.#askedAt : this.#unknown).get(name) ?? -Infinity;
    if (clock.now() - askedAt < limits.refreshMs) return known && this.#touched(known);
    let refreshed = this.#underWay.get(name);
    if (!refreshed) {
      refreshed = this.#refresh(name, surroundings).finally(() => this.#underWay.delete(name));
      this.#underWay.set(name, refreshed);
      // The load continues after the client has gone: other requests may wait for it.
      surroundings.waitUntil(refreshed.catch(() => {}));
    }
    return refreshed;
  }

  /**
   * Loads a pushed snapshot, stores it, and then answers from it.
   * @param {string} name
   * @param {Uint8Array} content
   * @param {Surroundings & { signal: AbortSignal }} options
   * @returns {Promise<{ cluster: Cluster, isNew: boolean }>}
   * @throws {InputError} if it is not a List; also the store's ApiError
   */
  async put(name, content, { env, signal }) {
    const { snapshots, clock } = this.#settings;
    const etag = await etagOf(content);
    const time = clock.now();
    const parts = { name, etag, storeEtag: etag, bytes: content.length, time };
    const known = this.#alive(name);
    const load = () => this.#load(parts, content, signal);
    const loaded = known?.etag === etag ? undefined : await load();
    try {
      const pushed = { body: content, etag, time: new Date(time) };
      await snapshots.put?.(name, pushed, { env, signal });
    } catch (cause) {
      loaded?.retire();
      throw cause instanceof ApiError ? cause : unavailable(name, 'cannot be kept', cause);
    }
    const cluster = loaded ?? ((this.#alive(name) === known && known) || (await load()));
    Object.assign(cluster, { time, storeEtag: etag, isPushed: true, refreshFailure: undefined });
    return { cluster: this.#hold(cluster), isNew: known === undefined };
  }

  /** Disposes of all clusters. */
  dispose() {
    for (const cluster of this.#held.values()) cluster.retire();
    this.#held.clear();
    this.#askedAt.clear();
    this.#unknown.clear();
  }

  /**
   * @param {string} name
   * @param {Surroundings} surroundings
   */
  async #refresh(name, { env }) {
    const { clock, limits } = this.#settings;
    try {
      return await inTimeOrTimeout({ clock, timeoutMs: limits.timeoutMs }, (signal) =>
        this.#ask(name, env, signal),
      );
    } catch (cause) {
      if (OWN_FAULTS.some((fault) => cause instanceof fault)) throw cause;
      const known = this.#alive(name);
      if (!known)
        throw cause instanceof ApiError ? cause : unavailable(name, 'cannot be read', cause);
      known.refreshFailure = wordsOf(cause);
      return this.#hold(known);
    }
  }

  /**
   * @param {string} name
   * @param {any} env
   * @param {AbortSignal} signal
   * @returns {Promise<Cluster | undefined>}
   */
  async #ask(name, env, signal) {
    const { snapshots, clock, limits } = this.#settings;
    const known = this.#alive(name);
    const held = known?.storeEtag;
    const answer = await snapshots.get(name, { etag: held, env, signal });
    const found = await storedSnapshot(answer, { limit: limits.snapshotBytes, held, signal });
    // A snapshot that was pushed meanwhile is newer. If the cluster was evicted meanwhile, "not
    // modified" has nothing left to refer to.
    if (this.#alive(name) !== known) return this.#alive(name) ?? this.#ask(name, env, signal);
    const isSpreading = known?.isPushed && clock.now() - known.time < SPREADING;
    if (!found) return isSpreading ? this.#hold(known) : this.#isUnknown(name);
    const { bytes, etag: storeEtag, time } = found;
    const etag = storeEtag ? asEtag(storeEtag) : bytes && (await etagOf(bytes));
    // A globally distributed store may still return the snapshot before the pushed one.
    const isOlder = known?.isPushed && time !== undefined && time < known.time;
    if (known && (!bytes || etag === known.etag || isOlder)) {
      Object.assign(known, { refreshFailure: undefined, ...(!isOlder && time && { time }) });
      return this.#hold(known);
    }
    if (!bytes || !etag) throw new TypeError('a snapshot without a body');
    const parts = { name, etag, storeEtag, bytes: bytes.length, time: time ?? clock.now() };
    const loaded = await this.#load(parts, bytes, signal);
    const latest = this.#alive(name);
    if (!latest || latest === known) return this.#hold(loaded);
    loaded.retire();
    return latest;
  }

  /**
   * @param {ClusterParts} parts
   * @param {Uint8Array} content
   * @param {AbortSignal} signal
   */
  async #load(parts, content, signal) {
    const { schedulerOptions, clock } = this.#settings;
    const engine = await this.#settings.engine();
    signal.throwIfAborted();
    // The previous cluster answers during the load, if both fit in the limits.
    const before = this.#held.get(parts.name);
    if (before) {
      const others = [...this.#held.keys()].filter((name) => name !== parts.name);
      this.#makeRoom({ clusters: 0, objects: before.objects }, [...others, parts.name]);
    }
    const options = { keepObjects: false, ...schedulerOptions, clock };
    return Cluster.load(parts, { engine, options, content, signal });
  }

  /**
   * Returns the loaded cluster, unless its engine has stopped.
   * @param {string} name
   */
  #alive(name) {
    const cluster = this.#held.get(name);
    if (!cluster || cluster.isAlive) return cluster;
    this.#drop(name);
    return undefined;
  }

  /** @param {string} name @returns {undefined} */
  #drop(name) {
    this.#held.get(name)?.retire();
    this.#held.delete(name);
    this.#askedAt.delete(name);
  }

  /** @param {string} name a name that the store has no snapshot of @returns {undefined} */
  #isUnknown(name) {
    this.#drop(name);
    this.#unknown.delete(name);
    this.#unknown.set(name, this.#settings.clock.now());
    if (this.#unknown.size <= UNKNOWN_NAMES) return;
    const [earliest] = this.#unknown.keys();
    this.#unknown.delete(earliest);
  }

  /**
   * @template {Cluster} T
   * @param {T} cluster
   * @returns {T}
   */
  #hold(cluster) {
    this.#unknown.delete(cluster.name);
    const before = this.#held.get(cluster.name);
    if (before && before !== cluster) before.retire();
    this.#askedAt.set(cluster.name, this.#settings.clock.now());
    this.#touched(cluster);
    this.#makeRoom({ clusters: 0, objects: 0 }, [...this.#held.keys()].slice(0, -1));
    return cluster;
  }

  /**
   * Evicts the least recently used clusters until the rest and the new one are within the limits.
   * @param {{ clusters: number, objects: number }} coming
   * @param {string[]} names those that may be evicted, in that order
   */
  #makeRoom(coming, names) {
    const { clusters, objects } = this.#settings.limits;
    for (const name of names) {
      const held = [...this.#held.values()].reduce((sum, cluster) => sum + cluster.objects, 0);
      if (this.#held.size + coming.clusters <= clusters && held + coming.objects <= objects) break;
      this.#drop(name);
    }
  }

  /**
   * @template {Cluster} T
   * @param {T} cluster
   * @returns {T}
   */
  #touched(cluster) {
    this.#held.delete(cluster.name);
    this.#held.set(cluster.name, cluster);
    return cluster;
  }
}

/**
 * @param {string} name
 * @param {string} what
 * @param {unknown} cause
 */
function unavailable(name, what, cause) {
  const message = `the snapshot of cluster "${name}" ${what}: ${wordsOf(cause)}`;
  return failure(503, 'ServiceUnavailable', message, { kind: 'snapshots', name });
}
