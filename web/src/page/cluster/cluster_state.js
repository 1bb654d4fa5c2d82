/** The cluster in the page: rows by name, updated with changes. */
import { amountsBy } from './amounts.js';
import { noDevices, putClaim, putSlice } from './devices.js';
import { Groups } from './groups.js';

/**
 * @import { Amounts, Changes, NodeRow, PodRow } from '../../model/cluster_model.js'
 * @import { WorkloadRow } from '../../model/workload_rows.js'
 * @import { Devices } from './devices.js'
 */

/** Pods by their keys. @typedef {Map<string, PodRow>} PodsByKey */

/**
 * @typedef {object} ClusterState
 * @property {Map<string, NodeRow>} nodes
 * @property {PodsByKey} pods
 * @property {Map<string, PodsByKey>} podsOfNode by node; pods without a node under ''
 * @property {Map<string, PodsByKey>} pendingOf pods without a node, by group
 * @property {Map<string, PodsByKey>} nominatedTo by node
 * @property {Map<string, Amounts>} requested sums over the pods of a node, by node
 * @property {{ workload: Groups, priority: Groups }} groups
 * @property {object} shape a new object whenever nodes or their devices are added, removed or
 *   changed: a cache key for values that depend on them alone
 * @property {Map<string, WorkloadRow>} workloads by `Kind/namespace/name`
 * @property {Devices} devices
 */

/** @returns {ClusterState} */
export function emptyCluster() {
  return {
    nodes: new Map(),
    pods: new Map(),
    podsOfNode: new Map(),
    pendingOf: new Map(),
    nominatedTo: new Map(),
    requested: new Map(),
    groups: { workload: new Groups(), priority: new Groups() },
    shape: {},
    workloads: new Map(),
    devices: noDevices(),
  };
}

/**
 * The state after changes. It reuses the old state, which is invalid from then on.
 * @param {ClusterState} before
 * @param {Changes} changes
 * @returns {ClusterState}
 */
export function withChanges(before, changes) {
  const { isWhole, nodes, pods, workloads, goneNodes, gonePods, goneWorkloads } = changes;
  const state = isWhole ? anew(before) : { ...before };
  for (const workload of workloads) state.workloads.set(workload.key, workload);
  for (const key of goneWorkloads) state.workloads.delete(key);
  for (const slice of changes.slices) putSlice(state.devices, slice.name, slice);
  for (const name of changes.goneSlices) putSlice(state.devices, name);
  for (const claim of changes.claims) putClaim(state.devices, claim.key, claim);
  for (const key of changes.goneClaims) putClaim(state.devices, key);
  const changed = [nodes, goneNodes, changes.slices, changes.goneSlices];
  if (changed.some(({ length }) => length > 0)) state.shape = {};
  for (const node of nodes) state.nodes.set(node.name, node);
  for (const name of goneNodes) state.nodes.delete(name);
  for (const pod of pods) {
    remove(state, pod.key);
    add(state, pod);
  }
  for (const key of gonePods) remove(state, key);
  return state;
}

/**
 * An empty state that keeps the colours of known groups.
 * @param {ClusterState} before
 */
function anew({ groups: { workload, priority } }) {
  const groups = { workload: workload.emptied(), priority: priority.emptied() };
  return { ...emptyCluster(), groups };
}

/**
 * The group whose pods share a colour: pods of one owner, or else pods whose names differ in a
 * number only.
 * @param {PodRow} pod
 */
export function workloadOf({ workload, key }) {
  return workload || key.replace(/-\d+$/, '');
}

/** Whether a pod uses resources of its node. @param {PodRow} pod */
export function isRunning({ phase }) {
  return phase !== 'Succeeded' && phase !== 'Failed';
}

/**
 * @param {ClusterState} state
 * @param {PodRow} pod
 */
function add({ pods, podsOfNode, pendingOf, nominatedTo, requested, groups }, pod) {
  pods.set(pod.key, pod);
  put(podsOfNode, pod.node, pod);
  const workload = workloadOf(pod);
  groups.workload.add(workload);
  groups.priority.add(String(pod.priority));
  if (pod.node === '') {
    put(pendingOf, workload, pod);
    if (pod.nominatedNode !== '') put(nominatedTo, pod.nominatedNode, pod);
  } else if (isRunning(pod)) {
    requested.set(pod.node, amountsBy(requested.get(pod.node), pod.requests, 1));
  }
}

/**
 * @param {ClusterState} state
 * @param {string} key
 */
function remove({ pods, podsOfNode, pendingOf, nominatedTo, requested, groups }, key) {
  const pod = pods.get(key);
  if (!pod) return;
  pods.delete(key);
  take(podsOfNode, pod.node, key);
  const workload = workloadOf(pod);
  groups.workload.remove(workload);
  groups.priority.remove(String(pod.priority));
  if (pod.node === '') {
    take(pendingOf, workload, key);
    if (pod.nominatedNode !== '') take(nominatedTo, pod.nominatedNode, key);
  } else if (!podsOfNode.has(pod.node)) {
    // Drops the sum with the last pod, because floating-point sums may leave a remainder.
    requested.delete(pod.node);
  } else if (isRunning(pod)) {
    requested.set(pod.node, amountsBy(requested.get(pod.node), pod.requests, -1));
  }
}

/**
 * @param {Map<string, PodsByKey>} groups
 * @param {string} name
 * @param {PodRow} pod
 */
function put(groups, name, pod) {
  const own = groups.get(name);
  if (own) own.set(pod.key, pod);
  else groups.set(name, new Map([[pod.key, pod]]));
}

/**
 * @param {Map<string, PodsByKey>} groups
 * @param {string} name
 * @param {string} key
 */
function take(groups, name, key) {
  const own = groups.get(name);
  own?.delete(key);
  if (own?.size === 0) groups.delete(name);
}
