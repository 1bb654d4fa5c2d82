// Goal: everybody can use the page. Method: axe's rules for WCAG 2.2 AA, in each size and style,
// with a decision on the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';

import { openPlayground } from './opened_page.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const playground = await openPlayground();
after(() => playground.stop());

for (const width of [1440, 1024, 360]) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`${width} pixels, ${colorScheme}`, async (t) => {
      const opened = await playground.open('#lesson=01-taints', { width, height: 900 });
      t.after(() => opened.close());
      const { page } = opened;
      await page.emulateMedia({ colorScheme });
      await opened.playToEnd();
      await page.locator('.pending button').first().click();
      await opened.untilQuiet();
      // A script of the page would be refused by its policy.
      await page.evaluate(AXE);
      const violations = await page.evaluate(async (values) => {
        const { axe } = /** @type {any} */ (globalThis);
        const found = await axe.run({ runOnly: { type: 'tag', values } });
        return found.violations.flatMap((/** @type {any} */ { id, nodes }) =>
          nodes.map((/** @type {any} */ { target }) => `${id}: ${target}`),
        );
      }, RULES);
      assert.deepEqual(violations, []);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, 'nothing is wider than the page');
    });
  }
}
