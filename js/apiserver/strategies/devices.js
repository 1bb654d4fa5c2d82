/**
 * Device claims, their templates, slices, classes and taint rules.
 * Counterpart: pkg/registry/resource, v1.36.
 */
import {
  withDeviceClaimDefaults,
  withDeviceClaimTemplateDefaults,
} from '../../src/kubernetes/device_defaults.js';
import { deviceTaintRuleDefaults, resourceSliceDefaults } from '../defaults/devices.js';
import { present, timestamp } from '../object_meta.js';
import {
  deviceClassErrors,
  deviceTaintRuleErrors,
  deviceTaintRuleStatusErrors,
} from '../validation/other_kinds.js';
import {
  resourceClaimErrors,
  resourceClaimTemplateErrors,
  specUpdateErrors,
} from '../validation/resource_claim.js';
import { deviceText, resourceClaimStatusErrors } from '../validation/resource_claim_status.js';
import { resourceSliceErrors, resourceSliceUpdateErrors } from '../validation/resource_slice.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Strategy } from './strategy.js'
 */

/** @type {Record<string, Strategy>} */
export const DEVICE_STRATEGIES = {
  resourceclaims: {
    setDefaults: withDeviceClaimDefaults,
    validate: resourceClaimErrors,
    validateUpdate: specUpdateErrors,
    prepareForStatusUpdate: withoutFreedDevices,
    validateStatusUpdate: resourceClaimStatusErrors,
  },
  resourceclaimtemplates: {
    setDefaults: withDeviceClaimTemplateDefaults,
    validate: resourceClaimTemplateErrors,
    validateUpdate: specUpdateErrors,
  },
  resourceslices: {
    hasGeneration: true,
    setDefaults: resourceSliceDefaults,
    validate: resourceSliceErrors,
    validateUpdate: resourceSliceUpdateErrors,
  },
  deviceclasses: { hasGeneration: true, validate: deviceClassErrors },
  devicetaintrules: {
    hasGeneration: true,
    setDefaults: deviceTaintRuleDefaults,
    prepareForUpdate: withTimeOfEffect,
    validate: deviceTaintRuleErrors,
    validateStatusUpdate: deviceTaintRuleStatusErrors,
  },
};

/**
 * Removes the state of devices that the claim had and has no longer.
 * @type {NonNullable<Strategy['prepareForStatusUpdate']>}
 */
function withoutFreedDevices(claim, old) {
  const { devices, ...status } = claim.status ?? {};
  if (!devices) return claim;
  const kept = new Set(allocatedOf(claim));
  const freed = new Set(allocatedOf(old).filter((text) => !kept.has(text)));
  const left = devices.filter((/** @type {any} */ one) => !freed.has(textOf(one)));
  return {
    ...claim,
    status: present({ ...status, devices: left.length > 0 ? left : undefined }),
  };
}

/** @param {KubernetesObject} claim @returns {string[]} */
function allocatedOf({ status }) {
  return (status?.allocation?.devices?.results ?? []).map(textOf);
}

/** A device without its share. @param {any} device */
function textOf({ driver, pool, device }) {
  return deviceText({ driver, pool, device });
}

/**
 * If the effect changes and the time does not, the effect begins now.
 * @type {NonNullable<Strategy['prepareForUpdate']>}
 */
function withTimeOfEffect(rule, old, { now }) {
  const { taint } = rule.spec ?? {};
  const before = old.spec?.taint;
  const isSame = taint?.effect === before?.effect || taint?.timeAdded !== before?.timeAdded;
  if (isSame) return rule;
  return { ...rule, spec: { ...rule.spec, taint: { ...taint, timeAdded: timestamp(now) } } };
}
