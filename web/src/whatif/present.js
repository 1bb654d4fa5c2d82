/**
 * The present cluster as a scheduler of its own, of which futures are forks. It has the world's
 * objects and settings, and binds and evicts by itself.
 */
import { pause } from '../../../js/src/index.js';
import { kindsWatchedWith } from '../../../js/src/informer.js';
import { keyOf } from '../../../js/src/kubernetes.js';
import { Future, hasOnlyInTreeFilters, Population } from '../../../js/src/whatif.js';

/**
 * @import { KubernetesObject, Scheduler, WatchEvent } from '../../../js/src/index.js'
 * @import { World } from '../world/world.js'
 */

/**
 * The present, after the scheduler has tried all pending pods. `moved`: the pods that this placed
 * or evicted; `undecided`: how many of them were pending. `signal` aborts when the world changes.
 * @typedef {object} Base
 * @property {Scheduler} scheduler
 * @property {Population} population
 * @property {Set<string>} moved `namespace/name`
 * @property {number} undecided
 * @property {boolean} onlyInTree whether only kube-scheduler's own plugins filter nodes, as they
 *   do by default
 * @property {AbortSignal} signal
 */

/** The number of objects read so far. @typedef {{ done: number, total: number }} Loaded */

/** The number of objects that are applied between two pauses. */
const AT_ONCE = 1000;

/** Ended pods do not count. */
const RUNNING = 'status.phase!=Succeeded,status.phase!=Failed';

export class Present {
  #world;
  #settings;
  /** The world's objects, without any decision. @type {Scheduler} */
  #mirror;
  /** Changes of the world that the mirror lacks, the latest of each object. */
  #news = new Map(/** @type {Iterable<[string, WatchEvent]>} */ ([]));
  /** @type {(() => void)[]} */
  #ends = [];
  /** @type {(Base & { stop: AbortController, uses: Set<Promise<unknown>> }) | undefined} */
  #base;
  /** Questions wait for the one that prepares the base. @type {Promise<unknown>} */
  #turn = Promise.resolve();

  /**
   * Reads a world.
   * @param {World} world
   * @param {(loaded: Loaded) => unknown} [onLoaded] gets the number of objects read so far
   * @returns {Promise<Present>}
   */
  static async of(world, onLoaded = () => {}) {
    const present = new Present(world, await world.simulation());
    await present.#load(onLoaded);
    return present;
  }

  /**
   * Use `of`.
   * @param {World} world
   * @param {Scheduler} mirror
   */
  constructor(world, mirror) {
    this.#world = world;
    this.#settings = world.settings;
    this.#mirror = mirror;
  }

  /**
   * Asks a question about the world as it is now.
   * @template T
   * @param {(base: Base) => Promise<T>} question
   * @returns {Promise<T>} rejects with an AbortError if the world changes meanwhile and the
   *   question heeds the base's signal
   */
  async ask(question) {
    const ready = this.#turn.then(() => this.#upToDate());
    this.#turn = ready.catch(() => {});
    const base = await ready;
    const use = question(base);
    base.uses.add(use);
    return use.finally(() => base.uses.delete(use));
  }

  /** Ends all questions. */
  async dispose() {
    this.#ends.forEach((end) => end());
    await this.#turn;
    await this.#retire();
    this.#mirror.dispose();
  }

  /** @param {(loaded: Loaded) => unknown} onLoaded */
  async #load(onLoaded) {
    const { store } = this.#world.server;
    const kinds = kindsWatchedWith(this.#settings.featureGates);
    const objects = kinds.flatMap(({ resource }) => {
      this.#ends.push(store.subscribe(resource, (event) => this.#heard(resource, event)));
      return store.list(resource, resource === 'pods' ? { fieldSelector: RUNNING } : {});
    });
    for (let done = 0; done < objects.length; done += AT_ONCE) {
      onLoaded({ done, total: objects.length });
      this.#mirror.apply(objects.slice(done, done + AT_ONCE).map(withoutManagers));
      await pause();
    }
    onLoaded({ done: objects.length, total: objects.length });
  }

  /**
   * @param {string} resource
   * @param {{ type: string, object: KubernetesObject }} event
   */
  #heard(resource, { type, object }) {
    const hasEnded = ['Succeeded', 'Failed'].includes(object.status?.phase);
    const isGone = type === 'DELETED' || (resource === 'pods' && hasEnded);
    const change = /** @type {WatchEvent} */ ({
      type: isGone ? 'DELETED' : 'MODIFIED',
      object: withoutManagers(object),
    });
    this.#news.set(`${resource} ${keyOf(object)} ${object.metadata.uid}`, change);
  }

  async #upToDate() {
    if (this.#base && this.#news.size === 0) return this.#base;
    await this.#retire();
    const news = [...this.#news.values()];
    this.#news.clear();
    // A pod's successor of the same name comes after the pod is gone.
    const gone = news.filter(({ type }) => type === 'DELETED');
    this.#mirror.apply([...gone, ...news.filter(({ type }) => type !== 'DELETED')]);
    const scheduler = this.#mirror.fork();
    const future = new Future(scheduler, new Population(this.#mirror));
    await future.settle();
    const moved = new Set([...future.moving, ...future.gone]);
    for (const { pod } of future.decisions) moved.add(pod);
    const isPending = (/** @type {string} */ pod) =>
      this.#mirror.get('Pod', pod)?.spec.nodeName === undefined;
    const undecided = [...moved].filter(isPending).length;
    const stop = new AbortController();
    const population = new Population(scheduler);
    const { signal } = stop;
    const onlyInTree = hasOnlyInTreeFilters(this.#settings);
    const known = { scheduler, population, moved, undecided, onlyInTree, signal };
    this.#base = { ...known, stop, uses: new Set() };
    return this.#base;
  }

  async #retire() {
    const base = this.#base;
    this.#base = undefined;
    base?.stop.abort();
    await Promise.allSettled(base?.uses ?? []);
    base?.scheduler.dispose();
  }
}

/**
 * No scheduler reads managedFields, which are half of an object.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
function withoutManagers({ metadata: { managedFields, ...metadata }, ...rest }) {
  return { ...rest, metadata };
}
