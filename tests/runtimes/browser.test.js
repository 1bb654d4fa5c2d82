// Goal: the packed package gives the same results in Chromium as in Node, in a page and in a module
// worker, without a bundler, under a policy that allows WebAssembly but no other compilation.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { after, test } from 'node:test';

import { openBrowser, POLICY, reportOf, servePages } from './launchers/chromium.js';
import { contractProject } from './reports.js';

const MAP = '{ "imports": { "stowage": "/node_modules/stowage/js/dist/index.js" } }';
const digest = createHash('sha256').update(MAP).digest('base64');
const withMap = POLICY.replace("script-src 'self'", `script-src 'self' 'sha256-${digest}'`);

const script = (/** @type {string} */ file) => `<script type="module" src="${file}"></script>`;

const { folder, root, expected, remove } = await contractProject({
  'page.html': `<script type="importmap">${MAP}</script>${script('page.js')}`,
  'worker.html': script('page_of_worker.js'),
});
after(remove);
const browser = await openBrowser();
after(() => browser.close());

/** @param {string} page @param {string} [policy] */
async function report(page, policy) {
  const { url, stop } = await servePages(root, policy);
  try {
    return await reportOf(browser, `${url}/${basename(folder)}/${page}`);
  } finally {
    await stop();
  }
}

test('a page', async () => {
  assert.deepEqual(await report('page.html', withMap), { report: expected, faults: [] });
});

test('a module worker', async () => {
  assert.deepEqual(await report('worker.html'), { report: expected, faults: [] });
});

test('a policy that forbids WebAssembly causes a LoadError', async () => {
  const stricter = withMap.replace(" 'wasm-unsafe-eval'", '');
  await assert.rejects(report('page.html', stricter), /LoadError: .*Content Security Policy/);
});
