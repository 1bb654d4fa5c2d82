/** Adds a node of a pool. */
import { nodeLike, objectLike, publishedFor } from '../model_nodes.js';
import { ASKS } from './edit.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

/**
 * A pool that can grow: a node as new ones would be, and what drivers publish for it, a CSINode,
 * ResourceSlices and CSIStorageCapacities; by default that of the cluster's node of this name.
 * @typedef {{ node: KubernetesObject, objects?: KubernetesObject[] }} GrowingPool
 */

/**
 * Returns one edit for each pool.
 * @param {GrowingPool[]} pools
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function addNodes(pools, question) {
  return pools.map(({ node, objects }) => {
    const { name } = node.metadata;
    const published =
      objects ?? question.once(`published ${name}`, () => publishedFor(question.scheduler, node));
    const made = freeName(name, question);
    return [addNode(node, made, published)];
  });
}

/** @param {string} name @param {Question} question */
function freeName(name, question) {
  for (let count = 1; ; count++) {
    const tried = `${name}-new-${count}`;
    if (!question.get('Node', tried)) return tried;
  }
}

/**
 * @param {KubernetesObject} pool
 * @param {string} name
 * @param {KubernetesObject[]} published for the pool's node
 * @returns {Edit}
 */
function addNode(pool, name, published) {
  const { metadata, spec, status } = nodeLike(pool, name, published);
  const { labels, annotations } = metadata;
  const { taints } = spec;
  const { allocatable, capacity, images } = status ?? {};
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels, ...(annotations && { annotations }) },
    spec: { ...(taints.length > 0 && { taints }) },
    status: { allocatable, capacity: capacity ?? allocatable, ...(images && { images }) },
  };
  return {
    key: `AddNode ${pool.metadata.name}`,
    shape: `AddNode ${pool.metadata.name}`,
    kind: 'AddNode',
    sentence: `add a node like ${pool.metadata.name}`,
    asks: ASKS.pool,
    size: 1,
    creates: [node, ...published.map((object) => objectLike(object, pool, name))],
  };
}
