/** Plays one game of the world simulation by its numbers, with its log in a file. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { loadTarget, NotBuiltError, TARGETS } from '../support/targets.js';
import { Broken } from './invariants.js';
import { Planner } from './world_plan.js';
import { WorldRun } from './world_run.js';

/** @typedef {import('./world_plan.js').Happening} Happening */
/** @typedef {import('../support/raw_engine.js').RawEngine} RawEngine */

/**
 * @typedef {object} GameNumbers
 * @property {number} seed
 * @property {number} events the number of planned events
 * @property {number[] | null} [keep]  those that happen, by their number; default: all
 * @property {string[]} [without] faults to leave out
 * @property {string[]} [targets] the first one's output is checked, the others' must be equal;
 *   default: all that are built
 * @property {import('../support/raw_engine.js').VerdictCacheMode} [cache] of all targets; default:
 *   the first has its own, the others have one chosen by the seed
 * @property {string} [logFile]
 *
 * @typedef {object} GameResult
 * @property {{invariant: string, what: string} | null} failure
 * @property {Record<string, number>} counts
 * @property {string[]} missing targets that are not built
 */

/**
 * The plan with only some of its events, at their original times.
 * @param {Happening[]} plan @param {number[] | null} [keep]
 */
export function partOf(plan, keep) {
  if (!keep) return plan;
  const kept = new Set(keep);
  /** @type {Happening[]} */
  const part = [];
  let waitUs = 0;
  for (const [index, happening] of plan.entries()) {
    waitUs += happening.waitUs;
    if (!kept.has(index)) continue;
    part.push({ ...happening, waitUs });
    waitUs = 0;
  }
  return part;
}

/** @type {Map<string, Promise<RawEngine>>} */
const loaded = new Map();

/** @param {string} target @returns {Promise<RawEngine | null>} null: not built */
async function engineOf(target) {
  if (!loaded.has(target)) loaded.set(target, loadTarget(target));
  try {
    return (await loaded.get(target)) ?? null;
  } catch (error) {
    if (error instanceof NotBuiltError) return null;
    throw error;
  }
}

/** @param {GameNumbers} numbers @returns {Promise<GameResult>} */
export async function playGame({ targets = [...TARGETS], logFile, ...numbers }) {
  const { seed, events, keep, without, cache } = numbers;
  const found = await Promise.all(targets.map(engineOf));
  const engines = found.flatMap((engine) => engine ?? []);
  const missing = targets.filter((_, index) => !found[index]);
  const [target] = targets;
  if (engines.length === 0) throw new NotBuiltError(target, 'the engine');
  const log = logFile === undefined ? null : openLog(logFile);
  log?.write({ kind: 'WorldLog', seed, events, keep, without, targets, cache });
  const plan = partOf(new Planner(seed).plan(events), keep);
  const run = new WorldRun(engines, { seed, plan, without, cache, log: log?.write });
  /** @type {GameResult['failure']} */
  let failure = null;
  try {
    run.play();
  } catch (error) {
    const { name, message, invariant = name } = /** @type {any} */ (error);
    const isExpected = error instanceof Broken || name === 'RefusedError';
    failure = { invariant, what: isExpected ? message : String(/** @type {any} */ (error).stack) };
    // A module after a failed CHECK answers nothing more.
    if (!(error instanceof Broken)) loaded.clear();
  }
  log?.write({ failure });
  log?.close();
  return { failure, counts: run.counts, missing };
}

/** A line is in the file before the engine can end the process. @param {string} path */
function openLog(path) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  return {
    write: (/** @type {object} */ entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(file),
  };
}
