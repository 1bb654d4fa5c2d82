/**
 * Stores objects by resource and key, with one counter of resourceVersions, and keeps the latest
 * events of each resource, as etcd and the watch cache do for kube-apiserver.
 */
import { deepFreeze } from './frozen.js';

/** @import { KubernetesObject } from '../src/kubernetes/types.js' */

/**
 * A change. `object` is the state after it (for `DELETED` the last one, with the resourceVersion of
 * the deletion), `previous` the one before. Objects are frozen.
 * @typedef {object} StorageEvent
 * @property {'ADDED' | 'MODIFIED' | 'DELETED'} type
 * @property {KubernetesObject} object
 * @property {KubernetesObject} [previous]
 * @property {string} resource
 * @property {string} key
 * @property {number} resourceVersion
 */

/** @typedef {(event: StorageEvent) => void} StorageListener */

/** The objects and events of one resource. */
class Table {
  /** @type {Map<string, KubernetesObject>} */
  objects = new Map();
  /** Keys in order; null if they have to be sorted again. @type {string[] | null} */
  keys = [];
  /** The latest events, oldest first, from `head` on. @type {StorageEvent[]} */
  events = [];
  head = 0;
  /** The newest resourceVersion whose event is no longer kept. */
  compacted = 0;
  /** @type {Set<StorageListener>} */
  listeners = new Set();
}

export class Storage {
  #history;
  #resourceVersion;
  #first;
  /** @type {Map<string, Table>} */
  #tables = new Map();
  /** Events that have not been delivered to the listeners yet. @type {StorageEvent[]} */
  #undelivered = [];
  #isTelling = false;

  /**
   * @param {{ history: number, resourceVersion: number }} options the number of events that are
   *   kept of each resource, and the version before the first
   */
  constructor({ history, resourceVersion }) {
    this.#history = history;
    this.#resourceVersion = resourceVersion;
    this.#first = resourceVersion;
  }

  /** The version of the latest change of any resource. */
  get resourceVersion() {
    return this.#resourceVersion;
  }

  /**
   * @param {string} resource
   * @param {string} key
   */
  get(resource, key) {
    return this.#table(resource).objects.get(key);
  }

  /**
   * Returns the objects whose keys start with `prefix`, in the order of their keys.
   * @param {string} resource
   * @param {string} [prefix]
   * @returns {KubernetesObject[]}
   */
  list(resource, prefix = '') {
    const { objects } = this.#table(resource);
    return this.keys(resource, prefix).map(
      (key) => /** @type {KubernetesObject} */ (objects.get(key)),
    );
  }

  /**
   * @param {string} resource
   * @param {string} [prefix]
   * @returns {string[]} in order
   */
  keys(resource, prefix = '') {
    const table = this.#table(resource);
    table.keys ??= [...table.objects.keys()].sort(byText);
    if (prefix === '') return [...table.keys];
    const start = lowerBound(table.keys, prefix);
    let end = start;
    while (end < table.keys.length && table.keys[end].startsWith(prefix)) end++;
    return table.keys.slice(start, end);
  }

  /** @param {string} resource */
  count(resource) {
    return this.#table(resource).objects.size;
  }

