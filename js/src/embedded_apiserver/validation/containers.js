/**
 * Containers.
 * Counterpart: `validateContainers` of pkg/apis/core/validation/validation.go, v1.36.
 */
import { parseQuantity } from '../../quantity.js';
import { duplicate, invalidValue, notFoundValue, notSupported, required } from '../field_errors.js';
import { labelKeyFaults, labelNameFaults, portNameFaults } from './names.js';

/** @import { FieldError } from '../field_errors.js' */

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const PORT_LAST = 65_535;

/** Resources of containers that have no domain in their name. */
const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

/**
 * @param {any} spec of a pod
 * @param {string} path of the spec
 * @returns {FieldError[]}
 */
export function containersErrors({ containers, initContainers = [], volumes = [] }, path) {
  const names = new Set(volumes.map((/** @type {any} */ { name }) => name));
  const field = `${path}.containers`;
  if (!containers?.length) return [required(field)];
  return [
    ...listErrors(containers, field, names),
    ...listErrors(initContainers, `${path}.initContainers`, names),
    ...duplicateNames(initContainers, containers, path),
  ];
}

/**
 * @param {any[]} containers
 * @param {string} field
 * @param {Set<string>} volumes
 */
function listErrors(containers, field, volumes) {
  return containers.flatMap((container, index) =>
    containerErrors(container, `${field}[${index}]`, volumes),
  );
}

/**
 * Names are unique among containers of both kinds; the later one is at fault.
 * @param {any[]} initContainers
 * @param {any[]} containers
 * @param {string} path
 */
function duplicateNames(initContainers, containers, path) {
  const places = [
    ...initContainers.map(({ name }, index) => ({ name, at: `initContainers[${index}]` })),
    ...containers.map(({ name }, index) => ({ name, at: `containers[${index}]` })),
  ];
  const names = places.map(({ name }) => name);
  return places
    .filter(({ name }, index) => name && names.indexOf(name) < index)
    .map(({ name, at }) => duplicate(`${path}.${at}.name`, name));
}

/**
 * @param {any} container
 * @param {string} path
 * @param {Set<string>} volumes
 * @returns {FieldError[]}
 */
function containerErrors(container, path, volumes) {
  const { name, image, imagePullPolicy, ports = [], env = [], volumeMounts = [] } = container;
  return [
    ...nameErrors(name, `${path}.name`),
    ...imageErrors(image, `${path}.image`),
    ...(PULL_POLICIES.includes(imagePullPolicy)
      ? []
      : [notSupported(`${path}.imagePullPolicy`, imagePullPolicy, PULL_POLICIES)]),
    ...portErrors(ports, `${path}.ports`),
    ...env.flatMap((/** @type {any} */ variable, /** @type {number} */ index) =>
      variable.name ? [] : [required(`${path}.env[${index}].name`)],
    ),
    ...mountErrors(volumeMounts, `${path}.volumeMounts`, volumes),
    ...resourcesErrors(container.resources ?? {}, `${path}.resources`),
  ];
}

/**
 * @param {string | undefined} name
 * @param {string} field
 */
export function nameErrors(name, field) {
  if (!name) return [required(field)];
  return labelNameFaults(name).map((fault) => invalidValue(field, name, fault));
}

/**
 * @param {string | undefined} image
 * @param {string} field
 */
function imageErrors(image, field) {
  if (!image) return [required(field)];
  if (image.trim() === image) return [];
  return [invalidValue(field, image, 'must not have leading or trailing whitespace')];
}

/**
 * @param {any[]} ports
 * @param {string} field
 */
function portErrors(ports, field) {
  const names = ports.map(({ name }) => name);
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const path = `${field}[${index}]`;
    return [
      ...(name
        ? portNameFaults(name).map((fault) => invalidValue(`${path}.name`, name, fault))
        : []),
      ...(name && names.indexOf(name) < index ? [duplicate(`${path}.name`, name)] : []),
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
 * @param {any[]} mounts
 * @param {string} field
 * @param {Set<string>} volumes
 */
function mountErrors(mounts, field, volumes) {
  const paths = mounts.map(({ mountPath }) => mountPath);
  return mounts.flatMap(({ name, mountPath }, index) => {
    const path = `${field}[${index}]`;
    const nameError = name
      ? volumes.has(name)
        ? []
        : [notFoundValue(`${path}.name`, name)]
      : [required(`${path}.name`)];
    const pathError = mountPath
      ? paths.indexOf(mountPath) < index
        ? [invalidValue(`${path}.mountPath`, mountPath, 'must be unique')]
        : []
      : [required(`${path}.mountPath`)];
    return [...nameError, ...pathError];
  });
}

/**
 * @param {{ limits?: Record<string, string>, requests?: Record<string, string> }} resources
 * @param {string} path
 * @returns {FieldError[]}
 */
export function resourcesErrors({ limits = {}, requests = {} }, path) {
  return [
    ...amountErrors(limits, `${path}.limits`),
    ...amountErrors(requests, `${path}.requests`),
    ...Object.entries(requests).flatMap(([name, request]) =>
      requestErrors({ name, request, limit: limits[name] }, path),
    ),
  ];
}

/**
 * @param {Record<string, string>} amounts
 * @param {string} path
 */
function amountErrors(amounts, path) {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const field = `${path}[${name}]`;
    const value = parseQuantity(amount) ?? 0n;
    const isWhole = value % 1_000_000_000n === 0n;
    return [
      ...resourceNameFaults(name).map((fault) => invalidValue(field, name, fault)),
      ...(value < 0n ? [invalidValue(field, amount, 'must be greater than or equal to 0')] : []),
      ...(isExtended(name) && !isWhole ? [invalidValue(field, amount, 'must be an integer')] : []),
    ];
  });
}

/** Of resources that containers may have. @param {string} name */
export function resourceNameFaults(name) {
  const faults = labelKeyFaults(name);
  if (faults.length > 0) return faults;
  if (name.includes('/') || STANDARD.has(name) || name.startsWith('hugepages-')) return [];
  return ['must be a standard resource type or fully qualified', STANDARD_FOR_CONTAINERS];
}

const STANDARD_FOR_CONTAINERS = 'must be a standard resource for containers';

/** Resources of devices: nobody gets more than there is. @param {string} name */
function isExtended(name) {
  return name.includes('/') && !/(^|\.)kubernetes\.io\//.test(name);
}

/** Whether the limits of all may be more than there is. @param {string} name of a resource */
export function isOvercommitAllowed(name) {
  return !isExtended(name) && !name.startsWith('hugepages-');
}

/**
 * @param {{ name: string, request: string, limit?: string }} amounts
 * @param {string} path
 */
function requestErrors({ name, request, limit }, path) {
  const isFixed = !isOvercommitAllowed(name);
  if (limit === undefined) {
    const detail = 'Limit must be set for non overcommitable resources';
    return isFixed ? [required(`${path}.limits`, detail)] : [];
  }
  const [asked, most] = [parseQuantity(request) ?? 0n, parseQuantity(limit) ?? 0n];
  const field = `${path}.requests`;
  if (isFixed && asked !== most) {
    return [invalidValue(field, request, `must be equal to ${name} limit of ${limit}`)];
  }
  if (asked <= most) return [];
  return [invalidValue(field, request, `must be less than or equal to ${name} limit of ${limit}`)];
}
