// Goal: the page keeps the user's work, or says that it does not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

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
