// Goal: a page of another origin embeds the playground, plays it and receives its events. Method:
// two servers; the embedding page's policy allows only the frame and the script.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { WEB_FOLDER } from '../../../wasm/toolchain/web.js';
import { packedLink } from '../../../web/src/scenario/link.js';
import { openBrowser, servePages } from '../../runtimes/launchers/chromium.js';
import { lessonText, recordingOf } from '../played_lesson.js';

const playground = await servePages(WEB_FOLDER, 'frame-ancestors http://127.0.0.1:*', {
  'access-control-allow-origin': '*',
});
const folder = mkdtempSync(join(tmpdir(), 'embedding-'));
const policy = [
  "default-src 'none'",
  `script-src 'self' ${playground.url}`,
  `frame-src ${playground.url}`,
  "connect-src 'self'",
].join('; ');
const pages = await servePages(folder, policy);
const browser = await openBrowser();
after(async () => {
  await browser.close();
  await Promise.all([pages.stop(), playground.stop()]);
  rmSync(folder, { recursive: true });
});

writeFileSync(join(folder, 'scenario.yaml'), lessonText('02-node-affinity'));
writeFileSync(
  join(folder, 'page.js'),
  `globalThis.heard = [];
const element = document.querySelector('stowage-playground');
for (const name of ['change', 'error'])
  element.addEventListener(name, ({ detail }) => heard.push({ name, detail }));
`,
);

/**
 * A page with the element in it.
 * @param {import('node:test').TestContext} t
 * @param {string} element
 */
async function embedded(t, element) {
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elsewhere</title><body>${element}
<script src="page.js"></script>
<script type="module" src="${playground.url}/stowage-playground.js"></script></body></html>`,
  );
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  t.after(() => page.close());
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => void faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${pages.url}/index.html`);
  return { page, faults, frame: page.frameLocator('stowage-playground iframe') };
}

/** @param {string} name */
function recordedHash(name) {
  return JSON.parse(readFileSync(recordingOf(name), 'utf8')).hash;
}

/**
 * Calls a method of the element in the page.
 * @param {import('playwright-core').Page} page
 * @param {string} name of a method
 * @param {...unknown} values
 * @returns {Promise<any>} its result, or the error's message
 */
function ask(page, name, ...values) {
  return page.evaluate(
    ([method, given]) =>
      /** @type {any} */ (document.querySelector('stowage-playground'))
        [method](...given)
        .catch((/** @type {Error} */ error) => error.message),
    /** @type {const} */ ([name, values]),
  );
}

/** @param {import('playwright-core').Page} page @returns {Promise<any[]>} */
function heard(page) {
  return page.evaluate(() => /** @type {any} */ (globalThis).heard);
}

test('the embedding page plays a lesson and receives its events', async (t) => {
  const { page, faults, frame } = await embedded(
    t,
    '<stowage-playground lesson="01-taints"></stowage-playground>',
  );
  await frame.getByLabel('Speed').selectOption({ label: 'as fast as possible' });
  const first = await ask(page, 'next');
  const end = await ask(page, 'play');
  assert.equal(end.hash, recordedHash('01-taints'));
  assert.ok(end.isIdle && end.position > first.position);
  const back = await ask(page, 'goTo', first.position);
  assert.deepEqual(back, first);
  const again = await ask(page, 'goTo', end.position);
  assert.deepEqual(again, end);
  const changes = (await heard(page)).map(({ name, detail }) => [name, detail.position]);
  assert.deepEqual(changes.at(-1), ['change', end.position]);
  assert.ok(changes.every(([name]) => name === 'change'));
  assert.match(await ask(page, 'goTo', 10_000), /there is no position 10000/);
  assert.equal((await heard(page)).at(-1).name, 'error');
  assert.deepEqual(faults, []);
});

test('an embedded page has a short header with a link to the playground', async (t) => {
  const { page, faults, frame } = await embedded(
    t,
    '<stowage-playground lesson="07-preemption" position="4"></stowage-playground>',
  );
  await page.waitForFunction(
    () => /** @type {any} */ (globalThis).heard.at(-1)?.detail.position === 4,
  );
  const open = frame.getByRole('link', { name: 'Open in the playground' });
  await frame.locator('a[href*="#share="]').waitFor();
  assert.equal(await frame.getByLabel('Lesson').count(), 0);
  const [other] = await Promise.all([page.context().waitForEvent('page'), open.click()]);
  await other.getByText('Step 4 of 4').waitFor();
  assert.equal(await other.getByLabel('Lesson').inputValue(), '07-preemption');
  const { hash } = (await heard(page)).at(-1).detail;
  assert.equal(await other.locator('.hash').getAttribute('data-hash'), hash);
  assert.deepEqual(faults, []);
});

