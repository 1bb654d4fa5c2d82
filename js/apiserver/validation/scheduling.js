/**
 * Validates a pod's scheduling constraints. Counterpart: pkg/apis/core/validation/validation.go,
 * v1.36.
 */
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import {
  labelKeyFaults,
  labelNameFaults,
  labelValueFaults,
  subdomainFaults,
} from '../../src/kubernetes/names.js';
import { unsupported } from './container_fields.js';
import { labelErrors } from './object_meta.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const COMPARISONS = ['Lt', 'Gt'];
/** The list includes the comparison operators, which are supported only with their feature gate. */
const TOLERATION_OPERATORS = ['Equal', 'Exists', ...COMPARISONS];
const WHEN_UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];
const INCLUSION_POLICIES = ['Honor', 'Ignore'];
const NOT_POSITIVE = 'must be greater than zero';
const LABEL_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const NODE_OPERATORS = [...LABEL_OPERATORS, 'Gt', 'Lt'];

/**
 * @param {any} spec of a pod
 * @param {string} path
 * @returns {FieldError[]}
 */
export function placementErrors(spec, path) {
  const { nodeSelector = {}, topologySpreadConstraints = [], affinity = {} } = spec;
  const { nodeAffinity = {}, podAffinity = {}, podAntiAffinity = {} } = affinity;
  return [
    ...labelErrors(nodeSelector, `${path}.nodeSelector`),
    ...nodeAffinityErrors(nodeAffinity, `${path}.affinity.nodeAffinity`),
    ...podAffinityErrors(podAffinity, `${path}.affinity.podAffinity`),
    ...podAffinityErrors(podAntiAffinity, `${path}.affinity.podAntiAffinity`),
    ...(spec.readinessGates ?? []).flatMap(
      (/** @type {any} */ { conditionType = '' }, /** @type {number} */ index) =>
        keyErrors(conditionType, `${path}.readinessGates[${index}].conditionType`),
    ),
    ...gatesErrors(spec.schedulingGates ?? [], `${path}.schedulingGates`),
    ...spreadErrors(topologySpreadConstraints, `${path}.topologySpreadConstraints`),
  ];
}

/**
 * @param {any[]} tolerations
 * @param {string} field
 * @returns {FieldError[]}
 */
export function tolerationsErrors(tolerations, field) {
  return tolerations.flatMap((one, index) => tolerationErrors(one, `${field}[${index}]`));
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
  } else if (operator && operator !== 'Equal' && operator !== 'Exists') {
    const gate = COMPARISONS.includes(operator) ? 'TaintTolerationComparisonOperators' : '';
    errors.push({ ...notSupported(at, operator, TOLERATION_OPERATORS), gate, operand: value });
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
 * @returns {FieldError[]}
 */
function spreadErrors(constraints, field) {
  const pairs = constraints.map(
    ({ topologyKey = '', whenUnsatisfiable = '' }) => `{${topologyKey}, ${whenUnsatisfiable}}`,
  );
  const last = new Map(pairs.map((pair, index) => [pair, index]));
  return constraints.flatMap((constraint, index) => {
    const { maxSkew = 0, topologyKey, whenUnsatisfiable = '', labelSelector } = constraint;
    const path = `${field}[${index}]`;
    const isRepeated = Number(last.get(pairs[index])) > index;
    return [
      ...(maxSkew > 0 ? [] : [invalidValue(`${path}.maxSkew`, maxSkew, NOT_POSITIVE)]),
      ...(topologyKey ? [] : [required(`${path}.topologyKey`, EMPTY)]),
      ...unsupported(whenUnsatisfiable, `${path}.whenUnsatisfiable`, WHEN_UNSATISFIABLE),
      ...(isRepeated ? [duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, pairs[index])] : []),
      ...minDomainsErrors(constraint, `${path}.minDomains`),
      ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((name) =>
        unsupported(constraint[name], `${path}.${name}`, INCLUSION_POLICIES),
      ),
      ...labelKeysErrors(constraint, path),
      ...selectorErrors(labelSelector, `${path}.labelSelector`),
    ];
  });
}

/**
 * @param {any} constraint
 * @param {string} field
 */
function minDomainsErrors({ minDomains, whenUnsatisfiable = '' }, field) {
  if (minDomains === undefined) return [];
  const only = 'can only use minDomains if whenUnsatisfiable=DoNotSchedule';
  return [
    ...(minDomains > 0 ? [] : [invalidValue(field, minDomains, NOT_POSITIVE)]),
    ...(whenUnsatisfiable === 'DoNotSchedule'
      ? []
      : [invalidValue(field, minDomains, `${only}, not ${whenUnsatisfiable}`)]),
  ];
}

/**
 * Validates the keys whose values the selector takes from the pod. For stored pods they are merged
 * into the selector already, so that a key which the selector had itself occurs twice.
 * @param {any} term
 * @param {string} path
 * @returns {FieldError[]}
 */
function labelKeysErrors({ matchLabelKeys = [], mismatchLabelKeys = [], labelSelector }, path) {
  const keys = Object.entries({ matchLabelKeys, mismatchLabelKeys });
  const mismatched = new Set(mismatchLabelKeys);
  return [
    ...keys.flatMap(([name, list]) => labelKeyListErrors(list, `${path}.${name}`, labelSelector)),
    ...(labelSelector ? keysTwiceErrors(matchLabelKeys, labelSelector, path) : []),
    ...matchLabelKeys.flatMap((/** @type {string} */ key, /** @type {number} */ index) => {
      const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
      const at = `${path}.matchLabelKeys[${index}]`;
      return mismatched.has(key) ? [invalidValue(at, key, detail)] : [];
    }),
  ];
}

