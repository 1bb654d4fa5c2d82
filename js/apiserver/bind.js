/**
 * Binds a pod to a node.
 * Counterpart: `BindingREST` of pkg/registry/core/pod/storage and the PodTopologyLabels admission,
 * v1.36.
 */
import { present, timestamp } from './object_meta.js';
import { withCondition } from './pod_conditions.js';
import { resourceNamed } from '../src/kubernetes/kinds.js';
import { conflict } from '../src/kubernetes/status_errors.js';
import { checkPreconditions } from './preconditions.js';

/** @import { KubernetesObject } from '../src/kubernetes/types.js' */

/** The resource's name in messages of conflicts. */
const PODS_BINDING = { group: '', plural: 'pods/binding', qualified: 'pods/binding' };

/** Labels of nodes that their pods get. */
const TOPOLOGY_LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} binding a `v1` Binding
 * @param {{ node: KubernetesObject | undefined, now: number }} context `node`: the target, if a
 *   node of that name exists
 * @returns {KubernetesObject} the pod on its node
 * @throws {import('../src/kubernetes/api_error.js').ApiError} Conflict
 */
export function boundPod(pod, binding, { node, now }) {
  checkPod(pod, binding);
  return assigned(pod, binding, node, timestamp(now));
}

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} binding
 */
function checkPod(pod, binding) {
  const { metadata, spec } = pod;
  const { name } = metadata;
  checkPreconditions(resourceNamed('pods'), pod, binding.metadata);
  if (metadata.deletionTimestamp) {
    const cause = `pod ${name} is being deleted, cannot be assigned to a host`;
    throw conflict(PODS_BINDING, name, cause);
  }
  if (spec.nodeName) {
    const cause = `pod ${name} is already assigned to node "${spec.nodeName}"`;
    throw conflict(PODS_BINDING, name, cause);
  }
  if (spec.schedulingGates?.length > 0) {
    throw conflict(PODS_BINDING, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
}

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} binding
 * @param {KubernetesObject | undefined} node
 * @param {string} now
 */
function assigned(pod, binding, node, now) {
  const { metadata, spec, status } = pod;
  const given = binding.metadata ?? {};
  const topology = TOPOLOGY_LABELS.map((label) => [label, node?.metadata.labels?.[label]]);
  const labels = { ...metadata.labels, ...given.labels, ...present(Object.fromEntries(topology)) };
  const annotations = { ...metadata.annotations, ...given.annotations };
  const { nominatedNodeName: _cleared, ...rest } = status ?? {};
  return {
    ...pod,
    metadata: present({
      ...metadata,
      labels: Object.keys(labels).length > 0 ? labels : undefined,
      annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
    }),
    spec: { ...spec, nodeName: binding.target.name },
    status: withCondition(rest, { type: 'PodScheduled', status: 'True' }, now),
  };
}
