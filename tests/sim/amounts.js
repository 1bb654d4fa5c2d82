/**
 * The requests of a pod and the capacity of a node, computed from the objects alone: the
 * simulation's own arithmetic, which shares no code with the engine (spec 01 §7.2).
 */

/** @typedef {Record<string, number>} Amounts  cpu in milli, all else in units */

const PLAIN = /^(\d+)(m|Ki|Mi|Gi)?$/;
const FACTORS = /** @type {Record<string, number>} */ ({
  m: 0.001,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
});
const POD_LEVEL = new Set(['cpu', 'memory']);

/** Devices serve the resources with such names, not the node's allocatable. */
const SERVED_BY_DEVICES = 'cards.example.com/';

/** Whether the simulation can compute this amount exactly. @param {unknown} amount */
export function isPlainAmount(amount) {
  if (typeof amount !== 'string' || !PLAIN.test(amount)) return false;
  return milliOf(amount) < 2 ** 50 && (amount === '0' || !amount.startsWith('0'));
}

/** @param {string} amount */
function milliOf(amount) {
  const [, digits, suffix] = /** @type {RegExpExecArray} */ (PLAIN.exec(amount));
  return suffix === 'm' ? Number(digits) : Number(digits) * 1000 * (FACTORS[suffix] ?? 1);
}

/** @param {Record<string, string>} [list]  of quantities @returns {Amounts} */
export function amountsOf(list = {}) {
  return Object.fromEntries(
    Object.entries(list).map(([name, amount]) => {
      const milli = milliOf(amount);
      return [name, name === 'cpu' ? milli : Math.ceil(milli / 1000)];
    }),
  );
}

/** @param {Amounts} sum @param {Amounts} more */
function add(sum, more) {
  for (const [name, amount] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + amount;
}

/** @param {Amounts} most @param {Amounts} other */
function raise(most, other) {
  for (const [name, amount] of Object.entries(other)) {
    most[name] = Math.max(most[name] ?? 0, amount);
  }
}

/** Cached by object: objects are replaced, never changed. @type {WeakMap<object, Amounts>} */
const counted = new WeakMap();

/** @param {object} source @param {() => Amounts} count @returns {Amounts} */
function once(source, count) {
  const known = counted.get(source);
  if (known) return known;
  const amounts = count();
  counted.set(source, amounts);
  return amounts;
}

/** @param {any} pod @returns {Amounts} */
export function requestsOf({ spec }) {
  return once(spec, () => requestsOfSpec(spec));
}

/** @param {any} spec @returns {Amounts} */
function requestsOfSpec(spec) {
  /** @type {Amounts} */
  const total = {};
  for (const { resources } of spec.containers ?? []) add(total, amountsOf(resources?.requests));
  /** @type {Amounts} */
  const sidecars = {};
  /** @type {Amounts} */
  const most = {};
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const own = amountsOf(resources?.requests);
    if (restartPolicy === 'Always') add(sidecars, own);
    else add(own, sidecars);
    raise(most, restartPolicy === 'Always' ? sidecars : own);
  }
  add(total, sidecars);
  raise(total, most);
  for (const [name, amount] of Object.entries(amountsOf(spec.resources?.requests))) {
    if (POD_LEVEL.has(name)) total[name] = amount;
  }
  add(total, amountsOf(spec.overhead));
  return total;
}

/**
 * The amounts by which the pods on a node exceed its capacity, as text; null if there are none.
 * @param {any} node
 * @param {Amounts[]} others requests of the pods on the node
 * @param {Amounts} [own] of one more pod: then only the resources that it requests count
 */
export function shortageOn(node, others, own) {
  const { allocatable = {} } = node.status ?? {};
  const offered = once(allocatable, () => amountsOf(allocatable));
  /** @type {Amounts} */
  const taken = { pods: others.length + (own ? 1 : 0) };
  for (const requests of others) add(taken, requests);
  if (own) add(taken, own);
  const asked = own ? { pods: 1, ...own } : taken;
  for (const [name, amount] of Object.entries(asked)) {
    if (name.startsWith(SERVED_BY_DEVICES)) continue;
    if (amount > 0 && taken[name] > (offered[name] ?? 0)) {
      return `${taken[name]} of ${offered[name] ?? 0} ${name}`;
    }
  }
  return null;
}
