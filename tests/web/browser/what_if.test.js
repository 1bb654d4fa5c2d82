// Goal: changes and failures are tried beside the present cluster, and fixes are made, by mouse and
// keyboard. Nothing freezes: a sweep shows its progress and can be cancelled.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

/**
 * The panel with a cluster whose pods have nodes.
 * @param {import('node:test').TestContext} t
 */
async function withPanel(t) {
  const opened = await playground.open('#lesson=three-zones');
  t.after(() => opened.close());
  await opened.playToEnd();
  await opened.page.getByRole('tab', { name: 'What if' }).click();
  await opened.page.getByRole('radio', { name: 'Changes' }).waitFor();
  return opened;
}

/** @param {OpenedPage} opened */
function panelOf({ page }) {
  return page.getByRole('tabpanel', { name: 'What if' });
}

test('a future stands beside the present, and is made when the user wants it', async (t) => {
  const opened = await withPanel(t);
  const { page } = opened;
  const panel = panelOf(opened);
  const position = await page.locator('.position').innerText();
  await panel.getByRole('combobox', { name: 'Zone' }).selectOption('zone-a');
  await panel.getByRole('button', { name: 'Fail zone' }).click();
  const affected = panel.getByRole('region', { name: 'Pods that are affected' });
  await panel.getByText(/2 pods lose their nodes and wait, 7 pods move, \d+ pods end\./).waitFor();
  await affected
    .getByText(/nodes are available: .*Insufficient cpu/)
    .first()
    .waitFor();
  const then = page.getByRole('region', { name: 'The future' });
  await then.getByText('Pending: 2').waitFor();
  await page.getByRole('region', { name: 'The present' }).getByText('Pending: 0').waitFor();
  await page.getByRole('list', { name: 'Colours' }).getByText('gets pods').waitFor();
  await panel.getByRole('button', { name: 'Do not: Zone zone-a fails' }).click();
  await then.waitFor({ state: 'detached' });
  await panel.getByRole('combobox', { name: 'Node' }).fill('nothing');
  await panel.getByText('There is no such node.').waitFor();
  assert.ok(await panel.getByRole('button', { name: 'Drain' }).isDisabled());
  await panel.getByRole('combobox', { name: 'Node' }).fill('a-1');
  await panel.getByRole('button', { name: 'Drain' }).click();
  await panel.getByText(/^2 pods move\.$/).waitFor();
  assert.equal(await page.locator('.position').innerText(), position, 'nothing has happened');
  await panel.getByRole('button', { name: 'Make this change' }).click();
  await page.getByText(/evict default\/batch-.*, default\/cache-/).waitFor();
  await then.waitFor({ state: 'detached' });
  await page.getByRole('application').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Node a-1', exact: true }).getByText('cordoned').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('the keyboard alone chooses changes, and other panels hide the future', async (t) => {
  const opened = await withPanel(t);
  const { page } = opened;
  const panel = panelOf(opened);
  await page.getByRole('application').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  assert.equal(await panel.getByRole('combobox', { name: 'Node' }).inputValue(), 'a-1');
  await panel.getByRole('spinbutton', { name: 'How many nodes' }).fill('2');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await panel.getByText('2 more nodes like a-1').waitFor();
  const workload = panel.getByRole('combobox', { name: 'Workload' });
  await workload.selectOption({ label: 'default/web · Deployment' });
  await panel.getByRole('spinbutton', { name: 'Replicas' }).fill('12');
  await panel.getByRole('button', { name: 'Scale' }).press('Enter');
  await panel.getByText('5 pods get a node.').waitFor();
  const then = page.getByRole('region', { name: 'The future' });
  await then.getByRole('group', { name: '14 nodes, 45 pods' }).waitFor();
  await page.getByRole('tab', { name: 'What if' }).press('ArrowRight');
  await then.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Plugin' }).press('ArrowLeft');
  await then.getByRole('group', { name: '14 nodes, 45 pods' }).waitFor();
  await page.getByLabel('Lesson').selectOption('empty');
  await then.waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

test('the future follows the world', async (t) => {
  const opened = await withPanel(t);
  const { page } = opened;
  const panel = panelOf(opened);
  await panel.getByRole('button', { name: 'Fail zone' }).click();
  await panel.getByText(/^2 pods lose/).waitFor();
  await page.getByText('Workloads: 4').click();
  await page.getByLabel('Replicas of batch').fill('4');
  await page.keyboard.press('Enter');
  await panel.getByText(/^\d+ pods move, \d+ pods end\.$/).waitFor();
  await opened.button('Back a step').click();
  await panel.getByText(/^2 pods lose/).waitFor();
  assert.deepEqual(opened.faults, []);
});

test('the map of failures has a list, and each failure its future', async (t) => {
  const opened = await withPanel(t);
  const { page } = opened;
  const panel = panelOf(opened);
  await panel.getByRole('radio', { name: 'Failures' }).check();
  await panel.getByRole('button', { name: 'Fail each node' }).click();
  await panel.getByText('No nodes of 12 would leave pods pending.').waitFor();
  await panel.getByRole('button', { name: 'Fail each zone' }).click();
  await panel.getByText('3 zones of 3 would leave pods pending.').waitFor();
  const weakest = panel.getByRole('list', { name: 'Weakest zones' });
  assert.match(await weakest.locator('summary').first().innerText(), /^zone-c: 3 pods pending/);
  await page.getByRole('application').focus();
  await page.keyboard.press('Home');
  await page.getByText(/Node a-1, .*if lost 2 pods pending/).waitFor({ state: 'attached' });
  await weakest.locator('summary').first().press('Enter');
  await weakest.getByText('3 of priority -100').waitFor();
  await weakest.getByRole('button', { name: 'Show this future' }).click();
  await panel.getByText(/^3 pods lose their nodes and wait/).waitFor();
  assert.deepEqual(opened.faults, []);
});

test('a question works again after the network failed, and so does opening a lesson', async (t) => {
  const opened = await withPanel(t);
  const { page } = opened;
  const panel = panelOf(opened);
  let isDown = true;
  await page
    .context()
    .route(/questions|scheduling-gates/, (route) => (isDown ? route.abort() : route.continue()));
  await panel.getByRole('button', { name: 'Fail zone' }).click();
  await panel.getByText(/^Failed to fetch dynamically imported module/).waitFor();
  const choice = page.getByLabel('Lesson or cluster');
  await choice.selectOption('08-scheduling-gates');
  await page
    .locator('.stage')
    .getByText(/^Failed to fetch .*scheduling-gates/)
    .waitFor();
  assert.equal(await choice.inputValue(), 'three-zones');
  isDown = false;
  await panel.getByRole('button', { name: 'Clear' }).click();
  await panel.getByRole('button', { name: 'Fail zone' }).click();
  await panel.getByText(/^2 pods lose/).waitFor();
  await choice.selectOption('08-scheduling-gates');
  await page.getByRole('heading', { name: 'What if…' }).waitFor();
  await page.getByText('Step 1 of 1').waitFor();
  assert.equal(await choice.inputValue(), '08-scheduling-gates');
});

test('a sweep of thousands of nodes can be cancelled, and the page stays alive', async (t) => {
  const opened = await playground.open('#lesson=five-thousand-nodes');
  t.after(() => opened.close());
  const { page } = opened;
  // While pods wait, no failure can be proven harmless without a run.
  await opened.button('Add…').click();
  const form = page.getByRole('dialog', { name: 'Add' });
  await form.getByLabel('Pods').check();
  await form.getByLabel('cpu').fill('64');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'hidden' });
  await opened.untilQuiet();
  await page.getByRole('tab', { name: 'What if' }).click();
  const panel = panelOf(opened);
  await panel.getByRole('radio', { name: 'Failures' }).check();
  await panel.getByRole('button', { name: 'Fail each node' }).click();
  const progress = panel.getByRole('progressbar', { name: 'Tried nodes' });
  await progress.waitFor();
  await page.locator('.queues li button').first().click();
  await page.getByText('The next cycle would decide').waitFor();
  await progress.waitFor();
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByText(/^Cancelled after [\d,]+ of 5,000 nodes\. No nodes of/).waitFor();
  await progress.waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

test('a pod group says why it cannot start, and then that it runs', async (t) => {
  const opened = await playground.open('#lesson=17-gangs');
  t.after(() => opened.close());
  const { page } = opened;
  for (let step = 0; step < 3; step += 1) {
    await opened.button('Next').click();
    await opened.untilQuiet();
    await opened.decideAll();
  }
  await page.locator('.pending button').first().click();
  await opened.button('Pod group…').press('Enter');
  const panel = panelOf(opened);
  await panel.getByText('default/blue cannot start: 0 of 6 pods can run').waitFor();
  const why = panel.getByRole('list', { name: 'Why' });
  await why.getByText(/^the blocking pod is default\/blue-1/).waitFor();
  const members = panel.getByRole('region', { name: 'Members' });
  assert.equal(await members.getByRole('rowheader').count(), 6);
  await panel.getByRole('combobox', { name: 'Pod group' }).selectOption('default/red');
  await panel.getByText('default/red runs: all of its pods are on nodes.').waitFor();
  await panel.getByRole('combobox', { name: 'Pod group' }).selectOption('default/blue');
  await opened.playToEnd();
  await panel.getByText('default/blue runs: all of its pods are on nodes.').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('Fix… offers ways that were tried, and makes one', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  await opened.playToEnd();
  await page.locator('.pending').getByRole('button', { name: 'default/urgent' }).click();
  await opened.button('Fix…').press('Enter');
  const panel = panelOf(opened);
  await panel.getByText('3 ways were tried and work').waitFor();
  assert.equal(await panel.getByRole('combobox', { name: 'Pod' }).inputValue(), 'default/urgent');
  const lower = "Apply: Lower the pod's request for cpu from 10 to 4.";
  await panel.getByRole('button', { name: lower }).click();
  await panel.getByText('It fits: its node is general-2.').waitFor();
  await opened.decideAll();
  await page.getByText('Pending: 0').waitFor();
  await opened.button('Back a step').click();
  await opened.button('Back a step').click();
  await opened.button('Back a step').click();
  await panel.getByText('3 ways were tried and work').waitFor();
  assert.deepEqual(opened.faults, []);
});
