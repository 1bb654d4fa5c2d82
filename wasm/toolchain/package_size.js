/**
 * Measures the package: bytes to download, milliseconds until a scheduler is ready. The build
 * prints both.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { builtSizes, sizeTable } from './module_sizes.js';
import { repository } from './paths.js';
import { say, SetupError } from './report.js';

/** The limit for the module and the files that `import 'stowage'` loads, together. */
export const BROTLI_BYTES_MAX = 450_000;

/** The limit from the import to a scheduler, on Node and a quiet machine. */
export const READY_MS_MAX = 30;

const RUNS = 5;
const READY = `
  const begin = performance.now();
  const { createScheduler } = await import('stowage');
  await createScheduler();
  console.log(performance.now() - begin);
`;

const DIST = join(repository, 'js/dist');

/**
 * Bytes.
 * @typedef {{ kind: 'wasm' | 'js' | 'deferred wasm', raw: number, gzip: number, brotli: number }}
 *   Sizes
 */

/** @returns {Promise<Sizes[]>} of the module and of the JavaScript */
export function measureSizes() {
  return Promise.all([
    sizesOf('wasm', join(DIST, 'stowage.wasm')),
    sizesOf('js', join(DIST, 'index.js')),
  ]);
}

/** The second module, which few schedulers load (deferred_functions.js). */
function measureDeferred() {
  return sizesOf('deferred wasm', join(DIST, 'stowage.deferred.wasm'));
}

/** @param {Sizes['kind']} kind @param {string} file @returns {Promise<Sizes>} */
async function sizesOf(kind, file) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const bytes = readFileSync(file);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params }),
  ]);
  return { kind, raw: bytes.length, gzip: gzipped.length, brotli: brotli.length };
}

/**
 * Runs each measurement in a process of its own.
 * @returns {Promise<number>} milliseconds, of the best run
 */
async function measureReady() {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const args = ['--input-type=module', '--eval', READY];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository });
    times.push(Number(stdout));
  }
  return Math.min(...times);
}

/**
 * Prints sizes and time. Only the size can fail, because the time also depends on the machine.
 * @throws {SetupError} if the package is too large
 */
export async function reportPackage() {
  const sizes = await measureSizes();
  const bytes = (/** @type {number} */ count) => `${count.toLocaleString('en')} B`;
  for (const { kind, raw, gzip: gzipped, brotli } of [...sizes, await measureDeferred()]) {
    say(`${kind}: ${bytes(raw)}, gzip ${bytes(gzipped)}, brotli ${bytes(brotli)}`);
  }
  sizeTable(builtSizes()).forEach(say);
  const total = sizes.reduce((sum, { brotli }) => sum + brotli, 0);
  say(`an import loads: brotli ${bytes(total)}, at most ${bytes(BROTLI_BYTES_MAX)}`);
  const ready = await measureReady();
  say(`ready: ${ready.toFixed(1)} ms, best of ${RUNS}, at most ${READY_MS_MAX} ms when quiet`);
  if (total > BROTLI_BYTES_MAX) {
    throw new SetupError(`The package is ${bytes(total - BROTLI_BYTES_MAX)} too large.`);
  }
}
