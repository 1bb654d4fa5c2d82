/**
 * Priority: pods get the priority and the preemption policy of their class; at most one class is
 * the default. Counterpart: plugin/pkg/admission/priority, v1.36.
 */
import { resourceNamed } from '../kinds.js';
import { forbidden } from '../status_errors.js';

/**
 * @import { PriorityClasses } from '../default_classes.js'
 * @import { KubernetesObject } from '../types.js'
 */

/**
 * @param {KubernetesObject} pod
 * @param {PriorityClasses} classes
 * @returns {KubernetesObject}
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function withPriority(pod, classes) {
  const { spec } = pod;
  const name = spec.priorityClassName;
  const found = name ? classes.get(name) : classes.globalDefault();
  if (name && !found) throw refused(pod, `no PriorityClass with name ${name} was found`);
  const priority = found?.value ?? 0;
  const preemptionPolicy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
  const computed = (/** @type {string | number} */ value) =>
    `must not be provided in pod spec; priority admission controller computed ${value} from the ` +
    'given PriorityClass name';
  if (spec.priority !== undefined && spec.priority !== priority) {
    throw refused(pod, `the integer value of priority (${spec.priority}) ${computed(priority)}`);
  }
  if (spec.preemptionPolicy && spec.preemptionPolicy !== preemptionPolicy) {
    const what = `the string value of PreemptionPolicy (${spec.preemptionPolicy})`;
    throw refused(pod, `${what} ${computed(preemptionPolicy)}`);
  }
  const priorityClassName = found?.metadata.name;
  return {
    ...pod,
    spec: {
      ...spec,
      ...(priorityClassName && { priorityClassName }),
      priority,
      preemptionPolicy,
    },
  };
}

/**
 * @param {KubernetesObject} pod
 * @param {string} cause
 */
function refused({ metadata }, cause) {
  return forbidden(resourceNamed('pods'), metadata.name, cause);
}
