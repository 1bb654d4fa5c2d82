/**
 * The defaults of device taints. Counterpart: pkg/apis/resource/v1/defaults.go, v1.36.
 */
import { timestamp } from '../object_meta.js';

/** @import { KubernetesObject } from '../../src/kubernetes/types.js' */

/**
 * @param {KubernetesObject} slice
 * @param {{ now: number }} context
 */
export function resourceSliceDefaults(slice, { now }) {
  const { spec } = slice;
  if (!spec?.devices) return slice;
  const devices = spec.devices.map((/** @type {any} */ device) => ({
    ...device,
    ...(device.taints && {
      taints: device.taints.map((/** @type {any} */ taint) => taintDefaults(taint, now)),
    }),
    ...(device.nodeAllocatableResourceMappings && {
      nodeAllocatableResourceMappings: mappingDefaults(device.nodeAllocatableResourceMappings),
    }),
  }));
  return { ...slice, spec: { ...spec, devices } };
}

/**
 * @param {KubernetesObject} rule a DeviceTaintRule
 * @param {{ now: number }} context
 */
export function deviceTaintRuleDefaults(rule, { now }) {
  const { spec } = rule;
  if (!spec?.taint) return rule;
  return { ...rule, spec: { ...spec, taint: taintDefaults(spec.taint, now) } };
}

/** @param {any} taint @param {number} now */
function taintDefaults(taint, now) {
  return { ...taint, timeAdded: taint.timeAdded ?? timestamp(now) };
}

/** @param {Record<string, any>} mappings */
function mappingDefaults(mappings) {
  return Object.fromEntries(
    Object.entries(mappings).map(([name, mapping]) => [
      name,
      { ...mapping, allocationMultiplier: mapping.allocationMultiplier ?? '1' },
    ]),
  );
}
