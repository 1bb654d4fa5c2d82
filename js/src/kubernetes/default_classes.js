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

/** @param {KubernetesObject} storageClass */
export function isDefaultStorageClass({ metadata }) {
  return DEFAULT_MARKS.some((mark) => metadata?.annotations?.[mark] === 'true');
}

/**
 * Objects of one kind, by name.
 * @implements {Iterable<KubernetesObject>}
 */
class Classes {
  /** @type {Map<string, KubernetesObject>} */
  #byName = new Map();
  /** The default, once it was looked for. @type {{ found?: KubernetesObject } | undefined} */
  #default;

  /**
   * Returns these classes themselves if they are kept by name already.
   * @template T
   * @this {new (classes?: Iterable<KubernetesObject>) => T}
   * @param {Iterable<KubernetesObject>} [classes]
   * @returns {T}
   */
  static of(classes) {
    return classes instanceof this ? classes : new this(classes);
  }

  /** @param {Iterable<KubernetesObject>} [classes] */
  constructor(classes = []) {
    for (const object of classes) this.change(object, 'set');
  }

  /**
   * @param {KubernetesObject} object
   * @param {'set' | 'delete'} change
   */
  change(object, change) {
    this.#default = undefined;
    if (change === 'set') this.#byName.set(object.metadata?.name, object);
    else this.#byName.delete(object.metadata?.name);
  }

  /** @param {string} name */
  get(name) {
    return this.#byName.get(name);
  }

  /** The class of objects that name none. @returns {KubernetesObject | undefined} */
  globalDefault() {
    this.#default ??= { found: this.findDefault() };
    return this.#default.found;
  }

  /** @abstract @protected @returns {KubernetesObject | undefined} */
  findDefault() {
    return undefined;
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
   * Of several defaults the lowest, as in the API server.
   * @override @protected
   */
  findDefault() {
    const marked = [...this].filter((object) => object.globalDefault === true);
    return marked.sort((a, b) => a.value - b.value)[0];
  }
}

/** StorageClasses by name. */
export class StorageClasses extends Classes {
  /**
   * Of several defaults the newest, then the first by name, as in the API server. A class without a
   * creation time was written by hand and counts as the newest.
   * @override @protected
   */
  findDefault() {
    const marked = [...this].filter(isDefaultStorageClass);
    const timeOf = (/** @type {KubernetesObject} */ { metadata }) =>
      Date.parse(metadata.creationTimestamp) || Infinity;
    return marked.sort(
      (a, b) => timeOf(b) - timeOf(a) || (a.metadata.name < b.metadata.name ? -1 : 1),
    )[0];
  }
}
