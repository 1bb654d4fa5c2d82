/**
 * Joins the modules of js/src and js/apiserver into those that the package is imported by: a
 * runtime takes about a millisecond for each file that it loads. So the main entry is one, for each
 * runtime its own; what it shares with the subpaths they take from it, and what they share with
 * each other is in chunks. Small, with source maps to the sources in the package.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { buildRecord, RECORD } from './build_record.js';
import { moduleNotices } from './module_notices.js';
import { NOTICES, noticesText, packageNotices } from './notices.js';
import { ensureNpmPackages } from './npm_packages.js';
import { repository } from './paths.js';

const BUNDLER = join(repository, 'wasm/toolchain/bundler');
const DIST = join(repository, 'js/dist');
const GLUE = 'stowage.js'; // Emscripten's

/** What package.json's `exports` name beside the main entry. */
const SUBPATHS = {
  ...Object.fromEntries(
    ['manifests', 'kubernetes', 'informer', 'live', 'diff', 'admission', 'edge', 'node'].map(
      (name) => [name, `js/src/${name}.js`],
    ),
  ),
  embedded_apiserver: 'js/apiserver/index.js',
};
/** The main entry for each runtime, and the condition under which package.json chooses that. */
const MAIN_ENTRIES = {
  index: 'default',
  'index.workerd': 'workerd',
  'index.edge-light': 'edge-light',
  'index.deno': 'deno',
  'index.bun': 'bun',
  'index.node': 'node',
};
/** Modules that the subpaths take from the main entry, all of whose names they use it exports. */
const IN_MAIN_ALONE = ['engine/engine', 'kubernetes/errors', 'engine/scheduler'].map((name) =>
  join(repository, `js/src/${name}.js`),
);
/** Imported as they are. */
const EXTERNAL = ['node:*', 'yaml', 'stowage', '*/stowage.wasm', '*/stowage.wasm?module'];

/** The bundler, esbuild. @returns {Promise<{ build: (options: object) => Promise<any> }>} */
export async function loadEsbuild() {
  await ensureNpmPackages({ dev: true, folder: BUNDLER });
  return import(pathToFileURL(join(BUNDLER, 'node_modules/esbuild/lib/main.js')).href);
}

/** Writes js/dist/*.js, beside the module, with the notices and the record of all of it. */
export async function bundle() {
  for (const name of readdirSync(DIST)) {
    if (/\.js(\.map)?$/.test(name) && name !== GLUE) rmSync(join(DIST, name));
  }
  const { build } = await loadEsbuild();
  const options = {
    absWorkingDir: repository,
    external: EXTERNAL,
    outdir: DIST,
    bundle: true,
    metafile: true,
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    format: 'esm',
    target: 'es2022',
    supported: { 'import-attributes': true },
    charset: 'utf8',
    logLevel: 'warning',
  };
  /** @type {string[]} */
  const modules = [];
  for (const [name, condition] of Object.entries(MAIN_ENTRIES)) {
    const { metafile } = await build({
      ...options,
      entryPoints: { [name]: 'js/src/index.js' },
      // The condition chooses `#runtime`, in the `imports` of package.json.
      conditions: [condition],
      platform: 'neutral',
      plugins: [besideModule, withGlue, withoutLocation],
    });
    modules.push(...Object.keys(metafile.inputs));
  }
  const subpaths = { entryPoints: SUBPATHS, splitting: true, plugins: [mainByName] };
  const { metafile } = await build({ ...options, ...subpaths });
  modules.push(...Object.keys(metafile.inputs));
  describe(modules);
}

/** @param {string[]} modules  that were bundled, relative to the repository */
function describe(modules) {
  const packages = packageNotices(modules.map((name) => resolve(repository, name)));
  const text = noticesText('The WebAssembly module and its JavaScript contain', [
    ...moduleNotices(),
    ...packages,
  ]);
  writeFileSync(join(DIST, NOTICES), text);
  writeFileSync(join(DIST, RECORD), `${JSON.stringify(buildRecord(DIST), null, 2)}\n`);
}

/** The bundle lies beside the module, and the sources name it from where they are. */
const besideModule = {
  name: 'beside-module',
  setup: (/** @type {any} */ { onLoad }) =>
    onLoad({ filter: /\/js\/src\/runtimes\/\w+\.js$/ }, async (/** @type {any} */ { path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('../../dist/', './'),
    })),
};

/** Once it is built, the glue is asked for with everything else. */
const withGlue = {
  name: 'with-glue',
  setup: (/** @type {any} */ { onLoad }) =>
    onLoad({ filter: /\/js\/src\/engine\/glue\.js$/ }, () => ({
      contents: `import createModule from '../../dist/${GLUE}';
        export const loadGlue = async () => createModule;`,
    })),
};

/** Where it would find the module is never asked, but bundlers take along what such code names. */
const withoutLocation = {
  name: 'without-location',
  setup: (/** @type {any} */ { onLoad }) =>
    onLoad({ filter: /\/js\/dist\/stowage\.js$/ }, async (/** @type {any} */ { path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /new URL\(\s*(['"]stowage\.wasm['"])\s*,\s*import\.meta\.url\s*\)\.href/,
        '$1',
      ),
    })),
};

/** By name, so that there is one of each, and the one of the runtime. */
const mainByName = {
  name: 'main-by-name',
  setup: (/** @type {any} */ { onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, (/** @type {any} */ { path, resolveDir }) =>
      IN_MAIN_ALONE.includes(join(resolveDir, path))
        ? { path: 'stowage', external: true }
        : undefined,
    ),
};
