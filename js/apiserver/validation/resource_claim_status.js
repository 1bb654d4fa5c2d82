/**
 * The status of ResourceClaims: reservations, allocation, and the state of devices.
 * Counterpart: `ValidateResourceClaimStatusUpdate` of pkg/apis/resource/validation, v1.36.
 */
import {
  forbiddenField,
  invalidValue,
  required,
  tooLong,
  tooMany,
} from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';
import { oneOf } from './container_fields.js';
import {
  bindingErrors,
  conditionsErrors,
  configurationErrors,
  driverErrors,
  IMMUTABLE,
  labelErrors,
  listErrors,
  MOST_ENTRIES,
  poolErrors,
  rawErrors,
  tolerationsErrors,
} from './device_fields.js';
import {
  adminAccessErrors,
  requestNames,
  requestRefErrors,
  requestRefsErrors,
} from './resource_claim.js';
import { nodeSelectorErrors } from './scheduling.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 * @import { StrategyContext } from '../strategies/strategy.js'
 */

const MOST_CONSUMERS = 256;
const MOST_CONDITIONS = 8;
const MOST_ADDRESSES = 16;
const INTERFACE_LONGEST = 256;
const HARDWARE_ADDRESS_LONGEST = 128;
const DATA_LONGEST = 10 * 1024;
const SOURCES = ['FromClaim', 'FromClass'];
const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} old
 * @param {StrategyContext} context
 * @returns {FieldError[]}
 */
export function resourceClaimStatusErrors({ metadata, spec, status = {} }, old, context) {
  const { reservedFor, devices, allocation } = status;
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceText));
  return [
    ...adminErrors(metadata.namespace, [allocation, old.status?.allocation], context),
    ...listErrors(reservedFor, {
      field: 'status.reservedFor',
      most: MOST_CONSUMERS,
      errorsOf: consumerErrors,
      keyOf: ({ uid = '' }) => uid,
    }),
    ...listErrors(devices, {
      field: 'status.devices',
      most: Infinity,
      errorsOf: (device, at) => deviceErrors(device, at, allocated),
      keyOf: deviceText,
    }),
    ...reservationErrors(status, old),
    ...allocationErrors(allocation, old.status?.allocation, requestNames(spec?.devices ?? {})),
  ];
}

/**
 * The text by which a device is known: `driver/pool/device`, with the share if it has one.
 * @param {any} device of an allocation's results, or of the status
 */
export function deviceText({ driver = '', pool = '', device = '', shareID }) {
  return [driver, pool, device, ...(shareID ? [shareID] : [])].join('/');
}

/**
 * @param {string | undefined} namespace
 * @param {any[]} allocations the new one, and the old one
 * @param {StrategyContext} context
 */
function adminErrors(namespace = '', allocations, context) {
  const [next, before] = allocations.map((one) =>
    (one?.devices?.results ?? []).findIndex((/** @type {any} */ { adminAccess }) => adminAccess),
  );
  if (next < 0 || before >= 0) return [];
  const field = `status.allocation.devices.results[${next}].adminAccess`;
  return adminAccessErrors(namespace, field, context);
}

/** @param {any} consumer @param {string} path */
function consumerErrors(consumer, path) {
  return ['resource', 'name', 'uid']
    .filter((name) => !consumer[name])
    .map((name) => required(`${path}.${name}`));
}

/**
 * Only an allocated claim is reserved, and none that is being deleted for further consumers.
 * @param {any} status
 * @param {KubernetesObject} old
 */
function reservationErrors({ reservedFor = [], allocation }, { metadata, status: before }) {
  const field = 'status.reservedFor';
  if (reservedFor.length === 0) return [];
  if (!allocation)
    return [forbiddenField(field, 'may not be specified when `allocated` is not set')];
  if (!metadata.deletionTimestamp) return [];
  const known = before?.reservedFor ?? [];
  const isKnown = (/** @type {any} */ one) =>
    known.some((/** @type {any} */ other) => isEqual(one, other));
  const detail =
    'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return reservedFor.every(isKnown) ? [] : [forbiddenField(field, detail)];
}

