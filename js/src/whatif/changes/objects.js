/** Objects that are applied or deleted. */
import { groupOf } from '../../kubernetes/api_group.js';
import { appliedManifest } from '../../kubernetes/applied_manifest.js';
import { appliedWorkload } from '../../manifests/applied_workload.js';
import { expand } from '../../manifests/expand.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { isWorkload, RESOURCES, WORKLOAD_KINDS } from '../../kubernetes/kinds.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { podsBelowPartition } from '../../kubernetes/workloads/stateful_revisions.js';
import { changeFault, notFound } from './changed_cluster.js';
import { putNode } from './nodes.js';

/**
 * @import { Resource } from '../../kubernetes/kinds.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster, Target } from './changed_cluster.js'
 */

/**
 * Applies an object. A pod, and the pods of a workload, take the place of those of that name,
 * except below a StatefulSet's partition; a workload, and an object of another kind, changes the
 * one of that name. A node's new NoExecute taints evict pods.
 * @param {ChangedCluster} cluster
 * @param {{ object: KubernetesObject }} change
 * @throws {import('../../kubernetes/api_error.js').ApiError} if the API server refuses the object,
 *   or its pods
 */
export function applyObject(cluster, { object }) {
  const { kind = '' } = object;
  cluster.named -= 1;
  cluster.creation.check(object, () => isPresent(cluster, object));
  if (kind === 'Node') return putNode(cluster, stored(cluster, object));
  if (kind !== 'Pod' && !isWorkload(object)) return cluster.put([stored(cluster, object)]);
  const target = targetOf(object);
  const { status: _, ...manifest } = object;
  if (kind === 'Pod') {
    const present = cluster.scheduler.get('Pod', podKeyOf(object));
    if (present) cluster.remove([present]);
    return cluster.put(expand(manifest, cluster.context));
  }
  const before = cluster.workload(target);
  const [pods, sets] = [cluster.podsOf(target), cluster.setsOf(target)];
  const present = { stored: before, partsOf: () => ({ sets, pods }) };
  const workload = cluster.stored(appliedWorkload(manifest, present, cluster.options.merge));
  const kept = new Set(kind === 'StatefulSet' ? podsBelowPartition(workload, pods) : []);
  cluster.remove([...pods.filter((pod) => !kept.has(pod)), ...sets]);
  const replaced = before ? [before, ...pods] : pods;
  const made = expand(workload, { ...cluster.context, replaced });
  return cluster.put([workload, ...cluster.creation.checked(made, workload)]);
}

/**
 * Deletes an object for good; a workload with its pods, a namespace with all its objects, a node as
 * a node that fails.
 * @param {ChangedCluster} cluster
 * @param {Target} change
 */
export function deleteObject(cluster, { kind, namespace, name }) {
  const target = { kind, namespace, name };
  if (kind === 'Node') {
    cluster.node(name, 'name');
    return cluster.removeNodes([name]);
  }
  if (WORKLOAD_KINDS.has(kind)) {
    const workload = cluster.workload(target);
    const owned = [...cluster.podsOf(target), ...cluster.setsOf(target)];
    if (!workload && owned.length === 0) throw notFound('name', `${namespace}/${name}`);
    return cluster.remove(workload ? [...owned, workload] : owned);
  }
  if (kind === 'Namespace') return deleteNamespace(cluster, name);
  const resource = resourceReadAs(kind);
  if (!resource)
    throw changeFault('kind', `no scheduling decision reads a ${kind}`, {
      code: 'FieldValueNotSupported',
      value: kind,
    });
  const present = objectNamed(cluster, resource, target);
  if (!present) throw notFound('name', keyIn(resource, target));
  return cluster.remove([present]);
}

/**
 * @param {ChangedCluster} cluster
 * @param {string} name
 */
function deleteNamespace(cluster, name) {
  const namespace = cluster.scheduler.get('Namespace', name);
  const contents = cluster.objectsIn(name);
  if (!namespace && contents.length === 0) throw notFound('name', name);
  cluster.remove(namespace ? [...contents, namespace] : contents);
}

/**
 * Returns the resource of a kind that decisions or admission read.
 * @param {string} kind
 */
function resourceReadAs(kind) {
  return RESOURCES.find((one) => one.kind === kind && (one.isWatched || one.readBy.length > 0));
}

/**
 * @param {Resource} resource
 * @param {Target} target
 */
function keyIn({ namespaced }, { namespace, name }) {
  return namespaced ? `${namespace}/${name}` : name;
}

/**
 * @param {ChangedCluster} cluster
 * @param {Resource} resource
 * @param {Target} target
 * @returns {KubernetesObject | undefined}
 */
function objectNamed(cluster, resource, target) {
  const { kind, isWatched } = resource;
  const key = keyIn(resource, target);
  if (isWatched || kind === 'PriorityClass') return cluster.scheduler.get(kind, key);
  return cluster.workload(target);
}

/**
 * Returns a written object as an API server stores it: with its defaults, or as a change of the
 * version that is there.
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject} object
 */
function stored(cluster, object) {
  const present = object.metadata?.uid ? undefined : presentVersion(cluster, object);
  return withDefaults(present ? appliedManifest(object, present) : object, cluster.context);
}

/**
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject} object
 * @returns {KubernetesObject | undefined}
 */
function presentVersion(cluster, object) {
  const { apiVersion, kind = '' } = object;
  const resource = resourceReadAs(kind);
  const target = targetOf(object);
  if (!resource || resource.group !== groupOf(apiVersion) || !target.name) return undefined;
  return objectNamed(cluster, resource, target);
}

/**
 * Whether the cluster has an object of this identity, or parts of such a workload; true for a kind
 * that no decision reads: the cluster keeps none.
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject} object
 */
function isPresent(cluster, object) {
  if (!resourceReadAs(object.kind ?? '')) return true;
  if (presentVersion(cluster, object)) return true;
  const target = targetOf(object);
  return isWorkload(object) && [cluster.podsOf(target), cluster.setsOf(target)].flat().length > 0;
}

/** @param {KubernetesObject} object @returns {Target} */
function targetOf(object) {
  const { kind = '', metadata } = object;
  return { kind, namespace: metadata?.namespace || 'default', name: metadata?.name };
}
