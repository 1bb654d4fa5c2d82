/** Minimizes a failing game: first the kinds of faults, then the events (delta debugging). */
import { FAULTS } from './fault_odds.js';

/** @typedef {import('./world_game.js').GameNumbers} GameNumbers */

const PROBES_MAX = 600;
/** The most attempts; a game that fails late takes long each time. */
const SHRINK_MS_MAX = 120_000;

/**
 * The smallest list found for which `fails` returns true. It must return true for the whole list.
 * @template T
 * @param {T[]} list
 * @param {(part: T[]) => Promise<boolean>} fails
 * @returns {Promise<T[]>}
 */
export async function shrinkList(list, fails) {
  let rest = list;
  let size = Math.ceil(rest.length / 2);
  while (size > 0 && rest.length > 0) {
    let isSmaller = false;
    for (let from = 0; from < rest.length;) {
      const part = [...rest.slice(0, from), ...rest.slice(from + size)];
      if (await fails(part)) {
        rest = part;
        isSmaller = true;
      } else {
        from += size;
      }
    }
    if (size > 1) size = Math.ceil(Math.min(size, rest.length) / 2);
    else if (!isSmaller) size = 0;
  }
  return rest;
}

/**
 * @param {GameNumbers} numbers of a game that fails
 * @param {(numbers: GameNumbers) => Promise<boolean>} fails whether the game fails in the same way
 * @returns {Promise<GameNumbers>}
 */
export async function shrinkGame(numbers, fails) {
  let probes = 0;
  const started = performance.now();
  const probe = async (/** @type {GameNumbers} */ smaller) => {
    probes += 1;
    const isTimeUp = performance.now() - started > SHRINK_MS_MAX;
    return probes <= PROBES_MAX && !isTimeUp && (await fails(smaller));
  };
  const given = numbers.without ?? [];
  const faults = await shrinkList(
    FAULTS.filter((fault) => !given.includes(fault)),
    (some) => probe({ ...numbers, without: FAULTS.filter((fault) => !some.includes(fault)) }),
  );
  const without = FAULTS.filter((fault) => !faults.includes(fault));
  const all = numbers.keep ?? Array.from({ length: numbers.events }, (_, index) => index);
  const keep = await shrinkList(all, (some) => probe({ ...numbers, without, keep: some }));
  return { ...numbers, without, keep };
}
