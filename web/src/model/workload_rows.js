/** Workloads as rows: what makes pods, how many it wants, and how many are ready. */

import { RESOURCES, SCALED_KINDS } from '../../../js/src/kubernetes.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/**
 * @typedef {object} WorkloadRow
 * @property {string} key `Kind/namespace/name`
 * @property {string} apiVersion
 * @property {string} kind
 * @property {string} namespace
 * @property {string} name
 * @property {string} owner `Kind/name`; empty: nobody
 * @property {number} wanted of a DaemonSet one for each node that it chose, of a Job completions
 * @property {number} ready of a Job those that succeeded
 * @property {boolean} isScalable whether it has a scale
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
 * Who owns an object, `Kind/name`.
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
