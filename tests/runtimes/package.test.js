// Goal: the package contains exactly the files that it should, and loads no more than a program
// uses.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import { RECORD } from '../../wasm/toolchain/build_record.js';
import { loadEsbuild } from '../../wasm/toolchain/bundle.js';
import { NOTICES } from '../../wasm/toolchain/notices.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { packedPackage } from './packed.js';

const root = packedPackage();
const installed = join(root, 'node_modules/stowage');
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
const targets = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [target] : Object.values(target),
);
const CONDITIONS = ['workerd', 'edge-light', 'deno', 'bun', 'node', 'browser', 'default'];

/** Files below a folder of the package, or of the repository. @param {string} folder */
function filesBelow(folder, top = installed) {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(top, folder).length + 1))
    .sort();
}

/**
 * The size of a bundle with an import of the package.
 *
 * @param {string} code @param {string[]} conditions @param {object} [options]
 */
async function bundled(code, conditions, options) {
  const { build } = await loadEsbuild();
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    conditions,
    loader: { '.wasm': 'empty' },
    write: false,
    outdir: root,
    metafile: true,
    logLevel: 'error',
    ...options,
  });
  const [output] = /** @type {any[]} */ (Object.values(metafile.outputs));
  const outside = output.imports.map((/** @type {{ path: string }} */ { path }) => path);
  return { bytes: outputFiles[0].contents.length, outside, inputs: Object.keys(metafile.inputs) };
}

test('the package contains the expected files', () => {
  const top = filesBelow('.').filter(
    (name) => !/^(js\/(src|apiserver|dist|types)|build\/web)\//.test(name),
  );
  assert.deepEqual(top, [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'js/README.md',
    'js/REFERENCE.md',
    'js/schema/edge-openapi.json',
    'js/schema/edge-v1.json',
    'js/schema/stowage-v1.json',
    'js/schema/whatif-v1.json',
    'package.json',
  ]);
  const folders = ['js/src', 'js/apiserver'];
  const sources = folders.flatMap((folder) => filesBelow(folder));
  assert.deepEqual(
    sources,
    folders.flatMap((folder) => filesBelow(folder, repository)),
  );
  assert.deepEqual(
    sources.filter((name) => !/\.(js|md|d\.ts)$/.test(name)),
    [],
  );
  const page = filesBelow('build/web');
  assert.ok(page.includes('index.html') && page.includes(NOTICES));
  assert.deepEqual(page, filesBelow('build/web', repository));
  const split = /^(chunk|documents)-\w+\.js(\.map)?$/;
  const dist = filesBelow('js/dist').filter((name) => !split.test(name));
  const entries = [...new Set(targets)]
    .map((target) => /^\.\/js\/dist\/(.*)\.js$/.exec(target)?.[1])
    .filter((name) => name !== undefined);
  assert.ok(entries.length >= 6 + 6);
  const wanted = entries.flatMap((name) => [`${name}.js`, `${name}.js.map`]);
  const made = ['stowage.deferred.wasm', 'stowage.js', 'stowage.wasm', NOTICES, RECORD];
  assert.deepEqual(dist, [...wanted, ...made].sort());
  const declarations = folders
    .flatMap((folder) => filesBelow(folder).map((name) => `${folder.slice('js/'.length)}/${name}`))
    .filter((name) => name.endsWith('.js') && !name.endsWith('/glue.js'))
    .map((name) => name.replace(/\.js$/, '.d.ts'));
  assert.deepEqual(filesBelow('js/types'), declarations.sort());
});

test('every export exists, and every source that a map names', () => {
  const all = new Set(filesBelow('.').map((name) => `./${name}`));
  for (const target of [...targets, ...Object.values(manifest.imports['#runtime'])]) {
    assert.ok(all.has(target), target);
  }
  for (const name of filesBelow('js/dist').filter((file) => file.endsWith('.map'))) {
    const { sources } = JSON.parse(readFileSync(join(installed, 'js/dist', name), 'utf8'));
    for (const source of sources) assert.ok(all.has(`./${join('js/dist', source)}`), source);
  }
});

test('the conditions of the runtimes are in the order in which they are tried', () => {
  assert.deepEqual(Object.keys(manifest.exports['.']), ['types', ...CONDITIONS]);
  // The bundles are built by these conditions, and the sources use them.
  assert.deepEqual(Object.keys(manifest.imports['#runtime']), CONDITIONS);
  for (const [path, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'object') assert.equal(Object.keys(target)[0], 'types', path);
  }
});

/** Imports that stay external; none in other runtimes. @type {Record<string, string[]>} */
const OUTSIDE = {
  workerd: ['stowage.wasm'],
  'edge-light': ['stowage.wasm'],
  bun: ['node:fs/promises', 'node:module', 'stowage.wasm'],
  node: ['node:fs/promises', 'node:module'],
};

test('the main entry is one file and imports no other package, in any runtime', async () => {
  for (const condition of CONDITIONS) {
    const isNode = ['deno', 'bun', 'node'].includes(condition);
    const options = { platform: isNode ? 'node' : 'neutral', plugins: [moduleOutside] };
    const { outside, inputs } = await bundled("export * from 'stowage'", [condition], options);
    assert.deepEqual([...new Set(outside)].sort(), OUTSIDE[condition] ?? [], condition);
    // One file, since each costs a runtime a millisecond and a page a request.
    const target = manifest.exports['.'][condition].slice('./'.length);
    const inside = inputs.filter((name) => name !== '<stdin>');
    assert.deepEqual(
      inside.map((name) => name.split('node_modules/stowage/')[1]),
      [target],
      condition,
    );
  }
});

/** This import is specific to each runtime. */
const moduleOutside = {
  name: 'module-outside',
  setup: (/** @type {any} */ { onResolve }) =>
    onResolve({ filter: /\.wasm(\?module)?$/ }, () => ({ path: 'stowage.wasm', external: true })),
};

test('unused parts are not bundled', async () => {
  const used = async (/** @type {string} */ code) => (await bundled(code, ['browser'])).bytes;
  const all = await used("export * from 'stowage'");
  assert.ok(all > 50_000, `${all}`);
  assert.equal(await used("import 'stowage'"), 0);
  for (const name of ['virtualClock', 'whyNot', 'withDefaults', 'unschedulable']) {
    const bytes = await used(`export { ${name} } from 'stowage'`);
    assert.ok(bytes > 50 && bytes < 20_000, `${name}: ${bytes}`);
  }
});

test('the document about runtimes gives the sizes', async () => {
  const text = readFileSync(join(repository, 'js/src/runtimes/README.md'), 'utf8');
  const entry = readFileSync(join(installed, 'js/dist/index.js'));
  const { bytes } = await bundled("export { whyNot } from 'stowage'", ['browser']);
  for (const [pattern, actual] of /** @type {const} */ ([
    [/Each file has (\d+) KB/, entry.length],
    [/KB \((\d+) KB with brotli\)/, brotliCompressSync(entry).length],
    [/`import \{ whyNot \} from 'stowage'` adds about (\d+) KB/, bytes],
  ])) {
    const given = 1000 * Number(pattern.exec(text)?.[1]);
    assert.ok(Math.abs(given - actual) < actual / 8, `${pattern}: ${actual}`);
  }
});
