// Goal: the parts of the page have their places in every size, and the cluster has the most room.
// Method: the boxes of the parts: none overlaps another or leaves the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openPlayground } from './opened_page.js';
import { VIEWS, show } from './views.js';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 360, height: 800 },
];

/** Pairs of parts that stand side by side. */
const GROUPS = [
  ['header', '.time-bar', '.side', '.stage', '.detail', '.time', 'footer'],
  ['.tools', '.legend', '.map', '.pending', '.selection', '.queues'],
  ['.side .tabs', '#side-panel'],
  ['.time .filter', '.time .virtual'],
];

/** The share of the stage's height. */
const MAP_SHARE_MIN = 0.45;
/** The share of the page's height. */
const TIME_SHARE_MAX = 0.22;

const playground = await openPlayground();
after(() => playground.stop());
/** @type {import('./opened_page.js').OpenedPage} */
let opened;
before(async () => {
  opened = await playground.open('#lesson=01-taints');
});

/** Finds errors in the layout. @returns {Promise<string[]>} */
function faults() {
  return opened.page.evaluate((groups) => {
    const found = [];
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
    if (clientWidth >= 1200 && scrollHeight > clientHeight)
      found.push(`the page is ${scrollHeight} high, and should scroll in its parts alone`);
    for (const selectors of groups) {
      const boxes = selectors.flatMap((selector) =>
        [...document.querySelectorAll(selector)].map((element) => ({
          selector,
          element,
          ...element.getBoundingClientRect().toJSON(),
        })),
      );
      for (const [index, a] of boxes.entries()) {
        if (a.width === 0 || a.height === 0) found.push(`${a.selector} is not seen`);
        if (a.left < 0 || a.right > clientWidth) found.push(`${a.selector} leaves the page`);
        if (a.element.scrollWidth > a.element.clientWidth)
          found.push(`what is in ${a.selector} is wider`);
        for (const b of boxes.slice(index + 1))
          if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
            found.push(`${a.selector} is over ${b.selector}`);
      }
    }
    return found;
  }, GROUPS);
}

/** @param {string} selector */
async function heightOf(selector) {
  return (await opened.page.locator(selector).boundingBox())?.height ?? NaN;
}

test('no part overlaps another, with any panel open', async () => {
  const { page } = opened;
  await show(opened, VIEWS['node and pod selected']);
  for (const panel of ['Story', 'Edit', 'Compare', 'Plugin', 'What if']) {
    await page.getByRole('tab', { name: panel }).click();
    await page.locator(`#side-panel :is(h2, textarea, .cm-content)`).last().waitFor();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      assert.deepEqual(await faults(), [], `${panel}, ${size.width} pixels`);
    }
  }
});

test('no part overlaps another while two worlds are compared', async () => {
  await opened.page.setViewportSize(SIZES[0]);
  await show(opened, VIEWS.compare);
  for (const size of SIZES) {
    await opened.page.setViewportSize(size);
    await opened.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    assert.deepEqual(await faults(), [], `${size.width} pixels`);
  }
});

for (const name of ['first screen', 'decision', 'backoff', 'preemption', 'node and pod selected'])
  test(`the cluster has the most room: ${name}`, async () => {
    await opened.page.setViewportSize(SIZES[0]);
    await show(opened, VIEWS[name]);
    const share = (await heightOf('.map')) / (await heightOf('.stage'));
    assert.ok(share >= MAP_SHARE_MIN, `${share.toFixed(2)} of the stage`);
    const time = (await heightOf('.time')) / SIZES[0].height;
    assert.ok(time <= TIME_SHARE_MAX, `${time.toFixed(2)} of the page`);
  });
