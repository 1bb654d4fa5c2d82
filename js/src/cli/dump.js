/** The objects of an input by kind and name, and what is known to be whole in it. */
import { keyFor } from '../kubernetes/keys.js';
import { groupOf } from '../kubernetes/api_group.js';
import { NEEDED_KINDS } from './needed_kinds.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Groups of the kinds that are looked up. @type {Map<string, string>} */
const GROUPS = new Map(NEEDED_KINDS.map(({ kind, group }) => [kind, group]));

/** Dump finds objects of the kinds that decisions read. */
export class Dump {
  /** @type {Map<string, Map<string, KubernetesObject>>} */
  #byKind = new Map();
  #listed;

  /**
   * @param {KubernetesObject[]} objects complete
   * @param {{ read: KubernetesObject[], listed: ReadonlySet<string> }} input `read`: also the kinds
   *   that end before the engine; `listed`: kinds whose own List was there: what it does not hold,
   *   the cluster does not have
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
   * @param {string} [namespace] none: the kind has no namespaces
   */
  get(kind, name, namespace) {
    return this.#byKind.get(kind)?.get(keyFor(namespace, name));
  }

  /**
   * Whether the cluster may have an object that is not here.
   * @param {string} kind
   * @param {string} name
   * @param {string} [namespace]
   */
  lacks(kind, name, namespace) {
    return !this.#listed.has(kind) && !this.get(kind, name, namespace);
  }

  /**
   * Whether there is none of a kind, though the cluster may have some.
   * @param {string} kind
   */
  lacksAll(kind) {
    return !this.#listed.has(kind) && this.count(kind) === 0;
  }
}
