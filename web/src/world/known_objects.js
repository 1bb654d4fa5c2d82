/** The objects of a cluster that is followed, of the kinds that its scheduler reads. */

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
   * @param {Pick<ObservedObjects, 'subscribe'>} observed of which nothing has been told yet
   * @returns {KnownObjects} of the present moment
   */
  static following(observed) {
    const known = new KnownObjects();
    for (const [resource, own] of known.#objects)
      observed.subscribe(resource, ({ type, object }) => {
        if (type === 'DELETED') own.delete(nameOf(object));
        else own.set(nameOf(object), withoutManagers(object));
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
    return this.#objects.get(resource)?.get(`${namespace}/${name}`);
  }
}

/** @param {KubernetesObject} object */
function nameOf({ metadata: { namespace = '', name } }) {
  return `${namespace}/${name}`;
}

/**
 * Who wrote which field is half of an object, and no scheduler asks.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
function withoutManagers({ metadata: { managedFields, ...metadata }, ...rest }) {
  return { ...rest, metadata };
}
