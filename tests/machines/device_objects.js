/** Device descriptions as objects of resource.k8s.io/v1. */

/** @import { Device, Publication, Value } from './hardware/types.js' */
/** @import { KubernetesObject } from '../../js/src/index.js' */

export const RESOURCE_VERSION = 'resource.k8s.io/v1';

/** How many devices that consume counters or have taints a slice may have in v1.36. */
const DEVICES_MAX = 64;

/**
 * The ResourceSlices of one driver for a node: the counter sets in one, the devices in others.
 *
 * @param {Publication} publication
 * @param {string} node also the pool's name
 * @returns {KubernetesObject[]}
 */
export function slicesOf({ driver, devices, counterSets }, node) {
  const parts = [];
  for (let start = 0; start < devices.length; start += DEVICES_MAX)
    parts.push({ devices: devices.slice(start, start + DEVICES_MAX).map(deviceOf) });
  if (counterSets) parts.unshift(countersOf(counterSets));
  return parts.map((part, index) => ({
    apiVersion: RESOURCE_VERSION,
    kind: 'ResourceSlice',
    metadata: { name: `${node}-${driver}-${index}`, uid: `slice-${node}-${driver}-${index}` },
    spec: {
      driver,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: parts.length },
      ...part,
    },
  }));
}

/** @param {Record<string, Record<string, string>>} sets */
function countersOf(sets) {
  const sharedCounters = Object.entries(sets).map(([name, counters]) => ({
    name,
    counters: valuesOf(counters),
  }));
  return { sharedCounters };
}

/** @param {Record<string, string>} counters @returns {Record<string, { value: string }>} */
function valuesOf(counters) {
  const entries = Object.entries(counters);
  return Object.fromEntries(entries.map(([name, value]) => [name, { value }]));
}

/** @param {Device} device */
function deviceOf({ attributes, capacity = {}, counters, shared, ...others }) {
  const consumed = Object.entries(counters ?? {});
  return {
    ...others,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, attributeOf(value)]),
    ),
    capacity: Object.fromEntries(
      Object.entries(capacity).map(([name, value]) => [
        name,
        typeof value === 'string' ? { value } : value,
      ]),
    ),
    ...(counters && {
      consumesCounters: consumed.map(([counterSet, each]) => ({
        counterSet,
        counters: valuesOf(each),
      })),
    }),
    ...(shared && { allowMultipleAllocations: true }),
  };
}

/** @param {Value} value */
function attributeOf(value) {
  switch (typeof value) {
    case 'string':
      return { string: value };
    case 'number':
      return { int: value };
    case 'boolean':
      return { bool: value };
    default:
      return value;
  }
}

/**
 * @param {string} name
 * @param {string | string[]} expressions
 * @param {object} [spec] other fields
 * @returns {KubernetesObject}
 */
export function deviceClass(name, expressions, spec = {}) {
  return {
    apiVersion: RESOURCE_VERSION,
    kind: 'DeviceClass',
    metadata: { name, uid: `class-${name}` },
    spec: { selectors: selectorsOf([expressions].flat()), ...spec },
  };
}

/** @param {string[]} expressions */
export function selectorsOf(expressions) {
  return expressions.map((expression) => ({ cel: { expression } }));
}
