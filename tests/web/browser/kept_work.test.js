// Goal: the page keeps the user's work, or says that it does not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { node } from '../world/objects.js';
import { pasteAt } from './code_field.js';
import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

/** @param {OpenedPage} opened */
async function position({ page }) {
  const [, at, of] = /Step (\d+) of (\d+)/.exec(await page.locator('.position').innerText()) ?? [];
  return [Number(at), Number(of)];
}

/**
 * Waits until the browser has stored the open work.
 * @param {OpenedPage} opened
 * @param {number} steps
 */
function kept({ page }, steps) {
  return page.waitForFunction((count) => {
    const works = JSON.parse(localStorage.getItem('stowage-work') ?? '[]');
    return works[0]?.steps === count;
  }, steps);
}

test('stored work is offered after a reload and after another lesson', async (t) => {
  const opened = await playground.open('#lesson=06-bin-packing');
  t.after(() => opened.close());
  const { page } = opened;
  await opened.playChapters();
  const [at, length] = await position(opened);
  const hash = await opened.hash();
  await kept(opened, length);
  await page.reload();
  await page.locator('.side h2').waitFor();
  await opened.untilQuiet();
  assert.deepEqual(await position(opened), [1, 1]);
  await page.getByText('Your earlier work is kept: 1').click();
  await opened.button('Return to it').click();
  await page.getByText(`Step ${at} of ${length}`).waitFor();
  await opened.untilQuiet();
  assert.equal(await opened.hash(), hash);
  await page.getByText(/Your earlier work is kept/).waitFor({ state: 'detached' });
  await page.getByLabel('Lesson or cluster').selectOption('01-taints');
  await page.getByRole('heading', { name: /door/ }).waitFor();
  await page.getByText('Your earlier work is kept: 1').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: /pack/i }).waitFor();
  await page.getByText('Your earlier work is kept: 1').click();
  await opened.button('Forget it').click();
  await page.getByText(/Your earlier work is kept/).waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

/**
 * Pastes a cluster.
 * @param {OpenedPage} opened
 * @param {object[]} items
 */
async function pasteCluster({ page }, items) {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await pasteAt(page.locator('body'), { text });
  await page.getByRole('heading', { name: 'pasted text' }).waitFor();
}

/** The stored titles, the latest first. @param {OpenedPage} opened @returns {Promise<string[]>} */
function titles({ page }) {
  return page.evaluate(() =>
    JSON.parse(localStorage.getItem('stowage-work') ?? '[]').map((/** @type {any} */ one) =>
      one.title.slice(0, 12),
    ),
  );
}

/**
 * @param {OpenedPage} opened
 * @param {string[]} wanted
 */
async function untilTitles(opened, wanted) {
  for (let tries = 0; String(await titles(opened)) !== String(wanted) && tries < 100; tries += 1)
    await opened.page.waitForTimeout(100);
  assert.deepEqual(await titles(opened), wanted);
}

test('an opened text is kept once, and what an address leads to is not', async (t) => {
  const opened = await playground.open('#lesson=06-bin-packing');
  t.after(() => opened.close());
  const { page } = opened;
  await opened.button('Next').click();
  await untilTitles(opened, ['MostAllocate']);
  // 12 MB: more than a tab's storage takes without compression.
  const annotations = { note: 'as before '.repeat(200) };
  const large = Array.from({ length: 6000 }, (_, at) => ({
    ...node(`n-${at}`),
    metadata: { name: `n-${at}`, annotations },
  }));
  for (let count = 0; count < 2; count += 1) {
    await pasteCluster(opened, large);
    await opened.untilQuiet();
    await untilTitles(opened, ['pasted text', 'MostAllocate']);
  }
  await page.goBack();
  await page.getByRole('heading', { name: /pack/i }).waitFor();
  await page.getByText('Your earlier work is kept: 2').click();
  const ofPasted = page.locator('.kept-work li', { hasText: 'pasted text: 1 step,' });
  await ofPasted.getByRole('button', { name: 'Return to it' }).click();
  await page.getByRole('group', { name: '6000 nodes, 0 pods' }).waitFor();
  await page.getByLabel('Lesson or cluster').selectOption('01-taints');
  await page.getByRole('heading', { name: /door/ }).waitFor();
  await opened.button('Next').click();
  await untilTitles(opened, ['A toleration', 'pasted text', 'MostAllocate']);
  await opened.button('Share').click();
  await page.locator('#share').getByText('It takes').waitFor();
  for (let count = 0; count < 3; count += 1) {
    await page.reload();
    await page.locator('.side h2').waitFor();
    await opened.untilQuiet();
    await page.waitForTimeout(1000);
  }
  await untilTitles(opened, ['A toleration', 'pasted text', 'MostAllocate']);
  assert.deepEqual(opened.faults, []);
});