/**
 * @param {string[]} keys
 * @param {string} field
 * @param {unknown} labelSelector
 * @returns {FieldError[]}
 */
function labelKeyListErrors(keys, field, labelSelector) {
  if (keys.length === 0) return [];
  if (!labelSelector) {
    return [forbiddenField(field, 'must not be specified when labelSelector is not set')];
  }
  return keys.flatMap((key, index) => keyErrors(key, `${field}[${index}]`));
}

/**
 * @param {string[]} keys
 * @param {any} labelSelector
 * @param {string} path
 */
function keysTwiceErrors(keys, { matchLabels = {}, matchExpressions = [] }, path) {
  const indices = new Map(keys.map((key, index) => [key, index]));
  const seen = new Set(Object.keys(matchLabels));
  return matchExpressions.flatMap((/** @type {any} */ { key = '' }) => {
    const isTwice = indices.has(key) && seen.has(key);
    seen.add(key);
    const detail = 'exists in both matchLabelKeys and labelSelector';
    return isTwice ? [invalidValue(`${path}[${indices.get(key)}]`, key, detail)] : [];
  });
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
      ...podAffinityTermErrors(
        one.podAffinityTerm ?? {},
        `${path}.${soft}[${index}].podAffinityTerm`,
      ),
    ]),
  ];
}

/**
 * @param {any} term
 * @param {string} path
 * @returns {FieldError[]}
 */
function podAffinityTermErrors(term, path) {
  const { topologyKey = '', namespaces = [] } = term;
  return [
    ...selectorErrors(term.labelSelector, `${path}.labelSelector`),
    ...selectorErrors(term.namespaceSelector, `${path}.namespaceSelector`),
    ...namespaces.flatMap((/** @type {string} */ name) =>
      labelNameFaults(name).map((fault) => invalidValue(`${path}.namespace`, name, fault)),
    ),
    ...labelKeysErrors(term, path),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, EMPTY)] : []),
    ...keyErrors(topologyKey, `${path}.topologyKey`),
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
      // Values of preferences need not be valid label values.
      ...nodeTermErrors(one.preference ?? {}, `${path}.${soft}[${index}].preference`, () => []),
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
    nodeTermErrors(term, `${field}[${index}]`, labelValueFaults),
  );
}

/**
 * @param {any} term
 * @param {string} path
 * @param {(value: string) => string[]} faultsOf checks a value
 * @returns {FieldError[]}
 */
function nodeTermErrors({ matchExpressions = [], matchFields = [] }, path, faultsOf) {
  return [
    ...matchExpressions.flatMap((/** @type {any} */ one, /** @type {number} */ index) => {
      const at = `${path}.matchExpressions[${index}]`;
      return expressionErrors(one, at, { operators: NODE_OPERATORS, faultsOf });
    }),
    ...matchFields.flatMap((/** @type {any} */ one, /** @type {number} */ index) =>
      nodeFieldErrors(one, `${path}.matchFields[${index}]`),
    ),
  ];
}

/**
 * `metadata.name` is the only supported field of nodes.
 * @param {any} requirement
 * @param {string} path
 * @returns {FieldError[]}
 */
function nodeFieldErrors({ key = '', operator = '', values = [] }, path) {
  const isOperator = operator === 'In' || operator === 'NotIn';
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [
    ...(isOperator ? [] : [invalidValue(`${path}.operator`, operator, NO_OPERATOR)]),
    ...(isOperator && values.length !== 1 ? [required(`${path}.values`, one)] : []),
    ...(key === 'metadata.name'
      ? valueErrors(values, `${path}.values`, subdomainFaults)
      : [invalidValue(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}

/**
 * @param {any} expression
 * @param {string} path
 * @param {{ operators: string[], faultsOf: (value: string) => string[] }} rule
 * @returns {FieldError[]}
 */
function expressionErrors({ key = '', operator, values = [] }, path, { operators, faultsOf }) {
  return [
    ...valuesErrors({ operator, values, operators }, path),
    ...keyErrors(key, `${path}.key`),
    ...valueErrors(values, `${path}.values`, faultsOf),
  ];
}

/**
 * @param {string[]} values
 * @param {string} field
 * @param {(value: string) => string[]} faultsOf
 */
function valueErrors(values, field, faultsOf) {
  return values.flatMap((value, index) =>
    faultsOf(value).map((fault) => invalidValue(`${field}[${index}]`, value, fault)),
  );
}

const NO_OPERATOR = 'not a valid selector operator';

/**
 * @param {{ operator: string | undefined, values: string[], operators: string[] }} expression
 * @param {string} path
 */
function valuesErrors({ operator = '', values, operators }, path) {
  const field = `${path}.values`;
  if (!operators.includes(operator)) {
    return [invalidValue(`${path}.operator`, operator, NO_OPERATOR)];
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
      return expressionErrors(one, at, { operators: LABEL_OPERATORS, faultsOf: labelValueFaults });
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
 * @param {any[]} gates
 * @param {string} field
 * @returns {FieldError[]}
 */
function gatesErrors(gates, field) {
  const names = new Set();
  return gates.flatMap(({ name = '' }, index) => {
    const at = `${field}[${index}]`;
    const isTwice = names.has(name);
    names.add(name);
    return [...keyErrors(name, at), ...(isTwice ? [duplicate(at, name)] : [])];
  });
}
