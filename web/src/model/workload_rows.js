/** Workloads as rows: the owners of pods, with the desired and the ready number of pods. */

import { RESOURCES, SCALED_KINDS } from '../../../js/src/kubernetes.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/**
 * @typedef {object} WorkloadRow
 * @property {string} key `Kind/namespace/name`
 * @property {string} apiVersion
 * @property {string} kind
 * @property {string} namespace
 * @property {string} name
 * @property {string} owner `Kind/name`; empty if there is none
 * @property {number} wanted for a DaemonSet, one per node that it chose; for a Job, its completions
 * @property {number} ready for a Job, the pods that succeeded
 * @property {boolean} isScalable whether it has the scale subresource
 */

/** The workloads of the groups `apps` and `batch`. */
export const WORKLOADS = RESOURCES.filter(({ isWorkload, group }) => isWorkload && group !== '');

const API_VERSIONS = new Map(WORKLOADS.map(({ kind, apiVersion }) => [kind, apiVersion]));

/**
 * @param {string} kind
 * @param {KubernetesObject} object
 * @returns {WorkloadRow}
 */
export function workloadRow(kind, { metadata, spec, status = {} }) {
  const { namespace, name, ownerReferences } = metadata;
  return {
    key: workloadKey(kind, namespace, name),
    apiVersion: API_VERSIONS.get(kind) ?? '',
    kind,
    namespace,
    name,
    owner: ownerText(ownerReferences),
    ...countsOf(kind, spec, status),
    isScalable: SCALED_KINDS.has(kind),
  };
}

/**
 * @param {string} kind
 * @param {string} namespace
 * @param {string} name
 */
export function workloadKey(kind, namespace, name) {
  return `${kind}/${namespace}/${name}`;
}

/**
 * The owner of an object, `Kind/name`.
 * @param {{ kind: string, name: string, controller?: boolean }[]} [owners]
 */
export function ownerText(owners) {
  const owner = owners?.find(({ controller }) => controller) ?? owners?.[0];
  return owner ? `${owner.kind}/${owner.name}` : '';
}

/**
 * @param {string} kind
 * @param {any} spec
 * @param {any} status
 */
function countsOf(kind, spec, status) {
  if (kind === 'DaemonSet')
    return { wanted: status.desiredNumberScheduled ?? 0, ready: status.numberReady ?? 0 };
  if (kind === 'Job')
    return { wanted: spec.completions ?? spec.parallelism ?? 1, ready: status.succeeded ?? 0 };
  return { wanted: spec.replicas ?? 1, ready: status.readyReplicas ?? 0 };
}
