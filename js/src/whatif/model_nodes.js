/** Nodes that are made after a model, with what belongs to every such node. */
import { itemsIn } from '../kubernetes/values.js';
import { attachmentOf } from './population.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

const HOSTNAME = 'kubernetes.io/hostname';

/** Taints that belong to the state of one node: of Kubernetes, its clouds and autoscalers. */
const OWN_TAINTS = /^node\.(cloudprovider\.)?kubernetes\.io\/|^karpenter\.sh\/|ClusterAutoscaler$/;

/** Objects of a node, by kind: what drivers publish for it. */
export const PUBLISHED_KINDS = Object.freeze(['CSINode', 'ResourceSlice', 'CSIStorageCapacity']);

/**
 * Returns what drivers publish for a node: its volume limits, its devices, and the room for volumes
 * that only it can reach.
 * @param {Scheduler} scheduler that keeps objects
 * @param {KubernetesObject} node
 * @returns {KubernetesObject[]} of the published kinds
 */
export function publishedFor(scheduler, { metadata }) {
  const { name } = metadata;
  const csiNode = scheduler.get('CSINode', name);
  const slices = scheduler.list('ResourceSlice').filter(({ spec }) => spec?.nodeName === name);
  const rooms = scheduler
    .list('CSIStorageCapacity')
    .filter(({ nodeTopology }) =>
      Object.entries(nodeTopology?.matchLabels ?? {}).some(
        ([key, value]) => isName(value, metadata) && metadata.labels?.[key] === value,
      ),
    );
  return [...(csiNode ? [csiNode] : []), ...slices, ...rooms];
}

/**
 * Whether the value of a label names a node.
 * @param {unknown} value
 * @param {KubernetesObject['metadata']} node
 */
function isName(value, { name, labels }) {
  return value === name || value === (labels?.[HOSTNAME] ?? name);
}

/**
 * Returns the static pods of a node.
 * @param {Scheduler} scheduler that keeps objects
 * @param {string} node
 * @returns {KubernetesObject[]}
 */
export function staticPodsOn(scheduler, node) {
  const pods = scheduler.inspect({ node }).pods.flatMap((pod) => scheduler.get('Pod', pod) ?? []);
  return pods.filter((pod) => attachmentOf(pod) === 'Mirror');
}

/**
 * Returns a new node with the labels, taints and amounts of a model, but in a state of its own: it
 * is ready, schedulable, and has the label of its host, which the kubelet always sets, and those
 * that drivers give each node.
 * @param {KubernetesObject} model
 * @param {string} name
 * @param {KubernetesObject[]} published for the model
 * @returns {KubernetesObject} without a uid
 */
export function nodeLike(model, name, published) {
  const { podCIDR, podCIDRs, providerID, unschedulable, ...spec } = model.spec ?? {};
  const taints = itemsIn(spec.taints).filter(({ key }) => !OWN_TAINTS.test(key));
  const copy = renamedCopy(model, name);
  const labels = { ...model.metadata.labels };
  for (const { topologyKeys } of published.flatMap((one) => itemsIn(one.spec?.drivers)))
    for (const key of itemsIn(topologyKeys))
      if (isName(labels[key], model.metadata)) labels[key] = name;
  labels[HOSTNAME] = name;
  return { ...copy, metadata: { ...copy.metadata, labels }, spec: { ...spec, taints } };
}

/**
 * Returns an object of a model as that of a new node: what a driver publishes, or a static pod.
 * @param {KubernetesObject} object
 * @param {KubernetesObject} model
 * @param {string} node
 * @returns {KubernetesObject} without a uid
 */
export function objectLike(object, { metadata }, node) {
  const like = metadata.name;
  const copy = renamedCopy(object, nameLike(object.metadata.name, like, node));
  const { spec, nodeTopology } = object;
  if (nodeTopology) {
    const matchLabels = { ...nodeTopology.matchLabels };
    for (const key of Object.keys(matchLabels))
      if (isName(matchLabels[key], metadata)) matchLabels[key] = node;
    return { ...copy, nodeTopology: { ...nodeTopology, matchLabels } };
  }
  const { nodeName, pool } = spec ?? {};
  if (nodeName !== like) return copy;
  const ownPool = pool && { pool: { ...pool, name: poolLike(pool.name ?? like, like, node) } };
  return { ...copy, spec: { ...spec, nodeName: node, ...ownPool } };
}

/**
 * Returns the name of an object that exists once per node: it ends with the node's name.
 * @param {string} name of the model's object
 * @param {string} like the model's name
 * @param {string} node
 */
export function nameLike(name, like, node) {
  const isNamedAfter = name === like || name.endsWith(`-${like}`);
  return isNamedAfter ? name.slice(0, -like.length) + node : `${name}-${node}`;
}

/**
 * @param {KubernetesObject} object
 * @param {string} name
 * @returns {KubernetesObject}
 */
function renamedCopy(object, name) {
  const { labels, annotations, namespace, ownerReferences } = object.metadata;
  return { ...object, metadata: { namespace, name, labels, annotations, ownerReferences } };
}

/**
 * Each node has pools of its own, which are usually named after it.
 * @param {string} pool
 * @param {string} like
 * @param {string} node
 */
function poolLike(pool, like, node) {
  return pool.includes(like) ? pool.replace(like, node) : `${pool}-${node}`;
}
