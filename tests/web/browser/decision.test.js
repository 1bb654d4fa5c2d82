// Goal: a user can read a decision to its last number, with the pointer or with the keyboard alone.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { openPlayground } from './opened_page.js';

/** @import { TestContext } from 'node:test' */
/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

/**
 * @param {TestContext} t
 * @param {string} lesson
 * @param {{ width: number, height: number }} [size]
 */
async function played(t, lesson, size) {
  const opened = await playground.open(`#lesson=${lesson}`, size);
  t.after(() => opened.close());
  await opened.playToEnd();
  return opened;
}

/**
 * Selects a decision of the timeline.
 * @param {OpenedPage} opened
 * @param {string} pod
 * @param {string} text of its row
 */
async function lookAt(opened, pod, text) {
  await opened.page.getByLabel('Search the timeline').fill(`decision ${pod} `);
  const rows = opened.page.locator('.timeline li').filter({ hasText: 'Decision' });
  const row = rows.filter({ hasText: pod }).filter({ hasText: text }).first();
  await row.getByRole('button', { name: pod, exact: true }).click();
  await opened.untilQuiet();
}

test('the matrix shows the refusal of the cycle, and on request all others', async (t) => {
  const opened = await played(t, '01-taints');
  const { page } = opened;
  await page
    .locator('.pending')
    .getByRole('button', { name: /urgent/ })
    .click();
  await opened.untilQuiet();
  const matrix = page.getByRole('region', { name: 'Nodes by plugins' });
  const would = matrix.locator('td.also');
  assert.ok((await matrix.locator('td.refused').count()) > 0);
  assert.equal(await would.count(), 0);
  await page.getByLabel('All refusals').check();
  await would.first().waitFor();
  assert.match(await would.first().innerText(), /would refuse/);
  assert.deepEqual(opened.faults, []);
});

