/** Nodes that are added after the model of another. */
import { attachmentOf } from '../population.js';
import { itemsIn } from '../../kubernetes/values.js';
import { pinnedTo } from '../../kubernetes/workloads/daemon_pods.js';
import { attachedPods, putDaemons } from './daemons.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster } from './changed_cluster.js'
 */

const HOSTNAME = 'kubernetes.io/hostname';

/** Taints with this prefix belong to the state of one node. */
const OWN_TAINTS = 'node.kubernetes.io/';

/**
 * Adds nodes with the labels, taints and amounts of another, without its pods, except that they get
 * the pods that belong to every such node: of DaemonSets, and static ones. What drivers publish for
 * the node, volume limits and devices, is copied as well.
 * @param {ChangedCluster} cluster
 * @param {{ count: number, like: string }} change
 */
export function addNodes(cluster, { count, like }) {
  const model = cluster.node(like, 'like');
  const { scheduler } = cluster;
  const csiNode = scheduler.get('CSINode', like);
  const slices = scheduler.list('ResourceSlice').filter(({ spec }) => spec?.nodeName === like);
  const attached = attachedPods(cluster, like);
  const isTaken = (/** @type {string} */ name) => scheduler.get('Node', name) !== undefined;
  let number = 0;
  for (let added = 0; added < count; added++) {
    do number += 1;
    while (isTaken(`${like}-${number}`));
    const name = `${like}-${number}`;
    const node = nodeLike(model, name);
    cluster.put([
      node,
      ...(csiNode ? [copyFor(csiNode, name, name)] : []),
      ...slices.map((slice) => sliceFor(slice, like, name)),
      ...attached.map((pod) => podFor(pod, like, name)),
    ]);
    putDaemons(cluster, node);
  }
}

/**
 * @param {KubernetesObject} model
 * @param {string} name
 * @returns {KubernetesObject}
 */
export function nodeLike(model, name) {
  const { podCIDR, podCIDRs, providerID, unschedulable, ...spec } = model.spec ?? {};
  const taints = itemsIn(spec.taints).filter(({ key }) => !String(key).startsWith(OWN_TAINTS));
  const copy = copyFor(model, name, name);
  const labels = { ...model.metadata.labels, [HOSTNAME]: name };
  return { ...copy, metadata: { ...copy.metadata, labels }, spec: { ...spec, taints } };
}

/**
 * @param {KubernetesObject} object
 * @param {string} name
 * @param {string} node of the copy
 * @returns {KubernetesObject}
 */
function copyFor(object, name, node) {
  const { labels, annotations, namespace, ownerReferences, uid } = object.metadata;
  return {
    ...object,
    metadata: { namespace, name, labels, annotations, ownerReferences, uid: `${uid}-${node}` },
  };
}

/**
 * @param {KubernetesObject} slice
 * @param {string} like
 * @param {string} node
 * @returns {KubernetesObject}
 */
function sliceFor(slice, like, node) {
  const copy = copyFor(slice, `${slice.metadata.name}-${node}`, node);
  const pool = { ...slice.spec.pool, name: renamed(slice.spec.pool?.name ?? like, like, node) };
  return { ...copy, spec: { ...slice.spec, nodeName: node, pool } };
}

/**
 * A pool is usually named after its node.
 * @param {string} pool
 * @param {string} like
 * @param {string} node
 */
function renamed(pool, like, node) {
  return pool.includes(like) ? pool.replace(like, node) : `${pool}-${node}`;
}

/**
 * Returns the copy of a pod for a new node: the scheduler places those of DaemonSets.
 * @param {KubernetesObject} pod
 * @param {string} like
 * @param {string} node
 * @returns {KubernetesObject}
 */
function podFor(pod, like, node) {
  const { name } = pod.metadata;
  const suffixed = name.endsWith(like) ? name.slice(0, -like.length) + node : `${name}-${node}`;
  const copy = copyFor(pod, suffixed, node);
  if (attachmentOf(pod) === 'Mirror') return { ...copy, spec: { ...pod.spec, nodeName: node } };
  const { nodeName, ...spec } = pod.spec;
  const affinity = pinnedTo(spec.affinity, node);
  return { ...copy, spec: { ...spec, affinity }, status: { phase: 'Pending' } };
}