/**
 * @param {any} allocation
 * @param {any} old
 * @param {Set<string>} names of the claim's requests
 * @returns {FieldError[]}
 */
function allocationErrors(allocation, old, names) {
  const field = 'status.allocation';
  if (!allocation) return [];
  if (old) return isEqual(allocation, old) ? [] : [invalidValue(field, allocation, IMMUTABLE)];
  const { devices = {}, nodeSelector } = allocation;
  return [
    ...listErrors(devices.results, {
      field: `${field}.devices.results`,
      most: MOST_ENTRIES,
      errorsOf: (result, at) => resultErrors(result, at, names),
    }),
    ...listErrors(devices.config, {
      field: `${field}.devices.config`,
      // Those of the classes, and those of the claim.
      most: 2 * MOST_ENTRIES,
      errorsOf: (config, at) => [
        ...oneOf(config.source, `${at}.source`, SOURCES),
        ...requestRefsErrors(config.requests, `${at}.requests`, names),
        ...configurationErrors(config, at),
      ],
    }),
    ...(nodeSelector ? nodeSelectorErrors(nodeSelector, `${field}.nodeSelector`) : []),
  ];
}

/**
 * @param {any} result
 * @param {string} path
 * @param {Set<string>} names
 * @returns {FieldError[]}
 */
function resultErrors(result, path, names) {
  return [
    ...requestRefErrors(result.request, `${path}.request`, names),
    ...identityErrors(result, path),
    ...bindingErrors(result, path),
    ...tolerationsErrors(result.tolerations, `${path}.tolerations`),
    ...shareErrors(result, path),
  ];
}

/** @param {any} device @param {string} path @returns {FieldError[]} */
function identityErrors({ driver, pool, device }, path) {
  return [
    ...driverErrors(driver, `${path}.driver`),
    ...poolErrors(pool, `${path}.pool`),
    ...labelErrors(device, `${path}.device`),
  ];
}

/** @param {any} device @param {string} path */
function shareErrors({ shareID }, path) {
  if (shareID === undefined || UID.test(shareID)) return [];
  const detail =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with ' +
    'lowercase hexadecimal characters';
  return [invalidValue(`${path}.shareID`, shareID, detail)];
}

/**
 * The state that a driver reports of a device.
 * @param {any} device
 * @param {string} path
 * @param {Set<string>} allocated
 * @returns {FieldError[]}
 */
function deviceErrors(device, path, allocated) {
  const { data, networkData = {} } = device;
  const conditions = device.conditions ?? [];
  const text = deviceText(device);
  const detail = 'must be an allocated device in the claim';
  return [
    ...identityErrors(device, path),
    ...shareErrors(device, path),
    ...(allocated.has(text) ? [] : [invalidValue(path, text, detail)]),
    ...(conditions.length > MOST_CONDITIONS
      ? [tooMany(`${path}.conditions`, conditions.length, MOST_CONDITIONS)]
      : []),
    ...conditionsErrors(conditions, `${path}.conditions`),
    ...(data == null ? [] : rawErrors(data, `${path}.data`, DATA_LONGEST)),
    ...networkErrors(networkData, `${path}.networkData`),
  ];
}

/**
 * @param {any} data
 * @param {string} path
 * @returns {FieldError[]}
 */
function networkErrors({ interfaceName = '', hardwareAddress = '', ips }, path) {
  return [
    ...(interfaceName.length > INTERFACE_LONGEST
      ? [tooLong(`${path}.interfaceName`, INTERFACE_LONGEST)]
      : []),
    ...(hardwareAddress.length > HARDWARE_ADDRESS_LONGEST
      ? [tooLong(`${path}.hardwareAddress`, HARDWARE_ADDRESS_LONGEST)]
      : []),
    ...listErrors(ips, {
      field: `${path}.ips`,
      most: MOST_ADDRESSES,
      errorsOf: () => [],
      keyOf: (address) => address,
    }),
  ];
}
