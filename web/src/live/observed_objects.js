/**
 * The objects of a cluster as lists and watches bring them, told one by one. Only their names are
 * kept, so that a list can tell which are gone.
 */

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/**
 * `isFirst`: it was there before anybody looked.
 * @typedef {{ type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject, isFirst: boolean
 *   }} Observation
 */

/** @typedef {(observation: Observation) => void} Observer */

/**
 * What is known of a resource: the names; those that the list under way has not named yet; whether
 * a list has come to its end.
 * @typedef {{ names: Set<string>, missing: Set<string> | undefined, hasSynced: boolean }} Known
 */

export class ObservedObjects {
  /** @type {Map<string, Known>} */
  #known = new Map();
  /** @type {Map<string, Set<Observer>>} */
  #observers = new Map();

  /** Nobody has missed anything who subscribes before the first line. @returns {never[]} */
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
   * Lines as informers bring them; those that nobody asks about are not read.
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
      names: new Set(),
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
        known.missing = new Set(known.names);
        return;
      case 'SYNC_END':
        for (const name of known.missing ?? []) this.#forget(resource, known, objectNamed(name));
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
    const name = nameOf(object);
    const type = known.names.has(name) ? 'MODIFIED' : 'ADDED';
    known.names.add(name);
    known.missing?.delete(name);
    this.#tell(resource, { type, object, isFirst: !known.hasSynced });
  }

  /**
   * @param {string} resource
   * @param {Known} known
   * @param {KubernetesObject} object
   */
  #forget(resource, known, object) {
    if (known.names.delete(nameOf(object)))
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

/** @param {KubernetesObject} object `namespace/name`, or the name of what is in no namespace */
function nameOf({ metadata: { namespace, name } }) {
  return namespace ? `${namespace}/${name}` : name;
}

/** @param {string} text @returns {KubernetesObject} as much of it as its name tells */
function objectNamed(text) {
  const [name, namespace] = text.split('/').reverse();
  return { metadata: { name, ...(namespace && { namespace }) } };
}
