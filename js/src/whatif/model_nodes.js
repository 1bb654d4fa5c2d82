/** Nodes that are made after a model, with what belongs to every such node. */
import { itemsIn } from '../kubernetes/values.js';
import { attachmentOf } from './population.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

const HOSTNAME = 'kubernetes.io/hostname';

/** Taints with this prefix belong to the state of one node. */
const OWN_TAINTS = 'node.kubernetes.io/';

/** Objects of a node, by kind: what drivers publish for it. */
export const PUBLISHED_KINDS = Object.freeze(['CSINode', 'ResourceSlice']);

/**
 * Returns what drivers publish for a node: its volume limits and devices.
 * @param {Scheduler} scheduler that keeps objects
 * @param {string} node
 * @returns {KubernetesObject[]} CSINodes and ResourceSlices
 */
export function publishedFor(scheduler, node) {
  const csiNode = scheduler.get('CSINode', node);
  const slices = scheduler.list('ResourceSlice').filter(({ spec }) => spec?.nodeName === node);
  return [...(csiNode ? [csiNode] : []), ...slices];
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
 * is ready, schedulable, and has the label of its host, which the kubelet always sets.
 * @param {KubernetesObject} model
 * @param {string} name
 * @returns {KubernetesObject} without a uid
 */
export function nodeLike(model, name) {
  const { podCIDR, podCIDRs, providerID, unschedulable, ...spec } = model.spec ?? {};
  const taints = itemsIn(spec.taints).filter(({ key }) => !String(key).startsWith(OWN_TAINTS));
  const copy = renamedCopy(model, name);
  const labels = { ...model.metadata.labels, [HOSTNAME]: name };
  return { ...copy, metadata: { ...copy.metadata, labels }, spec: { ...spec, taints } };
}

/**
 * Returns an object of a model as that of a new node: what a driver publishes, or a static pod.
 * @param {KubernetesObject} object
 * @param {string} like the model's name
 * @param {string} node
 * @returns {KubernetesObject} without a uid
 */
export function objectLike(object, like, node) {
  const copy = renamedCopy(object, nameLike(object.metadata.name, like, node));
  const { nodeName, pool } = object.spec ?? {};
  if (nodeName !== like) return copy;
  const ownPool = pool && { pool: { ...pool, name: poolLike(pool.name ?? like, like, node) } };
  return { ...copy, spec: { ...object.spec, nodeName: node, ...ownPool } };
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
