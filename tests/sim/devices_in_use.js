/**
 * The devices in use, as far as the scheduler knows: those of claims, and those of decisions that
 * are not written yet (spec plugins/dynamic-resources.md, "Shared state").
 */
import { idOf, numberOf, resultsOf } from './devices.js';

/**
 * How claims use a device.
 *
 * @typedef {object} Use
 * @property {boolean} isDedicated
 * @property {Map<string, Record<string, number>>} shares what each consumes, by shareID
 */

export class DevicesInUse {
  /** By device. @type {Map<string, Use>} */
  #stored = new Map();
  /** Devices that two claims have had at once: the first that lost it freed it. */
  contested = new Set();
  /** Allocations of decisions, by decision and claim. @type {Map<string, any[]>} */
  #inFlight = new Map();

  /**
   * A claim is replaced. Of two claims with one device, the first that loses it frees it, until the
   * other one is allocated anew, be it with another time.
   * @param {any} before @param {any} after  or undefined
   */
  replace(before, after) {
    const [was, is] = [before, after].map((claim) => JSON.stringify(claim?.status?.allocation));
    if (was === is) return;
    const [old, now] = [before, after].map((claim) => (claim ? resultsOf(claim) : []));
    for (const result of old) if (!result.adminAccess) this.#remove(result);
    for (const result of now) if (!result.adminAccess) this.#add(result);
  }

  /** @param {any} result */
  #add(result) {
    const id = idOf(result);
    const use = this.#stored.get(id) ?? { isDedicated: false, shares: new Map() };
    this.#stored.set(id, use);
    if (result.shareID) use.shares.set(result.shareID, consumedOf(result));
    else {
      if (use.isDedicated) this.contested.add(id);
      use.isDedicated = true;
    }
  }

  /** @param {any} result */
  #remove(result) {
    const id = idOf(result);
    const use = this.#stored.get(id);
    if (!use) return;
    if (result.shareID) use.shares.delete(result.shareID);
    else use.isDedicated = false;
    if (!use.isDedicated && use.shares.size === 0) this.#stored.delete(id);
  }

  /** @param {string} what @param {any[]} results */
  begin(what, results) {
    const counted = results.filter(({ adminAccess }) => !adminAccess);
    this.#inFlight.set(what, counted);
  }

  /** @param {string} what */
  end(what) {
    this.#inFlight.delete(what);
  }

  /** The results of decisions for a device. @param {string} id */
  #flying(id) {
    return [...this.#inFlight.values()].flat().filter((result) => idOf(result) === id);
  }

  /** @param {string} id */
  isDedicated(id) {
    return Boolean(this.#stored.get(id)?.isDedicated) || this.#flying(id).some(isWhole);
  }

  /** @param {string} id */
  isShared(id) {
    const isStored = Boolean(this.#stored.get(id)?.shares.size);
    return isStored || this.#flying(id).some((result) => !isWhole(result));
  }

  /** @param {string} id */
  isUsed(id) {
    return this.isDedicated(id) || this.isShared(id);
  }

  /** What the shares of a device consume. @param {string} id @param {string} capacity */
  consumedOf(id, capacity) {
    const shares = new Map(this.#stored.get(id)?.shares);
    for (const result of this.#flying(id)) {
      if (result.shareID) shares.set(result.shareID, consumedOf(result));
    }
    return [...shares.values()].reduce((sum, consumed) => sum + (consumed[capacity] ?? 0), 0);
  }
}

/** @param {any} result */
const isWhole = ({ shareID }) => !shareID;

/** @param {any} result @returns {Record<string, number>} */
export function consumedOf({ consumedCapacity = {} }) {
  return Object.fromEntries(
    Object.entries(consumedCapacity).map(([name, value]) => [name, numberOf(value)]),
  );
}
