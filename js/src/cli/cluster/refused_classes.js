/**
 * Keeps the classes of pods that are refused. The API server would create no pod of such a class:
 * the error about the class is enough.
 */
import { keyFor } from '../../kubernetes/keys.js';
import { isRecord } from '../../kubernetes/values.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/** The kinds of classes, with the field of a pod that names one, and their API version. */
const KINDS = /** @type {const} */ ({
  PriorityClass: { field: 'priorityClassName', apiVersion: 'scheduling.k8s.io/v1' },
  RuntimeClass: { field: 'runtimeClassName', apiVersion: 'node.k8s.io/v1' },
});

/** @typedef {keyof typeof KINDS} ClassKind */

/**
 * Whether pods take values from objects of this kind.
 * @param {string} [kind]
 * @returns {kind is ClassKind}
 */
export function isClassKind(kind = '') {
  return Object.hasOwn(KINDS, kind);
}

/** Refused classes, with the first reason of each. */
export class RefusedClasses {
  /** @type {Map<string, { kind: ClassKind, name: string, reason: string }>} */
  #refused = new Map();

  /**
   * Adds the class, if it is one.
   * @param {{ kind?: string, name?: string }} object
   * @param {string} reason
   */
  add({ kind, name = '' }, reason) {
    if (!isClassKind(kind)) return;
    const key = keyFor(kind, name);
    if (!this.#refused.has(key)) this.#refused.set(key, { kind, name, reason });
  }

  /**
   * Forgets the classes that are among these objects: pods get the class of that name.
   * @param {KubernetesObject[]} objects
   */
  forget(objects) {
    if (this.#refused.size === 0) return;
    for (const { kind = '', metadata } of objects)
      if (isClassKind(kind)) this.#refused.delete(keyFor(kind, metadata?.name));
  }

  /**
   * Returns the reason why a new pod is not created, if it names a refused class.
   * @param {KubernetesObject} pod
   * @returns {string | undefined}
   */
  reasonOf({ kind, spec }) {
    if (this.#refused.size === 0 || kind !== 'Pod' || !isRecord(spec)) return undefined;
    const named = Object.entries(KINDS).map(([name, { field }]) => keyFor(name, spec[field]));
    return named.map((key) => this.#refused.get(key)?.reason).find(Boolean);
  }

  /**
   * Classes of these names without values, so that pods are complete and no class is missing.
   * @returns {KubernetesObject[]}
   */
  get standIns() {
    return [...this.#refused.values()].map(({ kind, name }) => {
      const { apiVersion } = KINDS[kind];
      return { apiVersion, kind, metadata: { name } };
    });
  }
}
