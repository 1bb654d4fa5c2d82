import { formatQuantity, parseQuantity } from './quantity.js';
import { isRecord, itemsIn } from './values.js';

/** @typedef {Record<string, bigint>} Amounts */

/**
 * The requests of the pod as a whole, as the API server completes them: only where pod-level limits
 * are given, what the containers ask for together, else the limit. Null: nothing is to be
 * completed, or what stands there is for the engine to refuse.
 * @param {any} spec of a pod whose containers are complete
 * @returns {Record<string, unknown> | null}
 */
export function podLevelRequests(spec) {
  const { limits, requests: given } = spec.resources ?? {};
  if (!isRecord(limits) || !isRecord(given ?? {}) || Object.keys(limits).length === 0) return null;
  const requests = { ...given };
  for (const [name, amount] of Object.entries(containerAmounts(spec, 'requests'))) {
    if (name === 'cpu' || name === 'memory') requests[name] ??= formatQuantity(amount);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'))
      requests[name] ??= limit;
  }
  return requests;
}

/** @typedef {'requests' | 'limits'} List of `resources` */

/**
 * What a pod takes of its node: its requests and its overhead.
 * @param {any} spec
 * @returns {Amounts} in units of 10^-9
 */
export function podRequests(spec) {
  const overhead = { resources: { requests: spec.overhead } };
  return add(podAmounts(spec, 'requests'), amountsOf(overhead, 'requests'));
}

/**
 * The requests or limits of a pod: what stands for the pod as a whole goes before what its
 * containers say.
 * @param {any} spec
 * @param {List} list
 * @returns {Amounts} in units of 10^-9
 */
export function podAmounts(spec, list) {
  return { ...containerAmounts(spec, list), ...amountsOf(spec, list) };
}

/**
 * What the containers ask for, or may use, together: all of them at once, or one initialising
 * container beside the sidecars started before it, whichever is more.
 * @param {any} spec
 * @param {List} list
 * @returns {Amounts}
 */
export function containerAmounts(spec, list) {
  /** @type {Amounts} */
  const total = {};
  /** @type {Amounts} */
  const sidecars = {};
  /** @type {Amounts} */
  const most = {};
  for (const container of itemsIn(spec.containers)) add(total, amountsOf(container, list));
  for (const container of itemsIn(spec.initContainers)) {
    const amounts = amountsOf(container, list);
    if (container?.restartPolicy === 'Always') {
      add(total, amounts);
      add(sidecars, amounts);
      raise(most, sidecars);
    } else {
      raise(most, add({ ...sidecars }, amounts));
    }
  }
  return raise(total, most);
}

/**
 * What cannot be read is left to the engine, which names it.
 * @param {any} container
 * @param {List} list
 * @returns {Amounts}
 */
function amountsOf(container, list) {
  const entries = Object.entries(container?.resources?.[list] ?? {});
  return Object.fromEntries(
    entries.map(([name, quantity]) => [name, parseQuantity(quantity) ?? 0n]),
  );
}

/**
 * @param {Amounts} sum
 * @param {Amounts} amounts
 */
function add(sum, amounts) {
  for (const [name, amount] of Object.entries(amounts)) sum[name] = (sum[name] ?? 0n) + amount;
  return sum;
}

/**
 * @param {Amounts} most
 * @param {Amounts} amounts
 */
function raise(most, amounts) {
  for (const [name, amount] of Object.entries(amounts))
    if (!(name in most) || amount > most[name]) most[name] = amount;
  return most;
}
