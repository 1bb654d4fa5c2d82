// Goal: server code that is bundled with the packed package gives the same results as in Node, or
// an error says what to write, and that works.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import webpack from 'webpack';

import { loadEsbuild } from '../../wasm/toolchain/bundle.js';
import { reportOfNextEdge } from './launchers/next_edge.js';
import { runWithNode } from './launchers/node.js';
import { contractProject } from './reports.js';

const { folder: cwd, root, expected, remove } = await contractProject();
after(remove);
const dist = join(root, 'node_modules/stowage/js/dist');
const MODULES = ['stowage.wasm', 'stowage.deferred.wasm'];

/**
 * As with `esbuild --bundle --platform=node`.
 *
 * @param {string} entry @param {'esm' | 'cjs'} format @param {object} [options]
 * @returns {Promise<string>} the file
 */
async function esbuild(entry, format, options) {
  const outfile = join(
    cwd,
    `esbuild-${format}`,
    entry.replace('.js', format === 'cjs' ? '.cjs' : '.mjs'),
  );
  const { build } = await loadEsbuild();
  const place = { entryPoints: [join(cwd, entry)], outfile };
  await build({ ...place, bundle: true, platform: 'node', format, logLevel: 'error', ...options });
  return outfile;
}

/** @param {string} file */
async function report(file) {
  return JSON.parse(await runWithNode(file, { cwd }));
}

for (const format of /** @type {const} */ (['esm', 'cjs'])) {
  test(`esbuild for Node, ${format}: the error says what to write`, async () => {
    const file = await esbuild('bundled_script.js', format);
    const { name, message } = await report(file);
    assert.equal(name, 'LoadError');
    assert.match(message, /^the engine cannot be loaded: ENOENT: .*stowage\.wasm'; /);
    assert.match(message, /write import wasm from 'stowage\/stowage\.wasm' and createScheduler/);
    assert.match(
      message,
      /--loader:\.wasm=binary --target=es2022\), or copy node_modules\/stowage\/js\/dist\/stowage/,
    );
    for (const name of MODULES) cpSync(join(dist, name), join(dirname(file), name));
    assert.deepEqual(await report(file), expected, 'with the files beside it');
  });

  test(`esbuild for Node, ${format}: the suggested code works`, async () => {
    const options = { loader: { '.wasm': 'binary' }, target: 'es2022' };
    const file = await esbuild('bundled_script_with_module.js', format, options);
    assert.deepEqual(await report(file), expected);
  });
}

test('esbuild for pages, without `import.meta`: the error says what to write', async () => {
  const file = await esbuild('bundled_script.js', 'cjs', { platform: 'browser', format: 'iife' });
  const { name, message } = await report(file);
  assert.equal(name, 'LoadError');
  assert.match(message, /write import wasm from 'stowage\/stowage\.wasm'/);
});

test('webpack for Node includes the module', async () => {
  const path = join(cwd, 'webpack-node');
  const output = { path, filename: 'main.cjs' };
  const optimization = { minimize: false };
  const mode = /** @type {const} */ ('production');
  const compiler = webpack({
    mode,
    target: 'node',
    context: cwd,
    entry: './bundled_script.js',
    output,
    optimization,
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  assert.deepEqual(stats?.toJson({ all: false, errors: true }).errors, []);
  assert.deepEqual(await report(join(path, 'main.cjs')), expected);
});

test("Next's edge runtime", async () => {
  const text = await reportOfNextEdge('./next_edge.js', { cwd });
  assert.deepEqual(JSON.parse(text), expected);
});
