/** Which parts of nodes and pods were changed of late, as far as it matters to a scheduler. */
import { semanticEqual } from '../../../js/src/kubernetes.js';

/**
 * @import { Store } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 */

/** So many changes are remembered: few of many are told one by one. */
const MOST = 1000;

/** What they are called, and where they are. @type {readonly [string, readonly string[]][]} */
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
   * By the version after it: the object then and before.
   * @type {Map<string, KubernetesObject[]>}
   */
  #changes = new Map();

  /** @param {Pick<Store, 'subscribe'>} store of which is heard from now on */
  constructor(store) {
    for (const resource of ['nodes', 'pods'])
      store.subscribe(resource, ({ object, previous }) => {
        if (previous) this.#remember(object, previous);
      });
  }

  /**
   * @param {string} resourceVersion that the change made
   * @returns {string[]} names of parts; none: it is not known, or it does not matter
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
