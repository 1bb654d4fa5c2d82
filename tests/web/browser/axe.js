/** What axe finds against WCAG 2.2 AA on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>} the rules that are broken, each with its element; that the page is
 *   too wide, too
 */
export async function violationsOn(page) {
  // A script of the page would be refused by its policy.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async (values) => {
    const { axe } = /** @type {any} */ (globalThis);
    const found = await axe.run({ runOnly: { type: 'tag', values } });
    return found.violations.flatMap((/** @type {any} */ { id, nodes }) =>
      nodes.map((/** @type {any} */ { target }) => `${id}: ${target}`),
    );
  }, RULES);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return overflow > 0 ? [...violations, `wider than the page by ${overflow} pixels`] : violations;
}
