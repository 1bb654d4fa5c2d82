// Goal: in a browser each lesson leads to the state recorded in Node, under the page's own policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';

import { lessonNames, recordingOf } from '../played_lesson.js';
import { openPlayground } from './opened_page.js';

const playground = await openPlayground();
after(() => playground.stop());

for (const name of lessonNames()) {
  test(`${name} plays to its end`, async (t) => {
    const opened = await playground.open(`#lesson=${name}`);
    t.after(() => opened.close());
    await opened.playToEnd();
    const { hash } = JSON.parse(readFileSync(recordingOf(name), 'utf8'));
    assert.equal(await opened.hash(), hash);
    assert.deepEqual(opened.faults, []);
  });
}

test('going back in time and forward again leads to the same state', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  await opened.playToEnd();
  const end = await opened.hash();
  const position = opened.page.getByLabel(/^Step \d+ of \d+$/);
  const last = await position.getAttribute('max');
  await position.fill('2');
  await opened.untilQuiet();
  assert.notEqual(await opened.hash(), end);
  await position.fill(String(last));
  await opened.untilQuiet();
  assert.equal(await opened.hash(), end);
  assert.deepEqual(opened.faults, []);
});

test('one sentence explains why a node was refused', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  await opened.playToEnd();
  const { page } = opened;
  await page
    .locator('.pending')
    .getByRole('button', { name: /default\/urgent/ })
    .click();
  await opened.untilQuiet();
  await page.getByLabel('Why not').fill('gpu-1');
  assert.match(
    await page.locator('.answer').innerText(),
    /^TaintToleration refuses gpu-1: node\(s\) had untolerated taint\(s\)/,
  );
  assert.deepEqual(opened.faults, []);
});

test('the page shows the candidates of preemption, and the name of the lesson', async (t) => {
  const opened = await playground.open('#lesson=07-preemption');
  t.after(() => opened.close());
  await opened.playToEnd();
  const { page } = opened;
  const chosen = page.getByLabel('Lesson').locator('option:checked');
  const title = 'A PodDisruptionBudget steers preemption, it does not forbid it';
  assert.equal(await chosen.innerText(), `Lesson 7 · ${title}`);
  const attempts = page.locator('.timeline .Decision.unschedulable + button');
  await attempts.last().click();
  await opened.untilQuiet();
  const table = page.getByRole('region', { name: 'Candidates of preemption' });
  const rows = await table.locator('tbody tr').allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.split(/\s+/).slice(0, 2)),
    [
      ['worker-1', '0'],
      ['worker-2', '1'],
    ],
  );
  assert.deepEqual(opened.faults, []);
});
