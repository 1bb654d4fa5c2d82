/**
 * The parts of a container: ports, variables, mounts, devices, policies.
 * Counterpart: `validateContainerCommon` of pkg/apis/core/validation/validation.go, v1.36.
 */
import {
  duplicate,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import { portNameFaults, variableNameFaults } from '../../src/kubernetes/names.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const RESIZED = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];
const BLOCK_SOURCES = ['persistentVolumeClaim', 'ephemeral'];
const VARIABLE_SOURCES = [
  ...['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'],
  'fileKeyRef',
];
const PORT_LAST = 65_535;

/**
 * @param {any[]} ports
 * @param {string} field
 * @returns {FieldError[]}
 */
export function portsErrors(ports, field) {
  const names = new Set();
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const path = `${field}[${index}]`;
    const faults = name ? portNameFaults(name) : [];
    const isTwice = faults.length === 0 && names.has(name);
    if (name && faults.length === 0) names.add(name);
    return [
      ...faults.map((fault) => invalidValue(`${path}.name`, name, fault)),
      ...(isTwice ? [duplicate(`${path}.name`, name)] : []),
      ...(containerPort
        ? portNumberErrors(containerPort, `${path}.containerPort`)
        : [required(`${path}.containerPort`)]),
      ...(hostPort ? portNumberErrors(hostPort, `${path}.hostPort`) : []),
      ...(PROTOCOLS.includes(protocol)
        ? []
        : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ];
  });
}

/**
 * @param {number} port
 * @param {string} field
 */
export function portNumberErrors(port, field) {
  if (port >= 1 && port <= PORT_LAST) return [];
  return [invalidValue(field, port, `must be between 1 and ${PORT_LAST}, inclusive`)];
}

/**
 * Two containers that run at the same time cannot share a host port.
 * @param {any[]} containers
 * @param {string} field
 * @returns {FieldError[]}
 */
