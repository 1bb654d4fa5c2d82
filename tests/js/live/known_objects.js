/** The objects of a cluster, as the lines of its informers give them. */
import { isDeepStrictEqual } from 'node:util';
import { resourceText } from '../../../js/src/kubernetes/watched_kinds.js';

/**
 * @import { Store } from '../../../js/apiserver/store.js'
 * @import { Kind } from '../../../js/src/kubernetes/watched_kinds.js'
 */

/** Objects of one resource. */
class Known {
  /** @type {Map<string, any>} */
  objects = new Map();
  /** What the list has named that is being read. @type {Set<string> | undefined} */
  named;
}

/** A sink. Lines that cannot come after those before them are thrown back. */
export class KnownObjects {
  /** @type {Map<string, Known>} */
  #resources = new Map();
  /** Each state that was handed out, as `resource key version`. @type {Set<string>} */
  #delivered = new Set();
  /** Lines by type; lists are `LIST`. @type {Record<string, number>} */
  lines = {};
  /** How many objects were gone by a list without them, and by no line of their own. */
  synthesised = 0;

  /**
   * @param {Uint8Array} bytes
   * @param {{ format: string, source: string }} options
   * @returns {boolean} whether all of it was JSON; the rest of it is taken
   */
  apply(bytes, { format, source }) {
    if (format !== 'lines') throw new Error(`the format is ${format}`);
    const known = this.#resources.get(source) ?? new Known();
    this.#resources.set(source, known);
    let isWhole = true;
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      const item = line.trim() ? parsed(line) : undefined;
      if (item) this.#take(source, known, item);
      isWhole &&= !line.trim() || item !== undefined;
    }
    return isWhole;
  }

  /**
   * What is not as the server has it.
   * @param {Store} store
   * @param {readonly Kind[]} kinds
   * @returns {string[]} sentences
   */
  differences(store, kinds) {
    return kinds.flatMap((kind) => {
      const resource = resourceText(kind);
      const { objects } = this.#resources.get(resource) ?? new Known();
      const { fieldSelector = '' } = kind;
      const there = store.list(kind.resource, { fieldSelector });
      const keys = new Set(there.map(keyOf));
      const gone = [...objects.keys()].filter((key) => !keys.has(key));
      return [
        ...there.flatMap((object) => this.#faultOf(resource, objects, object)),
        ...gone.map((key) => `${resource} ${key}: is gone without a DELETED event`),
      ];
    });
  }

  /**
   * @param {string} resource
   * @param {Map<string, any>} objects
   * @param {any} object as the server has it
   */
  #faultOf(resource, objects, object) {
    const key = keyOf(object);
    const about = `${resource} ${key} at ${object.metadata.resourceVersion}`;
    const known = objects.get(key);
    if (!this.#delivered.has(stateOf(resource, object))) return [`${about}: was never delivered`];
    if (!known) return [`${about}: is not known`];
    const { resourceVersion } = known.metadata;
    if (resourceVersion !== object.metadata.resourceVersion)
      return [`${about}: is known at ${resourceVersion}`];
    // Items of a list do not say what they are.
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = structuredClone(object);
    const { kind: _sameKind, apiVersion: _sameVersion, ...same } = known;
    return isDeepStrictEqual(same, rest) ? [] : [`${about}: is known in another state`];
  }

  /**
   * @param {string} source
   * @param {Known} known
   * @param {any} item
   */
  #take(source, known, item) {
    const { type = 'LIST', object, resource } = item;
    this.lines[type] = (this.lines[type] ?? 0) + 1;
    switch (type) {
      case 'SYNC_BEGIN':
        if (resource !== source) throw new Error(`${resource} among ${source}`);
        known.named = new Set();
        break;
      case 'SYNC_END':
        this.#endList(source, known);
        break;
      case 'LIST':
        if (!known.named) throw new Error(`a list of ${source} without a beginning`);
        for (const listed of item.items ?? []) this.#put(source, known, listed);
        break;
      case 'ADDED':
      case 'MODIFIED':
        this.#put(source, known, object);
        break;
      case 'DELETED':
        known.objects.delete(keyOf(object));
        break;
      case 'BOOKMARK':
      case 'ERROR':
        break;
      default:
        throw new Error(`a line of type ${type}`);
    }
  }

  /**
   * @param {string} source
   * @param {Known} known
   * @param {any} object
   */
  #put(source, known, object) {
    known.objects.set(keyOf(object), object);
    known.named?.add(keyOf(object));
    this.#delivered.add(stateOf(source, object));
  }

  /**
   * What the list has not named is gone.
   * @param {string} source
   * @param {Known} known
   */
  #endList(source, known) {
    const { named, objects } = known;
    if (!named) throw new Error(`a list of ${source} ends that has not begun`);
    const gone = [...objects.keys()].filter((key) => !named.has(key));
    for (const key of gone) objects.delete(key);
    this.synthesised += gone.length;
    known.named = undefined;
  }
}

/** @param {string} line @returns {any} undefined: it is no JSON */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** @param {any} object */
export function keyOf({ metadata: { namespace, name } }) {
  return namespace ? `${namespace}/${name}` : name;
}

/** @param {string} resource @param {any} object */
function stateOf(resource, object) {
  const { uid, resourceVersion } = object.metadata;
  return `${resource} ${keyOf(object)} ${uid} ${resourceVersion}`;
}
