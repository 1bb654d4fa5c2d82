// Goal: the page is accessible to all users. Method: axe's rules for WCAG 2.2 AA in every view,
// wide and narrow, light and dark; one page goes through all views.
import { after, before, test } from 'node:test';

import { assertAccessible } from './axe.js';
import { openPlayground } from './opened_page.js';
import { VIEWS, show } from './views.js';

/** Opening 5,000 nodes takes a while. */
const PATIENCE = 120_000;

const playground = await openPlayground();
after(() => playground.stop());
/** @type {import('./opened_page.js').OpenedPage} */
let opened;
before(async () => {
  opened = await playground.open('', undefined, {}, PATIENCE);
});

for (const [name, view] of Object.entries(VIEWS))
  test(name, async () => {
    await show(opened, view);
    await assertAccessible(opened.page);
  });

test('dialogs and menus over the page are accessible', async (t) => {
  const { page } = opened;
  await show(opened, VIEWS['first screen']);
  for (const name of ['Add…', 'Keys', 'Connect…', 'Share', 'Export'])
    await t.test(name, async () => {
      await opened.button(name).click();
      await page.locator('dialog:open, [popover]:popover-open').waitFor();
      await assertAccessible(opened.page);
      await page.keyboard.press('Escape');
    });
  await t.test('the drop target for files is accessible', async () => {
    const dataTransfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File([''], 'a.yaml'));
      return data;
    });
    await page.dispatchEvent('body', 'dragenter', { dataTransfer });
    await page.locator('.drop-target').waitFor();
    await assertAccessible(opened.page);
  });
});

test('an embedded page is accessible', async () => {
  const { page } = opened;
  await page.goto(page.url().replace(/#.*$/s, '?embed#lesson=07-preemption'));
  await page.getByRole('heading', { level: 1, name: /^A PodDisruptionBudget/ }).waitFor();
  await opened.untilQuiet();
  await assertAccessible(opened.page);
});
