/**
 * RuntimeClass: pods get the overhead of their class, and run only on its nodes. Counterpart:
 * plugin/pkg/admission/runtimeclass/admission.go, v1.36.
 */
import { parseQuantity } from '../quantity.js';
import { itemsIn } from '../values.js';
import { resourceNamed } from '../kinds.js';
import { forbidden } from '../status_errors.js';
import { mergedTolerations } from './merged_tolerations.js';

/** @import { KubernetesObject } from '../types.js' */

/** @typedef {(name: string) => KubernetesObject | undefined} RuntimeClassNamed */

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const OWN_OVERHEAD =
  'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

/**
 * Returns the pod with the overhead, node selector and tolerations of its class.
 * @param {KubernetesObject} pod
 * @param {RuntimeClassNamed} runtimeClassNamed
 * @returns {KubernetesObject}
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function withRuntimeClass(pod, runtimeClassNamed) {
  const runtimeClass = classOf(pod, runtimeClassNamed);
  if (!runtimeClass) return pod;
  const { overhead, scheduling } = runtimeClass;
  if (overhead && hasEntries(pod.spec.overhead) && !isSameOverhead(overhead, pod.spec.overhead))
    throw refused(pod, OTHER_OVERHEAD);
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(hasEntries(overhead?.podFixed) && { overhead: overhead.podFixed }),
      ...(scheduling && schedulingOf(pod, scheduling)),
    },
  };
}

/**
 * Checks that the pod's overhead is that of its class; without a class it must have none.
 * @param {KubernetesObject} pod
 * @param {RuntimeClassNamed} runtimeClassNamed
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function checkOverhead(pod, runtimeClassNamed) {
  const overhead = classOf(pod, runtimeClassNamed)?.overhead;
  if (!hasEntries(pod.spec.overhead)) return;
  if (!overhead) throw refused(pod, OWN_OVERHEAD);
  if (!isSameOverhead(overhead, pod.spec.overhead)) throw refused(pod, OTHER_OVERHEAD);
}

/**
 * @param {KubernetesObject} pod
 * @param {RuntimeClassNamed} runtimeClassNamed
 */
function classOf(pod, runtimeClassNamed) {
  const { runtimeClassName } = pod.spec;
  if (runtimeClassName === undefined || runtimeClassName === null) return undefined;
  const found = runtimeClassNamed(runtimeClassName);
  if (found) return found;
  throw refused(pod, `pod rejected: RuntimeClass "${runtimeClassName}" not found`);
}

/**
 * @param {KubernetesObject} pod
 * @param {{ nodeSelector?: Record<string, string>, tolerations?: any[] }} scheduling
 */
function schedulingOf(pod, { nodeSelector = {}, tolerations }) {
  const own = pod.spec.nodeSelector ?? {};
  const other = Object.keys(nodeSelector).find(
    (key) => Object.hasOwn(own, key) && own[key] !== nodeSelector[key],
  );
  if (other !== undefined) {
    const wanted = `runtimeClass.scheduling.nodeSelector[${other}] = ${nodeSelector[other]}`;
    const given = `pod.spec.nodeSelector[${other}] = ${own[other]}`;
    throw refused(pod, `conflict: ${wanted}; ${given}`);
  }
  const selected = { ...own, ...nodeSelector };
  const merged = mergedTolerations(itemsIn(pod.spec.tolerations), itemsIn(tolerations));
  return {
    ...(hasEntries(selected) && { nodeSelector: selected }),
    ...(merged.length > 0 && { tolerations: merged }),
  };
}

/** @param {object | undefined} record @returns {boolean} */
function hasEntries(record) {
  return Object.keys(record ?? {}).length > 0;
}

/**
 * Whether both have the same amounts, regardless of their notation.
 * @param {{ podFixed?: Record<string, string> }} overhead
 * @param {Record<string, string>} given
 */
function isSameOverhead({ podFixed = {} }, given) {
  const names = Object.keys(given);
  return (
    names.length === Object.keys(podFixed).length &&
    names.every(
      (name) =>
        Object.hasOwn(podFixed, name) &&
        parseQuantity(podFixed[name]) === parseQuantity(given[name]),
    )
  );
}

/**
 * @param {KubernetesObject} pod
 * @param {string} cause
 */
function refused({ metadata }, cause) {
  return forbidden(resourceNamed('pods'), metadata.name, cause);
}
