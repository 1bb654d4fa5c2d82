/**
 * Computes the requests and limits of pods. Counterpart: component-helpers/resource (PodRequests,
 * PodLimits), v1.36. For pods on nodes the engine also counts the resources in their statuses.
 */
import { readableLimits } from './pod_defaults.js';
import { formatQuantity, parseQuantity } from './quantity.js';
import { isRecord, itemsIn } from './values.js';

/** By the name of the resource, in units of 10^-9. @typedef {Map<string, bigint>} Amounts */

/** @typedef {'requests' | 'limits'} List of `resources` */

/**
 * Returns the requests of the pod as a whole, as the API server completes them: only if it has
 * pod-level limits, the sum of its containers' requests, else the limit. Null if there is nothing
 * to complete, or if the values are invalid, which the engine reports.
 * @param {any} spec of a pod whose containers are complete
 * @returns {Record<string, unknown> | null}
 */
export function podLevelRequests(spec) {
  const { limits, requests: given } = spec.resources ?? {};
  if (!isRecord(limits) || !isRecord(given ?? {}) || Object.keys(limits).length === 0) return null;
  const requests = { ...given };
  for (const [name, amount] of containerAmounts(spec, 'requests')) {
    const isAdded = name === 'cpu' || name === 'memory';
    if (isAdded && !Object.hasOwn(requests, name)) requests[name] = formatQuantity(amount);
  }
  for (const [name, limit] of Object.entries(readableLimits(limits)))
    if (isOfPods(name) && !Object.hasOwn(requests, name)) requests[name] = limit;
  return requests;
}

/**
 * Returns the amounts that a pod takes on its node: its requests and its overhead.
 * @param {any} spec
 * @returns {Amounts}
 */
export function podRequests(spec) {
  return add(podAmounts(spec, 'requests'), amountsIn(spec.overhead));
}

/**
 * Overhead adds to existing limits; alone it is no limit.
 * @param {any} spec
 * @returns {Amounts}
 */
export function podLimits(spec) {
  const limits = podAmounts(spec, 'limits');
  const overhead = [...amountsIn(spec.overhead)].filter(([name]) => limits.get(name));
  return add(limits, overhead);
}

/**
 * Returns the requests or limits of a pod: pod-level values take precedence over its containers'.
 * @param {any} spec
 * @param {List} list
 * @returns {Amounts}
 */
export function podAmounts(spec, list) {
  const amounts = containerAmounts(spec, list);
  for (const [name, amount] of amountsIn(spec.resources?.[list]))
    if (isOfPods(name)) amounts.set(name, amount);
  return amounts;
}

/**
 * Returns the containers' requests or limits together: the sum of the regular ones, or one init
 * container plus the sidecars started before it, whichever is more.
 * @param {any} spec
 * @param {List} list
 * @returns {Amounts}
 */
export function containerAmounts(spec, list) {
  const amountsOf = (/** @type {any} */ container) => amountsIn(container?.resources?.[list]);
  /** @type {Amounts} */
  const total = new Map();
  /** @type {Amounts} */
  const sidecars = new Map();
  /** @type {Amounts} */
  const most = new Map();
  for (const container of itemsIn(spec.containers)) add(total, amountsOf(container));
  for (const container of itemsIn(spec.initContainers)) {
    const amounts = amountsOf(container);
    if (isSidecar(container)) {
      add(total, amounts);
      add(sidecars, amounts);
      raise(most, sidecars);
    } else {
      raise(most, add(new Map(sidecars), amounts));
    }
  }
  return raise(total, most);
}

/**
 * Whether an init container is a native sidecar: it runs beside all containers that start after it.
 * @param {any} container of `initContainers`
 */
export function isSidecar(container) {
  return container?.restartPolicy === 'Always';
}

/**
 * Whether the resource is supported at pod level.
 * @param {string} name
 */
function isOfPods(name) {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/**
 * Invalid quantities are skipped: the engine reports them.
 * @param {unknown} quantities by the name of the resource
 * @returns {Amounts}
 */
function amountsIn(quantities) {
  const entries = Object.entries(quantities ?? {});
  return new Map(entries.map(([name, quantity]) => [name, parseQuantity(quantity) ?? 0n]));
}

/**
 * @param {Amounts} sum
 * @param {Iterable<[string, bigint]>} amounts
 */
function add(sum, amounts) {
  for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0n) + amount);
  return sum;
}

/**
 * @param {Amounts} most
 * @param {Amounts} amounts
 */
function raise(most, amounts) {
  for (const [name, amount] of amounts) {
    const known = most.get(name);
    if (known === undefined || amount > known) most.set(name, amount);
  }
  return most;
}
