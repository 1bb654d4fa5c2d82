/** What the package costs: bytes to fetch, milliseconds until it is ready. The build says it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { repository } from './paths.js';
import { say, SetupError } from './report.js';

/** At most, of the module and of what `import 'stowage'` loads, together. */
export const BROTLI_BYTES_MAX = 400_000;

/** At most, from the import to a scheduler, on Node and a quiet machine. */
export const READY_MS_MAX = 30;

const RUNS = 5;
const READY = `
  const begin = performance.now();
  const { createScheduler } = await import('stowage');
  await createScheduler();
  console.log(performance.now() - begin);
`;

/** @typedef {{ kind: 'wasm' | 'js', raw: number, gzip: number, brotli: number }} Sizes bytes */

/** @param {string} [dist] @returns {Promise<Sizes[]>} the module's, and those of the JavaScript */
export function measureSizes(dist = join(repository, 'js/dist')) {
  const loaded = filesLoadedBy(join(dist, 'index.js'));
  return Promise.all([sizesOf('wasm', [join(dist, 'stowage.wasm')]), sizesOf('js', loaded)]);
}

/**
 * A file of the bundle with those that it imports, at once or later.
 * @param {string} file
 * @param {Set<string>} [found]
 */
function filesLoadedBy(file, found = new Set()) {
  if (found.has(file)) return [...found];
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/["']\.\/([\w-]+\.js)["']/g))
    filesLoadedBy(join(dirname(file), name), found);
  return [...found];
}

/**
 * @param {Sizes['kind']} kind
 * @param {string[]} files each compressed by itself
 * @returns {Promise<Sizes>}
 */
async function sizesOf(kind, files) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const contents = files.map((file) => readFileSync(file));
  const sum = async (/** @type {(bytes: Buffer) => Promise<Buffer>} */ compress) => {
    const compressed = await Promise.all(contents.map(compress));
    return compressed.reduce((total, { length }) => total + length, 0);
  };
  return {
    kind,
    raw: contents.reduce((total, { length }) => total + length, 0),
    gzip: await sum((bytes) => promisify(gzip)(bytes, { level: 9 })),
    brotli: await sum((bytes) => promisify(brotliCompress)(bytes, { params })),
  };
}

/** Each run is a process of its own. @returns {Promise<number>} milliseconds, of the best run */
export async function measureReady() {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const args = ['--input-type=module', '--eval', READY];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository });
    times.push(Number(stdout));
  }
  return Math.min(...times);
}

/**
 * Says the sizes, and the time, which is the machine's as well and so is no fault.
 * @throws {SetupError} when the package is too large
 */
export async function reportPackage() {
  const sizes = await measureSizes();
  const bytes = (/** @type {number} */ count) => `${count.toLocaleString('en')} B`;
  for (const { kind, raw, gzip: gzipped, brotli } of sizes) {
    say(`${kind}: ${bytes(raw)}, gzip ${bytes(gzipped)}, brotli ${bytes(brotli)}`);
  }
  const total = sizes.reduce((sum, { brotli }) => sum + brotli, 0);
  say(`together: brotli ${bytes(total)}, at most ${bytes(BROTLI_BYTES_MAX)}`);
  const ready = await measureReady();
  say(`ready: ${ready.toFixed(1)} ms, best of ${RUNS}, at most ${READY_MS_MAX} ms when quiet`);
  if (total > BROTLI_BYTES_MAX) {
    throw new SetupError(`The package has ${bytes(total - BROTLI_BYTES_MAX)} too much.`);
  }
}
