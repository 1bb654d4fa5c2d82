/**
 * How Jobs count and replace their pods.
 * Counterpart: `validateJobSpec` of pkg/apis/batch/validation/validation.go, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import { duplicate, invalidValue, required, tooLong } from '../../src/kubernetes/field_errors.js';
import { subdomainFaults } from '../../src/kubernetes/names.js';
import { unsupported } from './container_fields.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const COMPLETION_MODES = ['NonIndexed', 'Indexed'];
const REPLACEMENT_POLICIES = ['Failed', 'TerminatingOrFailed'];
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const MANAGED_BY_LONGEST = 63;

/** The most pods and failed indexes of an indexed Job, and the completions that have fewer. */
const MOST = 100_000;
const MOST_OF_MANY = 10_000;

/** The condition of the limits of a Job with many completions. */
const OF_MANY = `when completions are above ${MOST} and used with backoff limit per index`;

/**
 * @param {any} spec of a Job
 * @param {string} path
 * @returns {FieldError[]}
 */
export function jobPolicyErrors(spec, path) {
  const { completionMode, podFailurePolicy, podReplacementPolicy } = spec;
  const replacements = podFailurePolicy ? ['Failed'] : REPLACEMENT_POLICIES;
  return [
    ...managerErrors(spec.managedBy, `${path}.managedBy`),
    ...unsupported(completionMode, `${path}.completionMode`, COMPLETION_MODES),
    ...(completionMode === 'Indexed' ? indexedErrors(spec, path) : notIndexedErrors(spec, path)),
    ...itemsIn(podFailurePolicy?.rules).flatMap((rule, index) =>
      ruleErrors(rule, `${path}.podFailurePolicy.rules[${index}]`, spec),
    ),
    ...unsupported(podReplacementPolicy, `${path}.podReplacementPolicy`, replacements),
  ];
}

/**
 * @param {string | undefined} name of a controller
 * @param {string} field
 * @returns {FieldError[]}
 */
function managerErrors(name, field) {
  if (name === undefined) return [];
  const long = name.length > MANAGED_BY_LONGEST ? [tooLong(field, MANAGED_BY_LONGEST)] : [];
  if (name === '') return [required(field)];
  const [host, ...rest] = name.split('/');
  if (host === '' || rest.join('/') === '') {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [invalidValue(field, name, detail), ...long];
  }
  return [...subdomainFaults(host).map((fault) => invalidValue(field, host, fault)), ...long];
}

/**
 * @param {any} spec of an indexed Job
 * @param {string} path
 * @returns {FieldError[]}
 */
function indexedErrors(spec, path) {
  const { completions, parallelism, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (completions === undefined)
    return [required(`${path}.completions`, 'when completion mode is Indexed')];
  const atMost = (/** @type {string} */ name, /** @type {number} */ most, detail = `${most}`) =>
    (spec[name] ?? 0) > most
      ? [invalidValue(`${path}.${name}`, spec[name], `must be less than or equal to ${detail}`)]
      : [];
  const isOfMany = completions > MOST && backoffLimitPerIndex !== undefined;
  return [
    ...atMost('parallelism', MOST, `${MOST} when completion mode is Indexed`),
    ...atMost('maxFailedIndexes', completions, 'completions'),
    ...atMost('maxFailedIndexes', MOST),
    ...(isOfMany && maxFailedIndexes === undefined
      ? [
          required(
            `${path}.maxFailedIndexes`,
            `must be specified when completions is above ${MOST}`,
          ),
        ]
      : []),
    ...(isOfMany && parallelism !== undefined
      ? atMost('parallelism', MOST_OF_MANY, `${MOST_OF_MANY} ${OF_MANY}`)
      : []),
    ...(isOfMany ? atMost('maxFailedIndexes', MOST_OF_MANY, `${MOST_OF_MANY} ${OF_MANY}`) : []),
  ];
}

/**
 * @param {any} spec of a Job that is not indexed
 * @param {string} path
 * @returns {FieldError[]}
 */
function notIndexedErrors(spec, path) {
  return ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy']
    .filter((name) => spec[name] !== undefined)
    .map((name) => invalidValue(`${path}.${name}`, spec[name], 'requires indexed completion mode'));
}

/**
 * @param {any} rule of a failure policy
 * @param {string} path
 * @param {any} spec of the Job
 */
function ruleErrors({ action, onExitCodes, onPodConditions }, path, { backoffLimitPerIndex }) {
  const isPerIndex = action !== 'FailIndex' || backoffLimitPerIndex !== undefined;
  const detail = 'requires the backoffLimitPerIndex to be set';
  return [
    ...given(action, `${path}.action`, ACTIONS),
    ...(isPerIndex ? [] : [invalidValue(`${path}.action`, action, detail)]),
    ...(onExitCodes ? exitCodesErrors(onExitCodes, `${path}.onExitCodes`) : []),
    ...itemsIn(onPodConditions).flatMap(({ status }, index) =>
      given(status, `${path}.onPodConditions[${index}].status`, STATUSES),
    ),
  ];
}

/**
 * @param {any} codes
 * @param {string} path
 * @returns {FieldError[]}
 */
function exitCodesErrors({ operator, values }, path) {
  const all = itemsIn(values);
  const field = `${path}.values`;
  const isOrdered = all.every((value, index) => index === 0 || all[index - 1] <= value);
  return [
    ...given(operator, `${path}.operator`, OPERATORS),
    ...(all.length === 0 ? [invalidValue(field, all, 'at least one value is required')] : []),
    ...all.flatMap((value, index) => [
      ...(operator === 'In' && value === 0
        ? [invalidValue(`${field}[${index}]`, value, 'must not be 0 for the In operator')]
        : []),
      ...(all.indexOf(value) < index ? [duplicate(`${field}[${index}]`, value)] : []),
    ]),
    ...(isOrdered ? [] : [invalidValue(field, all, 'must be ordered')]),
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
