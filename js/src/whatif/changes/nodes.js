/** Changes of nodes: removed, cordoned, uncordoned, drained, tainted, untainted. */
import { toleratedFor } from '../../kubernetes/node_match.js';
import { itemsIn } from '../../kubernetes/values.js';
import { sortForDrain } from '../drain/evictable_pods.js';
import { changeFault } from './changed_cluster.js';
import { putDaemons, removeDaemons } from './daemons.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster } from './changed_cluster.js'
 */

/** @typedef {{ key: string, value?: string, effect: string }} Taint */

/** The taint that the node lifecycle controller gives cordoned nodes. */
const CORDONED = Object.freeze({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' });

/**
 * @param {ChangedCluster} cluster
 * @param {{ node: string }} change
 */
export function removeNode(cluster, { node }) {
  cluster.node(node);
  cluster.removeNodes([node]);
}

/**
 * @param {ChangedCluster} cluster
 * @param {{ node: string }} change
 */
export function cordon(cluster, { node }) {
  cluster.put([cordoned(cluster.node(node))]);
}

/**
 * @param {ChangedCluster} cluster
 * @param {{ node: string }} change
 */
export function uncordon(cluster, { node }) {
  const { spec, ...rest } = cluster.node(node);
  const { unschedulable: _, ...others } = spec ?? {};
  cluster.put([{ ...rest, spec: withoutTaint(others, CORDONED) }]);
}

/**
 * Cordons a node and takes away the pods that `kubectl drain --ignore-daemonsets --force
 * --delete-emptydir-data` evicts.
 * @param {ChangedCluster} cluster
 * @param {{ node: string }} change
 */
export function drain(cluster, { node }) {
  cordon(cluster, { node });
  const { future } = cluster;
  const pods = future.podsOn(node).flatMap((key) => future.pod(key) ?? []);
  const daemonSets = cluster.knownDaemonSets;
  const sorting = { force: true, deleteEmptyDirData: true, daemonSets };
  cluster.displace(sortForDrain(pods, sorting).evicts);
}

/**
 * Adds a taint, or replaces the one with the same key and effect.
 * @param {ChangedCluster} cluster
 * @param {{ node: string } & Taint} change
 */
export function taint(cluster, { node, key, value, effect }) {
  const present = cluster.node(node);
  const added = { key, ...(value !== undefined && { value }), effect };
  putNode(cluster, { ...present, spec: withTaint(present.spec, added) });
}

/**
 * Puts a node, or a new version of one. New NoExecute taints take the pods off it that do not
 * tolerate them, or only for a number of seconds. DaemonSets that it allows now get a pod there,
 * and those that it excludes lose theirs.
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject} node
 */
export function putNode(cluster, node) {
  const { name } = node.metadata;
  const before = cluster.scheduler.get('Node', name);
  const textOf = (/** @type {Taint} */ { key, value = '' }) => `${key}=${value}`;
  const known = new Set(evictingTaintsOf(before).map(textOf));
  const added = evictingTaintsOf(node).filter((taint) => !known.has(textOf(taint)));
  if (before) removeDaemons(cluster, node, before);
  cluster.put([node]);
  putDaemons(cluster, node, before);
  if (added.length === 0) return;
  const evicted = cluster.future.podsOn(name).filter((key) => {
    const pod = cluster.future.pod(key);
    return pod && toleratedFor(pod.spec, added) < Infinity;
  });
  cluster.displace(evicted);
}

/** @param {KubernetesObject | undefined} node */
function evictingTaintsOf(node) {
  return itemsIn(node?.spec?.taints).filter((taint) => taint?.effect === 'NoExecute');
}

/**
 * @param {ChangedCluster} cluster
 * @param {{ node: string, key: string, effect?: string }} change `effect` absent: every effect
 */
export function untaint(cluster, { node, key, effect }) {
  const present = cluster.node(node);
  const spec = withoutTaint(present.spec, { key, effect });
  if (itemsIn(spec.taints).length === itemsIn(present.spec?.taints).length) {
    const name = effect ? `${key}:${effect}` : key;
    throw changeFault('key', `node ${node} has no taint ${name}`, { value: key });
  }
  putNode(cluster, { ...present, spec });
}

/**
 * Returns a node as `kubectl cordon` and the node lifecycle controller leave it.
 * @param {KubernetesObject} node
 * @returns {KubernetesObject}
 */
export function cordoned(node) {
  return { ...node, spec: withTaint({ ...node.spec, unschedulable: true }, CORDONED) };
}

/**
 * @param {any} spec of a node
 * @param {Taint} added
 */
function withTaint(spec, added) {
  const { taints } = withoutTaint(spec, added);
  return { ...spec, taints: [...itemsIn(taints), added] };
}

/**
 * @param {any} spec of a node
 * @param {{ key: string, effect?: string }} removed
 */
function withoutTaint(spec, { key, effect }) {
  const taints = itemsIn(spec?.taints).filter(
    (one) => one.key !== key || (effect !== undefined && one.effect !== effect),
  );
  return { ...spec, taints };
}
