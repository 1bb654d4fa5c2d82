/**
 * ResourceSlices: where devices are, what they are, and what they consume.
 * Counterpart: `ValidateResourceSlice` of pkg/apis/resource/validation, v1.36.
 */
import { invalidValue, required, tooLong } from '../../src/kubernetes/field_errors.js';
import { subdomainFaults } from '../../src/kubernetes/names.js';
import { capacityErrors } from './device_capacity.js';
import {
  bindingErrors,
  driverErrors,
  IMMUTABLE,
  labelErrors,
  listErrors,
  mapErrors,
  poolErrors,
  qualifiedNameErrors,
  taintErrors,
} from './device_fields.js';
import { nodeSelectorErrors } from './scheduling.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const MOST_DEVICES = 128;
/** With taints, consumed counters or lists among the attributes. */
const MOST_ADVANCED_DEVICES = 64;
const MOST_PROPERTIES = 32;
const MOST_VALUES = 48;
const MOST_TAINTS = 16;
const MOST_COUNTER_SETS = 8;
const MOST_CONSUMED_SETS = 2;
const MOST_COUNTERS = 32;
const VALUE_LONGEST = 64;

const LISTS = ['bools', 'ints', 'strings', 'versions'];
const NUMBER = '(0|[1-9]\\d*)';
const PART = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const BUILD = '[0-9a-zA-Z-]+';
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PART}(\\.${PART})*)?(\\+${BUILD}(\\.${BUILD})*)?$`,
);
const NOT_TRUE = 'must be either unset or set to true';

/** @param {KubernetesObject} slice @returns {FieldError[]} */
export function resourceSliceErrors({ spec = {} }) {
  const { driver, pool = {}, devices, sharedCounters } = spec;
  const isAdvanced = (devices ?? []).some(isAdvancedDevice);
  const isBoth = devices !== undefined && sharedCounters !== undefined;
  return [
    ...driverErrors(driver, 'spec.driver'),
    ...resourcePoolErrors(pool, 'spec.pool'),
    ...placeErrors(spec),
    ...(isBoth
      ? [invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...listErrors(devices, {
      field: 'spec.devices',
      most: isAdvanced ? MOST_ADVANCED_DEVICES : MOST_DEVICES,
      errorsOf: (device, at) => deviceErrors(device, at, spec.perDeviceNodeSelection),
      keyOf: ({ name }) => name,
    }),
    ...listErrors(sharedCounters, {
      field: 'spec.sharedCounters',
      most: MOST_COUNTER_SETS,
      errorsOf: (set, at) => countersErrors(set, 'name', at),
      keyOf: ({ name }) => name,
    }),
  ];
}

/**
 * @param {KubernetesObject} slice
 * @param {KubernetesObject} old
 */
export function resourceSliceUpdateErrors({ spec }, { spec: old }) {
  const fixed = /** @type {[string, any, any][]} */ ([
    ['spec.pool.name', spec.pool?.name, old.pool?.name],
    ['spec.driver', spec.driver, old.driver],
    ['spec.nodeName', spec.nodeName, old.nodeName],
  ]);
  return fixed
    .filter(([, value, before]) => value !== before)
    .map(([field, value]) => invalidValue(field, value, IMMUTABLE));
}

/** @param {any} pool @param {string} path */
function resourcePoolErrors({ name, resourceSliceCount = 0, generation = 0 }, path) {
  const errors = poolErrors(name, `${path}.name`);
  if (resourceSliceCount <= 0) {
    const detail = 'must be greater than zero';
    errors.push(invalidValue(`${path}.resourceSliceCount`, resourceSliceCount, detail));
  }
  if (generation < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalidValue(`${path}.generation`, generation, detail));
  }
  return errors;
}

/**
 * Devices are on one node, on those of a selector, on all, or each says where it is.
 * @param {any} spec
 */
function placeErrors(spec) {
  const names = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];
  const list = names.map((name) => `\`${name}\``).join(', ');
  const detail = `exactly one of ${list} is required`;
  const terms = spec.nodeSelector?.nodeSelectorTerms ?? [];
  const field = 'spec.nodeSelector.nodeSelectorTerms';
  return [
    ...nodesErrors(spec, names, {
      path: 'spec',
      empty: 'must be either unset or set to a non-empty string',
    }),
    ...(spec.nodeSelector && terms.length !== 1
      ? [invalidValue(field, terms, 'must have exactly one node selector term')]
      : []),
    ...oneFormErrors(setAmong(names, spec), 'spec', {
      none: detail,
      several: `${detail}, but multiple fields are set`,
    }),
  ];
}

