// Goal: everybody can use the page. Method: axe's rules for WCAG 2.2 AA, in each size and style,
// with a decision on the page.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { violationsOn } from './axe.js';
import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

/** A pod that fits nowhere. @param {OpenedPage} opened */
async function lookAtPending(opened) {
  await opened.page.locator('.pending button').first().click();
  await opened.page.getByLabel('Select node').fill('gpu-1');
  await opened.untilQuiet();
}

/** A pod with scores, a formula beside one and another below. @param {OpenedPage} opened */
async function lookAtScores(opened) {
  const { page } = opened;
  const decisions = page.locator('.timeline li').filter({ hasText: 'Decision' });
  await decisions.filter({ hasText: 'api-4' }).first().getByRole('button').last().click();
  await opened.untilQuiet();
  await page.getByLabel('All refusals').check();
  await page.getByRole('button', { name: /^NodeResourcesFit on b-1/ }).click();
  await page.getByRole('region', { name: 'Formula' }).getByText('Weighted').waitFor();
  await page.getByRole('button', { name: /^TaintToleration on b-2/ }).focus();
  await page.getByRole('tooltip').getByText('Weighted').waitFor();
}

const VIEWS = [
  { lesson: '01-taints', look: lookAtPending },
  { lesson: '05-topology-spread', look: lookAtScores },
];

for (const { lesson, look } of VIEWS) {
  for (const width of [1440, 1024, 360]) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`${lesson}, ${width} pixels, ${colorScheme}`, async (t) => {
        const opened = await playground.open(`#lesson=${lesson}`, { width, height: 900 });
        t.after(() => opened.close());
        const { page } = opened;
        await page.emulateMedia({ colorScheme });
        await opened.playToEnd();
        await look(opened);
        assert.deepEqual(await violationsOn(page), []);
      });
    }
  }
}
