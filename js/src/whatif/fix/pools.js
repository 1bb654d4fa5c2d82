/** Adds a node of a pool. */
import { nodeLike } from '../model_nodes.js';
import { ASKS } from './edit.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

/**
 * Returns one edit for each pool.
 * @param {KubernetesObject[]} pools a node of each, as new ones would be
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function addNodes(pools, question) {
  return pools.map((pool) => [addNode(pool, freeName(pool.metadata.name, question))]);
}

/** @param {string} name @param {Question} question */
function freeName(name, question) {
  for (let count = 1; ; count++) {
    const tried = `${name}-new-${count}`;
    if (!question.get('Node', tried)) return tried;
  }
}

/** @param {KubernetesObject} pool @param {string} name @returns {Edit} */
function addNode(pool, name) {
  const { metadata, spec, status } = nodeLike(pool, name);
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
    creates: [node],
  };
}
