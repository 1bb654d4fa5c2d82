#!/usr/bin/env node
/** `npm run fuzz`: runs the fuzzers in this folder and reports their findings. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { buildPreset } from '../../wasm/toolchain/build.js';
import { CommandError, run } from '../../wasm/toolchain/commands.js';
import { thisMachine } from '../../wasm/toolchain/machine.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { exitWith, SetupError } from '../../wasm/toolchain/report.js';
import { ensureSystemPackages } from '../../wasm/toolchain/system_packages.js';
import { SEED_BYTES_MAX, TARGETS, writeSeeds } from './seeds.js';

const MINUTES = 10;
/** Seconds of wall time with two sanitizers; a slower input is a finding. */
const INPUT_SECONDS_MAX = 25;
const MEMORY_MB_MAX = 2048;
const MINIMIZE_SECONDS = 60;
const FOLDER = join(repository, 'build/fuzzing');

const HELP = `Usage: npm run fuzz -- [OPTION]...

Builds the fuzzers with Clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, and runs
them over inputs of the golden files and over what earlier campaigns came across (build/fuzzing). A
target ends with the first input that breaks something; the input is made small, and kept as a test
by the command that is printed.

  --target T   ${Object.keys(TARGETS).join(', ')}; may be repeated, default all
  --minutes M  for each target, default ${MINUTES}
  --jobs N     targets side by side, default one per processor
  --merge      instead, drop inputs of earlier campaigns that add no coverage
  --help       this text

Exit code: 0 nothing found, 1 something was, or wrong usage.`;

/** @typedef {{targets: string[], minutes: number, jobs: number, merge: boolean}} Request */

/** @param {string[]} argv @returns {Request | null} null: help */
export function parseRequest(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      target: { type: 'string', multiple: true, default: Object.keys(TARGETS) },
      minutes: { type: 'string', default: String(MINUTES) },
      jobs: { type: 'string', default: String(availableParallelism()) },
      merge: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const unknown = values.target.find((name) => !(name in TARGETS));
  if (unknown !== undefined) {
    throw new SetupError(`no target ${unknown}; there are: ${Object.keys(TARGETS).join(' ')}`);
  }
  const numbers = [Number(values.minutes), Number(values.jobs)];
  if (!numbers.every((number) => number > 0 && Number.isFinite(number))) {
    throw new SetupError('--minutes and --jobs are numbers above 0');
  }
  return { targets: values.target, minutes: numbers[0], jobs: numbers[1], merge: values.merge };
}

/** The files and folders of a target. @param {string} target */
const placesOf = (target) => ({
  program: join(repository, 'build/fuzz/tests/fuzz', `fuzz_${target}`),
  seeds: join(FOLDER, 'seeds', target),
  corpus: join(FOLDER, 'corpus', target),
  found: join(FOLDER, 'found', target),
  kept: join(repository, 'tests/fuzz', target),
});

/** libFuzzer's flags. @param {Record<string, string | number>} flags */
const flagsOf = (flags) => Object.entries(flags).map(([name, value]) => `-${name}=${value}`);

const LIMITS = { timeout: INPUT_SECONDS_MAX, rss_limit_mb: MEMORY_MB_MAX };

/**
 * Runs a target for its time.
 *
 * @param {string} target
 * @param {number} minutes
 * @returns {Promise<string | null>} the file of the input that failed
 */
async function runTarget(target, minutes) {
  const { program, seeds, corpus, found, kept } = placesOf(target);
  rmSync(found, { recursive: true, force: true });
  for (const folder of [corpus, found]) mkdirSync(folder, { recursive: true });
  const flags = flagsOf({
    ...LIMITS,
    max_total_time: Math.ceil(minutes * 60),
    max_len: SEED_BYTES_MAX,
    dict: join(FOLDER, 'seeds/words.dict'),
    artifact_prefix: `${found}/`,
    print_final_stats: 1,
  });
  const folders = [corpus, seeds, ...(existsSync(kept) ? [kept] : [])];
  try {
    await run(program, [...flags, ...folders], { cwd: repository, onLine: reporterOf(target) });
    return null;
  } catch (error) {
    const [name] = readdirSync(found);
    if (!(error instanceof CommandError) || name === undefined) throw error;
    return join(found, name);
  }
}

/**
 * Prints the lines that report no progress, and a progress line now and then.
 * @param {string} target
 */
function reporterOf(target) {
  return (/** @type {string} */ line) => {
    if (/^#\d+\s+(NEW|REDUCE|RELOAD)\b/.test(line)) return;
    console.log(`${target}: ${line}`);
  };
}

/** Minimizes an input that fails its target. @param {string} target @param {string} file */
async function minimize(target, file) {
  const { program, found } = placesOf(target);
  const small = join(found, 'small');
  const flags = flagsOf({
    ...LIMITS,
    minimize_crash: 1,
    max_total_time: MINIMIZE_SECONDS,
    exact_artifact_path: small,
  });
  // libFuzzer exits with an error once it cannot make the input smaller.
  await run(program, [...flags, file], { cwd: repository, onLine: () => {} }).catch(() => {});
  return existsSync(small) ? small : file;
}

/** @param {string} target @param {string} file */
async function explain(target, file) {
  const { program, kept } = placesOf(target);
  // A slow or large input is not minimized: each attempt would take its whole time.
  const isCrash = file.includes('/crash-');
  const small = relative(repository, isCrash ? await minimize(target, file) : file);
  const folder = relative(repository, kept);
  console.log(`FOUND by ${target}: ${small}
  again: ${relative(repository, program)} ${small}
  keep:  mkdir -p ${folder} && cp ${small} ${folder}/what-it-shows
  elsewhere: base64 -d <<< ${readFileSync(join(repository, small)).toString('base64')}`);
}

/** Drops inputs that add no coverage. @param {string} target */
async function merge(target) {
  const { program, corpus, seeds } = placesOf(target);
  if (!existsSync(corpus)) return;
  const merged = `${corpus}.merged`;
  rmSync(merged, { recursive: true, force: true });
  mkdirSync(merged);
  const before = readdirSync(corpus).length;
  await run(program, [...flagsOf({ ...LIMITS, merge: 1 }), merged, seeds, corpus], {
    cwd: repository,
    onLine: () => {},
  });
  rmSync(corpus, { recursive: true });
  renameSync(merged, corpus);
  console.log(`${target}: ${before} inputs before, ${readdirSync(corpus).length} now`);
}

/** @param {Request} request @returns {Promise<number>} the number of targets that failed */
async function runAll({ targets, minutes, jobs, merge: isMerge }) {
  const waiting = [...targets];
  let broken = 0;
  const work = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      if (isMerge) {
        await merge(target);
        continue;
      }
      const file = await runTarget(target, minutes);
      if (file === null) continue;
      broken += 1;
      await explain(target, file);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, targets.length) }, work));
  return broken;
}

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  const request = parseRequest(argv);
  if (request === null) {
    console.log(HELP);
    return 0;
  }
  await ensureSystemPackages('fuzz', thisMachine());
  await buildPreset(
    { preset: 'fuzz', tests: false },
    request.targets.map((target) => `fuzz_${target}`),
  );
  writeSeeds(join(FOLDER, 'seeds'));
  const broken = await runAll(request);
  console.log(broken === 0 ? 'nothing found' : `${broken} targets broken`);
  return broken === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    exitWith(error);
  }
}
