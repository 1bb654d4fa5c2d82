/** Keeps the cluster's classes that defaults are taken from. */

/** @import { KubernetesObject } from './types.js' */

/** The PriorityClasses that every cluster has. */
const SYSTEM_CLASSES = [
  { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 },
  { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
];

/**
 * Whether it is a built-in class that was not applied by the user.
 * @param {KubernetesObject} object
 */
export function isSystemClass(object) {
  return SYSTEM_CLASSES.some((one) => one === object);
}

/** Either annotation marks the default StorageClass. */
const DEFAULT_MARKS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/**
 * Objects of one kind, by name.
 * @implements {Iterable<KubernetesObject>}
 */
class Classes {
  /** @type {Map<string, KubernetesObject>} */
  #byName = new Map();

  /** @param {Iterable<KubernetesObject>} [classes] */
  constructor(classes = []) {
    for (const object of classes) this.change(object, 'set');
  }

  /**
   * @param {KubernetesObject} object
   * @param {'set' | 'delete'} change
   */
  change(object, change) {
    if (change === 'set') this.#byName.set(object.metadata?.name, object);
    else this.#byName.delete(object.metadata?.name);
  }

  /** @param {string} name */
  get(name) {
    return this.#byName.get(name);
  }

  /** @returns {IterableIterator<KubernetesObject>} */
  [Symbol.iterator]() {
    return this.#byName.values();
  }
}

/** PriorityClasses by name, including the two of the system. */
export class PriorityClasses extends Classes {
  /** @param {Iterable<KubernetesObject>} [classes] */
  constructor(classes = []) {
    super([...SYSTEM_CLASSES, ...classes]);
  }

  /**
   * Returns the class of pods that name none: of several defaults the lowest, as in the API server.
   */
  globalDefault() {
    const marked = [...this].filter((object) => object.globalDefault === true);
    return marked.sort((a, b) => a.value - b.value)[0];
  }
}

/** StorageClasses by name. */
export class StorageClasses extends Classes {
  /**
   * Returns the class of claims that name none: of several defaults the newest, then the first by
   * name, as in the API server. A class without a creation time was written by hand and counts as
   * the newest.
   */
  globalDefault() {
    const marked = [...this].filter(({ metadata }) =>
      DEFAULT_MARKS.some((mark) => metadata?.annotations?.[mark] === 'true'),
    );
    const timeOf = (/** @type {KubernetesObject} */ { metadata }) =>
      Date.parse(metadata.creationTimestamp) || Infinity;
    return marked.sort(
      (a, b) => timeOf(b) - timeOf(a) || (a.metadata.name < b.metadata.name ? -1 : 1),
    )[0];
  }
}
