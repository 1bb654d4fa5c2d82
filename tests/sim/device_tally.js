/**
 * What the devices of a node have left while claims take some of them: exclusive use, taints,
 * counters, capacity and constraints (spec plugins/dynamic-resources-allocator.md, "Trying a
 * device").
 */
import { consumptionOf, EXPRESSIONS, isTolerated, numberOf } from './devices.js';

/** @typedef {import('./devices.js').Reachable} Reachable */
/** @typedef {import('./devices.js').Pool} Pool */
/** @typedef {import('./devices_in_use.js').DevicesInUse} DevicesInUse */

/**
 * A request for which a device is tried.
 *
 * @typedef {object} Slot
 * @property {any} claim
 * @property {string} name    request, or request/sub-request
 * @property {any} request    what it says: class, selectors, tolerations and so on
 * @property {any} deviceClass
 *
 * @typedef {{slot: Slot, one: Reachable, consumed: Record<string, number> | null}} Taken
 */

/** How the refusal by a constraint begins. */
export const CONSTRAINT = 'constraint';

/** An expression has no verdict about a device. */
export class Unevaluable extends Error {}

/** @param {any} capacity  of a device @param {string | undefined} requested */
function amountOf({ value, requestPolicy }, requested) {
  if (requested === undefined) return numberOf(requestPolicy?.default ?? value);
  const wanted = numberOf(requested);
  const { min, step } = requestPolicy?.validRange ?? {};
  if (min === undefined) return wanted;
  const least = numberOf(min);
  if (wanted < least || step === undefined) return Math.max(wanted, least);
  const width = numberOf(step);
  return least + Math.ceil((wanted - least) / width) * width;
}

/** @param {any} capacity  of a device @param {number} amount */
function isAllowed({ requestPolicy }, amount) {
  const { max } = requestPolicy?.validRange ?? {};
  if (requestPolicy && amount === numberOf(requestPolicy.default)) return true;
  return max === undefined || amount <= numberOf(max);
}

/** @param {Reachable} one @param {string} name  domain/id @returns {string | undefined} as text */
function attributeOf({ device, driver }, name) {
  const [domain, id] = name.split('/');
  const attributes = device.attributes ?? {};
  const found = attributes[name] ?? (domain === driver ? attributes[id] : undefined);
  return found && JSON.stringify(found);
}

/**
 * @param {Slot} slot @param {Reachable} one
 * @throws {Unevaluable}
 */
export function isSelected({ request, deviceClass }, { driver, device }) {
  const all = [...(deviceClass.spec.selectors ?? []), ...(request.selectors ?? [])];
  return all.every(({ cel: { expression } }) => {
    const verdict = EXPRESSIONS[expression](driver, device);
    if (verdict === null) throw new Unevaluable(`${expression} on ${device.name}`);
    return verdict;
  });
}

export class DeviceTally {
  #pools;
  #use;
  /** @type {Taken[]} */
  taken = [];

  /** @param {Pool[]} pools @param {DevicesInUse} use  by other claims */
  constructor(pools, use) {
    this.#pools = pools;
    this.#use = use;
  }

  /**
   * What a device has to give for the request, by the name of the capacity; null: not enough.
   * @param {Slot} slot @param {Reachable} one
   */
  consumedBy({ request }, { id, device }) {
    const requests = request.capacity?.requests ?? {};
    const { capacity = {} } = device;
    if (Object.keys(requests).some((name) => !(name in capacity))) return null;
    /** @type {Record<string, number>} */
    const consumed = {};
    for (const [name, own] of Object.entries(capacity)) {
      const amount = amountOf(own, requests[name]);
      const inThis = this.taken.reduce((sum, other) => {
        return sum + (other.one.id === id ? (other.consumed?.[name] ?? 0) : 0);
      }, 0);
      const before = this.#use.consumedOf(id, name) + inThis;
      const { value } = /** @type {any} */ (own);
      if (!isAllowed(own, amount) || before + amount > numberOf(value)) return null;
      consumed[name] = amount;
    }
    return consumed;
  }

