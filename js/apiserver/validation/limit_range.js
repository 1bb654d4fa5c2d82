/**
 * LimitRanges.
 * Counterpart: `ValidateLimitRange` of pkg/apis/core/validation/validation.go, v1.36.
 */
import { parseQuantity } from '../../src/kubernetes/quantity.js';
import { itemsIn } from '../../src/kubernetes/values.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
} from '../../src/kubernetes/field_errors.js';
import { labelKeyFaults } from '../../src/kubernetes/names.js';
import {
  containerNameErrors,
  isOvercommitAllowed,
  resourceNameErrors,
} from '../../src/kubernetes/resource_errors.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const ONE = 1_000_000_000n;

/** The lists of an item, in the order in which they are checked. */
const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

/** Lists that an item for whole pods cannot have. */
const NOT_OF_PODS = ['default', 'defaultRequest'];

/** @param {KubernetesObject} limitRange */
export function limitRangeErrors({ spec }) {
  const items = itemsIn(spec?.limits);
  const types = new Set();
  return items.flatMap((item, index) => {
    const path = `spec.limits[${index}]`;
    const isKnown = types.has(item.type);
    types.add(item.type);
    return [
      ...typeErrors(item.type, `${path}.type`),
      ...(isKnown ? [duplicate(`${path}.type`, item.type)] : []),
      ...LISTS.flatMap((list) => listErrors(item, list, path)),
      ...storageErrors(item, path),
      ...keysOf(item).flatMap((name) => boundErrors(item, name, path)),
    ];
  });
}

/**
 * @param {string} type
 * @param {string} field
 */
function typeErrors(type, field) {
  const faults = labelKeyFaults(type ?? '').map((fault) => invalidValue(field, type ?? '', fault));
  const isStandard = ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type);
  if (faults.length > 0 || isStandard || type.includes('/')) return faults;
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')];
}

/**
 * @param {any} item
 * @param {string} list
 * @param {string} path
 */
function listErrors(item, list, path) {
  const amounts = item[list] ?? {};
  const field = `${path}.${list}`;
  if (item.type === 'Pod' && NOT_OF_PODS.includes(list)) {
    const detail = "may not be specified when `type` is 'Pod'";
    return Object.keys(amounts).length > 0 ? [forbiddenField(field, detail)] : [];
  }
  const isOfContainers = item.type === 'Pod' || item.type === 'Container';
  const errorsOf = isOfContainers ? containerNameErrors : resourceNameErrors;
  return Object.keys(amounts).flatMap((name) => errorsOf(name, `${field}[${name}]`));
}

/**
 * @param {any} item
 * @param {string} path
 */
function storageErrors({ type, min, max }, path) {
  if (type !== 'PersistentVolumeClaim' || min?.storage || max?.storage) return [];
  const detail = 'either minimum or maximum storage value is required, but neither was provided';
  return [required(`${path}.limits`, detail)];
}

/** The resources of all lists, by name. @param {any} item */
function keysOf(item) {
  return [...new Set(LISTS.flatMap((list) => Object.keys(item[list] ?? {})))].sort();
}

/**
 * The pairs of amounts of which the first must not exceed the second; with the list and the amount
 * that the error reports.
 * @type {{ less: string, more: string, at: string, shown: string, moreName?: string }[]}
 */
const ORDERS = [
  { less: 'min', more: 'max', at: 'min', shown: 'min' },
  { less: 'min', more: 'defaultRequest', at: 'defaultRequest', shown: 'defaultRequest' },
  { less: 'defaultRequest', more: 'max', at: 'defaultRequest', shown: 'defaultRequest' },
  {
    less: 'defaultRequest',
    more: 'default',
    at: 'defaultRequest',
    shown: 'defaultRequest',
    moreName: 'default limit',
  },
  { less: 'min', more: 'default', at: 'default', shown: 'min' },
  { less: 'default', more: 'max', at: 'default', shown: 'max' },
];

/**
 * @param {any} item
 * @param {string} name of a resource
 * @param {string} path
 * @returns {FieldError[]}
 */
function boundErrors(item, name, path) {
  const amounts = Object.fromEntries(
    LISTS.filter((list) => item.type !== 'Pod' || !NOT_OF_PODS.includes(list))
      .map((list) => [list, item[list]?.[name]])
      .filter(([, text]) => text !== undefined),
  );
  const errors = ORDERS.flatMap(({ less, more, at, shown, moreName = wordsOf(more) }) => {
    if (!(less in amounts) || !(more in amounts)) return [];
    if (amountOf(amounts[less]) <= amountOf(amounts[more])) return [];
    const most = `${moreName} value ${amounts[more]}`;
    const detail = `${wordsOf(less)} value ${amounts[less]} is greater than ${most}`;
    return [invalidValue(`${path}.${at}[${name}]`, amounts[shown], detail)];
  });
  return [...errors, ...ratioErrors(amounts, name, path), ...fixedErrors(amounts, name, path)];
}

/**
 * @param {Record<string, string>} amounts
 * @param {string} name
 * @param {string} path
 */
function ratioErrors({ min, max, maxLimitRequestRatio: ratio }, name, path) {
  if (ratio === undefined) return [];
  const field = `${path}.maxLimitRequestRatio[${name}]`;
  const isSmall = amountOf(ratio) < ONE;
  const most = Number(amountOf(max ?? '0')) / Number(amountOf(min ?? '0'));
  const isBeyond =
    min !== undefined && max !== undefined && Number(amountOf(ratio)) / Number(ONE) > most;
  const beyond = `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`;
  return [
    ...(isSmall ? [invalidValue(field, ratio, `ratio ${ratio} is less than 1`)] : []),
    ...(isBeyond ? [invalidValue(field, ratio, beyond)] : []),
  ];
}

/**
 * Resources that cannot be overcommitted must have equal request and limit.
 * @param {Record<string, string>} amounts
 * @param {string} name
 * @param {string} path
 */
function fixedErrors({ default: limit, defaultRequest: request }, name, path) {
  if (isOvercommitAllowed(name) || limit === undefined || request === undefined) return [];
  if (amountOf(limit) === amountOf(request)) return [];
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  return [invalidValue(`${path}.defaultRequest[${name}]`, request, detail)];
}

/** The name of a list's amount in messages. @param {string} list */
function wordsOf(list) {
  return list === 'defaultRequest' ? 'default request' : list;
}

/** @param {string} text */
function amountOf(text) {
  return parseQuantity(text) ?? 0n;
}
