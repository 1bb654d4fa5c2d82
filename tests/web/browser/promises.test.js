// Goal: the page is small, strict and quiet, and sends nothing elsewhere. Method: a server that
// counts what it sends, and that sends the page's policy with every file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import { TRANSFER_BYTES_MAX, WEB_FOLDER } from '../../../wasm/toolchain/web.js';
import { openPlayground } from './opened_page.js';

/** The limit of bytes before the first decision, with brotli. */
const FIRST_LOAD_BYTES_MAX = 680_000;

const index = readFileSync(join(WEB_FOLDER, 'index.html'), 'utf8');
const POLICY = index.match(/http-equiv="Content-Security-Policy"\s+content="([^"]+)"/)?.[1] ?? '';

const policy = `${POLICY}; frame-ancestors 'none'`;

/**
 * Compressed sizes by file, cached because compressing the module takes seconds.
 * @type {Map<string, number>}
 */
const transfers = new Map();

/** @param {string} file */
function transferOfFile(file) {
  const bytes =
    transfers.get(file) ?? brotliCompressSync(readFileSync(join(WEB_FOLDER, file))).length;
  transfers.set(file, bytes);
  return bytes;
}

/** The sum over all requests, repeated ones included. @param {{ file: string }[]} served */
function transferOf(served) {
  return served.reduce((sum, { file }) => sum + transferOfFile(file), 0);
}

test('the policy forbids making code from text, and names no other site', () => {
  assert.match(POLICY, /^default-src 'none'; /);
  assert.doesNotMatch(POLICY, /'unsafe-eval'|\*(?!;|\s|$)|https:/);
  assert.match(POLICY, /script-src 'self' 'wasm-unsafe-eval' blob:;/);
});

test('a visit to all views stays in the tab, is quiet and takes at most 1 MB', async (t) => {
  /** @type {{ file: string, isForLater: boolean }[]} */
  const served = [];
  const playground = await openPlayground({
    policy,
    isKept: true,
    onServed: (file, referer = '') =>
      void served.push({
        file: relative(WEB_FOLDER, file),
        // The service worker stores other lessons and panels too.
        isForLater: referer.endsWith('/sw.js'),
      }),
  });
  t.after(() => playground.stop());
  const opened = await playground.open('#lesson=01-taints');
  const { page } = opened;
  /** @type {string[]} */
  const elsewhere = [];
  const { origin } = new URL(page.url());
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    if (!['blob:', 'data:'].includes(url.protocol) && url.origin !== origin)
      elsewhere.push(request.url());
  });
  const first = transferOf(served.filter(({ isForLater }) => !isForLater));
  assert.ok(first <= FIRST_LOAD_BYTES_MAX, `${first} bytes before the first decision`);
  // At a reader's pace, the service worker has stored the files before the other views need them.
  await page.evaluate(() => navigator.serviceWorker.ready);
  const lessons = page.getByLabel('Lesson');
  for (const option of await lessons.locator('option').all()) {
    await lessons.selectOption(await option.getAttribute('value'));
    await opened.untilQuiet();
  }
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await opened.untilQuiet();
  }
  await page.getByLabel('Sample').selectOption('score_most_pods');
  await page.getByText('is active').waitFor();
  const all = transferOf(served);
  console.log(`transfer: ${first} bytes at first, ${all} in all`);
  assert.ok(all <= TRANSFER_BYTES_MAX, `${all} bytes`);
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(opened.faults, []);
});
