/** Takes pictures of the open pages when a test fails, into build/failures, which CI keeps. */
import { join } from 'node:path';
import { afterEach } from 'node:test';

import { repository } from '../../../wasm/toolchain/paths.js';

/** @import { Page } from 'playwright-core' */

const FOLDER = join(repository, 'build/failures');
/** The wait for a page that hangs: milliseconds. */
const PATIENCE = 10_000;

/** @type {Set<Page>} */
const openPages = new Set();

/** @param {Page} page  opened just now */
export function watchPage(page) {
  openPages.add(page);
  page.on('close', () => void openPages.delete(page));
}

/** @param {string} title @param {number} index @returns {string} a file's name */
function pictureName(title, index) {
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  return `${words.slice(0, 80)}-${index + 1}.png`;
}

// A hook of the importing test file. It runs before the test's own `after`, which closes the pages.
afterEach(async (context) => {
  const { name, passed } = /** @type {{ name: string, passed?: boolean }} */ (context);
  if (passed !== false) return;
  const pictures = [...openPages].map((page, index) =>
    page.screenshot({ path: join(FOLDER, pictureName(name, index)), timeout: PATIENCE }),
  );
  for (const result of await Promise.allSettled(pictures)) {
    if (result.status === 'rejected') console.log(`no picture: ${result.reason.message}`);
  }
});
