/** The built playground in Chromium. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { WEB_FOLDER } from '../../../wasm/toolchain/web.js';
import { openBrowser, servePages } from '../../runtimes/launchers/chromium.js';
import { watchPage } from './failure_pictures.js';

/** The page says itself what it may do. */
const POLICY = "frame-ancestors 'none'";

/** Everything is there after: milliseconds. */
const PATIENCE = 120_000;

/**
 * A browser and a server for the page.
 * @param {{ policy?: string, onServed?: (file: string, referer?: string) => void, isKept?: boolean
 *   }} [options] `policy` is sent with every file; `isKept`: the service worker may come, which
 *   fetches all there is and takes as long as many a test
 * @returns {Promise<{ open: (hash?: string, size?: { width: number, height: number }, routes?:
 *   Record<string, string>, patience?: number) => Promise<OpenedPage>, address: (hash: string) =>
 *   string, firstDecision: (hash: string) => Promise<number>, stopServing: () => Promise<void>,
 *   stop: () => Promise<void> }>} `routes`: scripts that are another text, by the pattern of their
 *   address; `patience` and `firstDecision`: milliseconds
 */
export async function openPlayground({ policy = POLICY, onServed, isKept = false } = {}) {
  if (!existsSync(join(WEB_FOLDER, 'index.html')))
    throw new Error('the playground is not built: npm run build:web');
  const browser = await openBrowser();
  // Below a path, as on many sites.
  const root = join(WEB_FOLDER, '..');
  const { url, stop: stopServing } = await servePages(root, policy, {}, onServed);
  const address = (/** @type {string} */ hash) => `${url}/web/index.html${hash}`;
  return {
    address,
    open: (hash = '', viewport = { width: 1440, height: 900 }, routes = {}, patience = PATIENCE) =>
      OpenedPage.open(browser, address(hash), viewport, { routes, patience, isKept }),
    firstDecision: (hash) => firstDecision(browser, address(hash)),
    stopServing,
    stop: async () => {
      await browser.close();
      await stopServing();
    },
  };
}

/**
 * How long it takes somebody who was never here, and presses buttons as soon as they are there.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 */
async function firstDecision(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const scope = /** @type {any} */ (globalThis);
    scope.decided = new Promise((resolve) => {
      new MutationObserver(() => {
        if (document.querySelector('.timeline .Decision')) resolve(performance.now());
        for (const name of ['Cycle', 'Next'])
          for (const button of document.querySelectorAll('button'))
            if (button.textContent.startsWith(name) && !button.disabled && scope.pressed !== name) {
              scope.pressed = name;
              button.click();
            }
      }).observe(document, { subtree: true, childList: true, attributes: true });
    });
  });
  await page.goto(url);
  const time = await page.evaluate(() => /** @type {any} */ (globalThis).decided);
  await context.close();
  return time;
}

/** Runs in the page, as in a browser that has none. */
function withoutServiceWorkers() {
  delete (/** @type {any} */ (Navigator.prototype).serviceWorker);
}

export class OpenedPage {
  /**
   * @param {import('playwright-core').Browser} browser
   * @param {string} url
   * @param {{ width: number, height: number }} viewport
   * @param {{ routes?: Record<string, string>, patience?: number, isKept?: boolean }} [options]
   */
  static async open(browser, url, viewport, options = {}) {
    const { routes = {}, patience = PATIENCE, isKept = true } = options;
    const opened = new OpenedPage(await browser.newPage({ viewport }));
    opened.page.setDefaultTimeout(patience);
    if (!isKept) await opened.page.addInitScript(withoutServiceWorkers);
    for (const [pattern, body] of Object.entries(routes))
      await opened.page.route(pattern, (route) =>
        route.fulfill({ contentType: 'text/javascript', body }),
      );
    await opened.page.goto(url);
    await opened.page.locator('.side h2').waitFor();
    await opened.untilQuiet();
    return opened;
  }

  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page;
    watchPage(page);
    page.setDefaultTimeout(PATIENCE);
    /** All that the page complained of, what its policy refused included. @type {string[]} */
    this.faults = [];
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.faults.push(message.text());
    });
  }

  /** @param {string} name of a button; `Next` says also what comes next */
  button(name) {
    if (name === 'Next') return this.page.getByRole('button', { name: /^Next(: |$)/ });
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Until the worker has answered everything. */
  async untilQuiet() {
    await this.page.locator('.app[aria-busy="false"]').waitFor();
  }

  /** Plays the lesson to its end. */
  async playToEnd() {
    await this.page.getByLabel('Speed').selectOption({ label: 'as fast as possible' });
    await this.button('Play').click();
    await this.button('Play').waitFor();
    await this.untilQuiet();
  }

  /** Each chapter and all that it has to be decided; time does not pass by itself. */
  async playChapters() {
    for (;;) {
      await this.decideAll();
      if (await this.button('Next').isDisabled()) return;
      await this.button('Next').click();
      await this.untilQuiet();
    }
  }

  /** Makes cycles until there is nothing to decide. */
  async decideAll() {
    for (; await this.button('Cycle').isEnabled(); await this.untilQuiet())
      await this.button('Cycle').click();
  }

  /** Of all decisions. */
  async hash() {
    return this.page.locator('.hash').getAttribute('data-hash');
  }

  close() {
    return this.page.close();
  }
}
