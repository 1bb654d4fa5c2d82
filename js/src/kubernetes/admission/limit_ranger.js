/**
 * LimitRanger: pods get the default requests and limits of their namespace; pods and claims outside
 * of its bounds are refused. Counterpart: plugin/pkg/admission/limitranger/admission.go, v1.36.
 */
import { formatQuantity, parseQuantity } from '../quantity.js';
import { podAmounts } from '../pod_requests.js';
import { itemsIn, own } from '../values.js';
import { canonicalQuantities, canonicalQuantity } from '../canonical_quantity.js';
import { forbidden } from '../status_errors.js';

/**
 * @import { KubernetesObject } from '../types.js'
 * @import { Resource } from '../kinds.js'
 */

/** @typedef {Record<string, string>} Quantities by the name of a resource */

/** @typedef {{ requests: Quantities, limits: Quantities }} Usage */

const ANNOTATION = 'kubernetes.io/limit-ranger';

/**
 * Returns the pod with the defaults of its namespace's LimitRanges, and an annotation that lists
 * them.
 * @param {KubernetesObject} pod
 * @param {readonly KubernetesObject[]} limitRanges of its namespace
 * @returns {KubernetesObject}
 */
export function withLimitRangeDefaults(pod, limitRanges) {
  return limitRanges.reduce(withDefaultsOf, pod);
}

/**
 * @param {Resource} resource `pods` or `persistentvolumeclaims`
 * @param {KubernetesObject} object
 * @param {readonly KubernetesObject[]} limitRanges of its namespace
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function checkLimitRanges(resource, object, limitRanges) {
  for (const limitRange of limitRanges) {
    const items = itemsIn(limitRange.spec?.limits);
    const faults = new Set(items.flatMap((item) => faultsOf(resource, object, item)));
    if (faults.size === 0) continue;
    const [first] = faults;
    const cause = faults.size === 1 ? first : `[${[...faults].join(', ')}]`;
    throw forbidden(resource, object.metadata.name, cause);
  }
}

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} limitRange
 */