test('a scenario comes from a file of the page, from its text, or from a script', async (t) => {
  const { page, faults, frame } = await embedded(
    t,
    '<stowage-playground src="scenario.yaml" step="1"></stowage-playground>',
  );
  const title = frame.getByRole('heading', { level: 1 });
  await frame.getByRole('heading', { level: 1, name: titleOf('02-node-affinity') }).waitFor();
  await page.evaluate((text) => {
    const element = /** @type {any} */ (document.querySelector('stowage-playground'));
    element.removeAttribute('src');
    element.removeAttribute('step');
    element.scenario = text;
  }, lessonText('03-pod-affinity'));
  await frame.getByRole('heading', { level: 1, name: titleOf('03-pod-affinity') }).waitFor();
  assert.equal(await title.count(), 1);
  assert.deepEqual(faults, []);

  const inline = await embedded(
    t,
    `<stowage-playground autoplay><script type="application/yaml">${lessonText('10-error-backoff')}
</script></stowage-playground>`,
  );
  const hash = recordedHash('10-error-backoff');
  await inline.page.waitForFunction(
    (wanted) =>
      /** @type {any} */ (globalThis).heard.some(
        (/** @type {any} */ { detail }) => detail.hash === wanted,
      ),
    hash,
  );
  // The page's policy applies to inline scripts of any type, even of one that is not run.
  assert.deepEqual(inline.faults, []);
});

test('an invalid scenario reports its error, and the next one plays', async (t) => {
  const { page } = await embedded(
    t,
    '<stowage-playground><script type="application/yaml">kind: Pod</script></stowage-playground>',
  );
  await page.waitForFunction(() =>
    /** @type {any} */ (globalThis).heard.some((/** @type {any} */ { name }) => name === 'error'),
  );
  const error = (await heard(page)).find(({ name }) => name === 'error');
  assert.match(error.detail.message, /must be Scenario/);
  await page.evaluate((text) => {
    /** @type {any} */ (document.querySelector('stowage-playground')).scenario = text;
  }, lessonText('01-taints'));
  const { position } = await ask(page, 'next');
  assert.ok(position > 1);
});

test('plugins do not run and are not offered in a frame of any page', async (t) => {
  const scenario = `apiVersion: stowage/v1
kind: Scenario
title: With a plugin
plugins: [{ source: "export default { name: 'Brought', filter() {} };" }]
`;
  const why = /JavaScript, which is left out: plugins do not run in a frame/;
  const inElement = await embedded(
    t,
    `<stowage-playground><script type="application/yaml">${scenario}</script></stowage-playground>`,
  );
  await inElement.frame.getByText(why).waitFor();
  assert.equal(await inElement.frame.getByRole('button', { name: 'Run it' }).count(), 0);

  const shared = { scenario, moves: [/** @type {const} */ ('next')], position: 1, look: {} };
  const link = `#share=${await packedLink({ ...shared, hash: '' })}`;
  const { page } = await embedded(t, `<iframe src="${playground.url}/index.html${link}"></iframe>`);
  const frame = page.frameLocator('iframe');
  await frame.getByText(why).waitFor();
  assert.equal(await frame.getByRole('button', { name: 'Run it' }).count(), 0);
  await frame.getByRole('tab', { name: 'Plugin' }).click();
  await frame
    .locator('.plugin-panel')
    .getByText(/^Plugins do not run in a frame/)
    .waitFor();
  assert.equal(await frame.getByLabel('Sample').count(), 0);

  const own = await embedded(t, `<iframe src="${playground.url}/index.html#cluster="></iframe>`);
  await own.page
    .frameLocator('iframe')
    .getByText(/^a playground in a frame of another page follows no cluster/)
    .waitFor();
});

test('the frame ignores other pages, and loads when it is near', async (t) => {
  const { page, faults, frame } = await embedded(
    t,
    '<stowage-playground lesson="01-taints"></stowage-playground>',
  );
  await ask(page, 'pause');
  const before = (await heard(page)).length;
  // Another window of the same page, and the frame itself, request the next chapter.
  const child = page.frames().find((one) => one.url().startsWith(playground.url));
  await child?.evaluate(() => {
    postMessage({ stowage: 'ask', id: 1, wish: 'next' }, '*');
  });
  const { position } = await ask(page, 'pause');
  assert.equal(position, 1);
  // The element ignores messages from others too.
  await page.evaluate(() => {
    postMessage({ stowage: 'change', state: { position: 99 } }, '*');
  });
  await ask(page, 'pause');
  assert.ok(!(await heard(page)).slice(before).some(({ detail }) => detail.position === 99));
  assert.equal(await frame.getByRole('banner').count(), 1);
  const loading = await page.evaluate(
    () =>
      document.querySelector('stowage-playground')?.shadowRoot?.querySelector('iframe')?.loading,
  );
  assert.equal(loading, 'lazy');
  assert.deepEqual(faults, []);
});

/** @param {string} name of a lesson */
function titleOf(name) {
  return /^title: (.*)$/m.exec(lessonText(name))?.[1] ?? '';
}
