/** The clusters that are held, each loaded once per etag. */
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

/** How many names without a snapshot are remembered. */
const UNKNOWN_NAMES = 1_000;

/** No other snapshot would mend these. */
const OWN_FAULTS = [ConfigurationError, EngineError, LoadError];

/**
 * What came with a request besides it: bindings, and how to go on when the answer is out.
 * @typedef {{ env?: any, waitUntil: (work: Promise<unknown>) => void }} Surroundings
 */

/** Clusters keeps few schedulers alive: those that were used last. */
export class Clusters {
  /** The least recently used first. @type {Map<string, Cluster>} */
  #held = new Map();
  /** When the store was last asked: milliseconds since the epoch. @type {Map<string, number>} */
  #askedAt = new Map();
  /** When the store had no snapshot of a name; the earliest first. @type {Map<string, number>} */
  #unknown = new Map();
  /** @type {Map<string, Promise<Cluster | undefined>>} */
  #underWay = new Map();
  #settings;

  /** @param {EdgeSettings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /** How many are held. */
  get size() {
    return this.#held.size;
  }

  /**
   * Asks the newest snapshot of a cluster, as far as it is known. Requests that come while it is
   * loaded wait for the same.
   * @template T
   * @param {string} name
   * @param {Surroundings} surroundings
   * @param {(cluster: Cluster, scheduler: Scheduler) => T | Promise<T>} ask
   * @returns {Promise<T | undefined>} undefined: there is none
   * @throws {ApiError} ServiceUnavailable: there is one, and it cannot be had
   */
  async use(name, surroundings, ask) {
    for (;;) {
      const cluster = await this.#get(name, surroundings);
      if (!cluster) return undefined;
      // Another that was loaded at the same time may have taken its place.
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
      // Others may wait for it when whoever asked has gone.
      surroundings.waitUntil(refreshed.catch(() => {}));
    }
    return refreshed;
  }

  /**
   * Takes a snapshot that was pushed: it is loaded, kept by the store, and then the one that
   * answers.
   * @param {string} name
   * @param {Uint8Array} content
   * @param {Surroundings & { signal: AbortSignal }} options
   * @returns {Promise<{ cluster: Cluster, isNew: boolean }>}
   * @throws {InputError} when it is no List; and an ApiError of the store
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

  /** Frees all of them. */
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
    // What was pushed meanwhile is newer; what was let go of cannot be what is still the same.
    if (this.#alive(name) !== known) return this.#alive(name) ?? this.#ask(name, env, signal);
    if (!found) return this.#isUnknown(name);
    const { bytes, etag: storeEtag, time } = found;
    const etag = storeEtag ? asEtag(storeEtag) : bytes && (await etagOf(bytes));
    // Stores that are spread over the world may still have the one before.
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
    // The one before answers meanwhile, where there is room for both.
    const before = this.#held.get(parts.name);
    if (before) {
      const others = [...this.#held.keys()].filter((name) => name !== parts.name);
      this.#makeRoom({ clusters: 0, objects: before.objects }, [...others, parts.name]);
    }
    const options = { keepObjects: false, ...schedulerOptions, clock };
    return Cluster.load(parts, { engine, options, content, signal });
  }

  /**
   * The one that is held, unless its engine has stopped itself.
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

  /** @param {string} name of which the store has no snapshot @returns {undefined} */
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
   * Lets go of what was not used for the longest time, until the others and what comes are few
   * enough.
   * @param {{ clusters: number, objects: number }} coming
   * @param {string[]} names that may go, in that order
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
