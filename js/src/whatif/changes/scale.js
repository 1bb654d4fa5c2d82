/** Workloads that get another number of pods. */
import { Expansion } from '../../manifests/expand.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { ranksByNode, sortForDeletion } from '../../kubernetes/workloads/active_pods.js';
import { byCreation } from '../../kubernetes/workloads/deployment_util.js';
import { COMPLETION_INDEX, ordinalOf } from '../../kubernetes/workloads/template_pods.js';
import { changeFault, notFound } from './changed_cluster.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster, Target } from './changed_cluster.js'
 */

/** Kinds whose pods are not alike, so that a new one needs the workload itself. */
const NUMBERED = ['StatefulSet', 'Job'];

/**
 * Gives a workload so many pods. More are made like its newest pod, or from the workload if it has
 * none; of StatefulSets and Jobs from the workload. Fewer: its controller's order decides which
 * ones end.
 * @param {ChangedCluster} cluster
 * @param {Target & { replicas: number }} change
 */
export function scale(cluster, { replicas, ...target }) {
  const { kind, namespace, name } = target;
  if (['DaemonSet', 'Pod', 'Node'].includes(kind))
    throw changeFault('kind', `a ${kind} has no replicas`, {
      code: 'FieldValueNotSupported',
      value: kind,
    });
  const pods = cluster.podsOf(target);
  const workload = cluster.workload(target);
  if (pods.length === 0 && !workload) throw notFound('name', `${namespace}/${name}`);
  const scaled = workload && withReplicas(workload, replicas);
  if (pods.length > replicas) {
    const order = kind === 'StatefulSet' ? byOrdinal(pods, target) : byController(pods, cluster);
    cluster.remove(order.slice(0, pods.length - replicas));
  } else if (pods.length < replicas) {
    const made = added(cluster, target, { pods, scaled, replicas });
    cluster.put(cluster.creation.checked(made, { kind, metadata: { namespace, name } }));
  }
  if (scaled) cluster.put([scaled]);
}

/**
 * @param {ChangedCluster} cluster
 * @param {Target} target
 * @param {{ pods: KubernetesObject[], scaled?: KubernetesObject, replicas: number }} parts
 * @returns {KubernetesObject[]}
 */
function added(cluster, { kind, namespace, name }, { pods, scaled, replicas }) {
  const isCloned = pods.length > 0 && !(NUMBERED.includes(kind) && (scaled || isNumbered(pods[0])));
  if (isCloned) return clones(cluster, pods, replicas - pods.length);
  if (!scaled) {
    const detail = `the input has pods of ${kind} ${namespace}/${name}, but not the ${kind} itself`;
    throw changeFault('name', `${detail}, from which new ones are made`, { value: name });
  }
  return new Expansion(cluster.context).of(scaled);
}

/** Whether the pod has an index among those of its workload. @param {KubernetesObject} pod */
function isNumbered(pod) {
  const isStateful = controllerOf(pod)?.kind === 'StatefulSet';
  return isStateful || pod.metadata.labels?.[COMPLETION_INDEX] !== undefined;
}

/**
 * Returns new pods like the newest one, with names that no pod has.
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject[]} pods
 * @param {number} count
 */
function clones(cluster, pods, count) {
  const model = /** @type {KubernetesObject} */ (pods.toSorted(byCreation).at(-1));
  const { namespace } = model.metadata;
  const base = controllerOf(model)?.name ?? model.metadata.name;
  /** @type {KubernetesObject[]} */
  const made = [];
  for (let number = 0; made.length < count; number++) {
    const name = `${base}-${number}`;
    if (!cluster.hasPod(`${namespace}/${name}`)) made.push(cloneOf(model, name, number));
  }
  return made;
}

/**
 * @param {KubernetesObject} model
 * @param {string} name
 * @param {number} number
 * @returns {KubernetesObject}
 */
function cloneOf(model, name, number) {
  const { nodeName, ...spec } = model.spec;
  const { namespace, labels, annotations, ownerReferences, finalizers, uid } = model.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace,
      name,
      labels,
      annotations,
      ownerReferences,
      finalizers,
      uid: `${uid}-${number}`,
    },
    spec,
    status: { phase: 'Pending' },
  };
}

/**
 * @param {KubernetesObject} workload
 * @param {number} replicas
 * @returns {KubernetesObject}
 */
function withReplicas(workload, replicas) {
  const field = workload.kind === 'Job' ? 'parallelism' : 'replicas';
  return { ...workload, spec: { ...workload.spec, [field]: replicas } };
}

/**
 * @param {KubernetesObject[]} pods
 * @param {ChangedCluster} cluster
 */
function byController(pods, cluster) {
  return sortForDeletion(pods, cluster.now, ranksByNode(pods));
}

/**
 * StatefulSets delete the highest ordinal first.
 * @param {KubernetesObject[]} pods
 * @param {Target} target
 */
function byOrdinal(pods, { name }) {
  const set = { metadata: { name } };
  return pods.toSorted((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
}
