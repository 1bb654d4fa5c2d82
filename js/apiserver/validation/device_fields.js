/**
 * The fields that the kinds of resource.k8s.io share: names, selectors, configurations, taints.
 * Counterpart: pkg/apis/resource/validation/validation.go, v1.36.
 */
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../src/kubernetes/field_errors.js';
import {
  labelKeyFaults,
  labelNameFaults,
  labelValueFaults,
  subdomainFaults,
} from '../../src/kubernetes/names.js';
import { isRecord } from '../../src/kubernetes/values.js';
import { oneOf } from './container_fields.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const DRIVER_LONGEST = 63;
const POOL_LONGEST = 253;
const IDENTIFIER_LONGEST = 32;
const EXPRESSION_LONGEST = 10 * 1024;
const PARAMETERS_LONGEST = 10 * 1024;
const MOST_SELECTORS = 32;
const MOST_BINDING_CONDITIONS = 4;
const MESSAGE_LONGEST = 32_768;

/** The maximum of requests, constraints, configurations and results. */
export const MOST_ENTRIES = 32;

export const IMMUTABLE = 'field is immutable';

const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];
const OPERATORS = ['Equal', 'Exists'];
const STATUSES = ['False', 'True', 'Unknown'];
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const IDENTIFIER_RULE =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of " +
  "alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for " +
  "validation is '[A-Za-z_][A-Za-z0-9_]*')";

/**
 * Validates a list of limited length, whose entries may have to differ in a key. A list that is too
 * long is not looked at further.
 * @param {any[] | null | undefined} given
 * @param {object} rule
 * @param {string} rule.field
 * @param {number} rule.most entries
 * @param {(entry: any, field: string) => FieldError[]} rule.errorsOf
 * @param {(entry: any) => string} [rule.keyOf]
 * @returns {FieldError[]}
 */
export function listErrors(given, { field, most, errorsOf, keyOf }) {
  const list = given ?? [];
  if (list.length > most) return [tooMany(field, list.length, most)];
  const errors = list.flatMap((entry, index) => errorsOf(entry, `${field}[${index}]`));
  if (!keyOf) return errors;
  const known = new Set();
  for (const [index, entry] of list.entries()) {
    const key = keyOf(entry);
    if (known.has(key)) errors.push(duplicate(`${field}[${index}]`, key));
    known.add(key);
  }
  return errors;
}

/**
 * Validates a map of limited size. The errors of keys have the path of the map.
 * @param {Record<string, any> | undefined} map
 * @param {object} rule
 * @param {string} rule.field
 * @param {number} [rule.most] entries
 * @param {(key: string, field: string) => FieldError[]} rule.keyErrors
 * @param {(value: any, field: string) => FieldError[]} [rule.errorsOf]
 * @returns {FieldError[]}
 */
export function mapErrors(map = {}, { field, most = Infinity, keyErrors, errorsOf = () => [] }) {
  const entries = Object.entries(map);
  if (entries.length > most) return [tooMany(field, entries.length, most)];
  return entries.flatMap(([key, value]) => [
    ...keyErrors(key, field),
    ...errorsOf(value, `${field}[${key}]`),
  ]);
}

/** @param {string | undefined} name @param {string} field @returns {FieldError[]} */
export function driverErrors(name = '', field) {
  if (name === '') return [required(field)];
  const faults = subdomainFaults(name.toLowerCase());
  return [
    ...(name.length > DRIVER_LONGEST ? [tooLong(field, DRIVER_LONGEST)] : []),
    ...faults.map((fault) => invalidValue(field, name, fault)),
  ];
}

/** @param {string | undefined} name @param {string} field @returns {FieldError[]} */
export function poolErrors(name = '', field) {
  if (name === '') return [required(field)];
  return [
    ...(name.length > POOL_LONGEST ? [tooLong(field, POOL_LONGEST)] : []),
    ...name
      .split('/')
      .flatMap((part) => subdomainFaults(part).map((fault) => invalidValue(field, part, fault))),
  ];
}

