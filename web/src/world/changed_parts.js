/** The parts of nodes and pods that recent changes touched, as far as a scheduler reads them. */
import { semanticEqual } from '../../../js/src/kubernetes.js';

/**
 * @import { Store } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 */

/** The most changes that are kept. The page shows many changes as a count, without their parts. */
const MOST = 1000;

/** The names of the parts, with their paths. @type {readonly [string, readonly string[]][]} */
const PARTS = [
  ['labels', ['metadata', 'labels']],
  ['annotations', ['metadata', 'annotations']],
  ['deletionTimestamp', ['metadata', 'deletionTimestamp']],
  ['unschedulable', ['spec', 'unschedulable']],
  ['taints', ['spec', 'taints']],
  ['nodeName', ['spec', 'nodeName']],
  ['schedulingGates', ['spec', 'schedulingGates']],
  ['resources', ['spec', 'containers']],
  ['allocatable', ['status', 'allocatable']],
  ['phase', ['status', 'phase']],
  ['nominatedNodeName', ['status', 'nominatedNodeName']],
  ['conditions', ['status', 'conditions']],
];

export class ChangedParts {
  /**
   * The object before and after a change, by the resourceVersion after it.
   * @type {Map<string, KubernetesObject[]>}
   */
  #changes = new Map();

  /** @param {Pick<Store, 'subscribe'>} store the store to follow */
  constructor(store) {
    for (const resource of ['nodes', 'pods'])
      store.subscribe(resource, ({ object, previous }) => {
        if (previous) this.#remember(object, previous);
      });
  }

  /**
   * @param {string} resourceVersion set by the change
   * @returns {string[]} names of parts; empty if the change is unknown or touched none of them
   */
  of(resourceVersion) {
    const [object, previous] = this.#changes.get(resourceVersion) ?? [];
    if (!object) return [];
    const changed = PARTS.filter(
      ([, path]) => !semanticEqual(partOf(object, path), partOf(previous, path)),
    );
    return changed.map(([name]) => name);
  }

  /**
   * @param {KubernetesObject} object
   * @param {KubernetesObject} previous
   */
  #remember(object, previous) {
    this.#changes.set(object.metadata.resourceVersion ?? '', [object, previous]);
    const [first] = this.#changes.keys();
    if (this.#changes.size > MOST) this.#changes.delete(first);
  }
}

/**
 * @param {any} object
 * @param {readonly string[]} path
 */
function partOf(object, path) {
  return path.reduce((part, name) => part?.[name], object);
}
