/** How much of which images a node has, and how many others have them, as a first cycle counts. */

/** @import { KubernetesObject } from '../../../js/src/kubernetes/types.js' */
/** @import { Held } from './facts.js' */

/**
 * @param {KubernetesObject[]} nodes all of them, as they came
 * @param {KubernetesObject} node one of them
 * @returns {Held['images']} of those that the node has; their size is that of the first node
 */
export function imageStates(nodes, node) {
  const images = sizesOf(node);
  /** @type {Held['images']} */
  const states = {};
  for (const sizes of nodes.map(sizesOf)) {
    for (const name of images.keys()) {
      const sizeBytes = sizes.get(name);
      if (sizeBytes === undefined) continue;
      states[name] ??= { sizeBytes, numNodes: 0 };
      states[name].numNodes += 1;
    }
  }
  return states;
}

/**
 * @param {KubernetesObject} node
 * @returns {Map<string, number>} bytes, by name
 */
function sizesOf({ status }) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const { names = [], sizeBytes = 0 } of status?.images ?? [])
    for (const name of names) if (!sizes.has(name)) sizes.set(name, sizeBytes);
  return sizes;
}
