/** Starts Debian's Chromium headless, and a server for its pages. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

import { contentTypeOf } from '../../../js/src/runtimes/node/static_files.js';
import { chromiumProgram } from './programs.js';

/** The policy of the pages: no code from elsewhere, none from text. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "worker-src 'self'",
].join('; ');

/**
 * Chromium draws without a graphics processor, which it would emulate, and prepares no spare pages;
 * both take a quarter of the time. It obeys only the last of several `--disable-features`, so
 * Playwright's features that affect loading and drawing are repeated.
 */
const ARGUMENTS = [
  '--disable-gpu',
  `--disable-features=${[
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'MediaRouter',
    'PaintHolding',
    'OptimizationHints',
  ]}`,
];

/** The environment variable with the address of a browser that test files share. */
const SHARED = 'STOWAGE_CHROMIUM';

/**
 * A browser of its own, or a connection to the shared one, which closes the connection's pages.
 *
 * @returns {Promise<import('playwright-core').Browser>} to be closed
 */
export function openBrowser() {
  const shared = process.env[SHARED];
  if (shared) return chromium.connect(shared);
  return chromium.launch({ executablePath: chromiumProgram(), args: ARGUMENTS });
}

/**
 * Starts a browser that the test files started afterwards share: to start one takes three seconds
 * of a processor.
 *
 * @returns {Promise<() => Promise<void>>} closes it
 */
export async function shareBrowser() {
  const server = await chromium.launchServer({
    executablePath: chromiumProgram(),
    args: ARGUMENTS,
  });
  process.env[SHARED] = server.wsEndpoint();
  return async () => {
    delete process.env[SHARED];
    await server.close();
  };
}

/**
 * The value of a page's `globalThis.report`, once it is set.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @returns {Promise<{ report: any, faults: string[] }>} `faults`: all errors of the page, including
 *   what its policy refused
 */
export async function reportOf(browser, url) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => void faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  try {
    await page.goto(url);
    const report = await page.evaluate(() => /** @type {any} */ (globalThis).report);
    return { report, faults };
  } finally {
    await page.close();
  }
}

/**
 * Serves the files of a folder, under the policy.
 *
 * @param {string} root
 * @param {string} [policy]
 * @param {Record<string, string>} [headers] additional headers
 * @param {(file: string, referer?: string) => void} [onServed] called for each file that is sent,
 *   with its referer
 * @returns {Promise<import('./child.js').Server>}
 */
export async function servePages(root, policy = POLICY, headers = {}, onServed = () => {}) {
  const server = createServer(({ url = '/', headers: { referer } }, response) => {
    const file = join(root, normalize(decodeURIComponent(new URL(url, 'http://page').pathname)));
    const found = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
    // Browsers request this by themselves.
    const missing = file.endsWith('/favicon.ico') ? 204 : 404;
    response.writeHead(found ? 200 : missing, {
      'content-type': contentTypeOf(file),
      'content-security-policy': policy,
      ...headers,
    });
    if (found) onServed(file, referer);
    if (found) createReadStream(file).pipe(response);
    else response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
