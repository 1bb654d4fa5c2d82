/** Changes of nodes: removed, cordoned, uncordoned, tainted, untainted. */
import { untoleratedTaints } from '../../kubernetes/node_match.js';
import { itemsIn } from '../../kubernetes/values.js';
import { changeFault } from './changed_cluster.js';

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
  cluster.future.removeNodes([node]);
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
 * Adds a taint, or replaces the one with the same key and effect. NoExecute takes the pods off the
 * node that do not tolerate it, or only for a number of seconds.
 * @param {ChangedCluster} cluster
 * @param {{ node: string } & Taint} change
 */
export function taint(cluster, { node, key, value, effect }) {
  const present = cluster.node(node);
  const added = { key, ...(value !== undefined && { value }), effect };
  cluster.put([{ ...present, spec: withTaint(present.spec, added) }]);
  if (effect !== 'NoExecute') return;
  const alone = { ...present, spec: { taints: [added] } };
  const evicted = cluster.future.podsOn(node).filter((key) => {
    const pod = cluster.future.pod(key);
    return pod && !toleratesForGood(pod, alone);
  });
  cluster.future.displace(evicted);
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
  cluster.put([{ ...present, spec }]);
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

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} node
 */
function toleratesForGood({ spec }, node) {
  const tolerations = itemsIn(spec.tolerations).filter(
    (one) => one?.tolerationSeconds === undefined || one.tolerationSeconds === null,
  );
  return untoleratedTaints({ ...spec, tolerations }, node, ['NoExecute']).length === 0;
}
