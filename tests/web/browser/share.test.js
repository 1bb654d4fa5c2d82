// Goal: a link opens the state in which it was made. Method: lessons are played, shared, and opened
// in a page that has not seen the first one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { toHash } from '../../../web/src/scenario/share.js';
import { openPlayground } from './opened_page.js';

const playground = await openPlayground();
after(() => playground.stop());

/** @typedef {import('./opened_page.js').OpenedPage} OpenedPage */

const BOMB = deflateRawSync(JSON.stringify('x'.repeat(65 << 20))).toString('base64url');

/**
 * @param {OpenedPage} opened
 * @returns {Promise<string>} the hash of the link
 */
async function shared({ page, faults }) {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.locator('#share').getByText('It takes').waitFor();
  const link = await page.getByLabel(/^Link to the scenario/).inputValue();
  assert.equal(link, page.url(), 'it is the address, too');
  assert.deepEqual(faults, []);
  return new URL(link).hash;
}

/** The present position. @param {OpenedPage} opened */
async function standOf({ page }) {
  const position = page.getByLabel(/^Step \d+ of \d+$/);
  return {
    position: await position.inputValue(),
    length: await position.getAttribute('max'),
    hash: await page.locator('.hash').getAttribute('data-hash'),
    time: await page.getByLabel('Cluster time').innerText(),
    pending: await page.locator('.pending li').allInnerTexts(),
  };
}

/**
 * The text of a decision, including how preemption picked.
 * @param {OpenedPage} opened
 */
async function pickIn({ page }) {
  const text = await page.waitForFunction(() => {
    const { innerText } = /** @type {HTMLElement} */ (document.querySelector('.detail'));
    return innerText.includes('Decided by') && innerText;
  });
  return text.jsonValue();
}

test('a link restores a lesson at its end, and half-way, with the selected attempt', async (t) => {
  const opened = await playground.open('#lesson=07-preemption');
  t.after(() => opened.close());
  await opened.playToEnd();
  await opened.page.locator('.timeline .Decision.unschedulable + button').last().click();
  await opened.untilQuiet();
  const looked = await pickIn(opened);
  const end = await standOf(opened);
  const link = await shared(opened);
  assert.ok(link.length < 1024, `${link.length}`);

  await opened.page.keyboard.press('Escape');
  await opened.page.getByLabel(/^Step \d+ of \d+$/).fill('4');
  await opened.untilQuiet();
  const half = await standOf(opened);
  const halfLink = await shared(opened);

  for (const [hash, stand, detail] of /** @type {const} */ ([
    [link, end, looked],
    [halfLink, half, null],
  ])) {
    const other = await playground.open(hash);
    t.after(() => other.close());
    await other.page.getByText(`Step ${stand.position} of ${stand.length}`).waitFor();
    await other.untilQuiet();
    assert.deepEqual(await standOf(other), stand);
    if (detail !== null) {
      assert.equal(await pickIn(other), detail);
    }
    assert.equal(await other.page.getByLabel('Lesson').inputValue(), '07-preemption');
    assert.deepEqual(other.faults, []);
  }
});

/**
 * Delays a module until it `comes`.
 * @param {import('playwright-core').Page} page @param {RegExp} file
 */
async function heldBack(page, file) {
  /** @type {() => void} */
  let release = () => {};
  const released = new Promise((resolve) => (release = () => resolve(undefined)));
  const requested = page.waitForRequest(file);
  await page.route(file, async (route) => {
    await released;
    await route.continue();
  });
  return {
    asked: () => requested,
    comes: async () => {
      release();
      // A page loads a module once: if the import here resolves, it has resolved for the page too.
      await page.evaluate((url) => import(url), (await requested).url());
    },
  };
}