  /** Why the device cannot be taken; empty: it can be. @param {Slot} slot @param {Reachable} one */
  refusalOf(slot, one) {
    const { id, device } = one;
    const { request, claim } = slot;
    const isShared = Boolean(device.allowMultipleAllocations);
    const holders = this.taken.filter((other) => other.one.id === id);
    if (request.adminAccess) {
      const isIts = holders.some((other) => other.slot.claim === claim);
      if (isIts && !isShared) return 'it is taken for the claim';
    } else if (this.#use.isDedicated(id)) {
      return 'another claim has it';
    } else if (holders.length > 0 && !isShared) {
      return 'it is taken twice';
    }
    const isTainted = (device.taints ?? []).some((/** @type {any} */ taint) => {
      return !isTolerated(taint, request.tolerations);
    });
    if (isTainted) return 'it is tainted';
    if (!this.consumedBy(slot, one)) return 'its capacity is consumed';
    const counter = this.#shortOf(one, isShared && (holders.length > 0 || this.#use.isShared(id)));
    return counter ? `counter ${counter} is exhausted` : this.#constraintAgainst(slot, one);
  }

  /** @param {Reachable} one @param {boolean} isCounted whether its share counts already */
  #shortOf({ device, pool: id }, isCounted) {
    const own = consumptionOf(device);
    if (own.size === 0 || isCounted) return '';
    const left = this.countersOf(id);
    for (const [counter, amount] of own) left.set(counter, (left.get(counter) ?? 0) - amount);
    return [...left].find(([, amount]) => amount < 0)?.[0] ?? '';
  }

  /** What the counters of a pool have left. @param {string} id */
  countersOf(id) {
    const pool = /** @type {Pool} */ (this.#pools.find((one) => one.id === id));
    const left = new Map(pool.counters);
    const consume = (/** @type {any} */ device) => {
      for (const [counter, amount] of consumptionOf(device)) {
        left.set(counter, (left.get(counter) ?? 0) - amount);
      }
    };
    for (const one of [...pool.devices, ...pool.others]) {
      if (this.#use.isUsed(one.id)) consume(one.device);
    }
    const inThis = this.taken.filter(({ one }) => one.pool === id).map(({ one }) => one);
    const counted = new Set();
    for (const { id: device, device: object } of inThis) {
      const isShare = object.allowMultipleAllocations;
      if (isShare && (counted.has(device) || this.#use.isShared(device))) continue;
      counted.add(device);
      consume(object);
    }
    return left;
  }

  /** @param {Slot} slot @param {Reachable} one */
  #constraintAgainst({ claim, name }, one) {
    const { constraints = [] } = claim.spec.devices;
    const others = this.taken.filter(({ slot }) => slot.claim === claim);
    for (const { requests, matchAttribute, distinctAttribute } of constraints) {
      const applies = (/** @type {string} */ request) =>
        !requests || requests.includes(request) || requests.includes(request.split('/')[0]);
      if (!applies(name)) continue;
      const attribute = matchAttribute ?? distinctAttribute;
      const value = attributeOf(one, attribute);
      if (value === undefined) return `${CONSTRAINT}: it lacks ${attribute}`;
      const values = others
        .filter(({ slot }) => applies(slot.name))
        .map((other) => attributeOf(other.one, attribute));
      const isMet = matchAttribute
        ? values.every((other) => other === value)
        : !values.includes(value);
      if (!isMet) return `${CONSTRAINT}: ${attribute} is ${value}`;
    }
    return '';
  }

  /** @param {Slot} slot @param {Reachable} one */
  take(slot, one) {
    const isShared = Boolean(one.device.allowMultipleAllocations);
    const consumed = isShared ? this.consumedBy(slot, one) : null;
    this.taken.push({ slot, one, consumed });
  }

  undo() {
    this.taken.pop();
  }
}
