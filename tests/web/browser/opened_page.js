/** Opens the built playground in Chromium. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { WEB_FOLDER } from '../../../wasm/toolchain/web.js';
import { openBrowser, servePages } from '../../runtimes/launchers/chromium.js';
import { watchPage } from './failure_pictures.js';

/** The page contains its own policy. */
const POLICY = "frame-ancestors 'none'";

/** The longest wait for anything: milliseconds. */
const PATIENCE = 120_000;

/**
 * Starts a browser and a server for the page.
 * @param {{ policy?: string, onServed?: (file: string, referer?: string) => void, isKept?: boolean
 *   }} [options] `policy` is sent with every file; `isKept`: allows the service worker, which
 *   downloads every file and takes as long as many a test
 * @returns {Promise<{ open: (hash?: string, size?: { width: number, height: number }, routes?:
 *   Record<string, string>, patience?: number) => Promise<OpenedPage>, address: (hash: string) =>
 *   string, firstDecision: (hash: string) => Promise<number>, stopServing: () => Promise<void>,
 *   stop: () => Promise<void> }>} `routes`: scripts to replace with other texts, by patterns of
 *   their addresses; `patience` and `firstDecision`: milliseconds
 */
export async function openPlayground({ policy = POLICY, onServed, isKept = false } = {}) {
  if (!existsSync(join(WEB_FOLDER, 'index.html')))
    throw new Error('the playground is not built: npm run build:web');
  const browser = await openBrowser();
  // Below a path, as many sites serve it.
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
 * The time until the first decision for a new visitor who clicks buttons as soon as they appear.
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

/** Runs in the page: removes service workers, as in a browser without them. */
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
    /** All errors of the page, including what its policy refused. @type {string[]} */
    this.faults = [];
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.faults.push(message.text());
    });
  }

  /**
   * @param {string} name of a button; the accessible name of `Next` also has the next step's note
   */
  button(name) {
    if (name === 'Next') return this.page.getByRole('button', { name: /^Next(: |$)/ });
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Waits until the worker has answered all requests. */
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

  /** Plays each chapter with all its decisions; time does not advance on its own. */
  async playChapters() {
    for (;;) {
      await this.decideAll();
      if (await this.button('Next').isDisabled()) return;
      await this.button('Next').click();
      await this.untilQuiet();
    }
  }

  /** Runs cycles until there is nothing to decide. */
  async decideAll() {
    for (; await this.button('Cycle').isEnabled(); await this.untilQuiet())
      await this.button('Cycle').click();
  }

  /** The hash of all decisions. */
  async hash() {
    return this.page.locator('.hash').getAttribute('data-hash');
  }

  close() {
    return this.page.close();
  }
}