test('a changed address, the picker, and the Back button open what they name', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  const titleIs = (/** @type {RegExp} */ name) => page.getByRole('heading', { name }).waitFor();
  await page.evaluate(() => {
    location.hash = 'lesson=07-preemption';
  });
  await titleIs(/PodDisruptionBudget/);
  const late = await heldBack(page, /02-node-affinity/);
  await page.getByLabel('Lesson').selectOption('02-node-affinity');
  await page.waitForURL(/#lesson=02-node-affinity$/);
  // The page reads its address when it handles the change: returning before that asks for nothing.
  await late.asked();
  await page.goBack();
  // The module of the earlier request arrives now, and must not open.
  await late.comes();
  await opened.untilQuiet();
  await titleIs(/PodDisruptionBudget/);
  await opened.untilQuiet();
  await opened.button('Next').click();
  await opened.untilQuiet();
  const stand = await standOf(opened);
  await shared(opened);
  await page.goBack();
  await page.getByText('Step 1 of 1').waitFor();
  await page.goForward();
  await page.getByText(`Step ${stand.position} of ${stand.length}`).waitFor();
  await opened.untilQuiet();
  assert.deepEqual(await standOf(opened), stand);
  assert.deepEqual(opened.faults, []);
});

test('if the page may not copy, the link is selected', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  await page.evaluate(() => {
    const writeText = () => Promise.reject(new Error('no'));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
  });
  await shared(opened);
  assert.match(
    await page.locator('#share').innerText(),
    /copy the link from the field\. It takes 0\.\d KB/,
  );
  const selected = await page.evaluate(() => {
    const field = /** @type {HTMLInputElement} */ (document.activeElement);
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  });
  assert.equal(selected, page.url());
});

test('an invalid link shows its error, and a lesson opens', async (t) => {
  const good = { v: 1, lesson: '01-taints', moves: ['next'], position: 1, hash: '', look: {} };
  const scenario = 'apiVersion: stowage/v1\nkind: Scenario\ntitle: T\nobjets: []\n';
  const cases = [
    ['#share=', /the link is truncated, or this page did not create it/],
    [
      `#share=${(await toHash(good)).slice(0, -6)}`,
      /the link is truncated, or this page did not create it/,
    ],
    [`#share=${BOMB}`, /the link is too large when decompressed/],
    [`#share=${await toHash({ ...good, v: 2 })}`, /it is of version 2, this page reads version 1/],
    [`#share=${await toHash([1])}`, /this page did not create it/],
    [`#share=${await toHash({ ...good, lesson: '99' })}`, /there is no lesson 99/],
    [
      `#share=${await toHash({ ...good, moves: [{ do: 'x' }] })}`,
      /its move 1 is unknown to this page/,
    ],
    [`#share=${await toHash({ ...good, position: 7 })}`, /there is no position 7/],
    [`#share=${await toHash({ ...good, lesson: undefined, scenario })}`, /line 4.*objets/s],
    [`#share=${await toHash({ ...good, hash: 'abc' })}`, /decides differently from the one/],
    ['#lesson=99', /there is no lesson 99/],
    ['#elsewhere', /there is no lesson #elsewhere/],
  ];
  const opened = await playground.open('#lesson=02-node-affinity');
  t.after(() => opened.close());
  for (const [hash, message] of cases) {
    await opened.page.goto('about:blank');
    await opened.page.goto(playground.address(String(hash)));
    await opened.page.getByText('Step 1 of 1').waitFor();
    await opened.page.getByRole('alert').filter({ hasText: message }).waitFor();
    assert.equal(await opened.page.getByLabel('Lesson').inputValue(), '01-taints');
    await opened.button('Next').click();
    await opened.page.getByText('Step 2 of 2').waitFor();
  }
  assert.deepEqual(opened.faults, []);
});

test('a link that is too long for some programs warns about it', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  let noise = '';
  for (let at = 1, number = 7; at < 2500; at += 1) {
    number = (number * 48271) % 2147483647;
    noise += `# ${number.toString(36)}\n`;
  }
  const scenario = `${noise}apiVersion: stowage/v1\nkind: Scenario\ntitle: Long\n`;
  const long = { v: 1, scenario, moves: ['next'], position: 1, hash: '', look: {} };
  const link = await toHash(long);
  await opened.page.evaluate((hash) => {
    location.hash = hash;
  }, `share=${link}`);
  await opened.page.getByRole('heading', { name: 'Long' }).waitFor();
  await shared(opened);
  assert.match(
    await opened.page.locator('#share').innerText(),
    /It takes \d+\.\d KB: some programs truncate links beyond 8 KB\. Export the scenario/,
  );
});
