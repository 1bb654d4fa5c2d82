// Goal: after one visit the page works without a network. Method: the server ends after the first
// visit.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { openPlayground } from './opened_page.js';

const playground = await openPlayground({ isKept: true });
after(() => playground.stop());

test('after a visit the page, other lessons and the editor open without a network', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const { serviceWorker } = navigator;
    if (!serviceWorker.controller)
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
  });
  await playground.stopServing();
  await page.reload();
  await page.locator('.side h2').waitFor();
  await opened.untilQuiet();
  await page.getByLabel('Lesson').selectOption('14-openb');
  await opened.untilQuiet();
  await page.getByLabel('Lesson').selectOption('06-bin-packing');
  await opened.untilQuiet();
  await page.getByRole('tab', { name: 'Plugin' }).click();
  await page.getByLabel('Sample').selectOption('filter_even_numbers');
  await page.getByLabel('JavaScript of the plugin').waitFor();
  await page.getByText('is active').waitFor();
  await opened.playToEnd();
  assert.ok((await page.locator('.timeline .Decision').count()) > 0);
  assert.deepEqual(opened.faults, []);
});
