// Goal: a new user sees the next button, decisions at once and time passing, and can go back in a
// large scenario. Method: the built page in Chromium, with lessons that show it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';

import { recordingOf } from '../played_lesson.js';
import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

/** The number of steps of the openb trace that are played before going back. */
const OPENB_STEPS = 400;

/**
 * @param {import('node:test').TestContext} t
 * @param {string} lesson
 */
async function begun(t, lesson) {
  const opened = await playground.open(`#lesson=${lesson}`);
  t.after(() => opened.close());
  return { opened, page: opened.page };
}

/** @param {OpenedPage} opened */
async function positionOf({ page }) {
  return Number(await page.getByLabel(/^Step \d+ of \d+$/).inputValue());
}

/** @param {OpenedPage} opened */
function timeIn({ page }) {
  return page.getByLabel('Cluster time').innerText();
}

test('under Play backoffs count down, pods are retried, and Play ends', async (t) => {
  const { opened, page } = await begun(t, '10-error-backoff');
  await page.evaluate(() => {
    const scope = /** @type {any} */ (globalThis);
    scope.seen = [];
    new MutationObserver(() => {
      const left = /([\d.]+) s left/.exec(document.querySelector('.queues')?.textContent ?? '');
      if (left && scope.seen.at(-1) !== Number(left[1])) scope.seen.push(Number(left[1]));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await opened.button('Play').click();
  await page.getByRole('button', { name: 'Play', exact: true, disabled: true }).waitFor();
  await opened.untilQuiet();
  /** @type {number[]} */
  const seen = await page.evaluate(() => /** @type {any} */ (globalThis).seen);
  const falls = seen.filter((left, at) => left < seen[at - 1]).length;
  const rises = seen.filter((left, at) => left > seen[at - 1]).length;
  assert.ok(falls >= 10 && rises >= 3, `it counts down, again and again: ${seen}`);
  const { hash } = JSON.parse(readFileSync(recordingOf('10-error-backoff'), 'utf8'));
  assert.equal(await opened.hash(), hash);
  assert.ok((await page.locator('.timeline .Decision').count()) >= 6);
  assert.equal(await positionOf(opened), 7, 'waiting is one step, however it is shown');
  assert.deepEqual(opened.faults, []);
});

test('pausing stops at the time that is shown, and the user continues by hand', async (t) => {
  const { opened, page } = await begun(t, '10-error-backoff');
  await opened.button('Next').click();
  await opened.untilQuiet();
  await opened.decideAll();
  const before = await positionOf(opened);
  await page.getByLabel('How long').selectOption('1s');
  await opened.button('Wait for').click();
  await opened.untilQuiet();
  assert.equal(await timeIn(opened), '00:00:01.000');
  await page.getByLabel('How long').selectOption({ label: 'other…' });
  assert.ok(await opened.button('Wait for').isDisabled());
  await page.getByLabel(/^Duration/).fill('1m30s');
  await opened.button('Wait for').click();
  await opened.untilQuiet();
  assert.equal(await timeIn(opened), '00:01:31.000');
  assert.equal(await positionOf(opened), before + 2);
  assert.deepEqual(opened.faults, []);
});

test('the first screen shows the next step, and a decision appears at once', async (t) => {
  const { opened, page } = await begun(t, '01-taints');
  const next = opened.button('Next');
  assert.match(await next.innerText(), /^Next: A pod that tolerates/);
  assert.match((await next.getAttribute('class')) ?? '', /primary/);
  assert.ok(await opened.button('Play').isEnabled());
  await page
    .locator('.chapters')
    .getByRole('button', { name: /^A pod that tolerates/ })
    .click();
  await page.locator('.detail').getByText('The next cycle would decide').waitFor();
  assert.match((await opened.button('Cycle').getAttribute('class')) ?? '', /primary/);
  await opened.button('Cycle').click();
  await page.locator('.detail').getByText('This attempt').waitFor();
  assert.equal(await page.locator('.detail h2').innerText(), 'default/trainer-1');
  const follow = page.getByLabel('Follow the latest decision');
  assert.ok(await follow.isChecked());
  await page.locator('.timeline .Decision + button').last().click();
  assert.ok(!(await follow.isChecked()));
  await opened.playToEnd();
  assert.equal(await page.locator('.detail h2').innerText(), 'default/trainer-1', 'it is pinned');
  await follow.check();
  await opened.untilQuiet();
  assert.notEqual(await page.locator('.detail h2').innerText(), 'default/trainer-1');
  assert.deepEqual(opened.faults, []);
});

test('keyboard shortcuts work until they are switched off', async (t) => {
  const { opened, page } = await begun(t, '10-error-backoff');
  /** @param {string} key */
  const press = async (key) => {
    await page.keyboard.press(key);
    await opened.untilQuiet();
    return [await positionOf(opened), await timeIn(opened)];
  };
  assert.deepEqual(await press('n'), [2, '00:00:00.000']);
  assert.deepEqual(await press('s'), [3, '00:00:00.000']);
  assert.deepEqual(await press('j'), [4, '00:00:02.000']);
  assert.deepEqual(await press('['), [3, '00:00:00.000']);
  assert.deepEqual(await press(']'), [4, '00:00:02.000']);
  await page.keyboard.press(' ');
  await opened.button('Pause').waitFor();
  await page.keyboard.press(' ');
  await opened.button('Play').waitFor();
  await opened.untilQuiet();
  await page.keyboard.press('?');
  await page.getByLabel('These keys are on').uncheck();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  const before = await press('n');
  for (const key of ['s', 'j', '[', ']', '?', ' ']) assert.deepEqual(await press(key), before, key);
  assert.ok(await opened.button('Play').isVisible());
  assert.deepEqual(opened.faults, []);
});

test('an error is shown until it is dismissed', async (t) => {
  const { opened, page } = await begun(t, 'none');
  const fault = page.locator('.stage .fault');
  assert.match(await fault.innerText(), /there is no lesson none/);
  await fault.getByRole('button', { name: 'Close' }).click();
  await fault.waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

test('going back in a large scenario shows progress and can be cancelled', async (t) => {
  const { opened, page } = await begun(t, '14-openb');
  await page.getByLabel('Speed').selectOption({ label: 'as fast as possible' });
  await opened.button('Play').click();
  await page.waitForFunction(
    (most) => Number(document.querySelector('.position input')?.getAttribute('max')) > most,
    OPENB_STEPS,
  );
  await opened.button('Pause').click();
  await opened.button('Play').waitFor();
  await opened.untilQuiet();
  const [end, hash] = [await positionOf(opened), await opened.hash()];
  await opened.button('Back a step').click();
  const progress = page.locator('.going progress');
  await progress.waitFor();
  assert.equal(await progress.getAttribute('max'), String(end - 1));
  await opened.button('Cancel').click();
  await progress.waitFor({ state: 'detached' });
  await opened.untilQuiet();
  assert.deepEqual([await positionOf(opened), await opened.hash()], [end, hash]);
  await opened.button('Back a step').click();
  await page.getByText(`Step ${end - 1} of ${end}`).waitFor();
  await opened.untilQuiet();
  await opened.button('Forward a step').click();
  await page.getByText(`Step ${end} of ${end}`).waitFor();
  await opened.untilQuiet();
  assert.equal(await opened.hash(), hash);
  assert.deepEqual(opened.faults, []);
});
