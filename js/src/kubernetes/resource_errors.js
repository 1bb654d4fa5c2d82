/**
 * Validates the requests and limits of containers and of whole pods. Counterpart:
 * `validateResourceRequirements` and `validatePodResources` of
 * pkg/apis/core/validation/validation.go, v1.36. Resources are checked in the order of the object.
 */
import { parseQuantity } from './quantity.js';
import { containerAmounts } from './pod_requests.js';
import { itemsIn, own } from './values.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from './field_errors.js';
import { quantityText } from './canonical_quantity.js';
import { labelKeyFaults, labelNameFaults } from './names.js';

/** @import { FieldError } from './field_errors.js' */

/** @typedef {Record<string, string>} Quantities */
/** @typedef {{ limits?: Quantities, requests?: Quantities, claims?: any[] }} Requirements */
/** @typedef {(name: string, field: string) => FieldError[]} NameRule */

const NATIVE_PREFIX = 'kubernetes.io/';
const HUGE_PAGES = 'hugepages-';
const OF_CONTAINERS = ['cpu', 'memory', 'ephemeral-storage'];
const OF_PODS = ['cpu', HUGE_PAGES, 'memory'];
const OF_QUOTAS = [
  ...['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
];
const STANDARD = new Set([
  ...OF_CONTAINERS,
  ...OF_QUOTAS,
  ...OF_CONTAINERS.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...['storage', 'requests.storage'],
]);

/**
 * Returns the errors of all resources of a pod: those of its containers, and its own.
 * @param {any} spec with canonical quantities
 * @returns {FieldError[]}
 */
export function resourcesErrors(spec) {
  const claims = new Set(itemsIn(spec.resourceClaims).map((claim) => claim?.name));
  const ofContainers = (/** @type {'containers' | 'initContainers'} */ list) =>
    itemsIn(spec[list]).flatMap(({ resources }, index) =>
      containerResourcesErrors(resources, `spec.${list}[${index}].resources`, claims),
    );
  return [
    ...ofContainers('initContainers'),
    ...ofContainers('containers'),
    ...podResourcesErrors(spec, 'spec.resources'),
  ];
}

/**
 * @param {Requirements | undefined} resources of a container
 * @param {string} path
 * @param {Set<string>} [podClaims] names in the pod's `resourceClaims`
 * @returns {FieldError[]}
 */
export function containerResourcesErrors(resources = {}, path, podClaims = new Set()) {
  return [
    ...requirementsErrors(resources, path, containerNameErrors),
    ...claimsErrors(resources.claims ?? [], `${path}.claims`, podClaims),
  ];
}

/**
 * @param {any} spec of a pod
 * @param {string} path of its resources
 * @returns {FieldError[]}
 */
export function podResourcesErrors(spec, path) {
  const { resources } = spec;
  if (!resources) return [];
  const { claims } = resources;
  return [
    ...(claims
      ? [forbiddenField(`${path}.claims`, 'claims cannot be set for Resources at pod-level')]
      : []),
    ...requirementsErrors(resources, path, podNameErrors),
    ...sumErrors(spec, 'requests', path),
    ...sumErrors(spec, 'limits', path),
    ...containerLimitsErrors(spec, path),
  ];
}

/**
 * The containers' requests together must fit in the pod's; of the limits, only those of huge pages
 * are summed.
 * @param {any} spec
 * @param {'requests' | 'limits'} list
 * @param {string} path
 */
function sumErrors(spec, list, path) {
  const whole = spec.resources[list] ?? {};
  return [...containerAmounts(spec, list)].flatMap(([name, sum]) => {
    const given = own(whole, name);
    const isAdded = list === 'requests' || name.startsWith(HUGE_PAGES);
    if (given === undefined || !isAdded || sum <= amountOf(given)) return [];
    const least = quantityText(sum, isBinary(spec, list, name));
    const detail = `must be greater than or equal to aggregate container ${list} of ${least}`;
    return [invalidValue(`${path}.${list}[${name}]`, given, detail)];
  });
}

/**
 * A sum has the format of its first term.
 * @param {any} spec
 * @param {'requests' | 'limits'} list
 * @param {string} name
 */
function isBinary({ containers, initContainers }, list, name) {
  const texts = [...itemsIn(containers), ...itemsIn(initContainers)].map(({ resources }) =>
    own(resources?.[list], name),
  );
  return texts.find((text) => text !== undefined)?.endsWith('i') ?? false;
}

/**
 * @param {any} spec
 * @param {string} path of the pod's resources; upstream uses it for containers as well
 */
function containerLimitsErrors({ containers, resources }, path) {
  const whole = resources.limits ?? {};
  return itemsIn(containers).flatMap((container, index) =>
    Object.entries(/** @type {Quantities} */ (container.resources?.limits ?? {}))
      .filter(([name, limit]) => own(whole, name) && amountOf(limit) > amountOf(whole[name]))
      .map(([name, limit]) =>
        invalidValue(
          `${path}.containers[${index}][${name}].limits`,
          limit,
          `must be less than or equal to pod limits of ${whole[name]}`,
        ),
      ),
  );
}

/**
 * @param {Requirements} resources
 * @param {string} path
 * @param {NameRule} nameErrors
 * @returns {FieldError[]}
 */
function requirementsErrors({ limits = {}, requests = {} }, path, nameErrors) {
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const hasHugePages = names.some((name) => name.startsWith(HUGE_PAGES));
  const isAlone = hasHugePages && !names.includes('cpu') && !names.includes('memory');
  return [
    ...Object.entries(limits).flatMap(([name, limit]) => {
      const field = `${path}.limits[${name}]`;
      return [
        ...amountErrors(name, limit, { field, nameErrors }),
        ...pageErrors(name, limit, field),
      ];
    }),
    ...Object.entries(requests).flatMap(([name, request]) => {
      const field = `${path}.requests[${name}]`;
      return [
        ...amountErrors(name, request, { field, nameErrors }),
        ...limitErrors({ name, request, limit: own(limits, name) }, path),
        ...pageErrors(name, request, field),
      ];
    }),
    ...(isAlone ? [forbiddenField(path, 'HugePages require cpu or memory')] : []),
  ];
}

/**
 * @param {string} name
 * @param {string} quantity
 * @param {{ field: string, nameErrors: NameRule }} rule
 */
export function amountErrors(name, quantity, { field, nameErrors }) {
  const amount = amountOf(quantity);
  const isCounted = isExtended(name) || OF_QUOTAS.includes(name);
  return [
    ...nameErrors(name, field),
    ...(amount < 0n ? [invalidValue(field, quantity, 'must be greater than or equal to 0')] : []),
    ...(isCounted && amount % 1_000_000_000n !== 0n
      ? [invalidValue(field, quantity, 'must be an integer')]
      : []),
  ];
}

/** Validates the name of a container's resource. @type {NameRule} */
export function containerNameErrors(name, field) {
  const errors = resourceNameErrors(name, field);
  const refused = (/** @type {string} */ detail) => [...errors, invalidValue(field, name, detail)];
  if (!name.includes('/')) {
    const isOfContainers = OF_CONTAINERS.includes(name) || name.startsWith(HUGE_PAGES);
    return isOfContainers ? errors : refused('must be a standard resource for containers');
  }
  return isNative(name) || isExtended(name)
    ? errors
    : refused("doesn't follow extended resource name standard");
}

/** @type {NameRule} */
function podNameErrors(name, field) {
  const errors = resourceNameErrors(name, field);
  const isSupported = OF_PODS.includes(name) || name.startsWith(HUGE_PAGES);
  return errors.length > 0 || isSupported ? errors : [notSupported(field, name, OF_PODS)];
}

/** Validates the name of a resource that a quota bounds. @type {NameRule} */
export function quotaNameErrors(name, field) {
  const errors = resourceNameErrors(name, field);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalidValue(field, name, 'must be a standard resource for quota')];
}

