/**
 * Writes js/dist/build.json: the tools and libraries that the module was built with, and the
 * SHA-256 of every file beside it. With the record, another build of the same commit can be
 * compared, and differences can be explained. It contains no folder, time or machine, so that two
 * builds write the same record.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { capture } from './commands.js';
import { binaryenOf } from './emscripten.js';
import { moduleMadeOf } from './module_notices.js';
import { repository } from './paths.js';
import { parseNumber } from './versions.js';

export const RECORD = 'build.json';

/** @param {string} file @returns {string} its SHA-256, in hexadecimal digits */
export function sha256Of(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** @param {string} folder @returns {Record<string, string>} SHA-256 by the file's name */
export function hashesIn(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return Object.fromEntries(names.sort().map((name) => [name, sha256Of(join(folder, name))]));
}

/** @param {string} dist  the folder of the module and the bundles */
export function buildRecord(dist) {
  const { version } = readJson(join(repository, 'package.json'));
  const { [RECORD]: _own, ...sha256 } = hashesIn(dist);
  return { version, toolchain: toolchain(), sha256 };
}

function toolchain() {
  const { emscripten, ...found } = moduleMadeOf();
  const { devDependencies } = readJson(join(repository, 'wasm/toolchain/bundler/package.json'));
  return {
    emscripten: emscripten.version,
    ...found,
    binaryen: parseNumber(capture(join(binaryenOf(emscripten.root), 'wasm-opt'), ['--version'])),
    esbuild: devDependencies.esbuild,
    terser: devDependencies.terser,
    debianPackages: debianPackages(emscripten.root),
  };
}

/** The exact packages, if the compiler was unpacked from Debian's. @param {string} scripts */
function debianPackages(scripts) {
  const file = join(scripts, '../../../../installed.json');
  return existsSync(file) ? readJson(file).packages : undefined;
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
