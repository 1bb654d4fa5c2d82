// Goal: the packed package gives the same results in workerd as in Node, although workerd compiles
// nothing at run time and has little memory; and in edge runtimes that import modules in another
// way.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { serveWithWorkerd } from './launchers/workerd.js';
import { contractProject } from './reports.js';

const { folder: cwd, expected, remove } = await contractProject();
after(remove);

/** @param {object} [options] */
async function serve(options) {
  const { url, stop } = await serveWithWorkerd('worker.js', { cwd, ...options });
  after(stop);
  return async (/** @type {string} */ path) => (await fetch(url + path)).json();
}

test('a worker', async () => {
  const get = await serve();
  const [code, module, tooMuch, enough] = await get('/limits');
  assert.match(code, /Code generation from strings disallowed/);
  assert.match(module, /Wasm code generation disallowed/);
  assert.match(tooMuch, /could not allocate memory/);
  assert.equal(enough, 'allowed');
  assert.deepEqual(await get('/'), expected);
});

test('the form of other edge runtimes, edge-light', async () => {
  // As their bundlers do: a module imported with `?module` is compiled.
  const moduleQuery = {
    name: 'module-query',
    setup: (/** @type {any} */ { onResolve }) =>
      onResolve({ filter: /\.wasm\?module$/ }, (/** @type {any} */ { path, resolveDir }) => ({
        path: join(resolveDir, path.replace('?module', '')),
      })),
  };
  const get = await serve({ conditions: ['edge-light', 'browser'], plugins: [moduleQuery] });
  assert.deepEqual(await get('/'), expected);
});
