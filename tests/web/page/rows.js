/** Rows of a cluster for tests of the page. */
import { emptyCluster, withChanges } from '../../../web/src/page/cluster/cluster_state.js';

/** @import { Changes, NodeRow, PodRow } from '../../../web/src/model/cluster_model.js' */

/** @param {string} name @param {Partial<NodeRow>} [more] @returns {NodeRow} */
export function nodeRow(name, more = {}) {
  const own = { name, zone: '', isUnschedulable: false, taints: [], labels: {}, allocatable: {} };
  return { ...own, ...more };
}

/** @param {string} key @param {Partial<PodRow>} [more] @returns {PodRow} */
export function podRow(key, more = {}) {
  return {
    key,
    node: '',
    nominatedNode: '',
    phase: 'Pending',
    priority: 0,
    workload: '',
    reason: '',
    message: '',
    isTerminating: false,
    requests: {},
    ...more,
  };
}

/** @param {Partial<Changes>} changes @returns {Changes} */
export function changesOf(changes) {
  const gone = { goneNodes: [], gonePods: [], goneWorkloads: [], goneSlices: [], goneClaims: [] };
  const rows = { nodes: [], pods: [], workloads: [], slices: [], claims: [] };
  return { isWhole: false, ...rows, ...gone, ...changes };
}

/** @param {Partial<Changes>} changes */
export function clusterOf(changes) {
  return withChanges(emptyCluster(), changesOf({ isWhole: true, ...changes }));
}
