/**
 * Indexes the objects of an input by kind and name, with the kinds that are known to be complete.
 */
import { keyFor } from '../../kubernetes/keys.js';
import { groupOf } from '../../kubernetes/api_group.js';
import { NEEDED_KINDS } from '../../kubernetes/needed_kinds.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/** Groups of the kinds that are looked up. @type {Map<string, string>} */
const GROUPS = new Map(NEEDED_KINDS.map(({ kind, group }) => [kind, group]));

/** Dump finds objects of the kinds that decisions read. */
export class Dump {
  /** @type {Map<string, Map<string, KubernetesObject>>} */
  #byKind = new Map();
  #listed;

  /**
   * @param {KubernetesObject[]} objects complete
   * @param {{ read: KubernetesObject[], listed: ReadonlySet<string> }} input `read`: including
   *   kinds that the engine does not get; `listed`: kinds with a List of their own: objects that it
   *   lacks do not exist in the cluster
   */
  constructor(objects, { read, listed }) {
    this.#listed = listed;
    for (const object of objects) this.#add(object);
    const complete = new Set(this.#byKind.keys());
    for (const object of read) if (!complete.has(object.kind ?? '')) this.#add(object);
  }

  /** @param {KubernetesObject} object */
  #add(object) {
    const { apiVersion, kind = '', metadata } = object;
    if (GROUPS.get(kind) !== groupOf(apiVersion)) return;
    const known = this.#byKind.get(kind) ?? new Map();
    known.set(keyFor(metadata?.namespace, metadata?.name), object);
    this.#byKind.set(kind, known);
  }

  /**
   * @param {string} kind
   * @returns {KubernetesObject[]}
   */
  all(kind) {
    return [...(this.#byKind.get(kind)?.values() ?? [])];
  }

  /** @param {string} kind */
  count(kind) {
    return this.#byKind.get(kind)?.size ?? 0;
  }

  /**
   * @param {string} kind
   * @param {string} name
   * @param {string} [namespace] absent for cluster-scoped kinds
   */
  get(kind, name, namespace) {
    return this.#byKind.get(kind)?.get(keyFor(namespace, name));
  }

  /**
   * Whether the input lacks an object that the cluster may have.
   * @param {string} kind
   * @param {string} name
   * @param {string} [namespace]
   */
  lacks(kind, name, namespace) {
    return !this.#listed.has(kind) && !this.get(kind, name, namespace);
  }

  /**
   * Whether the input has no object of a kind that the cluster may have.
   * @param {string} kind
   */
  lacksAll(kind) {
    return !this.#listed.has(kind) && this.count(kind) === 0;
  }
}
