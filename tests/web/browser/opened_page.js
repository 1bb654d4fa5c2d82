/** The built playground in Chromium. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { WEB_FOLDER } from '../../../wasm/toolchain/web.js';
import { openBrowser, servePages } from '../../runtimes/launchers/chromium.js';

/** The page says itself what it may do. */
const POLICY = "frame-ancestors 'none'";

/** Everything is there after: milliseconds. */
const PATIENCE = 60_000;

/**
 * A browser and a server for the page.
 * @returns {Promise<{ open: (hash?: string, size?: { width: number, height: number }) =>
 *   Promise<OpenedPage>, stop: () => Promise<void> }>}
 */
export async function openPlayground() {
  if (!existsSync(join(WEB_FOLDER, 'index.html')))
    throw new Error('the playground is not built: npm run build:web');
  const browser = await openBrowser();
  const { url, stop } = await servePages(WEB_FOLDER, POLICY);
  return {
    open: (hash = '', viewport = { width: 1440, height: 900 }) =>
      OpenedPage.open(browser, `${url}/index.html${hash}`, viewport),
    stop: async () => {
      await browser.close();
      await stop();
    },
  };
}

export class OpenedPage {
  /**
   * @param {import('playwright-core').Browser} browser
   * @param {string} url
   * @param {{ width: number, height: number }} viewport
   */
  static async open(browser, url, viewport) {
    const opened = new OpenedPage(await browser.newPage({ viewport }));
    await opened.page.goto(url);
    await opened.page.locator('.story h2').waitFor({ timeout: PATIENCE });
    await opened.untilQuiet();
    return opened;
  }

  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE);
    /** All that the page complained of, what its policy refused included. @type {string[]} */
    this.faults = [];
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text());
    });
  }

  /** @param {string} name of a button */
  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Until the worker has answered everything. */
  async untilQuiet() {
    await this.page.locator('.app[aria-busy="false"]').waitFor();
  }

  /** Plays the lesson to its end. */
  async playToEnd() {
    await this.page.getByLabel('Speed').selectOption({ label: 'as fast as it goes' });
    for (;;) {
      if (await this.button('Play').isEnabled()) {
        await this.button('Play').click();
        await this.page
          .getByRole('button', { name: 'Play', exact: true, disabled: true })
          .waitFor();
      }
      await this.untilQuiet();
      if (await this.button('Next').isDisabled()) return;
      await this.button('Next').click();
      await this.untilQuiet();
    }
  }

  /** Of all decisions. */
  async hash() {
    return this.page.locator('.hash').getAttribute('data-hash');
  }

  close() {
    return this.page.close();
  }
}
