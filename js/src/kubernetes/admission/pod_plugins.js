/**
 * Runs the admission plugins for a new pod, in the order of kube-apiserver: first those that change
 * it, one after another, then those that check it. Counterpart: `AllOrderedPlugins` of
 * pkg/kubeapiserver/options/plugins.go, v1.36.
 */
import { resourceNamed } from '../kinds.js';
import { withDefaultTolerations } from './default_toleration_seconds.js';
import { checkLimitRanges, withLimitRangeDefaults } from './limit_ranger.js';
import { withPriority } from './priority.js';
import { checkOverhead, withRuntimeClass } from './runtime_class.js';

/**
 * @import { PriorityClasses } from '../default_classes.js'
 * @import { KubernetesObject } from '../types.js'
 */

/**
 * The objects that the plugins read. A plugin whose part is absent does not run.
 * @typedef {object} AdmissionReads
 * @property {readonly KubernetesObject[]} [limitRanges] of the pod's namespace
 * @property {PriorityClasses} [priorityClasses]
 * @property {(name: string) => KubernetesObject | undefined} [runtimeClassNamed]
 */

/**
 * Returns the pod with the changes of admission.
 * @param {KubernetesObject} pod with its defaults
 * @param {AdmissionReads} reads
 * @returns {KubernetesObject}
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function admittedPod(pod, { limitRanges = [], priorityClasses, runtimeClassNamed }) {
  const limited = withLimitRangeDefaults(pod, limitRanges);
  const ranked = priorityClasses ? withPriority(limited, priorityClasses) : limited;
  const tolerant = withDefaultTolerations(ranked);
  return runtimeClassNamed ? withRuntimeClass(tolerant, runtimeClassNamed) : tolerant;
}

/**
 * @param {KubernetesObject} pod as the plugins changed it
 * @param {AdmissionReads} reads
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function checkPod(pod, { limitRanges = [], runtimeClassNamed }) {
  checkLimitRanges(resourceNamed('pods'), pod, limitRanges);
  if (runtimeClassNamed) checkOverhead(pod, runtimeClassNamed);
}
