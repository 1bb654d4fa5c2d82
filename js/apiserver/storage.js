/**
 * Stores objects by resource and key, with one counter of resourceVersions, and keeps the latest
 * events of each resource, as etcd and the watch cache do for kube-apiserver.
 */
import { deepFreeze } from './frozen.js';
import { SortedKeys } from './sorted_keys.js';

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

/** Objects by key; undefined where there was none. */
/** @typedef {Map<string, KubernetesObject | undefined>} StorageState */

/** The objects and events of one resource. */
class Table {
  /** @type {Map<string, KubernetesObject>} */
  objects = new Map();
  keys = new SortedKeys();
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
    const { keys } = this.#table(resource);
    return keys.all.slice(keys.indexOf(prefix), keys.endOf(prefix));
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
    if (!previous) table.keys.add(key);
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
    table.keys.delete(key);
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
   * Returns the objects as of a version, by key in order, or null if that is no longer known. The
   * time depends on the later changes and the entries that are read, not on the other objects.
   * @param {string} resource
   * @param {number} resourceVersion
   * @param {{ prefix?: string, start?: string }} [range] the prefix of the keys, and the least key
   * @returns {{ entries: Iterable<[string, KubernetesObject]>, count: number } | null} read the
   *   entries before the next write
   */
  at(resource, resourceVersion, { prefix = '', start = prefix } = {}) {
    const later = this.eventsAfter(resource, resourceVersion);
    if (!later) return null;
    const { objects, keys } = this.#table(resource);
    /** The state of changed objects at that version. @type {StorageState} */
    const then = new Map();
    for (const { key, previous } of later.reverse())
      if (key >= start && key.startsWith(prefix)) then.set(key, previous);
    const removed = [...then.keys()].filter((key) => then.get(key) && !objects.has(key)).sort();
    const added = [...then.keys()].filter((key) => !then.get(key) && objects.has(key));
    const range = { keys: keys.all, from: keys.indexOf(start), end: keys.endOf(prefix) };
    return {
      entries: entriesOf(range, removed, (key) => (then.has(key) ? then : objects).get(key)),
      count: range.end - range.from + removed.length - added.length,
    };
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
 * Merges a range of ordered keys with others.
 * @param {{ keys: string[], from: number, end: number }} range
 * @param {string[]} others in order
 * @param {(key: string) => KubernetesObject | undefined} objectOf keys without an object are left
 *   out
 * @returns {Generator<[string, KubernetesObject], void>}
 */
function* entriesOf({ keys, from, end }, others, objectOf) {
  let [at, other] = [from, 0];
  while (at < end || other < others.length) {
    const isOther = at >= end || others[other] < keys[at];
    const key = isOther ? others[other++] : keys[at++];
    const object = objectOf(key);
    if (object) yield [key, object];
  }
}
