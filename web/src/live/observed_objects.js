/**
 * Turns the lines of lists and watches into one observation per object. Only keys are kept, to find
 * out which objects are missing from a list.
 */
import { keyOf, splitKey } from '../../../js/src/kubernetes.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/**
 * `isFirst`: the object existed before its resource was first listed completely.
 * @typedef {{ type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject, isFirst: boolean
 *   }} Observation
 */

/** @typedef {(observation: Observation) => void} Observer */

/**
 * The state of a resource: the keys of its objects; the keys that the list under way has not
 * delivered yet; whether a list has been completed.
 * @typedef {{ keys: Set<string>, missing: Set<string> | undefined, hasSynced: boolean }} Known
 */

export class ObservedObjects {
  /** @type {Map<string, Known>} */
  #known = new Map();
  /** @type {Map<string, Set<Observer>>} */
  #observers = new Map();

  /** Always empty: observers subscribe before the first line arrives. @returns {never[]} */
  list() {
    return [];
  }

  /**
   * @param {string} resource the plural, such as `pods`
   * @param {Observer} observer
   * @returns {() => void} ends it
   */
  subscribe(resource, observer) {
    const observers = this.#observers.get(resource) ?? new Set();
    this.#observers.set(resource, observers.add(observer));
    return () => void observers.delete(observer);
  }

  /**
   * Takes lines from informers. Lines of a resource without observers are not parsed.
   * @param {Uint8Array} lines
   * @param {string} resource
   */
  take(lines, resource) {
    if (!this.#observers.has(resource)) return;
    for (const line of new TextDecoder().decode(lines).split('\n'))
      if (line !== '') this.#takeLine(JSON.parse(line), resource);
  }

  /**
   * @param {any} line
   * @param {string} resource
   */
  #takeLine(line, resource) {
    const known = this.#known.get(resource) ?? {
      keys: new Set(),
      missing: undefined,
      hasSynced: false,
    };
    this.#known.set(resource, known);
    if (Array.isArray(line.items)) {
      for (const object of line.items) this.#see(resource, known, object);
      return;
    }
    switch (line.type) {
      case 'SYNC_BEGIN':
        known.missing = new Set(known.keys);
        return;
      case 'SYNC_END':
        for (const key of known.missing ?? []) this.#forget(resource, known, objectOf(key));
        known.missing = undefined;
        known.hasSynced = true;
        return;
      case 'DELETED':
        this.#forget(resource, known, line.object);
        return;
      case 'ADDED':
      case 'MODIFIED':
        this.#see(resource, known, line.object);
    }
  }

  /**
   * @param {string} resource
   * @param {Known} known
   * @param {KubernetesObject} object
   */
  #see(resource, known, object) {
    const key = keyOf(object);
    const type = known.keys.has(key) ? 'MODIFIED' : 'ADDED';
    known.keys.add(key);
    known.missing?.delete(key);
    this.#tell(resource, { type, object, isFirst: !known.hasSynced });
  }

  /**
   * @param {string} resource
   * @param {Known} known
   * @param {KubernetesObject} object
   */
  #forget(resource, known, object) {
    if (known.keys.delete(keyOf(object)))
      this.#tell(resource, { type: 'DELETED', object, isFirst: false });
  }

  /**
   * @param {string} resource
   * @param {Observation} observation
   */
  #tell(resource, observation) {
    for (const observer of this.#observers.get(resource) ?? []) observer(observation);
  }
}

/** @param {string} key @returns {KubernetesObject} an object with nothing but its key */
function objectOf(key) {
  const { namespace, name } = splitKey(key);
  return { metadata: { name, ...(namespace && { namespace }) } };
}
