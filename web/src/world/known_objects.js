/** The objects that a scheduler knows: those of its log, or those of a cluster that is followed. */
import { inputOfLine } from '../../../js/src/index.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { ObservedObjects } from '../live/observed_objects.js'
 */

/** The plural of each kind that is asked for. */
const RESOURCES = new Map([
  ['Node', 'nodes'],
  ['Pod', 'pods'],
  ['Namespace', 'namespaces'],
  ['Service', 'services'],
  ['ReplicationController', 'replicationcontrollers'],
  ['ReplicaSet', 'replicasets'],
  ['StatefulSet', 'statefulsets'],
]);

/** @typedef {Map<string, KubernetesObject>} ByName */

export class KnownObjects {
  /** @type {Map<string, ByName>} */
  #objects = new Map([...RESOURCES.values()].map((resource) => [resource, new Map()]));
  #decoder = new TextDecoder();

  /**
   * @param {readonly string[]} lines of a log, up to the moment in question
   * @returns {KnownObjects}
   */
  static ofLog(lines) {
    const known = new KnownObjects();
    for (const line of lines) {
      // Most lines are turns and their digests.
      if (line.includes('"apply":')) known.#take(inputOfLine(JSON.parse(line)));
    }
    return known;
  }

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

  /** @param {string | Uint8Array} input JSON lines */
  #take(input) {
    const text = typeof input === 'string' ? input : this.#decoder.decode(input);
    for (const item of text.split('\n'))
      if (item !== '') for (const one of [JSON.parse(item)].flat()) this.#hear(one);
  }

  /** @param {any} item a watch event, a list, or a mark */
  #hear({ type, resource, object, kind = '', items }) {
    if (type === 'SYNC_BEGIN') this.#objects.get(resource.split('.')[0])?.clear();
    else if (type === 'DELETED') this.#of(object.kind)?.delete(nameOf(object));
    else if (type === 'ADDED' || type === 'MODIFIED')
      this.#of(object.kind)?.set(nameOf(object), object);
    else if (Array.isArray(items)) {
      const ofList = kind.slice(0, -'List'.length);
      for (const one of items) this.#of(one.kind ?? ofList)?.set(nameOf(one), one);
    }
  }

  /** @param {string} kind */
  #of(kind) {
    return this.#objects.get(RESOURCES.get(kind) ?? '');
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
