/** The cluster as the page knows it: rows by name, kept up to date by changes. */

/**
 * @import { Changes, NodeRow, PodRow } from '../model/cluster_model.js'
 */

/**
 * @typedef {object} ClusterState
 * @property {Map<string, NodeRow>} nodes
 * @property {Map<string, PodRow>} pods
 * @property {Map<string, Map<string, PodRow>>} podsOfNode by node; those on none by ''
 */

/** @returns {ClusterState} */
export function emptyCluster() {
  return { nodes: new Map(), pods: new Map(), podsOfNode: new Map() };
}

/**
 * The state after changes; the one before must not be used any more.
 * @param {ClusterState} before
 * @param {Changes} changes
 * @returns {ClusterState}
 */
export function withChanges(before, { isWhole, nodes, pods, goneNodes, gonePods }) {
  const state = isWhole ? emptyCluster() : { ...before };
  for (const node of nodes) state.nodes.set(node.name, node);
  for (const name of goneNodes) state.nodes.delete(name);
  for (const pod of pods) {
    remove(state, pod.key);
    state.pods.set(pod.key, pod);
    const own = state.podsOfNode.get(pod.node) ?? new Map();
    state.podsOfNode.set(pod.node, own.set(pod.key, pod));
  }
  for (const key of gonePods) remove(state, key);
  return state;
}

/**
 * @param {ClusterState} state
 * @param {string} key
 */
function remove({ pods, podsOfNode }, key) {
  const known = pods.get(key);
  if (!known) return;
  pods.delete(key);
  const own = podsOfNode.get(known.node);
  own?.delete(key);
  if (own?.size === 0) podsOfNode.delete(known.node);
}