test('the pointer shows a formula, which stays under it and closes with Escape', async (t) => {
  const opened = await played(t, '05-topology-spread');
  const { page } = opened;
  await lookAt(opened, 'default/api-4', 'scheduled');
  const score = page.getByRole('button', { name: /^NodeResourcesFit on b-1: 81/ });
  await score.hover();
  const tip = page.getByRole('tooltip');
  await tip.getByText('(75 × 1 + 87 × 1) / 2 = 81').waitFor();
  await tip.hover();
  assert.ok(await tip.getByText('cpu: requested 500 + 500 = 1000;').isVisible());
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  await score.click();
  const kept = page.getByRole('region', { name: 'Formula' });
  await kept.getByText('81 × weight 1 = 81').waitFor();
  await kept.getByRole('button', { name: 'Close' }).click();
  await kept.getByText('81 × weight 1 = 81').waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

test('the arrow keys move from score to score', async (t) => {
  const opened = await played(t, '05-topology-spread', { width: 360, height: 800 });
  const { page } = opened;
  await lookAt(opened, 'default/api-4', 'scheduled');
  await page.getByRole('region', { name: 'Scores' }).focus();
  await page.keyboard.press('Tab');
  const tip = page.getByRole('tooltip');
  await tip.getByText('TaintToleration on b-1').waitFor();
  await page.keyboard.press('ArrowRight');
  await tip.getByText('NodeResourcesFit on b-1').waitFor();
  await page.keyboard.press('ArrowDown');
  await tip.getByText('NodeResourcesFit on b-2').waitFor();
  const described = await page.evaluate(() => document.activeElement?.ariaDescribedByElements);
  assert.equal(described?.length, 1);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Formula' }).getByText('b-2').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('a sentence states ties and leads', async (t) => {
  const opened = await played(t, '05-topology-spread');
  const { page } = opened;
  const margin = page.locator('.margin');
  await lookAt(opened, 'default/api-4', 'scheduled');
  assert.match(await margin.innerText(), /^b-1 and b-2 share the highest total, 454\. The choice/);
  const scores = page.getByRole('region', { name: 'Scores' });
  assert.equal(await scores.getByText('1 (tie)').count(), 2);
  await lookAt(opened, 'default/web-4', 'scheduled');
  assert.match(
    await margin.innerText(),
    /leads .* by \d+: .*NodeResourcesFit \+\d+.* (decides|gives most)/,
  );
  assert.deepEqual(opened.faults, []);
});

test('every attempt at a pod can be selected, and its event copied', async (t) => {
  const opened = await played(t, '07-preemption');
  const { page } = opened;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await lookAt(opened, 'default/critical-1', 'scheduled on');
  const event = page.locator('.event');
  assert.match(await event.innerText(), /Normal Scheduled/);
  await page.getByLabel('Attempt').selectOption({ index: 1 });
  await opened.untilQuiet();
  assert.match(await event.innerText(), /Warning FailedScheduling/);
  await event.getByRole('button', { name: 'Copy' }).click();
  await event.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^0\/2 nodes are available: 2 Insufficient cpu\./);
  const candidates = page.getByRole('region', { name: 'Candidates of preemption' });
  await candidates.getByText('fewest PDB violations: 1, best 0').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('each of many nodes can be reached', async (t) => {
  const opened = await played(t, '11-node-sampling');
  const { page } = opened;
  await lookAt(opened, 'default/api-1', 'scheduled');
  const matrix = page.getByRole('region', { name: 'Nodes by plugins' });
  const rows = matrix.locator('tbody tr');
  assert.equal(await rows.count(), 20);
  for (const count of [40, 60, 80, 100, 120]) {
    await page.getByRole('button', { name: /^Show .* nodes of Filter$/ }).click();
    await rows.nth(count - 1).waitFor();
    assert.equal(await rows.count(), count);
  }
  assert.match(await rows.last().innerText(), /not reached/);
  const scores = page.getByRole('region', { name: 'Scores' }).locator('tbody tr');
  const search = page.getByLabel('Why not');
  await search.fill('xlarge');
  for (const one of [rows, scores]) {
    await one.nth(1).waitFor({ state: 'detached' });
    assert.equal(await one.locator('th').innerText(), 'xlarge-1');
  }
  assert.equal(await page.locator('.answer').innerText(), '');
  await search.fill('small-60');
  const answer = /^small-60 fits, but xlarge-1 scores/;
  assert.match(await page.locator('.answer').innerText(), answer);
  await search.fill('');
  assert.match(await page.locator('.answer').innerText(), answer, 'it is selected');
  assert.ok((await rows.count()) > 1);
  await rows.first().click();
  assert.equal(await page.locator('.answer').innerText(), 'xlarge-1 was chosen.');
  await search.fill('nowhere');
  assert.equal(await page.locator('.answer').innerText(), 'There is no node nowhere.');
  assert.deepEqual(opened.faults, []);
});

test('a refused claim has the devices that each rule leaves, a node those it has', async (t) => {
  const opened = await played(t, '15-devices');
  const { page } = opened;
  await lookAt(opened, 'default/notebook-2', '0/2 nodes');
  const table = page.getByRole('region', { name: 'Devices that each rule leaves' });
  await table.waitFor();
  const texts = async () =>
    Promise.all(
      (await table.locator('tr').all()).map(async (row) =>
        (await row.locator('th, td').allInnerTexts()).join(' | '),
      ),
    );
  const [head, ...rows] = await texts();
  assert.equal(head, 'Node | Request | Asked | Devices | Class | In use | Taint | Most refused by');
  assert.equal(
    rows[0],
    'gpu-1 | gpu | 1 | 3 | 2 | 1 | 0 | taint: gpu.example.com/unhealthy=memory:NoSchedule',
  );
  assert.match(rows[1], /^gpu-2 \| gpu \| 1 \| 3 \| 0 \| 0 \| 0 \| class: device.driver == /);
  await page
    .getByText(/^No node can serve request gpu of claim .* of 6 devices on 2 nodes/)
    .waitFor();
  await table.locator('tr').nth(1).click();
  await page
    .getByText(/^gpu-1: request gpu .* 1 is in use by default\/notebook, 1 has the taint /)
    .waitFor();
  const node = page.getByRole('group', { name: 'Node gpu-1' });
  await node.getByText('Devices: 3').click();
  const devices = await node.getByRole('list', { name: 'Devices' }).locator('li').allInnerTexts();
  assert.match(devices[0], /^gpu\.example\.com\/gpu-1\/whole not allocated\n/);
  assert.match(
    devices[1],
    /\/half-0 allocated to default\/notebook \(claim default\/notebook-half-/,
  );
  assert.equal(devices.length, 3);
  assert.deepEqual(opened.faults, []);
});
