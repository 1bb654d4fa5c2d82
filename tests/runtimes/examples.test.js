// Goal: the examples for pages, workers and scripts print what they announce, with the packed
// package.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { runWithBun } from './launchers/bun.js';
import { openBrowser, servePages } from './launchers/chromium.js';
import { runWithDeno } from './launchers/deno.js';
import { runWithNode } from './launchers/node.js';
import { makeProject } from './packed.js';

const EXAMPLES = new URL('../../examples/', import.meta.url);

const browser = await openBrowser();
after(() => browser.close());

/**
 * An example in a page without a policy of ours.
 *
 * @param {string} name
 * @param {(page: import('playwright-core').Page) => Promise<void>} look
 */
async function inPage(name, look) {
  const { folder, root, remove } = makeProject({ '.': new URL(`${name}/`, EXAMPLES) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { url, stop } = await servePages(folder, "object-src 'none'");
  const page = await browser.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => void faults.push(String(error)));
  page.on('console', (message) => void faults.push(message.text()));
  try {
    await page.goto(`${url}/index.html`);
    await look(page);
    assert.deepEqual(faults, []);
  } finally {
    await page.close();
    await stop();
    remove();
  }
}

test('browser: the initial cluster, then one from a file', () =>
  inPage('browser', async (page) => {
    await page.getByText('1 of 2 pods get a node').waitFor();
    assert.deepEqual(await page.locator('dt, dd').allTextContents(), [
      'shop/web',
      'small',
      'shop/train',
      'NodeResourcesFit refuses small: Insufficient cpu.',
      'TaintToleration refuses large: node(s) had untolerated taint(s).',
    ]);
    const file = {
      name: 'cluster.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"a":'),
    };
    await page.locator('#file').setInputFiles(file);
    await page.getByText(/^0 of 0 pods get a node; .*unexpected end/).waitFor();
  }));

test('web-worker: most pods are placed, and the last one gets the reason why it is not', () =>
  inPage('web-worker', async (page) => {
    const answer = page.getByText('of 1200 pods are placed');
    await answer.waitFor();
    const text = await answer.textContent();
    assert.match(
      text ?? '',
      /^1100 of 1200 .* The last: 0\/100 nodes are available: 100 Insufficient cpu\. /,
    );
  }));

test('node-script: in Node, Deno and Bun', async (t) => {
  const { folder: cwd, remove } = makeProject({
    'script.js': new URL('node-script/script.js', EXAMPLES),
    'cluster.json': new URL('browser/cluster.json', EXAMPLES),
  });
  t.after(remove);
  for (const run of [runWithNode, runWithDeno, runWithBun]) {
    const lines = (await run('script.js', { cwd, args: ['cluster.json'] })).split('\n');
    assert.equal(lines[0], 'shop/web: small');
    assert.match(lines[1], /^shop\/train: 0\/2 nodes are available: 1 Insufficient cpu, 1 node/);
    assert.deepEqual(lines.slice(2), [
      '  NodeResourcesFit refuses small: Insufficient cpu.',
      '  TaintToleration refuses large: node(s) had untolerated taint(s).',
    ]);
    await assert.rejects(run('script.js', { cwd }), /usage/);
  }
});