test('work that is too large displaces no other work', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  await opened.button('Next').click();
  await untilTitles(opened, ['A toleration']);
  await page.evaluate(() => {
    for (let length = 1 << 22; length >= 1 << 10; length >>= 1)
      try {
        localStorage.setItem(`filler-${length}`, 'x'.repeat(length));
      } catch {
        // As much as there is room for.
      }
  });
  const random = () => Math.random().toString(36).slice(2);
  const labels = () => Object.fromEntries([1, 2, 3, 4].map(() => [random(), random()]));
  const nodes = Array.from({ length: 500 }, (_, at) => ({
    ...node(`n-${at}`),
    metadata: { name: `n-${at}`, labels: labels() },
  }));
  await pasteCluster(opened, nodes);
  await page.getByText('This work is too large for the browser to keep').waitFor();
  assert.deepEqual(await titles(opened), ['A toleration']);
  await page.getByLabel('Lesson or cluster').selectOption('02-node-affinity');
  await page.getByRole('heading', { name: /affinity/ }).waitFor();
  await page.getByText('Your earlier work is kept: 1').waitFor();
  await page.getByText('This work is too large').waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

test('the user can return to a future that was left', async (t) => {
  const opened = await playground.open('#lesson=06-bin-packing');
  t.after(() => opened.close());
  const { page } = opened;
  await opened.playChapters();
  const [, length] = await position(opened);
  const hash = await opened.hash();
  await opened.button('Go to the start').click();
  await page.getByText(`Step 1 of ${length}`).waitFor();
  await opened.untilQuiet();
  assert.ok(!(await page.getByRole('group', { name: /^0 nodes/ }).count()), 'no empty world');
  await page.getByText(/begins another future; you can return to/).waitFor();
  await page.getByPlaceholder('Search nodes, pods').fill('worker-1');
  await page.getByPlaceholder('Search nodes, pods').press('Enter');
  await opened.button('Cordon').click();
  await page.getByText('Step 2 of 2').waitFor();
  await page.getByText('Futures that were left: 1').click();
  await opened.button('Return to it').click();
  await page.getByText(`Step ${length} of ${length}`).waitFor();
  await opened.untilQuiet();
  assert.equal(await opened.hash(), hash);
  await page.getByText('Futures that were left: 1').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('six quick clicks make six steps', async (t) => {
  const opened = await playground.open('#lesson=06-bin-packing');
  t.after(() => opened.close());
  const { page } = opened;
  await opened.playChapters();
  const [, length] = await position(opened);
  assert.ok(length > 7);
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  await page.evaluate(() => {
    for (let count = 0; count < 6; count += 1)
      document.dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true }));
  });
  await page.getByText(`Step ${length - 6} of ${length}`).waitFor();
  await opened.untilQuiet();
  for (let count = 0; count < 6; count += 1) await page.keyboard.press(']');
  await page.getByText(`Step ${length} of ${length}`).waitFor();
  for (let count = 0; count < length + 3; count += 1) await page.keyboard.press('[');
  await page.getByText(`Step 1 of ${length}`).waitFor();
  assert.deepEqual(opened.faults, []);
});
