/**
 * The defaults of the kinds of resource.k8s.io. Counterpart: pkg/apis/resource/v1/defaults.go and
 * zz_generated.defaults.go, v1.36.
 */
import { timestamp } from '../object_meta.js';

/** @import { KubernetesObject } from '../../src/kubernetes/types.js' */

/** @param {KubernetesObject} claim a ResourceClaim */
export function resourceClaimDefaults(claim) {
  const { spec, status } = claim;
  const { results } = status?.allocation?.devices ?? {};
  const whole = { ...claim, spec: claimSpecDefaults(spec) };
  if (!results) return whole;
  const devices = { ...status.allocation.devices, results: results.map(tolerationDefaults) };
  return { ...whole, status: { ...status, allocation: { ...status.allocation, devices } } };
}

/** @param {KubernetesObject} template a ResourceClaimTemplate */
export function resourceClaimTemplateDefaults(template) {
  const { spec } = template;
  return { ...template, spec: { ...spec, spec: claimSpecDefaults(spec?.spec) } };
}

/** @param {any} spec */
function claimSpecDefaults(spec = {}) {
  const { requests } = spec.devices ?? {};
  if (!requests) return spec;
  const complete = (/** @type {any} */ request) => ({
    ...request,
    ...(request.exactly && { exactly: requestDefaults(request.exactly) }),
    ...(request.firstAvailable && {
      firstAvailable: request.firstAvailable.map(requestDefaults),
    }),
  });
  return { ...spec, devices: { ...spec.devices, requests: requests.map(complete) } };
}

/** @param {any} request */
function requestDefaults(request) {
  const allocationMode = request.allocationMode || 'ExactCount';
  const isCounted = allocationMode === 'ExactCount';
  return {
    ...tolerationDefaults(request),
    allocationMode,
    ...(isCounted && { count: request.count || 1 }),
  };
}

/**
 * @template {{ tolerations?: any[] }} T
 * @param {T} request or a result
 * @returns {T}
 */
function tolerationDefaults(request) {
  const { tolerations } = request;
  if (!tolerations) return request;
  const complete = tolerations.map((one) => ({ ...one, operator: one.operator || 'Equal' }));
  return { ...request, tolerations: complete };
}

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