  /**
   * Stores an object under the next resourceVersion, and notifies the listeners.
   * @param {string} resource
   * @param {string} key
   * @param {KubernetesObject} object it is frozen, including its contents
   * @returns {KubernetesObject} the stored object
   */
  put(resource, key, object) {
    const table = this.#table(resource);
    const previous = table.objects.get(key);
    const stored = this.#versioned(object);
    table.objects.set(key, stored);
    if (!previous) this.#insertKey(table, key);
    this.#record(table, {
      type: previous ? 'MODIFIED' : 'ADDED',
      object: stored,
      previous,
      resource,
      key,
      resourceVersion: this.#resourceVersion,
    });
    return stored;
  }

  /**
   * @param {string} resource
   * @param {string} key of an existing object
   * @param {KubernetesObject} [last] its last state, if that differs from the stored one
   * @returns {KubernetesObject} the last state, with the resourceVersion of the deletion
   */
  remove(resource, key, last) {
    const table = this.#table(resource);
    const previous = /** @type {KubernetesObject} */ (table.objects.get(key));
    const object = this.#versioned(last ?? previous);
    table.objects.delete(key);
    table.keys?.splice(lowerBound(table.keys, key), 1);
    const { resourceVersion } = this;
    this.#record(table, { type: 'DELETED', object, previous, resource, key, resourceVersion });
    return object;
  }

  /**
   * Returns the events after a version, or null if some of them are no longer kept.
   * @param {string} resource
   * @param {number} resourceVersion
   * @returns {StorageEvent[] | null}
   */
  eventsAfter(resource, resourceVersion) {
    const { events, head } = this.#table(resource);
    if (resourceVersion < this.compacted(resource)) return null;
    let first = events.length;
    while (first > head && events[first - 1].resourceVersion > resourceVersion) first--;
    return events.slice(first);
  }

  /**
   * Returns the objects as of a version, by key in order, or null if that is no longer known.
   * @param {string} resource
   * @param {number} resourceVersion
   * @param {string} [prefix] of their keys
   * @returns {[string, KubernetesObject][] | null}
   */
  at(resource, resourceVersion, prefix = '') {
    const later = this.eventsAfter(resource, resourceVersion);
    if (!later) return null;
    const { objects } = this.#table(resource);
    if (later.length === 0) {
      return this.keys(resource, prefix).map((key) => [
        key,
        /** @type {KubernetesObject} */ (objects.get(key)),
      ]);
    }
    const then = new Map(objects);
    for (const { key, previous } of later.reverse()) {
      if (previous) then.set(key, previous);
      else then.delete(key);
    }
    const entries = [...then].filter(([key]) => key.startsWith(prefix));
    return entries.sort(([a], [b]) => byText(a, b));
  }

  /**
   * The newest version from which no watch can resume, or the one before the first.
   * @param {string} resource
   */
  compacted(resource) {
    return Math.max(this.#first, this.#table(resource).compacted);
  }

  /** Deletes all events: requests that resume from an older version get a 410. */
  compact() {
    this.#first = this.#resourceVersion;
    for (const table of this.#tables.values()) {
      table.events = [];
      table.head = 0;
    }
  }

  /**
   * Continues from a version if it is later than the current one; earlier ones are then unknown.
   * @param {number} resourceVersion
   */
  advanceTo(resourceVersion) {
    if (resourceVersion <= this.#resourceVersion) return;
    this.#resourceVersion = resourceVersion;
    this.#first = resourceVersion;
  }

  /**
   * Calls a listener for every later change. All listeners receive changes in the order of their
   * versions: a write by a listener is delivered after the current change. An exception of a
   * listener is thrown to the writer after all listeners were called.
   * @param {string} resource
   * @param {StorageListener} listener
   * @returns {() => void} ends the subscription
   */
  subscribe(resource, listener) {
    const { listeners } = this.#table(resource);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** @param {string} resource */
  #table(resource) {
    let table = this.#tables.get(resource);
    if (!table) this.#tables.set(resource, (table = new Table()));
    return table;
  }

  /** @param {KubernetesObject} object */
  #versioned(object) {
    this.#resourceVersion += 1;
    const resourceVersion = String(this.#resourceVersion);
    return deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion } });
  }

  /**
   * @param {Table} table
   * @param {string} key
   */
  #insertKey(table, key) {
    const { keys } = table;
    if (keys && (keys.length === 0 || byText(keys[keys.length - 1], key) < 0)) keys.push(key);
    else table.keys = null;
  }

  /**
   * @param {Table} table
   * @param {StorageEvent} event
   */
  #record(table, event) {
    table.events.push(event);
    if (table.events.length - table.head > this.#history) {
      table.compacted = table.events[table.head].resourceVersion;
      table.head += 1;
    }
    if (table.head > this.#history) {
      table.events = table.events.slice(table.head);
      table.head = 0;
    }
    this.#undelivered.push(event);
    this.#deliver();
  }

  #deliver() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    /** @type {unknown[]} */
    const faults = [];
    for (let event; (event = this.#undelivered.shift());) {
      for (const listener of [...this.#table(event.resource).listeners]) {
        try {
          listener(event);
        } catch (fault) {
          faults.push(fault);
        }
      }
    }
    this.#isTelling = false;
    if (faults.length > 0) throw faults[0];
  }
}

/**
 * Keys are ASCII, so this is the order of their bytes.
 * @param {string} a
 * @param {string} b
 */
function byText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * @param {string[]} keys
 * @param {string} key
 */
function lowerBound(keys, key) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
