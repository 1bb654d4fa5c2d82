#!/usr/bin/env node
/**
 * `npm run sim`: an engine as the scheduler of a changing world, behind an API that is worse than
 * in reality. `--decisions` is the other simulation, which compares the engine with itself.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { NotBuiltError, TARGETS } from '../support/targets.js';
import { main as runDecisions } from './decisions.js';
import { shrinkGame } from './shrink.js';
import { FAULTS } from './fault_odds.js';
import { WorldPlayer } from './world_player.js';

/** @typedef {import('./world_game.js').GameNumbers} GameNumbers */
/** @typedef {import('./world_game.js').GameResult} GameResult */

const EVENTS = 20_000;
const EVENTS_OF_SEED = 500;
const FAILURES_MAX = 5;
const SEEDS_PER_LINE = 100;
const LOG_FOLDER = fileURLToPath(new URL('../../build/sim/', import.meta.url));

const HELP = `Usage: npm run sim -- [OPTION]...
       npm run sim -- --decisions [OPTION]...
       npm run sim:long

A world by seed: nodes, pods and gangs that come, change and go, and an engine that schedules them
through an API that is slow, loses, repeats and refuses. What must hold is checked after every turn,
and in the end every pod that fits is bound, but for those that their own preemption keeps gated, as
kube-scheduler does. All targets must say the same bytes.

  --events M      how many things happen, default ${EVENTS}, ${EVENTS_OF_SEED} to a seed
  --seed N        this seed alone, with all the events
  --from N        the first of the seeds, default 1
  --target T      native, wasm or both, default both
  --jobs N        processes side by side, default one per processor
  --cache MODE    the verdict cache of all targets: off, firstUse, secondUse, tiny or refill;
                  without it the first target has its own, the others have one that the seed says
  --without F,…   no faults of these kinds: ${FAULTS.join(', ')}
  --keep I,J-K    with --seed: these events alone, by their number
  --decisions     the decision fuzz instead; --decisions --help says more
  --help          this text

A seed that fails is made small, its log is written as JSON lines below build/sim.
Exit code: 0 all holds, 1 something does not, 2 wrong usage.`;

/** The request cannot be met. */
class UsageError extends Error {}

/**
 * @typedef {object} Request
 * @property {GameNumbers[]} games
 * @property {number} jobs
 */

/** @param {string[]} argv @returns {Request | null} null: help */
export function parseRequest(argv) {
  const texts = parseTexts(argv);
  if (texts.help) return null;
  if (texts.seed !== undefined && texts.from !== undefined)
    throw new UsageError('--seed is one seed, --from the first of many');
  if (texts.keep !== undefined && texts.seed === undefined)
    throw new UsageError('--keep belongs to --seed');
  const targets = targetsOf(texts.target ?? 'both');
  const cache = texts.cache === undefined ? {} : { cache: modeOf(texts.cache) };
  const without = texts.without === undefined ? [] : texts.without.split(',');
  const unknown = without.find((fault) => !FAULTS.includes(fault));
  if (unknown !== undefined) throw new UsageError(`no fault is called ${unknown}`);
  const events = numberOf(texts.events ?? String(EVENTS));
  const jobs = numberOf(texts.jobs ?? String(availableParallelism()));
  if (events === 0 || jobs === 0) throw new UsageError('nothing to do');
  if (texts.seed !== undefined) {
    const keep = texts.keep === undefined ? null : readRanges(texts.keep);
    const game = { seed: numberOf(texts.seed), events, keep, without, targets, ...cache };
    return { games: [game], jobs: 1 };
  }
  const first = numberOf(texts.from ?? '1');
  const games = Array.from({ length: Math.ceil(events / EVENTS_OF_SEED) }, (_, index) => {
    const rest = events - index * EVENTS_OF_SEED;
    const size = { seed: first + index, events: Math.min(rest, EVENTS_OF_SEED) };
    return { ...size, without, targets, ...cache };
  });
  return { games, jobs: Math.min(jobs, games.length) };
}

/** @param {string[]} argv */
function parseTexts(argv) {
  const text = /** @type {const} */ ({ type: 'string' });
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        events: text,
        seed: text,
        from: text,
        target: text,
        jobs: text,
        cache: text,
        without: text,
        keep: text,
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}

/** @param {string} text */
function numberOf(text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 0x7fffffff) return number;
  throw new UsageError(`a number from 0 to ${0x7fffffff} is expected, not ${text}`);
}

/** @param {string} text @returns {string[]} */
function targetsOf(text) {
  const known = /** @type {readonly string[]} */ (TARGETS);
  if (text === 'both') return [...known];
  if (!known.includes(text)) throw new UsageError(`--target is native, wasm or both, not ${text}`);
  return [text];
}

/** @param {string} text */
function modeOf(text) {
  const mode = VERDICT_CACHE_MODES.find((known) => known === text);
  if (mode) return mode;
  throw new UsageError(`--cache is ${VERDICT_CACHE_MODES.join(', ')}, not ${text}`);
}

