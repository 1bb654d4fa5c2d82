/** The JavaScript half of the simulation: one arbitrary scenario per seed. */
import fc from 'fast-check';

import { loadTarget } from '../support/targets.js';
import { assertAgreement, Disagreement, Tally } from './agreement.js';
import { scenario } from './scenario.js';

/** @import { RawEngine } from '../support/raw_engine.js' */

/** The engines that play. A module that stopped itself is replaced. */
export class Engines {
  /** @type {Promise<RawEngine> | undefined} */
  #native;
  /** @type {Promise<RawEngine> | undefined} */
  #wasm;
  #load;

  /** @param {(target: string) => Promise<RawEngine>} [load] */
  constructor(load = loadTarget) {
    this.#load = load;
  }

  async both() {
    this.#native ??= this.#load('native');
    this.#wasm ??= this.#load('wasm');
    return { native: await this.#native, wasm: await this.#wasm };
  }

  replaceModule() {
    this.#wasm = undefined;
  }
}

/**
 * @typedef {object} SeedFailure
 * @property {number} seed
 * @property {string} path  to the smallest scenario that was found
 * @property {string} what
 * @property {string} scenario  that scenario, as JSON
 */

/**
 * Plays the seed's scenario; when something does not agree, smaller ones as well.
 *
 * @param {Engines} engines
 * @param {number} seed
 * @param {{tally?: Tally, path?: string}} [options]  `path`: to another scenario of the seed
 * @returns {Promise<SeedFailure | null>}
 */
export async function runSeed(engines, seed, { tally = new Tally(), path } = {}) {
  let what = '';
  const property = fc.asyncProperty(scenario, async (one) => {
    try {
      assertAgreement(await engines.both(), one, tally);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      what = error instanceof Disagreement ? message : `an engine stopped itself: ${message}`;
      if (!(error instanceof Disagreement)) engines.replaceModule();
      throw error;
    }
  });
  const from = path ? { path, endOnFailure: true } : {};
  // One run of a seed is its first, which a bias would always make a small one.
  const result = await fc.check(property, { seed, numRuns: 1, unbiased: true, ...from });
  if (!result.failed) return null;
  return {
    seed,
    path: result.counterexamplePath ?? '',
    what,
    scenario: JSON.stringify(result.counterexample?.[0]),
  };
}

/** How a failure is said: what it is, and how to see it again. @param {SeedFailure} failure */
export function failureText({ seed, path, what, scenario: smallest }) {
  return [
    `FAILED seed ${seed}: ${what}`,
    `  the smallest scenario: ${smallest}`,
    `  again: npm run sim -- --decisions --seed ${seed}${path && ` --path ${path}`}`,
  ].join('\n');
}
