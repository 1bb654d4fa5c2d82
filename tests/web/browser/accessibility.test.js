// Goal: everybody can use the page. Method: axe's rules for WCAG 2.2 AA in every view, wide and
// narrow, light and dark; the page is the same all the time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { violationsOn } from './axe.js';
import { openPlayground } from './opened_page.js';
import { VIEWS, show } from './views.js';

/** Colours do not depend on the width, nor does what there is on the colours. */
const LOOKS = /** @type {const} */ ([
  { width: 1440, colorScheme: 'light' },
  { width: 1024, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
]);

/** To open 5,000 nodes takes a while. */
const PATIENCE = 120_000;

const playground = await openPlayground();
after(() => playground.stop());
/** @type {import('./opened_page.js').OpenedPage} */
let opened;
before(async () => {
  opened = await playground.open('', undefined, {}, PATIENCE);
});

/** What axe finds in each look. */
async function checkLooks() {
  for (const { width, colorScheme } of LOOKS) {
    await opened.page.setViewportSize({ width, height: 900 });
    await opened.page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsOn(opened.page), [], `${width} pixels, ${colorScheme}`);
  }
  await opened.page.setViewportSize({ width: 1440, height: 900 });
}

for (const [name, view] of Object.entries(VIEWS))
  test(name, async () => {
    await show(opened, view);
    await checkLooks();
  });

test('what opens over the page', async (t) => {
  const { page } = opened;
  await show(opened, VIEWS['first screen']);
  for (const name of ['Add…', 'Keys', 'Connect…', 'Share', 'Export'])
    await t.test(name, async () => {
      await opened.button(name).click();
      await page.locator('dialog:open, [popover]:popover-open').waitFor();
      await checkLooks();
      await page.keyboard.press('Escape');
    });
  await t.test('where files are dropped', async () => {
    const dataTransfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File([''], 'a.yaml'));
      return data;
    });
    await page.dispatchEvent('body', 'dragenter', { dataTransfer });
    await page.locator('.drop-target').waitFor();
    await checkLooks();
  });
});

test('embedded in a page', async () => {
  const { page } = opened;
  await page.goto(page.url().replace(/#.*$/s, '?embed#lesson=07-preemption'));
  await page.getByRole('heading', { level: 1, name: /^A PodDisruptionBudget/ }).waitFor();
  await opened.untilQuiet();
  await checkLooks();
});
