/**
 * Joins the modules of js/src into those that the package is imported by: a runtime takes about a
 * millisecond for each file that it loads. Small, with source maps to the sources in the package.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureNpmPackages } from './npm_packages.js';
import { repository } from './paths.js';

const BUNDLER = join(repository, 'wasm/toolchain/bundler');
const DIST = join(repository, 'js/dist');
const GLUE = 'stowage.js'; // Emscripten's

/** What package.json's `exports` name. */
const ENTRIES = [
  ...['index', 'manifests', 'informer', 'live', 'embedded_apiserver', 'admission', 'edge', 'node'],
].map((name) => `js/src/${name}.js`);
/** What is chosen by the runtime, its own modules, and another package: imported as they are. */
const EXTERNAL = [
  '#runtime',
  './js/src/runtimes/system_clock.js',
  './js/src/runtimes/web.js',
  'node:*',
  'yaml',
];

/** The bundler, esbuild. @returns {Promise<{ build: (options: object) => Promise<any> }>} */
export async function loadEsbuild() {
  await ensureNpmPackages({ dev: true, folder: BUNDLER });
  return import(pathToFileURL(join(BUNDLER, 'node_modules/esbuild/lib/main.js')).href);
}

/** Writes js/dist/*.js, beside the module. */
export async function bundle() {
  for (const name of readdirSync(DIST)) {
    if (/\.js(\.map)?$/.test(name) && name !== GLUE) rmSync(join(DIST, name));
  }
  const { build } = await loadEsbuild();
  await build({
    absWorkingDir: repository,
    entryPoints: ENTRIES,
    external: EXTERNAL,
    outdir: DIST,
    bundle: true,
    // What two entries share is one file, so that an error's class is one class.
    splitting: true,
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
  });
}
