/** Validates the form for new objects and makes objects from it. */
import { canonicalQuantity } from '../../../../js/src/kubernetes.js';
import { workloadKey } from '../../model/workload_rows.js';

/**
 * @import { KubernetesObject } from '../../../../js/src/index.js'
 * @import { ClusterState } from '../cluster/cluster_state.js'
 */

/** @typedef {'Nodes' | 'Pods' | 'Deployment'} NewKind */
/** @typedef {'name' | 'namespace' | 'count' | 'cpu' | 'memory' | 'zone' | 'priority' | 'resource'
 *   | 'amount'} FormField */

/** The form's fields, as text. @typedef {Record<FormField, string>} FormValues */

/** The fields of each kind. @type {Record<NewKind, readonly FormField[]>} */
export const FORM_FIELDS = Object.freeze({
  Nodes: ['name', 'count', 'cpu', 'memory', 'zone', 'resource', 'amount'],
  Pods: ['name', 'namespace', 'count', 'cpu', 'memory', 'priority'],
  Deployment: ['name', 'namespace', 'count', 'cpu', 'memory'],
});

export const MOST_NEW = 5000;

/** Higher values are reserved for system priority classes. */
const HIGHEST_PRIORITY = 1_000_000_000;
const LOWEST_PRIORITY = -2_147_483_648;

const PODS_OF_NODE = '110';
const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/**
 * The form's errors by field, in Kubernetes' words. The API server validates names.
 * @param {NewKind} kind
 * @param {FormValues} values
 * @param {ClusterState} cluster
 * @returns {Partial<Record<FormField, string>>}
 */
export function faultsOf(kind, values, cluster) {
  const { name, namespace, resource, amount } = values;
  const key = workloadKey(kind, namespace || 'default', name);
  const isTaken = kind === 'Deployment' && cluster.workloads.has(key);
  const faults = {
    name: name === '' ? 'Required value' : isTaken ? `${name} already exists` : '',
    count: integerFault(values.count, kind === 'Deployment' ? 0 : 1, MOST_NEW),
    cpu: quantityFault(values.cpu, kind === 'Nodes'),
    memory: quantityFault(values.memory, kind === 'Nodes'),
    priority: integerFault(values.priority, LOWEST_PRIORITY, HIGHEST_PRIORITY),
    resource: amount !== '' && resource === '' ? 'Required value' : '',
    amount: quantityFault(amount, resource !== ''),
  };
  const own = Object.entries(faults).filter(
    ([field, fault]) => fault && FORM_FIELDS[kind].includes(/** @type {FormField} */ (field)),
  );
  return Object.fromEntries(own);
}

/**
 * The objects, with names that are not in use.
 * @param {NewKind} kind
 * @param {FormValues} values valid ones
 * @param {ClusterState} cluster
 * @returns {KubernetesObject[]}
 */
export function newObjects(kind, values, cluster) {
  const { name, namespace: wanted, count } = values;
  const namespace = wanted || 'default';
  if (kind === 'Deployment') return [deployment(values, namespace)];
  if (kind === 'Nodes')
    return freeNames(name, Number(count), cluster.nodes.keys()).map((own) => node(own, values));
  const taken = [...cluster.pods.keys()]
    .filter((key) => key.startsWith(`${namespace}/`))
    .map((key) => key.slice(namespace.length + 1));
  const priorityClass = priorityClassOf(Number(values.priority));
  const pods = freeNames(name, Number(count), taken).map((own) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: own, namespace },
    spec: {
      ...(priorityClass && { priorityClassName: priorityClass.metadata.name }),
      ...podSpec(name, values),
    },
  }));
  return priorityClass ? [priorityClass, ...pods] : pods;
}

/**
 * `prefix-4`, `prefix-5`, … if 3 is the highest number in use.
 * @param {string} prefix
 * @param {number} count
 * @param {Iterable<string>} taken
 */
function freeNames(prefix, count, taken) {
  let highest = 0;
  for (const name of taken) {
    const number = name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : '';
    if (/^\d{1,9}$/.test(number)) highest = Math.max(highest, Number(number));
  }
  return Array.from({ length: count }, (_, index) => `${prefix}-${highest + index + 1}`);
}

/**
 * @param {string} name
 * @param {FormValues} values
 * @returns {KubernetesObject}
 */
function node(name, { cpu, memory, zone, resource, amount }) {
  const amounts = { cpu, memory, pods: PODS_OF_NODE, ...(resource && { [resource]: amount }) };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [HOSTNAME]: name, ...(zone && { [ZONE]: zone }) } },
    status: { capacity: amounts, allocatable: { ...amounts } },
  };
}

/**
 * @param {FormValues} values
 * @param {string} namespace
 * @returns {KubernetesObject}
 */
function deployment(values, namespace) {
  const { name, count } = values;
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: Number(count),
      selector: { matchLabels: labels },
      template: { metadata: { labels: { ...labels } }, spec: podSpec(name, values) },
    },
  };
}

/**
 * @param {string} image
 * @param {FormValues} values
 */
function podSpec(image, { cpu, memory }) {
  const requests = { ...(cpu && { cpu }), ...(memory && { memory }) };
  return { containers: [{ name: 'main', image, resources: { requests } }] };
}

/**
 * The PriorityClass that gives a pod its priority.
 * @param {number} value
 * @returns {KubernetesObject | undefined}
 */
function priorityClassOf(value) {
  if (value === 0) return undefined;
  const name = `priority-${value < 0 ? 'minus-' : ''}${Math.abs(value)}`;
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

/**
 * @param {string} text
 * @param {boolean} isRequired
 */
function quantityFault(text, isRequired) {
  if (text === '') return isRequired ? 'Required value' : '';
  try {
    canonicalQuantity(text);
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
  return text.startsWith('-') ? 'must be greater than or equal to 0' : '';
}

/**
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
function integerFault(text, least, most) {
  const number = Number(text);
  const isRight = /^-?\d+$/.test(text) && number >= least && number <= most;
  return isRight ? '' : `must be an integer from ${least} to ${most}`;
}