/** The name of a device, a request, a counter or a counter set. @type {typeof driverErrors} */
export function labelErrors(name = '', field) {
  return labelNameFaults(name).map((fault) => invalidValue(field, name, fault));
}

/** @param {string | undefined} name @param {string} field @returns {FieldError[]} */
export function classNameErrors(name = '', field) {
  if (name === '') return [required(field)];
  return subdomainFaults(name).map((fault) => invalidValue(field, name, fault));
}

/**
 * The name of an attribute or a capacity: an identifier, with or without the domain of its driver.
 * @param {string} name
 * @param {string} field
 * @returns {FieldError[]}
 */
export function qualifiedNameErrors(name, field) {
  const parts = name.split('/');
  if (parts.length > 2) return [invalidValue(field, name, 'must not contain more than one slash')];
  const [identifier, domain] = parts.reverse();
  const isQualified = domain !== undefined;
  return [
    ...(isQualified && domain === ''
      ? [invalidValue(field, '', 'the domain must not be empty')]
      : []),
    ...(domain ? driverErrors(domain, field) : []),
    ...(isQualified && identifier === ''
      ? [invalidValue(field, '', 'the name must not be empty')]
      : identifierErrors(identifier, field)),
  ];
}

/** @param {string} name @param {string} field @returns {FieldError[]} */
export function fullyQualifiedNameErrors(name, field) {
  const detail = 'a fully qualified name must be a domain and a name separated by a slash';
  return [
    ...qualifiedNameErrors(name, field),
    ...(name.includes('/') ? [] : [invalidValue(field, name, detail)]),
  ];
}

/** @param {string} name @param {string} field */
function identifierErrors(name, field) {
  return [
    ...(name.length > IDENTIFIER_LONGEST ? [tooLong(field, IDENTIFIER_LONGEST)] : []),
    ...(IDENTIFIER.test(name) ? [] : [invalidValue(field, name, IDENTIFIER_RULE)]),
  ];
}

/**
 * Expressions are not compiled here: the engine compiles them.
 * @param {any[] | undefined} selectors
 * @param {string} field
 */
export function selectorsErrors(selectors, field) {
  return listErrors(selectors, {
    field,
    most: MOST_SELECTORS,
    errorsOf: ({ cel }, at) => {
      if (!cel) return [required(`${at}.cel`)];
      const isLong = (cel.expression ?? '').length > EXPRESSION_LONGEST;
      return isLong ? [tooLong(`${at}.cel.expression`, EXPRESSION_LONGEST)] : [];
    },
  });
}

/**
 * One configuration of devices, for their driver.
 * @param {any} config
 * @param {string} path
 * @returns {FieldError[]}
 */
export function configurationErrors({ opaque }, path) {
  const field = `${path}.opaque`;
  if (!opaque) return [required(field)];
  return [
    ...driverErrors(opaque.driver, `${field}.driver`),
    ...rawErrors(opaque.parameters, `${field}.parameters`, PARAMETERS_LONGEST),
  ];
}

/**
 * Any JSON object.
 * @param {unknown} value
 * @param {string} field
 * @param {number} longest
 * @returns {FieldError[]}
 */
export function rawErrors(value, field, longest) {
  if (value === undefined || value === null) return [required(field)];
  if (JSON.stringify(value).length > longest) return [tooLong(field, longest)];
  if (isRecord(value)) return [];
  return [invalidValue(field, '<value omitted>', 'must be a valid JSON object')];
}

/** @param {string} key @param {string} field */
function keyErrors(key, field) {
  return labelKeyFaults(key).map((fault) => invalidValue(field, key, fault));
}

/** @param {string} value @param {string} field */
function valueErrors(value, field) {
  return labelValueFaults(value).map((fault) => invalidValue(field, value, fault));
}

/**
 * @param {any} taint
 * @param {string} path
 * @returns {FieldError[]}
 */
export function taintErrors({ key = '', value, effect }, path) {
  return [
    ...keyErrors(key, `${path}.key`),
    ...(value ? valueErrors(value, `${path}.value`) : []),
    ...oneOf(effect, `${path}.effect`, EFFECTS),
  ];
}

