/** `npm run web:screenshots`: pictures of all views in build/screenshots, for inspection. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from '../../../wasm/toolchain/paths.js';
import { openPlayground } from './opened_page.js';
import { VIEWS, show } from './views.js';

const FOLDER = join(repository, 'build/screenshots');

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 360, height: 800 },
];

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const playground = await openPlayground();
const opened = await playground.open();
const { page } = opened;
for (const [name, view] of Object.entries(VIEWS)) {
  await page.setViewportSize(SIZES[0]);
  await show(opened, view);
  for (const size of SIZES)
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      // Redraws for this size.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      const file = `${name.replace(/\W+/g, '-')}-${size.width}-${colorScheme}.png`;
      await page.screenshot({ path: join(FOLDER, file), fullPage: true });
    }
}
await playground.stop();
console.log(`${Object.keys(VIEWS).length * SIZES.length * 2} pictures in ${FOLDER}`);