/** "1,4-6" as 1, 4, 5, 6. @param {string} text @returns {number[]} */
export function readRanges(text) {
  return text.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(numberOf);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** 1, 4, 5, 6 as "1,4-6". @param {number[]} numbers  rising */
export function writeRanges(numbers) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const number of numbers) {
    const open = ranges.at(-1);
    if (open && open[1] === number - 1) open[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join();
}

/** The command that plays the game again. @param {GameNumbers} numbers */
export function commandOf({ seed, events, targets, without, keep, cache }) {
  const target = targets?.length === 1 ? ` --target ${targets[0]}` : '';
  const mode = cache ? ` --cache ${cache}` : '';
  const faults = without?.length ? ` --without ${without.join()}` : '';
  const some = keep ? ` --keep ${writeRanges(keep)}` : '';
  return `npm run sim -- --seed ${seed} --events ${events}${target}${mode}${faults}${some}`;
}

/**
 * Minimizes a failure; the log is that of the small game.
 * @param {WorldPlayer} player @param {GameNumbers} numbers @param {GameResult} result
 * @returns {Promise<string>} the report
 */
export async function explainFailure(player, numbers, { failure, counts }) {
  const all = numbers.keep ?? Array.from({ length: numbers.events }, (_, index) => index);
  // The game failed on its way to the next event, whose time matters.
  const happened = { ...numbers, keep: all.slice(0, counts.events + 1) };
  const fails = async (/** @type {GameNumbers} */ smaller) => {
    const again = await player.play(smaller);
    return again.failure?.invariant === failure?.invariant;
  };
  const small = await shrinkGame((await fails(happened)) ? happened : numbers, fails);
  const logFile = `${LOG_FOLDER}seed-${numbers.seed}.jsonl`;
  const last = await player.play({ ...small, logFile });
  return [
    `seed ${numbers.seed} fails with ${small.keep?.length} events: ${last.failure?.what}`,
    `  again: ${commandOf(small)}`,
    `  log:   ${logFile}`,
  ].join('\n');
}

/** Prints a line now and then, so that a long simulation does not look like one that hangs. */
class Progress {
  #played = 0;
  #slowest = { seed: 0, ms: 0 };
  #games;

  /** @param {number} games the number of games */
  constructor(games) {
    this.#games = games;
  }

  /** @param {number} seed @param {number} ms @returns {string | null} the line to print */
  played(seed, ms) {
    this.#played += 1;
    if (ms > this.#slowest.ms) this.#slowest = { seed, ms };
    if (this.#played % SEEDS_PER_LINE !== 0) return null;
    const { seed: slow, ms: most } = this.#slowest;
    this.#slowest = { seed: 0, ms: 0 };
    const slowest = `the slowest of late, seed ${slow}: ${Math.round(most)} ms`;
    return `${this.#played} of ${this.#games} seeds; ${slowest}`;
  }
}

/**
 * Plays all games, some in parallel.
 * @param {Request} request @param {(text: string) => void} say
 * @returns {Promise<{failures: number, counts: Record<string, number>}>}
 */
export async function playAll({ games, jobs }, say) {
  const waiting = [...games];
  /** @type {Record<string, number>} */
  const counts = {};
  let failures = 0;
  let isMissingSaid = false;
  const progress = new Progress(games.length);
  const work = async () => {
    const player = new WorldPlayer();
    for (let game = waiting.shift(); game && failures < FAILURES_MAX; game = waiting.shift()) {
      const began = performance.now();
      const result = await player.play(game);
      const line = progress.played(game.seed, performance.now() - began);
      if (line) say(line);
      const { failure, counts: own, missing } = result;
      if (missing.length > 0 && !isMissingSaid) {
        say(`not built, and therefore not compared: ${missing.join()}`);
        isMissingSaid = true;
      }
      for (const [name, count] of Object.entries(own)) counts[name] = (counts[name] ?? 0) + count;
      if (!failure) continue;
      failures += 1;
      say(`FAILED seed ${game.seed}: ${failure.what}\n  again: ${commandOf(game)}`);
      say(await explainFailure(player, game, result));
    }
    player.close();
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return { failures, counts };
}

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  if (argv.includes('--decisions')) {
    return runDecisions(argv.filter((argument) => argument !== '--decisions'));
  }
  /** @type {Request | null} */
  let request;
  try {
    request = parseRequest(argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.log(`${error.message}\n\n${HELP}`);
    return 2;
  }
  if (!request) {
    console.log(HELP);
    return 0;
  }
  const started = performance.now();
  try {
    const { failures, counts } = await playAll(request, console.log);
    const seconds = (performance.now() - started) / 1000;
    const texts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    console.log(`${request.games.length} seeds: ${texts.join(', ')}`);
    const speed = Math.round((counts.events ?? 0) / seconds);
    const verdict = failures === 0 ? 'all holds' : `${failures} seeds FAILED`;
    console.log(`${verdict} in ${seconds.toFixed(1)} s, ${speed} events/s`);
    return failures === 0 ? 0 : 1;
  } catch (error) {
    if (!String(error).includes(NotBuiltError.name)) throw error;
    console.log(/** @type {Error} */ (error).message);
    return 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}
