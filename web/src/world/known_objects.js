/** The objects of a live cluster, of the kinds that its scheduler reads. */
import { keyOf } from '../../../js/src/kubernetes.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { ObservedObjects } from '../live/observed_objects.js'
 */

const RESOURCES = [
  'nodes',
  'pods',
  'namespaces',
  'services',
  'replicationcontrollers',
  'replicasets',
  'statefulsets',
];

/** @typedef {Map<string, KubernetesObject>} ByName */

export class KnownObjects {
  /** @type {Map<string, ByName>} */
  #objects = new Map(RESOURCES.map((resource) => [resource, new Map()]));

  /**
   * @param {Pick<ObservedObjects, 'subscribe'>} observed before its first observation
   * @returns {KnownObjects} follows `observed` from now on
   */
  static following(observed) {
    const known = new KnownObjects();
    for (const [resource, own] of known.#objects)
      observed.subscribe(resource, ({ type, object }) => {
        if (type === 'DELETED') own.delete(keyOf(object));
        else own.set(keyOf(object), withoutManagers(object));
      });
    return known;
  }

  /**
   * @param {string} resource the plural
   * @returns {KubernetesObject[]}
   */
  list(resource) {
    return [...(this.#objects.get(resource)?.values() ?? [])];
  }

  /**
   * @param {string} resource the plural
   * @param {string} namespace empty: it has none
   * @param {string} name
   */
  get(resource, namespace, name) {
    return this.#objects.get(resource)?.get(keyOf({ metadata: { namespace, name } }));
  }
}

/**
 * No scheduler reads managedFields, which are half of an object.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
function withoutManagers({ metadata: { managedFields, ...metadata }, ...rest }) {
  return { ...rest, metadata };
}
