/** Objects that are applied or deleted. */
import { expand } from '../../manifests/expand.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { RESOURCES, WORKLOAD_KINDS } from '../../kubernetes/kinds.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { changeFault, notFound } from './changed_cluster.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster, Target } from './changed_cluster.js'
 */

/**
 * Applies an object. A pod, and the pods of a workload, take the place of those of that name.
 * @param {ChangedCluster} cluster
 * @param {{ object: KubernetesObject }} change
 */
export function applyObject(cluster, { object }) {
  const { kind = '' } = object;
  if (kind !== 'Pod' && !WORKLOAD_KINDS.has(kind)) return cluster.put([stored(cluster, object)]);
  const target = targetOf(object);
  const { status: _, ...manifest } = object;
  if (kind === 'Pod') {
    const present = cluster.scheduler.get('Pod', podKeyOf(object));
    if (present) cluster.remove([present]);
    return cluster.put(expand(manifest, cluster.context));
  }
  const before = cluster.workload(target);
  const replicas = manifest.spec?.replicas ?? before?.spec.replicas;
  const counted = {
    ...manifest,
    spec: { ...manifest.spec, ...(replicas !== undefined && { replicas }) },
  };
  const workload = withDefaults(counted, cluster.context);
  cluster.remove([...cluster.podsOf(target), ...cluster.setsOf(target)]);
  const made = expand(workload, cluster.context);
  return cluster.put([workload, ...made]);
}

/**
 * Deletes an object for good; a workload with its pods, a node as a node that fails.
 * @param {ChangedCluster} cluster
 * @param {Target} change
 */
export function deleteObject(cluster, { kind, namespace, name }) {
  const target = { kind, namespace, name };
  if (kind === 'Node') {
    cluster.node(name, 'name');
    return cluster.future.removeNodes([name]);
  }
  if (WORKLOAD_KINDS.has(kind)) {
    const workload = cluster.workload(target);
    const owned = [...cluster.podsOf(target), ...cluster.setsOf(target)];
    if (!workload && owned.length === 0) throw notFound('name', `${namespace}/${name}`);
    return cluster.remove(workload ? [...owned, workload] : owned);
  }
  const resource = RESOURCES.find(
    (one) => one.kind === kind && (one.isWatched || one.readBy.length > 0),
  );
  if (!resource)
    throw changeFault('kind', `no scheduling decision reads a ${kind}`, {
      code: 'FieldValueNotSupported',
      value: kind,
    });
  const key = resource.namespaced ? `${namespace}/${name}` : name;
  const present = objectNamed(cluster, resource, key);
  if (!present) throw notFound('name', key);
  return cluster.remove([present]);
}

/**
 * @param {ChangedCluster} cluster
 * @param {{ kind: string, isWatched: boolean }} resource
 * @param {string} key
 */
function objectNamed(cluster, { kind, isWatched }, key) {
  if (isWatched || kind === 'PriorityClass') return cluster.scheduler.get(kind, key);
  return cluster.workloads.find((one) => one.kind === kind && podKeyOf(one) === key);
}

/**
 * Returns a written object with its defaults, and the uid that it has already.
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject} object
 */
function stored(cluster, object) {
  const complete = withDefaults(object, cluster.context);
  if (complete === object || object.kind !== 'Node') return complete;
  const uid = cluster.scheduler.get('Node', object.metadata.name)?.metadata.uid;
  return uid ? { ...complete, metadata: { ...complete.metadata, uid } } : complete;
}

/** @param {KubernetesObject} object @returns {Target} */
function targetOf(object) {
  const { kind = '', metadata } = object;
  return { kind, namespace: metadata?.namespace || 'default', name: metadata?.name };
}
