/** `npm run build:web`: the playground as static files in build/web. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

import { ensureNpmPackages } from './npm_packages.js';
import { repository } from './paths.js';
import { exitWith, say, SetupError, step } from './report.js';
import { buildModule, setUp } from './setup.js';

/** The limit for all files together with brotli, including those that a user may never load. */
export const TRANSFER_BYTES_MAX = 1_000_000;

export const WEB_FOLDER = join(repository, 'build/web');

/** The sources of the page that may change. */
const SOURCES = [
  ...['web', 'js/src', 'js/apiserver', 'js/dist/stowage.js', 'js/dist/stowage.wasm'],
  ...['js/dist/stowage.deferred.wasm', 'examples/openb'],
];

/**
 * Builds the page for the engine that is built, unless the page exists and none of its sources
 * changed.
 * @throws {SetupError} if it has become too large
 */
export async function buildWeb() {
  const sources = [...SOURCES, 'package-lock.json'].map((name) => join(repository, name));
  if (isCurrent(join(WEB_FOLDER, 'index.html'), sources)) return;
  const { build } = await import('vite');
  await build({ configFile: join(repository, 'web/vite.config.js'), logLevel: 'warn' });
  const transfer = await transferBytes();
  say(`playground: ${Math.ceil(transfer / 1000)} KB with brotli, of ${TRANSFER_BYTES_MAX / 1000}`);
  if (transfer <= TRANSFER_BYTES_MAX) return;
  // Deleted, so that a second run does not find and accept it.
  rmSync(WEB_FOLDER, { recursive: true });
  throw new SetupError(`the playground takes ${transfer} bytes, at most ${TRANSFER_BYTES_MAX}`);
}

/**
 * Whether a file is younger than all its sources.
 * @param {string} file
 * @param {string[]} sources files and folders
 */
export function isCurrent(file, sources) {
  if (!existsSync(file)) return false;
  const made = statSync(file).mtimeMs;
  return sources.every((name) => newestOf(name) < made);
}

/** @param {string} path @returns {number} the last change in it, in milliseconds */
function newestOf(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(mtimeMs, ...names.map((name) => statSync(join(path, name)).mtimeMs));
}

/** @returns {Promise<number>} the size with each file compressed by itself */
async function transferBytes() {
  const entries = readdirSync(WEB_FOLDER, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const packed = await Promise.all(
    files.map(({ parentPath, name }) =>
      promisify(brotliCompress)(readFileSync(join(parentPath, name))),
    ),
  );
  return packed.reduce((sum, { length }) => sum + length, 0);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await buildModule(await setUp('start'));
    await step('npm packages', 'npm run build:web', () => ensureNpmPackages({ dev: true }));
    await step('the playground', 'npm run build:web', buildWeb);
  } catch (error) {
    exitWith(error);
  }
}
