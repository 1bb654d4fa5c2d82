/**
 * Whether claims really have devices of their own. A scheduler can only answer for what it knew. A
 * device is excused if, when it was chosen, another claim had it of which the scheduler was not
 * told; and as long as a write that allocates it may still be carried out although the scheduler
 * does not count on it.
 */
import { idOf, resultsOf } from './devices.js';
import { hold } from './invariants.js';
import { keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */

const CLAIM = 'ResourceClaim';

/** The devices that the claim has for itself. @param {any} claim @returns {string[]} */
export function devicesOf(claim) {
  const own = resultsOf(claim).filter(({ adminAccess, shareID }) => !adminAccess && !shareID);
  return own.map(idOf);
}

export class Doubled {
  #world;
  /** Devices. @type {Set<string>} */
  #excused = new Set();
  /** The number of compared devices, and of devices that two claims have. */
  counts = { owned: 0, doubled: 0 };

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
  }

  /**
   * A decision allocates devices.
   * @param {any[]} results
   * @param {(claim: any, id: string) => boolean} isKnown  whether the scheduler knows that the
   *   claim has the device
   */
  decide(results, isKnown) {
    const chosen = new Set(devicesOf({ status: { allocation: { devices: { results } } } }));
    for (const claim of this.#world.values(CLAIM)) {
      for (const id of devicesOf(claim)) {
        if (chosen.has(id) && !isKnown(claim, id)) this.#excused.add(id);
      }
    }
  }

  /** The scheduler gives up a write that may have happened, or may still. @param {any} claim */
  lose(claim) {
    for (const id of devicesOf(claim)) this.#excused.add(id);
  }

  check() {
    /** @type {Map<string, string>} */
    const owners = new Map();
    for (const claim of this.#world.values(CLAIM)) {
      for (const id of devicesOf(claim)) {
        const other = owners.get(id);
        owners.set(id, keyOf(claim));
        this.counts.owned += 1;
        if (!other) continue;
        this.counts.doubled += 1;
        hold(this.#excused.has(id), 'no device is allocated twice', () => {
          return `${id} is allocated to ${other} and to ${keyOf(claim)}`;
        });
      }
    }
  }
}
