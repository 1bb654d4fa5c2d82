/**
 * What a pod says about where it wants to be.
 * Counterpart: pkg/apis/core/validation/validation.go, v1.36.
 */
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../field_errors.js';
import { labelKeyFaults, labelValueFaults } from './names.js';
import { labelErrors } from './object_meta.js';

/** @import { FieldError } from '../field_errors.js' */

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const TOLERATION_OPERATORS = ['Equal', 'Exists'];
const WHEN_UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];
const LABEL_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const NODE_OPERATORS = [...LABEL_OPERATORS, 'Gt', 'Lt'];

/**
 * @param {any} spec of a pod
 * @param {string} path
 * @returns {FieldError[]}
 */
export function schedulingErrors(spec, path) {
  const { nodeSelector = {}, tolerations = [], topologySpreadConstraints = [], affinity } = spec;
  return [
    ...labelErrors(nodeSelector, `${path}.nodeSelector`),
    ...tolerations.flatMap((/** @type {any} */ one, /** @type {number} */ index) =>
      tolerationErrors(one, `${path}.tolerations[${index}]`),
    ),
    ...spreadErrors(topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...nodeAffinityErrors(affinity?.nodeAffinity ?? {}, `${path}.affinity.nodeAffinity`),
    ...podAffinityErrors(affinity?.podAffinity ?? {}, `${path}.affinity.podAffinity`),
    ...podAffinityErrors(affinity?.podAntiAffinity ?? {}, `${path}.affinity.podAntiAffinity`),
    ...gateErrors(spec, path),
  ];
}

/**
 * @param {any} toleration
 * @param {string} path
 */
function tolerationErrors({ key, operator, value, effect, tolerationSeconds }, path) {
  const at = `${path}.operator`;
  /** @type {FieldError[]} */
  const errors = [];
  if (key) errors.push(...keyErrors(key, `${path}.key`));
  if (!key && operator !== 'Exists') {
    const detail =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidValue(at, operator ?? '', detail));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalidValue(`${path}.effect`, effect ?? '', detail));
  }
  if (operator === 'Exists' && value) {
    errors.push(invalidValue(at, value, "value must be empty when `operator` is 'Exists'"));
  } else if (operator && !TOLERATION_OPERATORS.includes(operator)) {
    errors.push(notSupported(at, operator, TOLERATION_OPERATORS));
  } else if (value) {
    const faults = labelValueFaults(value);
    if (faults.length > 0) errors.push(invalidValue(at, value, faults.join(';')));
  }
  if (effect && !EFFECTS.includes(effect)) {
    errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
  }
  return errors;
}

/**
 * @param {any[]} constraints
 * @param {string} field
 */
function spreadErrors(constraints, field) {
  const pairs = constraints.map((one) => `{${one.topologyKey}, ${one.whenUnsatisfiable}}`);
  return constraints.flatMap((constraint, index) => {
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains, labelSelector } = constraint;
    const path = `${field}[${index}]`;
    return [
      ...(maxSkew > 0
        ? []
        : [invalidValue(`${path}.maxSkew`, maxSkew, 'must be greater than zero')]),
      ...(minDomains === undefined || minDomains > 0
        ? []
        : [invalidValue(`${path}.minDomains`, minDomains, 'must be greater than zero')]),
      ...topologyKeyErrors(topologyKey, path),
      ...(WHEN_UNSATISFIABLE.includes(whenUnsatisfiable)
        ? []
        : [notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, WHEN_UNSATISFIABLE)]),
      ...(pairs.indexOf(pairs[index]) < index
        ? [duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, pairs[index])]
        : []),
      ...selectorErrors(labelSelector, `${path}.labelSelector`),
    ];
  });
}

/**
 * @param {string | undefined} key
 * @param {string} path
 */
function topologyKeyErrors(key, path) {
  return key ? keyErrors(key, `${path}.topologyKey`) : [required(`${path}.topologyKey`, EMPTY)];
}

const EMPTY = 'can not be empty';

/**
 * @param {any} affinity
 * @param {string} path
 */
function podAffinityErrors(affinity, path) {
  const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
  const soft = 'preferredDuringSchedulingIgnoredDuringExecution';
  return [
    ...(affinity[hard] ?? []).flatMap((/** @type {any} */ term, /** @type {number} */ index) =>
      podAffinityTermErrors(term, `${path}.${hard}[${index}]`),
    ),
    ...(affinity[soft] ?? []).flatMap((/** @type {any} */ one, /** @type {number} */ index) => [
      ...weightErrors(one.weight, `${path}.${soft}[${index}].weight`),
      ...podAffinityTermErrors(one.podAffinityTerm, `${path}.${soft}[${index}].podAffinityTerm`),
    ]),
  ];
}

