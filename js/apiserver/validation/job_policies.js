/**
 * How Jobs count and replace their pods.
 * Counterpart: `validateJobSpec` of pkg/apis/batch/validation/validation.go, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import { required } from '../../src/kubernetes/field_errors.js';
import { unsupported } from './container_fields.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const COMPLETION_MODES = ['NonIndexed', 'Indexed'];
const REPLACEMENT_POLICIES = ['Failed', 'TerminatingOrFailed'];
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];

/**
 * @param {any} spec of a Job
 * @param {string} path
 * @returns {FieldError[]}
 */
export function jobPolicyErrors(spec, path) {
  const { completionMode, podFailurePolicy, podReplacementPolicy } = spec;
  const replacements = podFailurePolicy ? ['Failed'] : REPLACEMENT_POLICIES;
  return [
    ...unsupported(completionMode, `${path}.completionMode`, COMPLETION_MODES),
    ...itemsIn(podFailurePolicy?.rules).flatMap((rule, index) =>
      ruleErrors(rule, `${path}.podFailurePolicy.rules[${index}]`),
    ),
    ...unsupported(podReplacementPolicy, `${path}.podReplacementPolicy`, replacements),
  ];
}

/**
 * @param {any} rule of a failure policy
 * @param {string} path
 */
function ruleErrors({ action, onExitCodes, onPodConditions }, path) {
  return [
    ...given(action, `${path}.action`, ACTIONS),
    ...(onExitCodes ? given(onExitCodes.operator, `${path}.onExitCodes.operator`, OPERATORS) : []),
    ...itemsIn(onPodConditions).flatMap(({ status }, index) =>
      given(status, `${path}.onPodConditions[${index}].status`, STATUSES),
    ),
  ];
}

/**
 * @param {string | undefined} value
 * @param {string} field
 * @param {string[]} supported
 */
function given(value, field, supported) {
  const list = supported.map((one) => JSON.stringify(one)).join(' ');
  if (!value) return [required(field, `valid values: [${list}]`)];
  return unsupported(value, field, supported);
}
