/** Pods that request another amount of a resource. */
import { parseQuantity } from '../../kubernetes/quantity.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { attachmentOf } from '../population.js';
import { changeFault, notFound } from './changed_cluster.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster, Target } from './changed_cluster.js'
 */

/** @typedef {{ container?: string, resource: string, value: string }} Request */

/** Resources of Kubernetes itself: for all others the limit equals the request. */
const NATIVE = ['cpu', 'memory', 'ephemeral-storage'];

/**
 * Sets a request of all containers, or of one, in the pods of a workload or in one pod, and creates
 * these again. A request of the whole pod, if there is one, is set instead.
 * @param {ChangedCluster} cluster
 * @param {Target & Request} change
 */
export function setRequest(cluster, { container, resource, value, ...target }) {
  const { kind, namespace, name } = target;
  const request = { container, resource, value };
  const pods = kind === 'Pod' ? podNamed(cluster, `${namespace}/${name}`) : cluster.podsOf(target);
  const workloads = [cluster.workload(target), ...cluster.setsOf(target)].filter((one) => !!one);
  if (pods.length + workloads.length === 0) throw notFound('name', `${namespace}/${name}`);
  const isStatic = pods.some((pod) => attachmentOf(pod) === 'Mirror');
  if (isStatic) throw changeFault('name', `${namespace}/${name} is a static pod`, { value: name });
  cluster.put(workloads.map((workload) => withTemplateRequest(workload, request)));
  cluster.recreate(pods.map((pod) => ({ ...pod, spec: withRequest(pod.spec, request) })));
}

/**
 * @param {ChangedCluster} cluster
 * @param {string} key
 */
function podNamed({ scheduler }, key) {
  const pod = scheduler.get('Pod', key);
  return pod ? [pod] : [];
}

/**
 * @param {KubernetesObject} workload
 * @param {Request} request
 * @returns {KubernetesObject}
 */
function withTemplateRequest(workload, request) {
  const { template } = workload.spec ?? {};
  if (!isRecord(template?.spec)) return workload;
  const changed = { ...template, spec: withRequest(template.spec, request) };
  return { ...workload, spec: { ...workload.spec, template: changed } };
}

/**
 * @param {any} spec of a pod
 * @param {Request} request
 */
function withRequest(spec, { container, resource, value }) {
  const isOfPod = spec.resources?.requests?.[resource] !== undefined;
  if (isOfPod && container === undefined)
    return { ...spec, resources: withAmount(spec.resources, resource, value) };
  const isMeant = (/** @type {any} */ one) => container === undefined || one.name === container;
  const changed = (/** @type {any} */ one) =>
    isMeant(one) ? { ...one, resources: withAmount(one.resources, resource, value) } : one;
  const { initContainers } = spec;
  const isInit = itemsIn(initContainers).some(({ name }) => name === container);
  if (isInit) return { ...spec, initContainers: initContainers.map(changed) };
  if (!itemsIn(spec.containers).some(isMeant))
    throw changeFault('container', `there is no container "${container}"`, { value: container });
  return { ...spec, containers: spec.containers.map(changed) };
}

/**
 * @param {any} resources
 * @param {string} resource
 * @param {string} value
 */
function withAmount(resources, resource, value) {
  const requests = { ...resources?.requests, [resource]: value };
  const limit = resources?.limits?.[resource];
  if (limit === undefined) return { ...resources, requests };
  if (!NATIVE.includes(resource))
    return { ...resources, requests, limits: { ...resources.limits, [resource]: value } };
  if ((parseQuantity(value) ?? 0n) > (parseQuantity(limit) ?? 0n))
    throw changeFault('value', `must be less than or equal to ${resource} limit of ${limit}`, {
      value,
    });
  return { ...resources, requests };
}