/**
 * Validates the fields that say on which nodes devices are.
 * @param {any} object the spec, or a device
 * @param {string[]} names of the fields
 * @param {{ path: string, empty: string }} place `empty`: the message for an empty node name
 * @returns {FieldError[]}
 */
function nodesErrors(object, names, { path, empty }) {
  const { nodeName, nodeSelector } = object;
  const at = `${path}.nodeName`;
  const faults = nodeName ? subdomainFaults(nodeName) : [];
  return [
    ...(nodeName === '' ? [invalidValue(at, '', empty)] : []),
    ...faults.map((fault) => invalidValue(at, nodeName, fault)),
    ...(nodeSelector ? nodeSelectorErrors(nodeSelector, `${path}.nodeSelector`) : []),
    ...names
      .filter((name) => object[name] === false)
      .map((name) => invalidValue(`${path}.${name}`, false, NOT_TRUE)),
  ];
}

/** @param {string[]} names @param {any} object */
function setAmong(names, object) {
  return names.filter((name) => object[name]);
}

/**
 * @param {string[]} set the fields that are set
 * @param {string} field
 * @param {{ none: string, several: string }} details
 */
function oneFormErrors(set, field, { none, several }) {
  if (set.length === 0) return [required(field, none)];
  if (set.length === 1) return [];
  return [invalidValue(field, `{${set.map((name) => `\`${name}\``).join(', ')}}`, several)];
}

/** @param {any} device */
function isAdvancedDevice({ taints = [], consumesCounters = [], attributes = {} }) {
  const values = /** @type {any[]} */ (Object.values(attributes));
  const hasList = values.some((value) => LISTS.some((name) => value[name] !== undefined));
  return taints.length > 0 || consumesCounters.length > 0 || hasList;
}

/**
 * @param {any} device
 * @param {string} path
 * @param {boolean | undefined} isPlaced whether each device says where it is
 * @returns {FieldError[]}
 */
function deviceErrors(device, path, isPlaced) {
  const { name, attributes, capacity, taints, consumesCounters } = device;
  return [
    ...labelErrors(name, `${path}.name`),
    ...numberErrors(device, path),
    ...mapErrors(attributes, {
      field: `${path}.attributes`,
      keyErrors: qualifiedNameErrors,
      errorsOf: attributeErrors,
    }),
    ...mapErrors(capacity, {
      field: `${path}.capacity`,
      keyErrors: qualifiedNameErrors,
      errorsOf: (one, at) => capacityErrors(one, at, device.allowMultipleAllocations === true),
    }),
    ...listErrors(taints, { field: `${path}.taints`, most: MOST_TAINTS, errorsOf: taintErrors }),
    ...listErrors(consumesCounters, {
      field: `${path}.consumesCounters`,
      most: MOST_CONSUMED_SETS,
      errorsOf: (set, at) => countersErrors(set, 'counterSet', at),
      keyOf: ({ counterSet }) => counterSet,
    }),
    ...devicePlaceErrors(device, path, isPlaced),
    ...bindingErrors(device, path),
  ];
}

/** @param {any} device @param {string} path */
function numberErrors({ attributes = {}, capacity = {} }, path) {
  const all = /** @type {any[]} */ (Object.values(attributes));
  const properties = all.length + Object.keys(capacity).length;
  const lengthOf = (/** @type {any} */ one) =>
    LISTS.reduce((sum, name) => sum + (one[name]?.length ?? 0), 0);
  const values = all.reduce((sum, one) => sum + (lengthOf(one) || 1), 0);
  const beyond = (
    /** @type {number} */ count,
    /** @type {string} */ what,
    /** @type {number} */ most,
  ) =>
    count > most
      ? [invalidValue(path, count, `the total number of ${what} must not exceed ${most}`)]
      : [];
  return [
    ...beyond(properties, 'attributes and capacities', MOST_PROPERTIES),
    ...beyond(values, 'attribute values', MOST_VALUES),
  ];
}

/** @param {any} attribute @param {string} path @returns {FieldError[]} */
function attributeErrors(attribute, path) {
  const set = ['bool', 'int', 'string', 'version', ...LISTS].filter(
    (name) => attribute[name] !== undefined,
  );
  const shown = set.length === 0 ? '' : attribute;
  return [
    ...textErrors(attribute.string, `${path}.string`),
    ...versionErrors(attribute.version, `${path}.version`),
    ...LISTS.filter((name) => attribute[name]?.length === 0).map((name) =>
      invalidValue(`${path}.${name}`, [], 'must not be empty if specified'),
    ),
    ...eachErrors(attribute.strings, `${path}.strings`, textErrors),
    ...eachErrors(attribute.versions, `${path}.versions`, versionErrors),
    ...(set.length === 1 ? [] : [invalidValue(path, shown, 'exactly one value must be specified')]),
  ];
}

/**
 * @param {string[] | undefined} values
 * @param {string} field
 * @param {(value: string, field: string) => FieldError[]} errorsOf
 */
function eachErrors(values = [], field, errorsOf) {
  return values.flatMap((value, index) => errorsOf(value, `${field}[${index}]`));
}

/** @param {string | undefined} value @param {string} field */
function textErrors(value = '', field) {
  return value.length > VALUE_LONGEST ? [tooLong(field, VALUE_LONGEST)] : [];
}

/** @param {string | undefined} value @param {string} field */
function versionErrors(value, field) {
  if (value === undefined) return [];
  const detail = 'must be a string compatible with semver.org spec 2.0.0';
  return [
    ...(VERSION.test(value) ? [] : [invalidValue(field, value, detail)]),
    ...textErrors(value, field),
  ];
}

/**
 * A set of counters that devices share, or the amounts of one that a device consumes.
 * @param {any} set
 * @param {'name' | 'counterSet'} key the field with the set's name
 * @param {string} path
 * @returns {FieldError[]}
 */
function countersErrors(set, key, path) {
  const { [key]: name, counters = {} } = set;
  const field = `${path}.counters`;
  const isEmpty = Object.keys(counters).length === 0;
  return [
    ...(name ? labelErrors(name, `${path}.${key}`) : [required(`${path}.${key}`)]),
    ...(isEmpty
      ? [required(field)]
      : mapErrors(counters, { field, most: MOST_COUNTERS, keyErrors: labelErrors })),
  ];
}

/**
 * @param {any} device
 * @param {string} path
 * @param {boolean | undefined} isPlaced
 * @returns {FieldError[]}
 */
function devicePlaceErrors(device, path, isPlaced) {
  const names = ['nodeName', 'nodeSelector', 'allNodes'];
  if (isPlaced) {
    const detail =
      'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when ' +
      '`perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return [
      ...nodesErrors(device, names, { path, empty: 'must not be empty' }),
      ...oneFormErrors(setAmong(names, device), path, { none: detail, several: detail }),
    ];
  }
  if (names.every((name) => device[name] === undefined)) return [];
  const detail =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is ' +
    'set to true in the ResourceSlice spec';
  return [invalidValue(path, undefined, detail)];
}