/**
 * @param {any[] | undefined} tolerations
 * @param {string} field
 */
export function tolerationsErrors(tolerations = [], field) {
  return tolerations.flatMap((one, index) => tolerationErrors(one, `${field}[${index}]`));
}

/**
 * @param {any} toleration
 * @param {string} path
 * @returns {FieldError[]}
 */
function tolerationErrors({ key, operator, value = '', effect }, path) {
  const at = `${path}.value`;
  const errors = key ? keyErrors(key, `${path}.key`) : [];
  if (operator === 'Equal') errors.push(...valueErrors(value, at));
  else if (operator !== 'Exists') errors.push(...oneOf(operator, `${path}.operator`, OPERATORS));
  else if (value !== '')
    errors.push(invalidValue(at, value, 'must be empty for operator `Exists`'));
  if (effect && !EFFECTS.includes(effect))
    errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
  return errors;
}

/**
 * The conditions that a device must have, or must not have, before its pod is bound.
 * @param {any} device a device of a slice, or of an allocation
 * @param {string} path
 * @returns {FieldError[]}
 */
export function bindingErrors({ bindingConditions = [], bindingFailureConditions = [] }, path) {
  const field = `${path}.bindingConditions`;
  const failure = `${path}.bindingFailureConditions`;
  const lists = [
    { list: bindingConditions, at: field },
    { list: bindingFailureConditions, at: failure },
  ];
  /** @type {FieldError[]} */
  const errors = lists.flatMap(({ list, at }) =>
    listErrors(list, { field: at, most: MOST_BINDING_CONDITIONS, errorsOf: keyErrors }),
  );
  const wanted = new Set(bindingConditions);
  for (const { list, at } of lists) {
    const known = new Set();
    for (const [index, type] of list.entries()) {
      if (known.has(type)) errors.push(duplicate(`${at}[${index}]`, type));
      known.add(type);
      if (at === failure && wanted.has(type)) {
        const detail = 'bindingFailureConditions must not overlap with bindingConditions';
        errors.push(invalidValue(`${at}[${index}]`, type, detail));
      }
    }
  }
  const [has, fails] = lists.map(({ list }) => list.length > 0);
  const needs = (/** @type {string} */ one, /** @type {string} */ other) =>
    `${one} are required to use ${other}`;
  if (fails && !has) {
    const detail = needs('bindingConditions', 'bindingFailureConditions');
    errors.push(invalidValue(field, bindingConditions, detail));
  }
  if (has && !fails) {
    const detail = needs('bindingFailureConditions', 'bindingConditions');
    errors.push(invalidValue(failure, bindingFailureConditions, detail));
  }
  return errors;
}

/**
 * A list of `metav1.Condition`. Counterpart: `ValidateConditions` of
 * apimachinery/pkg/apis/meta/v1/validation, v1.36.
 * @param {any[]} conditions
 * @param {string} field
 * @returns {FieldError[]}
 */
export function conditionsErrors(conditions, field) {
  const known = new Set();
  return conditions.flatMap((condition, index) => {
    const { type = '', status = '', lastTransitionTime, reason, message = '' } = condition;
    const path = `${field}[${index}]`;
    const isTwice = known.has(type);
    known.add(type);
    const missing = (/** @type {string} */ name) => required(`${path}.${name}`, 'must be set');
    return [
      ...(isTwice ? [duplicate(`${path}.type`, type)] : []),
      ...(type === '' ? [missing('type')] : keyErrors(type, `${path}.type`)),
      ...(STATUSES.includes(status) ? [] : [notSupported(`${path}.status`, status, STATUSES)]),
      ...(lastTransitionTime ? [] : [missing('lastTransitionTime')]),
      ...(reason ? [] : [missing('reason')]),
      ...(message.length > MESSAGE_LONGEST ? [tooLong(`${path}.message`, MESSAGE_LONGEST)] : []),
    ];
  });
}
