import { keyOf } from '../../src/kubernetes/keys.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Store } from './controller_types.js'
 */

/**
 * Gets a change of an object: `before` is absent for a new one, `after` for a deleted one.
 * @typedef {(after: KubernetesObject | undefined, before: KubernetesObject | undefined) => void}
 *   Handler
 */

/** @typedef {(object: KubernetesObject) => string[]} IndexFunction */

/**
 * A controller's view of one resource: its objects by key and by index, updated by the store.
 * Objects are shared and must not be changed.
 * Counterpart: k8s.io/client-go/tools/cache, v1.36 (Indexer, SharedIndexInformer).
 */
export class Indexer {
  /** @type {Map<string, KubernetesObject>} */
  #objects = new Map();
  /** Keys by value. @type {Map<string, { valuesOf: IndexFunction, keys: Map<string,
   *   Set<string>> }>} */
  #indices = new Map();
  /** @type {Set<Handler>} */
  #handlers = new Set();
  #unsubscribe;

  /**
   * @param {Store} store
   * @param {string} resource
   */
  constructor(store, resource) {
    this.#unsubscribe = store.subscribe(resource, ({ type, object }) => {
      if (type === 'DELETED') this.#remove(object);
      else this.#put(object);
    });
    for (const object of store.list(resource)) this.#put(object);
  }

  /** Ends the subscription to the store. */
  stop() {
    this.#unsubscribe();
  }

  /**
   * @param {string} key `namespace/name`, or the name of a cluster-scoped object
   */
  get(key) {
    return this.#objects.get(key);
  }

  /** All objects, in the order of their arrival. */
  list() {
    return [...this.#objects.values()];
  }

  /**
   * Adds an index. An existing one stays: all users of a name mean the same index.
   * @param {string} name
   * @param {IndexFunction} valuesOf
   */
  addIndex(name, valuesOf) {
    if (this.#indices.has(name)) return;
    const index = { valuesOf, keys: new Map() };
    this.#indices.set(name, index);
    for (const [key, object] of this.#objects)
      for (const value of valuesOf(object)) link(index.keys, value, key);
  }

  /**
   * Returns the objects with a value of an index, in the order in which they got it.
   * @param {string} name
   * @param {string} value
   */
  byIndex(name, value) {
    const objects = [];
    for (const key of this.#keys(name, value) ?? []) objects.push(this.#objects.get(key));
    return /** @type {KubernetesObject[]} */ (objects);
  }

  /**
   * Returns their number.
   * @param {string} name
   * @param {string} value
   */
  countByIndex(name, value) {
    return this.#keys(name, value)?.size ?? 0;
  }

  /**
   * Calls the handler at once for existing objects.
   * @param {Handler} handler
   * @returns {() => void} ends the calls
   */
  addEventHandler(handler) {
    this.#handlers.add(handler);
    for (const object of this.#objects.values()) handler(object, undefined);
    return () => void this.#handlers.delete(handler);
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #keys(name, value) {
    const index = this.#indices.get(name);
    if (index === undefined) throw new TypeError(`there is no index ${name}`);
    return index.keys.get(value);
  }

  /** @param {KubernetesObject} object */
  #put(object) {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    this.#index(key, object, before);
    for (const handler of this.#handlers) handler(object, before);
  }

  /** @param {KubernetesObject} object in its last state */
  #remove(object) {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#objects.delete(key);
    this.#index(key, undefined, before);
    for (const handler of this.#handlers) handler(undefined, object);
  }

  /**
   * @param {string} key
   * @param {KubernetesObject | undefined} after
   * @param {KubernetesObject | undefined} before
   */
  #index(key, after, before) {
    for (const { valuesOf, keys } of this.#indices.values()) {
      const now = after ? valuesOf(after) : NONE;
      const then = before ? valuesOf(before) : NONE;
      for (const value of then) if (!now.includes(value)) unlink(keys, value, key);
      for (const value of now) if (!then.includes(value)) link(keys, value, key);
    }
  }
}

/** @type {string[]} */
const NONE = [];

/**
 * @param {Map<string, Set<string>>} keys
 * @param {string} value
 * @param {string} key
 */
function link(keys, value, key) {
  const set = keys.get(value);
  if (set) set.add(key);
  else keys.set(value, new Set([key]));
}

/**
 * @param {Map<string, Set<string>>} keys
 * @param {string} value
 * @param {string} key
 */
function unlink(keys, value, key) {
  const set = keys.get(value);
  set?.delete(key);
  if (set?.size === 0) keys.delete(value);
}
