/** Checks a page with axe against WCAG 2.2 AA. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * All three layouts and both colour schemes. Colours do not depend on the width, so the third look,
 * in a scheme that was checked, leaves out the rules for colours.
 */
const LOOKS = /** @type {const} */ ([
  { width: 1440, colorScheme: 'light', hasColors: true },
  { width: 1024, colorScheme: 'dark', hasColors: true },
  { width: 360, colorScheme: 'light', hasColors: false },
]);

/**
 * Checks an open page in every look, and leaves it in the first one.
 *
 * @param {import('playwright-core').Page} page
 */
export async function assertAccessible(page) {
  for (const { width, colorScheme, hasColors } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const violations = await violationsOn(page, { hasColors });
    assert.deepEqual(violations, [], `${width} pixels, ${colorScheme}`);
  }
  await page.setViewportSize({ width: LOOKS[0].width, height: 900 });
}

/**
 * @param {import('playwright-core').Page} page
 * @param {{ hasColors?: boolean }} [options] false: without the rules for colours
 * @returns {Promise<string[]>} the broken rules, each with its element, and whether the page is too
 *   wide
 */
export async function violationsOn(page, { hasColors = true } = {}) {
  // The page's policy would refuse a script of the page.
  await page.evaluate(AXE);
  const violations = await page.evaluate(
    async ({ tags, hasColors }) => {
      const { axe } = /** @type {any} */ (globalThis);
      const rules = axe
        .getRules(tags)
        .filter((/** @type {any} */ rule) => hasColors || !rule.tags.includes('cat.color'));
      const values = rules.map((/** @type {any} */ { ruleId }) => ruleId);
      const found = await axe.run({ runOnly: { type: 'rule', values } });
      return found.violations.flatMap((/** @type {any} */ { id, nodes }) =>
        nodes.map((/** @type {any} */ { target }) => `${id}: ${target}`),
      );
    },
    { tags: TAGS, hasColors },
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return overflow > 0 ? [...violations, `wider than the page by ${overflow} pixels`] : violations;
}
