/**
 * Validates all kinds except pods, workloads and volumes. Counterpart: the validation packages of
 * pkg/apis in v1.36.
 */
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../src/kubernetes/field_errors.js';
import { oneOf, portNumberErrors, unsupported } from './container_fields.js';
import {
  conditionsErrors,
  configurationErrors,
  driverErrors,
  labelErrors,
  listErrors,
  MOST_ENTRIES,
  poolErrors,
  selectorsErrors,
  taintErrors,
} from './device_fields.js';
import { atMostAllErrors, intOrPercentErrors } from './int_or_percent.js';
import { labelKeyFaults, labelValueFaults } from '../../src/kubernetes/names.js';
import { PREEMPTION_POLICIES } from './pod.js';
import { isExtended } from '../../src/kubernetes/resource_errors.js';
import { selectorErrors } from './scheduling.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const EVICTION_POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];
const SERVICE_TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** The system's PriorityClasses, with the values that are reserved for them. */
export const SYSTEM_PRIORITIES = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);
const HIGHEST_USER_PRIORITY = 1_000_000_000;

/** Of a DeviceTaintRule's status. */
const MOST_CONDITIONS = 8;

/**
 * Upstream's errors have the path of taints under metadata.
 * @param {KubernetesObject} node
 */
export function nodeErrors({ spec }) {
  const pairs = new Set();
  const taints = spec?.taints ?? [];
  return taints.flatMap((/** @type {any} */ taint, /** @type {number} */ index) => {
    const { key = '', value = '', effect = '', timeAdded = null } = taint;
    const path = `metadata.taints[${index}]`;
    const pair = `${effect} ${key}`;
    const isTwice = pairs.has(pair);
    pairs.add(pair);
    const valueFaults = labelValueFaults(value).join(';');
    const whole = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded };
    return [
      ...labelKeyFaults(key).map((fault) => invalidValue(`${path}.key`, key, fault)),
      ...(valueFaults ? [invalidValue(`${path}.value`, value, valueFaults)] : []),
      ...oneOf(effect, `${path}.effect`, EFFECTS),
      ...(isTwice ? [duplicate(path, whole, 'taints must be unique by key and effect pair')] : []),
    ];
  });
}

/** @param {KubernetesObject} service */
export function serviceErrors({ spec }) {
  const { type, ports = [], clusterIP, externalName } = spec;
  const isHeadless = clusterIP === 'None';
  return [
    ...(ports.length === 0 && !isHeadless && type !== 'ExternalName'
      ? [required('spec.ports')]
      : []),
    ...(SERVICE_TYPES.includes(type) ? [] : [notSupported('spec.type', type, SERVICE_TYPES)]),
    ...(type === 'ExternalName' && !externalName ? [required('spec.externalName')] : []),
    ...ports.flatMap((/** @type {any} */ { name, port }, /** @type {number} */ index) => [
      ...(ports.length > 1 && !name ? [required(`spec.ports[${index}].name`)] : []),
      ...portNumberErrors(port ?? 0, `spec.ports[${index}].port`),
    ]),
  ];
}

/**
 * An event is in the namespace of its object; events about cluster-scoped objects are in `default`.
 * @param {KubernetesObject} event
 */
export function eventErrors({ metadata, involvedObject }) {
  const { namespace = '' } = involvedObject ?? {};
  const isPlaced =
    namespace === ''
      ? ['', 'default', 'kube-system'].includes(metadata.namespace ?? '')
      : namespace === metadata.namespace;
  if (isPlaced) return [];
  return [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')];
}

/** @param {KubernetesObject} budget */
export function budgetErrors({ spec = {} }) {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const both = 'minAvailable and maxUnavailable cannot be both set';
  const hasBoth = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(hasBoth ? [invalidValue('spec', goFields(spec), both)] : []),
    ...boundErrors(minAvailable, 'spec.minAvailable'),
    ...boundErrors(maxUnavailable, 'spec.maxUnavailable'),
    ...selectorErrors(selector, 'spec.selector'),
    ...unsupported(policy, 'spec.unhealthyPodEvictionPolicy', EVICTION_POLICIES),
  ];
}

/**
 * @param {number | string | undefined} value
 * @param {string} field
 */
function boundErrors(value, field) {
  if (value === undefined) return [];
  return [...intOrPercentErrors(value, field), ...atMostAllErrors(value, field)];
}

/** In the field order of the API server's own type. @param {any} spec of a PodDisruptionBudget */
function goFields({ minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy }) {
  return {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
}

/** @param {KubernetesObject} priorityClass @returns {FieldError[]} */
export function priorityClassErrors({ metadata, value, preemptionPolicy }) {
  return [
    ...priorityErrors(metadata.name ?? '', value),
    ...(preemptionPolicy === undefined
      ? []
      : oneOf(preemptionPolicy, 'preemptionPolicy', PREEMPTION_POLICIES)),
  ];
}

/**
 * @param {string} name
 * @param {number} value
 */
function priorityErrors(name, value) {
  const known = SYSTEM_PRIORITIES.get(name);
  if (known !== undefined && known === value) return [];
  if (name.startsWith('system-')) {
    const detail =
      "priority class names with 'system-' prefix are reserved for system use only. error: " +
      (known === undefined
        ? `${name} is not a known system priority class`
        : `value of ${name} PriorityClass must be ${known}`);
    return [forbiddenField('metadata.name', detail)];
  }
  if (value <= HIGHEST_USER_PRIORITY) return [];
  const detail = `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`;
  return [forbiddenField('value', detail)];
}

/**
 * @param {KubernetesObject} priorityClass
 * @param {KubernetesObject} old
 */
export function priorityClassUpdateErrors({ value, preemptionPolicy }, old) {
  return [
    ...(value === old.value ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...(preemptionPolicy === old.preemptionPolicy
      ? []
      : [invalidValue('preemptionPolicy', preemptionPolicy, 'field is immutable')]),
  ];
}

/** @param {KubernetesObject} deviceClass @returns {FieldError[]} */
export function deviceClassErrors({ spec = {} }) {
  const { selectors, config, extendedResourceName: name } = spec;
  const isValid = name === undefined || isExtended(name);
  const detail = 'must be a valid extended resource name';
  return [
    ...selectorsErrors(selectors, 'spec.selectors'),
    ...listErrors(config, {
      field: 'spec.config',
      most: MOST_ENTRIES,
      errorsOf: configurationErrors,
    }),
    ...(isValid ? [] : [invalidValue('spec.extendedResourceName', name, detail)]),
  ];
}

/** @param {KubernetesObject} rule a DeviceTaintRule */
export function deviceTaintRuleErrors({ spec = {} }) {
  const { deviceSelector: selector = {}, taint = {} } = spec;
  const path = 'spec.deviceSelector';
  const parts = /** @type {[string, typeof driverErrors][]} */ ([
    ['driver', driverErrors],
    ['pool', poolErrors],
    ['device', labelErrors],
  ]);
  return [
    ...parts
      .filter(([name]) => selector[name] !== undefined)
      .flatMap(([name, errorsOf]) => errorsOf(selector[name], `${path}.${name}`)),
    ...taintErrors(taint, 'spec.taint'),
  ];
}

/** @param {KubernetesObject} rule @returns {FieldError[]} */
export function deviceTaintRuleStatusErrors({ status: { conditions = [] } = {} }) {
  const field = 'status.conditions';
  const count = conditions.length;
  return [
    ...conditionsErrors(conditions, field),
    ...(count > MOST_CONDITIONS ? [tooMany(field, count, MOST_CONDITIONS)] : []),
  ];
}