/**
 * @param {any} term
 * @param {string} path
 */
function podAffinityTermErrors({ topologyKey, labelSelector, namespaceSelector }, path) {
  return [
    ...selectorErrors(labelSelector, `${path}.labelSelector`),
    ...selectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    ...topologyKeyErrors(topologyKey, path),
  ];
}

/**
 * @param {any} affinity
 * @param {string} path
 */
function nodeAffinityErrors(affinity, path) {
  const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
  const soft = 'preferredDuringSchedulingIgnoredDuringExecution';
  const selector = affinity[hard];
  return [
    ...(selector ? nodeSelectorErrors(selector, `${path}.${hard}`) : []),
    ...(affinity[soft] ?? []).flatMap((/** @type {any} */ one, /** @type {number} */ index) => [
      ...weightErrors(one.weight, `${path}.${soft}[${index}].weight`),
      ...nodeTermErrors(one.preference ?? {}, `${path}.${soft}[${index}].preference`),
    ]),
  ];
}

/**
 * @param {any} selector a `NodeSelector`
 * @param {string} path
 */
export function nodeSelectorErrors({ nodeSelectorTerms: terms }, path) {
  const field = `${path}.nodeSelectorTerms`;
  if (!terms?.length) return [required(field, 'must have at least one node selector term')];
  return terms.flatMap((/** @type {any} */ term, /** @type {number} */ index) =>
    nodeTermErrors(term, `${field}[${index}]`),
  );
}

/**
 * @param {any} term
 * @param {string} path
 */
function nodeTermErrors({ matchExpressions = [] }, path) {
  return matchExpressions.flatMap(
    (/** @type {any} */ { key, operator, values = [] }, /** @type {number} */ index) => {
      const at = `${path}.matchExpressions[${index}]`;
      const valueErrors = valuesErrors({ operator, values, operators: NODE_OPERATORS }, at);
      return [...keyErrors(key ?? '', `${at}.key`), ...valueErrors];
    },
  );
}

/**
 * @param {{ operator: string | undefined, values: string[], operators: string[] }} expression
 * @param {string} path
 */
function valuesErrors({ operator = '', values, operators }, path) {
  const field = `${path}.values`;
  if (!operators.includes(operator)) {
    return [invalidValue(`${path}.operator`, operator, 'not a valid selector operator')];
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        forbiddenField(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ];
    default:
      if (values.length === 1) return [];
      return [required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
  }
}

/**
 * @param {any} selector a `LabelSelector`
 * @param {string} path
 * @returns {FieldError[]}
 */
export function selectorErrors(selector, path) {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return [
    ...labelErrors(matchLabels, `${path}.matchLabels`),
    ...matchExpressions.flatMap((/** @type {any} */ one, /** @type {number} */ index) => {
      const at = `${path}.matchExpressions[${index}]`;
      const { key = '', operator, values = [] } = one;
      return [
        ...valuesErrors({ operator, values, operators: LABEL_OPERATORS }, at),
        ...keyErrors(key, `${at}.key`),
      ];
    }),
  ];
}

/**
 * @param {number} weight
 * @param {string} field
 */
function weightErrors(weight, field) {
  return weight >= 1 && weight <= 100
    ? []
    : [invalidValue(field, weight, 'must be in the range 1-100')];
}

/**
 * @param {string} key
 * @param {string} field
 */
function keyErrors(key, field) {
  return labelKeyFaults(key).map((fault) => invalidValue(field, key, fault));
}

/**
 * @param {any} spec
 * @param {string} path
 */
function gateErrors({ schedulingGates = [], nodeName }, path) {
  const field = `${path}.schedulingGates`;
  const names = schedulingGates.map((/** @type {any} */ { name }) => name ?? '');
  const errors = names.flatMap((/** @type {string} */ name, /** @type {number} */ index) => [
    ...keyErrors(name, `${field}[${index}]`),
    ...(names.indexOf(name) < index ? [duplicate(`${field}[${index}].name`, name)] : []),
  ]);
  if (!nodeName || names.length === 0) return errors;
  const detail = 'cannot be set until all schedulingGates have been cleared';
  return [...errors, forbiddenField(`${path}.nodeName`, detail)];
}
