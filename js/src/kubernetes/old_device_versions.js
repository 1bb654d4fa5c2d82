/**
 * Converts the older versions of resource.k8s.io, as the API server does. v1beta2 has the fields of
 * v1. Counterpart: pkg/apis/resource/v1beta1/conversion.go, v1.36.
 */
import { isRecord, itemsIn } from './values.js';

/** @import { KubernetesObject } from './types.js' */

const VERSION = 'resource.k8s.io/v1';
const V1BETA1 = 'resource.k8s.io/v1beta1';
const V1BETA2 = 'resource.k8s.io/v1beta2';

/** The fields of a request in v1beta1 that v1 keeps beside `exactly`. */
const OUTSIDE = ['name', 'firstAvailable'];

/** What v1beta1 writes differently, by kind; DeviceClass is alike. */
const FROM_V1BETA1 = Object.freeze({
  DeviceClass: (/** @type {any} */ spec) => spec,
  ResourceClaim: claimSpec,
  ResourceClaimTemplate: (/** @type {any} */ spec) => ({ ...spec, spec: claimSpec(spec?.spec) }),
  ResourceSlice: (/** @type {any} */ spec) => ({
    ...spec,
    ...(spec?.devices !== undefined && { devices: itemsIn(spec.devices).map(device) }),
  }),
});

/** @typedef {keyof typeof FROM_V1BETA1} Kind */

/**
 * Returns a ResourceSlice, DeviceClass, ResourceClaim or ResourceClaimTemplate of v1beta1 or
 * v1beta2 as one of v1.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject} the object itself if it is of another kind or version
 */
export function toCurrentVersion(object) {
  const { apiVersion, kind = '', spec } = object;
  if (apiVersion !== V1BETA1 && apiVersion !== V1BETA2) return object;
  if (!Object.hasOwn(FROM_V1BETA1, kind)) return object;
  const convert = FROM_V1BETA1[/** @type {Kind} */ (kind)];
  const isAlike = apiVersion === V1BETA2 || !isRecord(spec);
  return { ...object, apiVersion: VERSION, ...(!isAlike && { spec: convert(spec) }) };
}

/** @param {any} spec */
function claimSpec(spec) {
  if (!isRecord(spec?.devices) || spec.devices.requests === undefined) return spec;
  const requests = itemsIn(spec.devices.requests).map(request);
  return { ...spec, devices: { ...spec.devices, requests } };
}

/** @param {any} given */
function request(given) {
  if (!isRecord(given)) return given;
  const entries = Object.entries(given);
  const exactly = entries.filter(([field]) => !OUTSIDE.includes(field));
  return {
    ...Object.fromEntries(entries.filter(([field]) => OUTSIDE.includes(field))),
    ...(exactly.length > 0 && { exactly: Object.fromEntries(exactly) }),
  };
}

/** @param {any} given */
function device(given) {
  if (!isRecord(given) || !isRecord(given.basic)) return given;
  const { basic, ...rest } = given;
  return { ...rest, ...basic };
}
