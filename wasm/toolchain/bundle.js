/**
 * Bundles the modules of js/src and js/apiserver into the package's entries, because a runtime
 * takes about a millisecond for each file that it loads. The main entry is one file for each
 * runtime. Subpaths import the parts that they share with the main entry from it, and the parts
 * that they share with each other from chunks. The output is minified twice, with source maps to
 * the sources in the package.
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
import { minifyAgain } from './second_minifier.js';

const BUNDLER = join(repository, 'wasm/toolchain/bundler');
const DIST = join(repository, 'js/dist');
const GLUE = 'stowage.js'; // Emscripten's

/** The entries in package.json's `exports` besides the main entry. */
const SUBPATHS = {
  ...Object.fromEntries(
    [
      'manifests',
      'kubernetes',
      'informer',
      'live',
      'diff',
      'admission',
      'edge',
      'node',
      'whatif',
    ].map((name) => [name, `js/src/${name}.js`]),
  ),
  embedded_apiserver: 'js/apiserver/index.js',
};
/** The main entry of each runtime, and the condition under which package.json selects it. */
const MAIN_ENTRIES = {
  index: 'default',
  'index.workerd': 'workerd',
  'index.edge-light': 'edge-light',
  'index.deno': 'deno',
  'index.bun': 'bun',
  'index.node': 'node',
};
/** Modules that subpaths import from the main entry, which exports all their names. */
const IN_MAIN_ALONE = ['engine/engine', 'kubernetes/errors', 'engine/scheduler'].map((name) =>
  join(repository, `js/src/${name}.js`),
);
/** External modules: imported as they are. */
const EXTERNAL = ['node:*', 'yaml', 'stowage', '*.wasm', '*.wasm?module'];

/** The bundler, esbuild. @returns {Promise<{ build: (options: object) => Promise<any> }>} */
export function loadEsbuild() {
  return loadTool('esbuild/lib/main.js');
}

/** @param {string} file of an npm package of the bundler */
async function loadTool(file) {
  await ensureNpmPackages({ dev: true, folder: BUNDLER });
  return import(pathToFileURL(join(BUNDLER, 'node_modules', file)).href);
}

/** Writes js/dist/*.js beside the module, with the notices and the build record. */
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
    // With any other character, V8 keeps two bytes for each, and parses them slower.
    charset: 'ascii',
    logLevel: 'warning',
  };
  /** @type {string[]} */
  const modules = [];
  for (const [name, condition] of Object.entries(MAIN_ENTRIES)) {
    const { metafile } = await build({
      ...options,
      entryPoints: { [name]: 'js/src/index.js' },
      // The condition selects `#runtime` in the `imports` of package.json.
      conditions: [condition],
      platform: 'neutral',
      plugins: [besideModule, withGlue, withoutLocation],
    });
    modules.push(...Object.keys(metafile.inputs));
  }
  const subpaths = { entryPoints: SUBPATHS, splitting: true, plugins: [mainByName] };
  const { metafile } = await build({ ...options, ...subpaths });
  modules.push(...Object.keys(metafile.inputs));
  const { minify } = await loadTool('terser/main.js');
  await minifyAgain(minify, DIST);
  describe(modules);
}

/** @param {string[]} modules the bundled modules, relative to the repository */
function describe(modules) {
  const packages = packageNotices(modules.map((name) => resolve(repository, name)));
  const text = noticesText('The WebAssembly module and its JavaScript contain', [
    ...moduleNotices(),
    ...packages,
  ]);
  writeFileSync(join(DIST, NOTICES), text);
  writeFileSync(join(DIST, RECORD), `${JSON.stringify(buildRecord(DIST), null, 2)}\n`);
}

/** The bundle lies beside the module, but the sources name its path relative to themselves. */
const besideModule = {
  name: 'beside-module',
  setup: (/** @type {any} */ { onLoad }) =>
    onLoad({ filter: /\/js\/src\/runtimes\/\w+\.js$/ }, async (/** @type {any} */ { path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('../../dist/', './'),
    })),
};

/** In a bundle, the glue loads with everything else. */
const withGlue = {
  name: 'with-glue',
  setup: (/** @type {any} */ { onLoad }) =>
    onLoad({ filter: /\/js\/src\/engine\/glue\.js$/ }, () => ({
      contents: `import createModule from '../../dist/${GLUE}';
        export const loadGlue = async () => createModule;`,
    })),
};

/** This URL is never used, but bundlers would include the file that it names. */
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

/** Subpaths import these modules by the package's name: each exists once, in the main entry. */
const mainByName = {
  name: 'main-by-name',
  setup: (/** @type {any} */ { onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, (/** @type {any} */ { path, resolveDir }) =>
      IN_MAIN_ALONE.includes(join(resolveDir, path))
        ? { path: 'stowage', external: true }
        : undefined,
    ),
};
