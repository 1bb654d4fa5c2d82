/**
 * Fills in device claims and their templates as the API server does. Counterpart:
 * pkg/apis/resource/v1/defaults.go and zz_generated.defaults.go, v1.36.
 */
import { isRecord } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/**
 * @param {KubernetesObject} claim a ResourceClaim; values of the wrong type stay
 * @returns {KubernetesObject}
 */
export function withDeviceClaimDefaults(claim) {
  const { spec, status } = claim;
  const devices = status?.allocation?.devices;
  const results = changed(devices?.results, withTolerations);
  return {
    ...claim,
    ...(spec !== undefined && { spec: claimSpec(spec) }),
    ...(results && {
      status: {
        ...status,
        allocation: { ...status.allocation, devices: { ...devices, results } },
      },
    }),
  };
}

/**
 * @param {KubernetesObject} template a ResourceClaimTemplate; values of the wrong type stay
 * @returns {KubernetesObject}
 */
export function withDeviceClaimTemplateDefaults(template) {
  const { spec } = template;
  if (!isRecord(spec?.spec)) return template;
  return { ...template, spec: { ...spec, spec: claimSpec(spec.spec) } };
}

/** @param {any} spec */
function claimSpec(spec) {
  const requests = changed(spec?.devices?.requests, (request) => {
    const { exactly } = request;
    const firstAvailable = changed(request.firstAvailable, completed);
    return {
      ...request,
      ...(isRecord(exactly) && { exactly: completed(exactly) }),
      ...(firstAvailable && { firstAvailable }),
    };
  });
  return requests ? { ...spec, devices: { ...spec.devices, requests } } : spec;
}

/** @param {Record<string, any>} request */
function completed(request) {
  const allocationMode = request.allocationMode || 'ExactCount';
  const isCounted = allocationMode === 'ExactCount';
  return {
    ...withTolerations(request),
    allocationMode,
    ...(isCounted && { count: request.count || 1 }),
  };
}

/** @param {Record<string, any>} request or a result */
function withTolerations(request) {
  const tolerations = changed(request.tolerations, (one) => ({
    ...one,
    operator: one.operator || 'Equal',
  }));
  return tolerations ? { ...request, tolerations } : request;
}

/**
 * @param {unknown} list
 * @param {(item: Record<string, any>) => object} change of the items that are records
 * @returns {any[] | undefined} undefined if it is no list
 */
function changed(list, change) {
  if (!Array.isArray(list)) return undefined;
  return list.map((item) => (isRecord(item) ? change(item) : item));
}