/** Whether it is a native resource that quotas count. @param {string} name */
export function isQuotaResource(name) {
  return name !== 'storage' && isStandard(name);
}

/** @param {string} name */
function isStandard(name) {
  return STANDARD.has(name) || /^(requests\.)?hugepages-/.test(name);
}

/** Validates the name of any resource. @type {NameRule} */
export function resourceNameErrors(name, field) {
  const faults = labelKeyFaults(name);
  if (faults.length > 0) return faults.map((fault) => invalidValue(field, name, fault));
  if (name.includes('/') || isStandard(name)) return [];
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
}

/**
 * @param {{ name: string, request: string, limit?: string }} amounts
 * @param {string} path
 */
function limitErrors({ name, request, limit }, path) {
  const isFixed = !isOvercommitAllowed(name);
  if (limit === undefined) {
    const detail = 'Limit must be set for non overcommitable resources';
    return isFixed ? [required(`${path}.limits`, detail)] : [];
  }
  const [asked, most] = [amountOf(request), amountOf(limit)];
  const field = `${path}.requests`;
  if (isFixed && asked !== most) {
    return [invalidValue(field, request, `must be equal to ${name} limit of ${limit}`)];
  }
  if (asked <= most) return [];
  return [invalidValue(field, request, `must be less than or equal to ${name} limit of ${limit}`)];
}

