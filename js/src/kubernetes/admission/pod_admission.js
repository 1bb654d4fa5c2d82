/** Admits pods and their claims without an API server, by the objects of a cluster. */
import { namespaceOf } from '../keys.js';
import { canonicalQuantities } from '../canonical_quantity.js';
import { PriorityClasses } from '../default_classes.js';
import { resourceNamed } from '../kinds.js';
import { parseQuantity } from '../quantity.js';
import { resourcesErrors } from '../resource_errors.js';
import { invalid } from '../status_errors.js';
import { isRecord, itemsIn } from '../values.js';
import { ephemeralClaimsOf } from '../workloads/claims.js';
import { limitRangeDefaults } from './limit_range_defaults.js';
import { checkLimitRanges } from './limit_ranger.js';
import { admittedPod, checkPod } from './pod_plugins.js';

/** @import { KubernetesObject } from '../types.js' */

/**
 * Returns a function that admits pods and claims with defaults as kube-apiserver would, and returns
 * other objects unchanged. So is a pod whose fields have wrong types: the engine names the field. A
 * pod is also refused if the claim of one of its ephemeral volumes would be: it would wait forever.
 * @param {object} lists of the cluster's objects; a plugin whose list is absent does not run
 * @param {Iterable<KubernetesObject>} [lists.limitRanges] of all namespaces
 * @param {Iterable<KubernetesObject>} [lists.priorityClasses]
 * @param {Iterable<KubernetesObject>} [lists.runtimeClasses]
 * @returns {(object: KubernetesObject) => KubernetesObject} throws an `ApiError`: Forbidden if
 *   admission refuses the object, Invalid if its resources contradict the defaults of a LimitRange
 */
export function podAdmission({ limitRanges = [], priorityClasses, runtimeClasses }) {
  /** @type {Map<string, KubernetesObject[]>} */
  const ranges = new Map();
  for (const limitRange of limitRanges) {
    const namespace = namespaceOf(limitRange);
    ranges.set(namespace, [...(ranges.get(namespace) ?? []), readableRange(limitRange)]);
  }
  const classes = runtimeClasses && new Map([...runtimeClasses].map((it) => [nameOf(it), it]));
  const shared = {
    priorityClasses: priorityClasses && new PriorityClasses(priorityClasses),
    runtimeClassNamed: classes && ((/** @type {string} */ name) => classes.get(name)),
  };
  return (pod) => {
    const limitRanges = ranges.get(namespaceOf(pod)) ?? [];
    if (pod.kind === 'PersistentVolumeClaim') checkClaim(pod, limitRanges);
    if (pod.kind !== 'Pod' || !hasReadableSpec(pod)) return pod;
    const reads = { ...shared, limitRanges };
    const admitted = admittedPod(pod, reads);
    if (!hasReadableSpec(admitted)) return admitted;
    checkResources(pod, admitted);
    checkPod(admitted, reads);
    for (const claim of ephemeralClaimsOf(admitted)) checkClaim(claim, limitRanges);
    return admitted;
  };
}

/**
 * @param {KubernetesObject} claim
 * @param {KubernetesObject[]} limitRanges
 */
function checkClaim(claim, limitRanges) {
  if (isRecord(claim.spec) && hasQuantities(claim.spec.resources))
    checkLimitRanges(resourceNamed('persistentvolumeclaims'), claim, limitRanges);
}

/**
 * The API server validates a pod after the plugins that change it.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} admitted
 */
function checkResources({ spec: given }, { metadata, spec }) {
  const isSame = ['containers', 'initContainers'].every((list) => spec[list] === given[list]);
  if (isSame) return;
  const canonical = (/** @type {any[] | undefined} */ list) =>
    list?.map((container) => ({ ...container, ...canonicalResources(container) }));
  const errors = resourcesErrors({
    ...spec,
    ...canonicalResources(spec),
    containers: canonical(spec.containers),
    initContainers: canonical(spec.initContainers),
  });
  if (errors.length > 0) throw invalid(resourceNamed('pods'), metadata.name, errors);
}

/** @param {{ resources?: any }} part a container or a pod's spec */
function canonicalResources({ resources }) {
  if (!resources) return {};
  const [limits, requests] = [resources.limits, resources.requests].map(canonicalQuantities);
  return { resources: { ...resources, limits, requests } };
}

/** @param {KubernetesObject} object @returns {string} */
function nameOf({ metadata }) {
  return metadata?.name;
}

/**
 * Returns the LimitRange with the defaults of a stored one, without parts of the wrong type.
 * @param {KubernetesObject} limitRange
 */
function readableRange(limitRange) {
  const limits = itemsIn(limitRange.spec?.limits).filter(isRecord);
  const readable = limits.map((item) =>
    Object.fromEntries(
      Object.entries(item).filter(([name, value]) => name === 'type' || areQuantities(value)),
    ),
  );
  return limitRangeDefaults({ ...limitRange, spec: { limits: readable } });
}

/**
 * Whether all fields that admission reads have the right types.
 * @param {KubernetesObject} pod
 * @returns {boolean}
 */
export function hasReadableSpec({ spec }) {
  if (!isRecord(spec) || !Array.isArray(spec.containers)) return false;
  const containers = [...spec.containers, ...itemsIn(spec.initContainers)];
  const { tolerations = [], nodeSelector, overhead, resources } = spec;
  return (
    containers.every((container) => isRecord(container) && hasQuantities(container.resources)) &&
    Array.isArray(spec.initContainers ?? []) &&
    Array.isArray(tolerations ?? []) &&
    itemsIn(tolerations).every(isRecord) &&
    isRecord(nodeSelector ?? {}) &&
    areQuantities(overhead) &&
    hasQuantities(resources)
  );
}

/** @param {any} resources of a container, a pod or a claim */
function hasQuantities(resources) {
  const { requests, limits } = resources ?? {};
  return isRecord(resources ?? {}) && areQuantities(requests) && areQuantities(limits);
}

/** @param {unknown} list absent, or quantities by the name of their resource */
function areQuantities(list) {
  const given = list ?? {};
  return isRecord(given) && Object.values(given).every((value) => parseQuantity(value) !== null);
}
