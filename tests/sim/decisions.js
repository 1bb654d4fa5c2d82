/**
 * `npm run sim -- --decisions`: compares the engine with itself, by seed. The C++ half
 * (stowage_sim) and the JavaScript half run side by side; the exit code is 0 only if both ran and
 * all output agreed.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { buildPreset } from '../../wasm/toolchain/build.js';
import { VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { NotBuiltError } from '../support/targets.js';
import { Tally } from './agreement.js';
import { Engines, failureText, runSeed } from './seeds.js';

const SEEDS = 10_000;
const SEEDS_BETWEEN_REPORTS = 500;
const FAILURES_MAX = 10;

const PROGRAM = fileURLToPath(new URL('../../build/native/tests/sim/stowage_sim', import.meta.url));

const HELP = `Usage: npm run sim -- --decisions [OPTION]...

Random clusters by seed, each decided in all ways that must agree: chunk form and per-node form,
incremental counts and a recount, all nodes and a sample of 100 %, caches on and off, native and
WebAssembly.

  --seed N        this seed alone
  --path P        with --seed: the smaller scenario that a failure named (JavaScript half)
  --seeds COUNT   how many, default ${SEEDS}
  --from N        the first of them, default 1
  --cache MODE    the mode of the verdict cache that is compared with firstUse (JavaScript half):
                  off, firstUse, secondUse, tiny or refill; without it the seed says which
  --half cpp|js   one half alone
  --help          this text

Exit code: 0 all agreed, 1 something did not, 2 wrong usage.`;

/** The request cannot be met. */
class UsageError extends Error {}

/**
 * @typedef {object} Request
 * @property {number} first
 * @property {number} last
 * @property {string} [path]
 * @property {string} [half]
 * @property {import('../support/raw_engine.js').VerdictCacheMode} [cache]
 * @property {boolean} [help]
 */

/** @param {string[]} argv @returns {Request} */
export function parseRequest(argv) {
  let values;
  try {
    ({ values } = parseArgs({
      args: argv,
      options: {
        seed: { type: 'string' },
        path: { type: 'string' },
        seeds: { type: 'string' },
        from: { type: 'string' },
        half: { type: 'string' },
        cache: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
  const { seed, path, half, help } = values;
  if (half !== undefined && !['cpp', 'js'].includes(half))
    throw new UsageError(`--half is cpp or js, not ${half}`);
  if (seed !== undefined && (values.seeds !== undefined || values.from !== undefined))
    throw new UsageError('--seed is one seed, --seeds and --from are many');
  if (path !== undefined && seed === undefined) throw new UsageError('--path belongs to --seed');
  const cache = VERDICT_CACHE_MODES.find((mode) => mode === values.cache);
  if (values.cache !== undefined && (cache === undefined || half === 'cpp'))
    throw new UsageError(`--cache is ${VERDICT_CACHE_MODES.join(', ')}, of the half js`);
  const first = numberOf(seed ?? values.from ?? '1');
  const count = seed === undefined ? numberOf(values.seeds ?? String(SEEDS)) : 1;
  if (count === 0) throw new UsageError('no seeds');
  const isOfJs = path !== undefined || cache !== undefined;
  return { first, last: first + count - 1, path, half: isOfJs ? 'js' : half, cache, help };
}

/** @param {string} text */
function numberOf(text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 0x7fffffff) return number;
  throw new UsageError(`a number from 0 to ${0x7fffffff} is expected, not ${text}`);
}

/**
 * The C++ half: prints its lines as they arrive.
 * @param {Request} request
 * @returns {Promise<boolean>}
 */
async function runCpp({ first, last }) {
  const child = spawn(PROGRAM, ['--seeds', `${first}..${last}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => console.log(`C++: ${line}`));
  const { code, signal } = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, name) => resolve({ code: exitCode, signal: name }));
  });
  if (signal) console.log(`C++: stopped by ${signal}`);
  return code === 0;
}

/** The JavaScript half. @param {Request} request @returns {Promise<boolean>} */
async function runJs({ first, last, path, cache }) {
  const engines = new Engines();
  const tally = new Tally();
  let failures = 0;
  let ran = 0;
  for (let seed = first; seed <= last && failures < FAILURES_MAX; seed += 1) {
    const failure = await runSeed(engines, seed, { tally, path, cache });
    if (failure) {
      failures += 1;
      console.log(`JavaScript: ${failureText(failure)}`);
    }
    ran += 1;
    if (ran % SEEDS_BETWEEN_REPORTS === 0) console.log(`JavaScript: ${ran} seeds`);
  }
  console.log(`JavaScript: ${ran} seeds, ${failures} failed: ${tally}`);
  return failures === 0;
}

/** @param {string[]} argv @returns {Promise<number>} the exit code */
export async function main(argv) {
  /** @type {Request} */
  let request;
  try {
    request = parseRequest(argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.log(`${error.message}\n\n${HELP}`);
    return 2;
  }
  if (request.help) {
    console.log(HELP);
    return 0;
  }
  const started = performance.now();
  try {
    // First, because a build folder that is deleted loses the addon too.
    await buildPreset({ preset: 'native', tests: true }, ['stowage_native', 'stowage_sim']);
    const halves = [
      ...(request.half === 'js' ? [] : [runCpp(request)]),
      ...(request.half === 'cpp' ? [] : [runJs(request)]),
    ];
    const agreed = (await Promise.all(halves)).every(Boolean);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${agreed ? 'all agreed' : 'FAILED'} in ${seconds} s`);
    return agreed ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NotBuiltError)) throw error;
    console.log(error.message);
    return 1;
  }
}