/**
 * Huge pages are requested in whole pages.
 * @param {string} name
 * @param {string} quantity
 * @param {string} field
 */
function pageErrors(name, quantity, field) {
  if (!name.startsWith(HUGE_PAGES)) return [];
  const page = parseQuantity(name.slice(HUGE_PAGES.length)) ?? 0n;
  const isWhole = page > 0n && page % 1_000_000_000n === 0n && amountOf(quantity) % page === 0n;
  const detail = `${quantity} is not positive integer multiple of ${name}`;
  return isWhole ? [] : [invalidValue(field, quantity, detail)];
}

/**
 * @param {any[]} claims of a container
 * @param {string} field
 * @param {Set<string>} podClaims
 * @returns {FieldError[]}
 */
function claimsErrors(claims, field, podClaims) {
  const wholes = new Set();
  const parts = new Set();
  const named = new Set();
  return claims.flatMap(({ name = '', request = '' }, index) => {
    const at = `${field}[${index}]`;
    if (name === '') return [required(at)];
    const isWhole = request === '';
    const key = `${name}/${request}`;
    const isTwice = wholes.has(name) || (isWhole ? named.has(name) : parts.has(key));
    const value = isWhole || wholes.has(name) ? name : key;
    const faults = isWhole || wholes.has(name) ? [] : labelNameFaults(request);
    named.add(name);
    if (isWhole) wholes.add(name);
    else parts.add(key);
    return [
      ...faults.map((fault) => invalidValue(`${at}.request`, request, fault)),
      ...(isTwice ? [duplicate(at, value)] : []),
      ...(podClaims.has(name) ? [] : [notFoundValue(at, name, noPodClaim(podClaims))]),
    ];
  });
}

/** @param {Set<string>} podClaims */
function noPodClaim(podClaims) {
  const list = [...podClaims].sort().join(', ');
  const known = podClaims.size === 0 ? ' which is empty' : `: ${list}`;
  return `must be one of the names in pod.spec.resourceClaims${known}`;
}

/**
 * Whether the limits of all pods may exceed a node's capacity.
 * @param {string} name of a resource
 */
export function isOvercommitAllowed(name) {
  return isNative(name) && !name.startsWith(HUGE_PAGES);
}

/** Kubernetes' own resources, which may be overcommitted. @param {string} name */
function isNative(name) {
  return !name.includes('/') || name.includes(NATIVE_PREFIX);
}

/** Resources of devices, counted in whole numbers. @param {string} name */
export function isExtended(name) {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return labelKeyFaults(`requests.${name}`).length === 0;
}

/** @param {string} quantity */
function amountOf(quantity) {
  return parseQuantity(quantity) ?? 0n;
}
