/**
 * Which devices of a node satisfy claims: the search of the specification
 * (plugins/dynamic-resources-allocator.md, "Search"), without any of the engine's shortcuts.
 */
import { CONSTRAINT, DeviceTally, isSelected, Unevaluable } from './device_tally.js';

/** @typedef {import('./devices.js').Pool} Pool */
/** @typedef {import('./devices.js').Reachable} Reachable */
/** @typedef {import('./devices_in_use.js').DevicesInUse} DevicesInUse */
/** @typedef {import('./device_tally.js').Slot} Slot */

/**
 * What is known of devices.
 *
 * @typedef {object} Supply
 * @property {Pool[]} pools  of the node, in order
 * @property {DevicesInUse} use
 * @property {(name: string) => any} classOf
 */

/** The fatal end of a search. */
class Fault extends Error {}

/**
 * @param {any} claim @param {any} request
 * @param {any} sub  an alternative of the request, or undefined
 * @param {Supply} supply
 * @returns {Slot}
 */
export function slotOf(claim, request, sub, { classOf }) {
  const own = sub ?? request.exactly;
  const name = sub ? `${request.name}/${sub.name}` : request.name;
  return { claim, name, request: own, deviceClass: classOf(own.deviceClassName) };
}

/** The devices for a request of all devices. @param {Slot} slot @param {Supply} supply */
export function allFor(slot, { pools, use }) {
  const isUncertain = pools.some(({ isIncomplete, isInvalid }) => isIncomplete || isInvalid);
  if (isUncertain) throw new Fault('a pool is not known');
  const tally = new DeviceTally(pools, use);
  return devicesOf(pools).filter((one) => isSelected(slot, one) && tally.consumedBy(slot, one));
}

/** @param {Pool[]} pools @returns {Reachable[]} */
const devicesOf = (pools) => pools.flatMap(({ devices }) => devices);

class Search {
  #claims;
  #supply;
  #tally;
  #devices;

  /** @param {any[]} claims @param {Supply} supply */
  constructor(claims, supply) {
    this.#claims = claims;
    this.#supply = supply;
    this.#tally = new DeviceTally(supply.pools, supply.use);
    this.#devices = devicesOf(supply.pools);
  }

  /**
   * Whether all requests from this one on can be satisfied.
   * @param {number} at @param {number} of
   * @returns {boolean}
   */
  find(at = 0, of = 0) {
    if (at === this.#claims.length) return true;
    const claim = this.#claims[at];
    const { requests = [] } = claim.spec.devices;
    if (of === requests.length) return this.find(at + 1);
    const request = requests[of];
    const next = () => this.find(at, of + 1);
    const subs = request.firstAvailable ?? [undefined];
    return subs.some((/** @type {any} */ sub) => {
      const slot = slotOf(claim, request, sub, this.#supply);
      const { allocationMode, count = 1 } = slot.request;
      if (allocationMode !== 'All') return this.#some(slot, count, 0, next);
      return this.#all(slot, allFor(slot, this.#supply), next);
    });
  }

  /** @param {Slot} slot @param {Reachable[]} devices @param {() => boolean} next */
  #all(slot, devices, next) {
    if (devices.length === 0) return false;
    const before = this.#tally.taken.length;
    const isPossible = devices.every((one) => {
      const refusal = this.#tally.refusalOf(slot, one);
      if (refusal.startsWith(CONSTRAINT)) throw new Fault(refusal);
      if (!refusal) this.#tally.take(slot, one);
      return !refusal;
    });
    if (isPossible && next()) return true;
    while (this.#tally.taken.length > before) this.#tally.undo();
    return false;
  }

  /**
   * @param {Slot} slot @param {number} count still missing @param {number} from
   * @param {() => boolean} next
   * @returns {boolean}
   */
  #some(slot, count, from, next) {
    if (count === 0) return next();
    for (let at = from; at < this.#devices.length; at += 1) {
      const one = this.#devices[at];
      if (!slot.request.adminAccess && this.#isInUse(one)) continue;
      if (!isSelected(slot, one) || this.#tally.refusalOf(slot, one)) continue;
      this.#tally.take(slot, one);
      if (this.#some(slot, count - 1, at + 1, next)) return true;
      this.#tally.undo();
    }
    return false;
  }

  /** @param {Reachable} one */
  #isInUse({ id, device }) {
    const isTaken = this.#tally.taken.some(({ one }) => one.id === id);
    return this.#supply.use.isDedicated(id) || (isTaken && !device.allowMultipleAllocations);
  }
}

/**
 * Whether the claims can be allocated on the node.
 * @param {any[]} claims @param {Supply} supply
 * @returns {'some' | 'none' | 'invalid' | 'error'} invalid: no devices, and a pool is invalid
 */
export function choiceFor(claims, supply) {
  try {
    // The devices of these requests are listed before the search begins.
    for (const claim of claims) {
      for (const request of claim.spec.devices.requests ?? []) {
        for (const sub of request.firstAvailable ?? [undefined]) {
          const slot = slotOf(claim, request, sub, supply);
          if (slot.request.allocationMode === 'All') allFor(slot, supply);
        }
      }
    }
    if (new Search(claims, supply).find()) return 'some';
  } catch (error) {
    if (error instanceof Fault || error instanceof Unevaluable) return 'error';
    throw error;
  }
  return supply.pools.some(({ isInvalid }) => isInvalid) ? 'invalid' : 'none';
}
