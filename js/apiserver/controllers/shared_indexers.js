import { Indexer } from './indexer.js';

/** @import { Store } from './controller_types.js' */

/** @type {WeakMap<Store, SharedIndexers>} */
const byStore = new WeakMap();

/**
 * One view of each resource for all controllers of a store.
 * Counterpart: k8s.io/client-go/informers, v1.36 (SharedInformerFactory).
 */
export class SharedIndexers {
  #store;
  /** @type {Map<string, Indexer>} */
  #indexers = new Map();
  #users = 0;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /**
   * Returns those of a store for one more user.
   * @param {Store} store
   */
  static of(store) {
    const shared = byStore.get(store) ?? new SharedIndexers(store);
    byStore.set(store, shared);
    shared.#users += 1;
    return shared;
  }

  /** @param {string} resource its plural */
  get(resource) {
    const known = this.#indexers.get(resource);
    if (known) return known;
    const indexer = new Indexer(this.#store, resource);
    this.#indexers.set(resource, indexer);
    return indexer;
  }

  /** Releases one use; the last one ends the indexers. */
  release() {
    this.#users -= 1;
    if (this.#users > 0) return;
    byStore.delete(this.#store);
    for (const indexer of this.#indexers.values()) indexer.stop();
    this.#indexers.clear();
  }
}
