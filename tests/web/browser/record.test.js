// Goal: the page's text about a decision agrees with its record.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { writeCode } from './code_field.js';
import { openPlayground } from './opened_page.js';

/** @import { Locator } from 'playwright-core' */
/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

/** @param {string} name @param {object} [more] of its spec */
const job = (name, more = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '3' } } }], ...more },
});

/**
 * Creates objects in the panel Edit, and lets the scheduler decide everything.
 * @param {OpenedPage} opened
 * @param {object[]} items
 */
async function make(opened, items) {
  const { page } = opened;
  await page.getByRole('tab', { name: 'Edit' }).click();
  await page.locator('.cm-content').waitFor();
  await writeCode(page, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  await opened.button('Apply').click();
  await page.getByText('Applied.').waitFor();
  await opened.playToEnd();
}

/**
 * Selects the last attempt at the pod in the timeline.
 * @param {OpenedPage} opened
 * @param {string} pod
 */
async function lookAt(opened, pod) {
  await opened.page.getByLabel('Search the timeline').fill(`decision ${pod} `);
  const rows = opened.page.locator('.timeline li').filter({ hasText: 'Decision' });
  await rows.first().getByRole('button', { name: pod, exact: true }).click();
  await opened.untilQuiet();
}

/** The page's text about a decision, to compare with its record. @param {Locator} side */
async function told(side) {
  const option = side.locator('.attempts option:checked');
  const [, recorded = ''] = /scheduled on (\S+)/.exec(await option.innerText()) ?? [];
  const outcome = await side.locator('.outcome').innerText();
  return { recorded, outcome, event: await side.locator('.event .message').innerText() };
}

test('each attempt shows its own node, in both worlds', async (t) => {
  const opened = await playground.open('#lesson=three-zones');
  t.after(() => opened.close());
  const { page } = opened;
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'B', exact: true }).selectOption('packing-alone');
  await opened.button('Compare').click();
  await opened.button('Stop comparing').waitFor();
  const names = Array.from({ length: 8 }, (_, index) => `job-${index}`);
  await make(
    opened,
    names.map((name) => job(name)),
  );
  const sides = page.locator('.decision-side');
  /** @type {string[]} */
  const nodes = [];
  for (const name of names) {
    await lookAt(opened, `default/${name}`);
    for (const at of [0, 1]) {
      const { recorded, outcome, event } = await told(sides.nth(at));
      assert.ok(outcome.startsWith(`This attempt: node ${recorded};`), `${name}: ${outcome}`);
      assert.equal(event, `Successfully assigned default/${name} to ${recorded}`);
      nodes.push(recorded);
    }
  }
  assert.ok(
    names.some((_, at) => nodes[2 * at] !== nodes[2 * at + 1]),
    'B has its own nodes',
  );
  assert.ok((await page.locator('.remark').count()) > 0, 'the last one was proposed');
  assert.deepEqual(opened.faults, []);
});

test('a placed pod shows the attempt that placed it', async (t) => {
  const opened = await playground.open('#lesson=three-zones');
  t.after(() => opened.close());
  const { page } = opened;
  await make(opened, [job('job-0'), job('none', { nodeSelector: { no: 'where' } })]);
  await page.getByLabel('Search the timeline').fill('pod added');
  const added = page.locator('.timeline li').filter({ hasText: 'Pod added' });
  const choose = async (/** @type {string} */ pod) => {
    await added.filter({ hasText: pod }).getByRole('button', { name: pod, exact: true }).click();
    await opened.untilQuiet();
  };
  await choose('default/job-0');
  const { recorded, outcome, event } = await told(page.locator('.detail'));
  assert.ok(outcome.startsWith(`This attempt: node ${recorded};`), outcome);
  assert.equal(event, `Successfully assigned default/job-0 to ${recorded}`);
  await page.getByLabel('Attempt').selectOption({ label: 'now, if it were on no node' });
  await opened.untilQuiet();
  const now = await page.locator('.outcome').innerText();
  assert.ok(
    now.startsWith(`It is on node ${recorded}. If it were on no node, the next cycle would decide`),
    now,
  );
  assert.equal(await page.locator('.event').count(), 0, 'nothing of it has happened');
  await choose('default/none');
  assert.match(await page.locator('.outcome').innerText(), /^The next cycle would decide: no node/);
  assert.match(await page.locator('.event-head').innerText(), /^Message/);
  assert.deepEqual(opened.faults, []);
});

/**
 * Opens a scenario with one node from the editor.
 * @param {import('./opened_page.js').OpenedPage} opened
 * @param {string} text
 */
async function openScenario(opened, text) {
  const { page } = opened;
  await page.getByRole('tab', { name: 'Edit' }).click();
  await page.getByRole('combobox', { name: 'Edit' }).selectOption('scenario');
  await page.locator('.cm-content').waitFor();
  await writeCode(page, text);
  await opened.button('Open').click();
  await page.getByRole('group', { name: /^1 node/ }).waitFor();
}

const CROWD = `apiVersion: stowage/v1
kind: Scenario
title: Sixty pods, room for ten
kubelet: false
objects:
  - apiVersion: v1
    kind: Node
    metadata: { name: alone }
    status: { allocatable: { cpu: '80', memory: 80Gi, pods: '10' } }
steps:
  - note: They come.
    apply:
      repeat: 60
      object:
        apiVersion: v1
        kind: Pod
        metadata: { name: 'crowd-{n}' }
        spec: { containers: [{ name: c, image: x }] }
`;

test('counts of waiting pods and of decisions are up to date', async (t) => {
  const opened = await playground.open();
  t.after(() => opened.close());
  const { page } = opened;
  await openScenario(opened, CROWD);
  await opened.button('Next').click();
  const pending = page.locator('.pending');
  await pending.getByText('Pending: 60').waitFor();
  assert.match(await pending.locator('summary').innerText(), /60 pods/);
  await opened.button('Cycle').click();
  await pending.getByText('Pending: 59').waitFor();
  assert.match(await pending.locator('summary').innerText(), /59 pods/);
  await opened.playToEnd();
  await pending.getByText('Pending: 50').waitFor();
  assert.match(await pending.locator('summary').innerText(), /50 pods/);
  const detail = await page.locator('.detail').innerText();
  assert.doesNotMatch(detail, /There are no decisions yet|is not there any more/);
  assert.deepEqual(opened.faults, []);
});