export function hostPortConflicts(containers, field) {
  const taken = new Set();
  return containers.flatMap(({ ports = [] }, container) =>
    ports.flatMap((/** @type {any} */ port, /** @type {number} */ index) => {
      const { protocol, hostIP = '', hostPort } = port;
      if (!hostPort) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key))
        return [duplicate(`${field}[${container}].ports[${index}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}

/**
 * @param {any[]} variables
 * @param {string} field
 * @returns {FieldError[]}
 */
export function variablesErrors(variables, field) {
  return variables.flatMap(({ name, value, valueFrom }, index) => {
    const path = `${field}[${index}]`;
    const at = `${path}.name`;
    return [
      ...(name
        ? variableNameFaults(name).map((fault) => invalidValue(at, name, fault))
        : [required(at)]),
      ...(valueFrom ? sourceErrors(valueFrom, value, `${path}.valueFrom`) : []),
    ];
  });
}

/**
 * @param {any} source
 * @param {string | undefined} value
 * @param {string} field
 */
function sourceErrors(source, value, field) {
  const count = VARIABLE_SOURCES.filter((name) => source[name]).length;
  const refused = (/** @type {string} */ detail) => [invalidValue(field, '', detail)];
  if (count === 0) {
    const [last, ...others] = VARIABLE_SOURCES.map((name) => `\`${name}\``).reverse();
    return refused(`must specify one of: ${others.reverse().join(', ')} or ${last}`);
  }
  if (value) return refused('may not be specified when `value` is not empty');
  return count > 1 ? refused('may not have more than one field specified at a time') : [];
}

/**
 * @param {any} container
 * @param {string} field
 * @param {Map<string, any>} volumes of the pod, by name
 * @returns {FieldError[]}
 */
export function mountsErrors({ volumeMounts = [], volumeDevices = [] }, field, volumes) {
  const devices = namesAndPaths(volumeDevices, 'devicePath');
  const paths = new Set();
  return volumeMounts.flatMap((/** @type {any} */ mount, /** @type {number} */ index) => {
    const { name = '', mountPath = '', subPath = '', subPathExpr = '' } = mount;
    const at = `${field}[${index}]`;
    const isTwice = paths.has(mountPath);
    paths.add(mountPath);
    return [
      ...(name ? [] : [required(`${at}.name`)]),
      ...(volumes.has(name) ? [] : [notFoundValue(`${at}.name`, name)]),
      ...(mountPath ? [] : [required(`${at}.mountPath`)]),
      ...(isTwice ? [invalidValue(`${at}.mountPath`, mountPath, 'must be unique')] : []),
      ...(devices.names.has(name)
        ? [invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices')]
        : []),
      ...(devices.paths.has(mountPath)
        ? [
            invalidValue(
              `${at}.mountPath`,
              mountPath,
              'must not already exist as a path in volumeDevices',
            ),
          ]
        : []),
      ...descendingPathErrors(subPath, `${field}.subPath`),
      ...(subPath && subPathExpr
        ? [
            invalidValue(
              `${at}.subPathExpr`,
              subPathExpr,
              'subPathExpr and subPath are mutually exclusive',
            ),
          ]
        : []),
      ...descendingPathErrors(subPathExpr, `${field}.subPathExpr`),
    ];
  });
}

/**
 * @param {string} path
 * @param {string} field
 */
function descendingPathErrors(path, field) {
  return [
    ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []),
  ];
}

/**
 * @param {any} container
 * @param {string} field
 * @param {Map<string, any>} volumes of the pod, by name
 * @returns {FieldError[]}
 */
export function devicesErrors({ volumeMounts = [], volumeDevices = [] }, field, volumes) {
  const mounts = namesAndPaths(volumeMounts, 'mountPath');
  const names = new Set();
  const paths = new Set();
  return volumeDevices.flatMap((/** @type {any} */ device, /** @type {number} */ index) => {
    const { name = '', devicePath = '' } = device;
    const [atName, atPath] = [`${field}[${index}].name`, `${field}[${index}].devicePath`];
    const volume = volumes.get(name);
    const isBlock = BLOCK_SOURCES.some((source) => volume?.[source]);
    const goesUp = devicePath.split('/').includes('..');
    const errors = [
      ...(name ? [] : [required(atName)]),
      ...(names.has(name) ? [invalidValue(atName, name, 'must be unique')] : []),
      ...(volume && !isBlock ? [invalidValue(atName, name, NOT_BLOCK)] : []),
      ...(volume ? [] : [notFoundValue(atName, name)]),
      ...(devicePath ? [] : [required(atPath)]),
      ...(paths.has(devicePath) ? [invalidValue(atPath, devicePath, 'must be unique')] : []),
      ...(goesUp ? [invalidValue(atPath, devicePath, "can not contain backsteps ('..')")] : []),
      ...(mounts.names.has(name)
        ? [invalidValue(atName, name, 'must not already exist in volumeMounts')]
        : []),
      ...(mounts.paths.has(devicePath)
        ? [invalidValue(atPath, devicePath, 'must not already exist as a path in volumeMounts')]
        : []),
    ];
    if (name) names.add(name);
    if (!goesUp) paths.add(devicePath);
    return errors;
  });
}

const NOT_BLOCK =
  'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';

/**
 * @param {any[]} list
 * @param {string} path the field that contains it
 */
function namesAndPaths(list, path) {
  return {
    names: new Set(list.map(({ name = '' }) => name)),
    paths: new Set(list.map((one) => one[path] ?? '')),
  };
}

/**
 * @param {any[]} policies
 * @param {string} field
 * @param {string} restartPolicy of the pod
 * @returns {FieldError[]}
 */
export function resizePoliciesErrors(policies, field, restartPolicy) {
  const seen = new Set();
  return policies.flatMap(({ resourceName = '', restartPolicy: policy = '' }, index) => {
    const isTwice = seen.has(resourceName);
    seen.add(resourceName);
    return [
      ...(isTwice ? [duplicate(`${field}[${index}]`, resourceName)] : []),
      ...oneOf(resourceName, field, RESIZED),
      ...oneOf(policy, field, RESIZE_POLICIES),
      ...(restartPolicy === 'Never' && policy !== 'NotRequired'
        ? [invalidValue(field, policy, "must be 'NotRequired' when `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}

/**
 * @param {string | undefined} value
 * @param {string} field
 * @param {readonly string[]} supported
 * @returns {FieldError[]}
 */
export function oneOf(value, field, supported) {
  if (!value) return [required(field)];
  return supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

/**
 * Validates a field that may be absent.
 * @param {string | undefined} value
 * @param {string} field
 * @param {readonly string[]} supported
 * @returns {FieldError[]}
 */
export function unsupported(value, field, supported) {
  if (value === undefined || supported.includes(value)) return [];
  return [notSupported(field, value, supported)];
}
