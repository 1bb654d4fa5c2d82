import { claimsFor, withClaims } from '../../../manifests/claims.js';
import { isPodAvailable, isPodReady, isPodTerminating, podFromTemplate } from '../pods.js';
import { semanticEqual } from '../objects.js';

/**
 * The pods of a StatefulSet: their ordinals, names, labels and claims.
 * Counterpart: pkg/controller/statefulset/stateful_set_utils.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../types.js'
 */

const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';
export const REVISION_LABEL = 'controller-revision-hash';

/**
 * The ordinal in a pod's name; -1 when the name is not one of the set's.
 * @param {KubernetesObject} set
 * @param {KubernetesObject} pod
 */
export function ordinalOf(set, { metadata: { name } }) {
  const match = /^(.*)-(\d+)$/.exec(name);
  return match && match[1] === set.metadata.name ? Number(match[2]) : -1;
}

/** The revision that a pod was made of. @param {KubernetesObject} pod */
export function revisionNameOf({ metadata }) {
  return metadata.labels?.[REVISION_LABEL] ?? '';
}

/** The first ordinal. @param {KubernetesObject} set */
export function startOf({ spec }) {
  return spec.ordinals?.start ?? 0;
}

/**
 * A pod as it is sent to the API server.
 * @param {KubernetesObject} set
 * @param {{ template: any, revision: string, ordinal: number }} place
 * @returns {KubernetesObject}
 */
export function statefulPod(set, { template, revision, ordinal }) {
  const pod = podFromTemplate(template, set);
  const name = `${set.metadata.name}-${ordinal}`;
  const { generateName: _, ...metadata } = pod.metadata;
  return withIdentity(set, {
    ...pod,
    metadata: { ...metadata, name, labels: { ...metadata.labels, [REVISION_LABEL]: revision } },
    spec: { ...pod.spec, hostname: name, subdomain: set.spec.serviceName || undefined },
  });
}

/**
 * The pod with the labels and claims that its place in the set demands.
 * @param {KubernetesObject} set
 * @param {KubernetesObject} pod
 */
export function withIdentity(set, pod) {
  const { name } = pod.metadata;
  const labels = {
    ...pod.metadata.labels,
    [POD_NAME]: name,
    [POD_INDEX]: String(ordinalOf(set, pod)),
  };
  const spec = withClaims(pod.spec, set, name);
  return { ...pod, metadata: { ...pod.metadata, labels }, spec };
}

/**
 * @param {KubernetesObject} set
 * @param {KubernetesObject} pod
 */
export function identityMatches(set, pod) {
  const { labels } = withIdentity(set, pod).metadata;
  return semanticEqual(labels, pod.metadata.labels);
}

/**
 * The claims of a pod, as they are sent to the API server.
 * @param {KubernetesObject} set
 * @param {string} podName
 */
export function claimsOf(set, podName) {
  return claimsFor(set, podName);
}

/** @param {KubernetesObject | undefined} pod */
export function isRunningAndReady(pod) {
  return pod?.status?.phase === 'Running' && isPodReady(pod);
}

/**
 * @param {KubernetesObject} set
 * @param {KubernetesObject | undefined} pod
 * @param {number} now
 * @returns {boolean}
 */
export function isRunningAndAvailable(set, pod, now) {
  const { minReadySeconds = 0 } = set.spec;
  return pod !== undefined && isRunningAndReady(pod) && isPodAvailable(pod, minReadySeconds, now);
}

/**
 * Missing, on its way out, or not available yet.
 * @param {KubernetesObject} set
 * @param {KubernetesObject | undefined} pod
 * @param {number} now
 */
export function isUnavailable(set, pod, now) {
  return pod === undefined || isPodTerminating(pod) || !isRunningAndAvailable(set, pod, now);
}