function withDefaultsOf(pod, limitRange) {
  const items = itemsIn(limitRange.spec?.limits).filter(({ type }) => type === 'Container');
  /** @type {Usage} */
  const defaults = { requests: {}, limits: {} };
  for (const item of items) {
    Object.assign(defaults.requests, item.defaultRequest);
    Object.assign(defaults.limits, item.default);
  }
  /** @type {string[]} */
  const added = [];
  const { containers, initContainers } = pod.spec;
  const completed = (/** @type {string} */ kind) => (/** @type {any} */ container) =>
    withDefaults(container, defaults, (names, list) =>
      added.push(`${names.join(', ')} ${list} for ${kind} ${container.name}`),
    );
  const spec = {
    ...pod.spec,
    containers: itemsIn(containers).map(completed('container')),
    ...(initContainers && { initContainers: initContainers.map(completed('init container')) }),
  };
  if (added.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${added.join('; ')}`,
  };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec };
}

/**
 * @param {any} container
 * @param {Usage} defaults
 * @param {(names: string[], list: 'request' | 'limit') => void} onAdded
 */
function withDefaults(container, defaults, onAdded) {
  const requests = container.resources?.requests ?? {};
  const limits = container.resources?.limits ?? {};
  const missing = (/** @type {Quantities} */ list, /** @type {Quantities} */ given) =>
    Object.keys(list).filter((name) => !Object.hasOwn(given, name));
  const requested = missing(defaults.requests, requests).sort();
  const limited = missing(defaults.limits, limits).sort();
  if (requested.length > 0) onAdded(requested, 'request');
  if (limited.length > 0) onAdded(limited, 'limit');
  if (requested.length + limited.length === 0) return container;
  const resources = {
    ...container.resources,
    limits: { ...defaults.limits, ...limits },
    requests: { ...defaults.requests, ...requests },
  };
  return { ...container, resources };
}

/**
 * Returns the violations of one item's bounds.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {any} item of a LimitRange
 * @returns {string[]}
 */
function faultsOf({ plural }, { spec }, item) {
  if (plural === 'persistentvolumeclaims') {
    if (item.type !== 'PersistentVolumeClaim') return [];
    const requests = canonicalQuantities(spec.resources?.requests);
    return [
      ...faultsOfList(item, 'min', (bound) => belowMin(bound, { requests, limits: {} })),
      ...faultsOfList(item, 'max', (bound) => aboveMaxRequest(bound, requests)),
    ];
  }
  if (item.type === 'Pod') return usageFaults(item, podUsage(spec));
  if (item.type !== 'Container') return [];
  const containers = [...spec.containers, ...itemsIn(spec.initContainers)];
  return containers.flatMap(({ resources }) =>
    usageFaults(item, {
      requests: canonicalQuantities(resources?.requests),
      limits: canonicalQuantities(resources?.limits),
    }),
  );
}

/**
 * @param {any} item
 * @param {Usage} usage
 */
function usageFaults(item, usage) {
  return [
    ...faultsOfList(item, 'min', (bound) => belowMin(bound, usage)),
    ...faultsOfList(item, 'max', (bound) => aboveMax(bound, usage)),
    ...faultsOfList(item, 'maxLimitRequestRatio', (bound) => aboveRatio(bound, usage)),
  ];
}

/**
 * A bound of one resource; `type` is that of the item.
 * @typedef {{ type: string, name: string, bound: string }} Bound
 */

/**
 * Checks resources in the order of their names; upstream's order is random.
 * @param {any} item
 * @param {'min' | 'max' | 'maxLimitRequestRatio'} list
 * @param {(bound: Bound) => string | null} check
 * @returns {string[]}
 */
function faultsOfList(item, list, check) {
  return Object.keys(item[list] ?? {})
    .sort()
    .flatMap((name) => {
      const bound = canonicalQuantity(item[list][name]);
      return check({ type: item.type, name, bound }) ?? [];
    });
}

/**
 * @param {Bound} bound
 * @param {Usage} usage
 */
function belowMin({ type, name, bound }, { requests, limits }) {
  const start = `minimum ${name} usage per ${type} is ${bound}`;
  const [request, limit] = [own(requests, name), own(limits, name)];
  if (request === undefined) return `${start}.  No request is specified`;
  if (isLess(request, bound)) return `${start}, but request is ${request}`;
  return limit !== undefined && isLess(limit, bound) ? `${start}, but limit is ${limit}` : null;
}

/**
 * @param {Bound} bound
 * @param {Usage} usage
 */
function aboveMax({ type, name, bound }, { requests, limits }) {
  const start = `maximum ${name} usage per ${type} is ${bound}`;
  const [request, limit] = [own(requests, name), own(limits, name)];
  if (limit === undefined) return `${start}.  No limit is specified`;
  if (isLess(bound, limit)) return `${start}, but limit is ${limit}`;
  return request !== undefined && isLess(bound, request)
    ? `${start}, but request is ${request}`
    : null;
}

/**
 * Checks the maximum of objects without limits.
 * @param {Bound} bound
 * @param {Quantities} requests
 */
function aboveMaxRequest({ type, name, bound }, requests) {
  const start = `maximum ${name} usage per ${type} is ${bound}`;
  const request = own(requests, name);
  if (request === undefined) return `${start}.  No request is specified`;
  return isLess(bound, request) ? `${start}, but request is ${request}` : null;
}

/**
 * @param {Bound} bound
 * @param {Usage} usage
 */
function aboveRatio({ type, name, bound }, { requests, limits }) {
  const start = `${name} max limit to request ratio per ${type} is ${bound}`;
  const [request, limit] = [own(requests, name), own(limits, name)].map((text) =>
    amountOf(text ?? '0'),
  );
  if (request === 0n) return `${start}, but no request is specified or request is 0`;
  if (limit === 0n) return `${start}, but no limit is specified or limit is 0`;
  const ratio = Number(limit) / Number(request);
  if (ratio <= Number(amountOf(bound)) / 1e9) return null;
  return `${start}, but provided ratio is ${ratio.toFixed(6)}`;
}

/**
 * Returns the requests and limits of the pod as a whole.
 * @param {any} spec
 * @returns {Usage}
 */
function podUsage(spec) {
  const sums = (/** @type {'requests' | 'limits'} */ list) => {
    return Object.fromEntries(
      [...podAmounts(spec, list)].map(([name, amount]) => [
        name,
        written(spec, list, name, amount),
      ]),
    );
  };
  return { requests: sums('requests'), limits: sums('limits') };
}

/**
 * Writes a sum in the format of its first part, as Go adds quantities.
 * @param {any} spec
 * @param {'requests' | 'limits'} list
 * @param {string} name
 * @param {bigint} amount in units of 10^-9
 */
function written(spec, list, name, amount) {
  const parts = [...spec.containers, ...itemsIn(spec.initContainers), spec]
    .map(({ resources }) => own(resources?.[list], name))
    .filter((text) => text !== undefined && amountOf(text) !== 0n);
  const plain = formatQuantity(amount);
  if (!String(parts[0]).endsWith('i')) return canonicalQuantity(plain);
  const unit = 1024n * 1_000_000_000n;
  return amount % unit === 0n ? canonicalQuantity(`${amount / unit}Ki`) : plain;
}

/** @param {string} less @param {string} more */
function isLess(less, more) {
  return amountOf(less) < amountOf(more);
}

/** @param {string} text */
function amountOf(text) {
  return parseQuantity(text) ?? 0n;
}
