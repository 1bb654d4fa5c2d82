/**
 * Validates PodGroups and Workloads. Counterpart: pkg/apis/scheduling/validation/validation.go and
 * the declarative rules of scheduling/v1alpha2, v1.36. The specs are immutable as a whole there.
 */
import { invalidValue, required } from '../../src/kubernetes/field_errors.js';
import {
  labelKeyFaults,
  labelNameFaults,
  pathSegmentFaults,
  subdomainFaults,
} from '../../src/kubernetes/names.js';
import { isEqual } from '../frozen.js';
import { oneOf } from './container_fields.js';
import { nameErrors } from './containers.js';
import { IMMUTABLE, listErrors } from './device_fields.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const MOST_TEMPLATES = 8;
const MOST_CLAIMS = 4;
const HIGHEST_USER_PRIORITY = 1_000_000_000;
const MODES = ['Pod', 'PodGroup'];

/** @param {KubernetesObject} group a PodGroup @returns {FieldError[]} */
export function podGroupErrors({ spec = {} }) {
  const { workload } = spec.podGroupTemplateRef ?? {};
  const path = 'spec.podGroupTemplateRef.workload';
  return [
    ...(spec.podGroupTemplateRef && !workload ? [required(path)] : []),
    ...(workload ? nameErrors(workload.workloadName, `${path}.workloadName`, subdomainFaults) : []),
    ...(workload
      ? nameErrors(workload.podGroupTemplateName, `${path}.podGroupTemplateName`, labelNameFaults)
      : []),
    ...groupErrors(spec, 'spec'),
  ];
}

/** @param {KubernetesObject} workload @returns {FieldError[]} */
export function workloadErrors({ spec = {} }) {
  const { controllerRef } = spec;
  const podGroupTemplates = spec.podGroupTemplates ?? [];
  const field = 'spec.podGroupTemplates';
  const reference = 'spec.controllerRef';
  const { apiGroup, kind, name } = controllerRef ?? {};
  return [
    ...(apiGroup ? nameErrors(apiGroup, `${reference}.apiGroup`, subdomainFaults) : []),
    ...(controllerRef ? nameErrors(kind, `${reference}.kind`, pathSegmentFaults) : []),
    ...(controllerRef ? nameErrors(name, `${reference}.name`, pathSegmentFaults) : []),
    ...(podGroupTemplates.length === 0 ? [required(field, 'must have at least one item')] : []),
    ...listErrors(podGroupTemplates, {
      field,
      most: MOST_TEMPLATES,
      errorsOf: (template, path) => [
        ...nameErrors(template.name, `${path}.name`, labelNameFaults),
        ...groupErrors(template, path),
      ],
      keyOf: (template) => template.name,
    }),
  ];
}

/**
 * @param {KubernetesObject} object a PodGroup or a Workload
 * @param {KubernetesObject} old
 */
export function groupUpdateErrors({ spec }, { spec: old }) {
  return isEqual(spec, old) ? [] : [invalidValue('spec', spec, IMMUTABLE)];
}

/**
 * @param {any} spec of a PodGroup, or a template of a Workload
 * @param {string} path
 * @returns {FieldError[]}
 */
function groupErrors(spec, path) {
  const { schedulingPolicy, schedulingConstraints, disruptionMode, priority } = spec;
  const { priorityClassName } = spec;
  const most = `must be less than or equal to ${HIGHEST_USER_PRIORITY}`;
  return [
    ...policyErrors(schedulingPolicy ?? {}, `${path}.schedulingPolicy`),
    ...listErrors(schedulingConstraints?.topology, {
      field: `${path}.schedulingConstraints.topology`,
      most: 1,
      errorsOf: ({ key }, field) => nameErrors(key, `${field}.key`, labelKeyFaults),
    }),
    ...listErrors(spec.resourceClaims, {
      field: `${path}.resourceClaims`,
      most: MOST_CLAIMS,
      errorsOf: claimErrors,
      keyOf: ({ name }) => name,
    }),
    ...(disruptionMode == null ? [] : oneOf(disruptionMode, `${path}.disruptionMode`, MODES)),
    ...(priorityClassName
      ? nameErrors(priorityClassName, `${path}.priorityClassName`, subdomainFaults)
      : []),
    ...(priority > HIGHEST_USER_PRIORITY ? [invalidValue(`${path}.priority`, priority, most)] : []),
  ];
}

/**
 * @param {any} policy
 * @param {string} path
 * @returns {FieldError[]}
 */
function policyErrors(policy, path) {
  const { basic, gang } = policy;
  if (!basic && !gang) return [invalidValue(path, '', 'must specify one of: `basic`, `gang`')];
  if (basic && gang) {
    const detail = 'exactly one of `basic`, `gang` is required, but multiple fields are set';
    return [invalidValue(path, '{`basic`, `gang`}', detail)];
  }
  const { minCount = 0 } = gang ?? { minCount: 1 };
  if (minCount === 0) return [required(`${path}.gang.minCount`)];
  if (minCount > 0) return [];
  return [invalidValue(`${path}.gang.minCount`, minCount, 'must be greater than zero')];
}

/**
 * @param {any} claim
 * @param {string} path
 * @returns {FieldError[]}
 */
function claimErrors(claim, path) {
  const { name, resourceClaimName, resourceClaimTemplateName } = claim;
  const fields = { resourceClaimName, resourceClaimTemplateName };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const detail = 'exactly one of `resourceClaimName`, `resourceClaimTemplateName` is required';
  return [
    ...nameErrors(name, `${path}.name`, labelNameFaults),
    ...(given.length === 1 ? [] : [invalidValue(path, claim, detail)]),
    ...given.flatMap(([field, value]) => nameErrors(value, `${path}.${field}`, subdomainFaults)),
  ];
}
