import { claimsFor } from '../../../src/kubernetes/workloads/claims.js';
import { withIdentity } from '../../../src/kubernetes/workloads/template_pods.js';
import {
  isPodAvailable,
  isPodReady,
  isPodTerminating,
} from '../../../src/kubernetes/workloads/pods.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';

/**
 * The pods of a StatefulSet: their ordinals, names, labels and claims.
 * Counterpart: pkg/controller/statefulset/stateful_set_utils.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 */

/**
 * @param {KubernetesObject} set
 * @param {KubernetesObject} pod
 */
export function identityMatches(set, pod) {
  const { labels } = withIdentity(set, pod).metadata;
  return semanticEqual(labels, pod.metadata.labels);
}

/**
 * Returns the claims of a pod, in the form that is sent to the API server.
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
 * Whether the pod is missing, terminating, or not available yet.
 * @param {KubernetesObject} set
 * @param {KubernetesObject | undefined} pod
 * @param {number} now
 */
export function isUnavailable(set, pod, now) {
  return pod === undefined || isPodTerminating(pod) || !isRunningAndAvailable(set, pod, now);
}
