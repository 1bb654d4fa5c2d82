/** The JavaScript half of the simulation: one arbitrary scenario per seed. */
import fc from 'fast-check';

import { VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { loadTarget } from '../support/targets.js';
import { assertAgreement, Disagreement, Tally } from './agreement.js';
import { scenario } from './scenario.js';

/** @import { RawEngine, VerdictCacheMode } from '../support/raw_engine.js' */

/** Modes besides firstUse; each plays one in so many seeds. */
const MODES = VERDICT_CACHE_MODES.filter((mode) => mode !== 'firstUse');

/** The engines. A module after a failed CHECK is replaced. */
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
 * @property {string} path to the smallest scenario found
 * @property {string} what
 * @property {VerdictCacheMode} [cache] if one was requested
 * @property {string} scenario  that scenario, as JSON
 */

/**
 * Plays the seed's scenario; after a disagreement, smaller ones as well.
 *
 * @param {Engines} engines
 * @param {number} seed
 * @param {object} [options]
 * @param {Tally} [options.tally]
 * @param {string} [options.path] to another scenario of the seed
 * @param {VerdictCacheMode} [options.cache] default: chosen by the seed
 * @returns {Promise<SeedFailure | null>}
 */
export async function runSeed(engines, seed, { tally = new Tally(), path, cache } = {}) {
  const mode = cache ?? MODES[seed % MODES.length];
  let what = '';
  const property = fc.asyncProperty(scenario, async (one) => {
    try {
      assertAgreement(await engines.both(), one, tally, mode);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      what = error instanceof Disagreement ? message : `an engine stopped itself: ${message}`;
      if (!(error instanceof Disagreement)) engines.replaceModule();
      throw error;
    }
  });
  const from = path ? { path, endOnFailure: true } : {};
  // The first run of a seed must be its normal scenario; a bias would always make it a small one.
  const result = await fc.check(property, { seed, numRuns: 1, unbiased: true, ...from });
  if (!result.failed) return null;
  return {
    seed,
    path: result.counterexamplePath ?? '',
    what,
    ...(cache && { cache }),
    scenario: JSON.stringify(result.counterexample?.[0]),
  };
}

/** The text of a failure, with the command that repeats it. @param {SeedFailure} failure */
export function failureText({ seed, path, what, cache, scenario: smallest }) {
  const mode = cache ? ` --cache ${cache}` : '';
  return [
    `FAILED seed ${seed}: ${what}`,
    `  the smallest scenario: ${smallest}`,
    `  again: npm run sim -- --decisions --seed ${seed}${mode}${path && ` --path ${path}`}`,
  ].join('\n');
}
