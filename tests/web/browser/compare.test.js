// Goal: two configurations and their differences are shown side by side.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';

import { recordingOf } from '../played_lesson.js';
import { assertAccessible, violationsOn } from './axe.js';
import { markedLine, writeCode, writtenCode } from './code_field.js';
import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

/**
 * Lesson 6 beside a configuration that packs, with its first pods placed in both worlds.
 * @param {import('node:test').TestContext} t
 */
async function compared(t) {
  const opened = await playground.open('#lesson=06-bin-packing');
  t.after(() => opened.close());
  const { page } = opened;
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'B', exact: true }).selectOption('packing-alone');
  await opened.button('Compare').click();
  await opened.button('Stop comparing').waitFor();
  await opened.untilQuiet();
  await playAll(opened);
  return opened;
}

/** @param {OpenedPage} opened */
async function playAll(opened) {
  await opened.button('Next').click();
  await opened.untilQuiet();
  await opened.decideAll();
}

/** @param {OpenedPage} opened */
async function figures({ page }) {
  const rows = await page.getByRole('region', { name: 'Key figures' }).locator('tr').all();
  const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
  return Object.fromEntries(cells.map(([name, ...values]) => [name, values]));
}

test('the comparison lists differences with reasons, and shows both decisions', async (t) => {
  const opened = await compared(t);
  const { page } = opened;
  const { 'Nodes used': used, 'cpu on used nodes': cpu } = await figures(opened);
  assert.deepEqual(
    [used, cpu],
    [
      ['4', '1'],
      ['12.5%', '50.0%'],
    ],
  );
  assert.equal(await page.locator('.differ').innerText(), '3 of 4 pods differ');
  assert.equal(await page.locator('.stage canvas').count(), 2);
  const table = page.getByRole('region', { name: 'Pods that differ' });
  await table.getByRole('button').last().click();
  await opened.untilQuiet();
  const why = /PodTopologySpread on worker-1 160 → 0; worker-1 leads worker-\d by 25/;
  assert.match(await table.locator('.why').innerText(), why);
  const sides = page.locator('.decision-side');
  assert.match(await sides.nth(0).innerText(), /This attempt: node worker-[2-4]/);
  assert.match(await sides.nth(1).innerText(), /This attempt: node worker-1/);
  const score = { name: /^NodeResourcesFit on worker-1/ };
  await sides.nth(1).getByRole('button', score).click();
  // A's configuration would give 75, B's favours full nodes.
  await page.getByRole('region', { name: 'Formula in B' }).getByText('Weighted 37').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('both worlds go back and forward, and the comparison ends', async (t) => {
  const opened = await compared(t);
  const { page } = opened;
  const position = page.getByLabel(/^Step \d+ of \d+$/);
  await position.fill('3');
  await opened.untilQuiet();
  const back = await figures(opened);
  assert.deepEqual(
    [back['Pods placed'], back['Pods pending']],
    [
      ['1', '1'],
      ['3', '3'],
    ],
  );
  await position.fill('6');
  await opened.untilQuiet();
  assert.deepEqual((await figures(opened))['Nodes used'], ['4', '1']);
  await opened.button('Stop comparing').click();
  await opened.untilQuiet();
  assert.equal(await page.locator('.stage canvas').count(), 1);
  await opened.playToEnd();
  const { hash } = JSON.parse(readFileSync(recordingOf('06-bin-packing'), 'utf8'));
  assert.equal(await opened.hash(), hash);
  assert.deepEqual(opened.faults, []);
});

test('a refused configuration shows its error with the line', async (t) => {
  const opened = await playground.open('#lesson=06-bin-packing');
  t.after(() => opened.close());
  const { page } = opened;
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('.cm-content').waitFor();
  const text = await writtenCode(page);
  await writeCode(page, `${text}parallelism: 0\n`);
  const place = /^line 7, column 14: parallelism: Invalid value: 0/i;
  const problem = page.getByRole('list', { name: 'Problems' }).getByRole('button');
  assert.match(await problem.innerText(), place);
  assert.equal(await markedLine(page), 7);
  await opened.button('Compare').click();
  assert.match(await page.locator('.side [role="alert"]').innerText(), place);
  assert.equal(await page.locator('.stage canvas').count(), 1);
  await writeCode(page, `${text}perc`);
  await page.keyboard.press('Control+Space');
  await page.getByRole('option', { name: /^percentageOfNodesToScore.*int32/ }).waitFor();
  await writeCode(page, '');
  await opened.button('Compare').click();
  await opened.button('Stop comparing').waitFor();
  assert.match(await page.locator('.side').innerText(), /B: your configuration/);
  assert.deepEqual(opened.faults, []);
});

test('A takes another configuration, and B has its own feature gates', async (t) => {
  const opened = await playground.open('#lesson=06-bin-packing');
  t.after(() => opened.close());
  const { page } = opened;
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'A', exact: true }).selectOption('packing-alone');
  await page.getByRole('combobox', { name: 'B', exact: true }).selectOption('defaults');
  await page.setViewportSize({ width: 360, height: 900 });
  await page.locator('.cm-content').nth(1).waitFor();
  assert.deepEqual(await violationsOn(page), []);
  await page.setViewportSize({ width: 1440, height: 900 });
  const gates = page.getByLabel('Feature gates of B');
  await gates.fill('OpportunisticBatching');
  await opened.button('Compare').click();
  await page
    .locator('.side [role="alert"]')
    .getByText(/“OpportunisticBatching” is not a feature gate/)
    .waitFor();
  await gates.fill('NoSuchGate=true');
  await opened.button('Compare').click();
  await page
    .locator('.side [role="alert"]')
    .getByText(/NoSuchGate/)
    .waitFor();
  await gates.fill('OpportunisticBatching=false');
  await opened.button('Compare').click();
  await opened.button('Stop comparing').waitFor();
  await playAll(opened);
  assert.deepEqual((await figures(opened))['Nodes used'], ['1', '4']);
  await page.getByText('A: MostAllocated without default spreading').first().waitFor();
  assert.deepEqual(opened.faults, []);
});

test('a pod that is missing in the other world is reported as missing', async (t) => {
  const opened = await playground.open('#lesson=12-two-profiles');
  t.after(() => opened.close());
  const { page } = opened;
  await page.getByRole('tab', { name: 'Compare' }).click();
  await opened.button('Compare').click();
  await opened.button('Stop comparing').waitFor();
  await opened.playToEnd();
  await page.locator('.differences').getByRole('button', { name: 'default/job-1' }).click();
  await opened.untilQuiet();
  const reason = /spec\.schedulerName: no profile has the name "packer"/;
  assert.match(await page.locator('.why').innerText(), reason);
  assert.match(await page.locator('.decision-side').nth(1).innerText(), reason);
  assert.deepEqual(opened.faults, []);
});

test('the comparison is accessible in each layout and colour scheme', async (t) => {
  const opened = await compared(t);
  const { page } = opened;
  await page.locator('.differences button').first().click();
  await opened.untilQuiet();
  await page.locator('.decision-side').nth(1).waitFor();
  await assertAccessible(page);
});

test('two releases are compared, and the header chooses the one that decides', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  const release = page.getByRole('combobox', { name: 'Release of kube-scheduler' });
  assert.equal(await release.inputValue(), 'v1.36');
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'B', exact: true }).selectOption('in-force');
  await page.getByRole('combobox', { name: 'Release of B' }).selectOption('v1.33');
  await opened.button('Compare').click();
  await opened.button('Stop comparing').waitFor();
  await playAll(opened);
  const sides = page.locator('.side').getByText('the current configuration, v1.3');
  assert.match(await sides.first().innerText(), /A: .*, v1\.36\nB: .*, v1\.33/);
  await opened.button('Stop comparing').click();
  await opened.untilQuiet();
  await release.selectOption('v1.33');
  await page.locator('.timeline').getByText('another configuration, as v1.33').waitFor();
  await opened.untilQuiet();
  await opened.decideAll();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.locator('#share').getByText('It takes').waitFor();
  const again = await playground.open(new URL(page.url()).hash);
  t.after(() => again.close());
  const shared = again.page.getByRole('combobox', { name: 'Release of kube-scheduler' });
  assert.equal(await shared.inputValue(), 'v1.33');
  assert.deepEqual([...opened.faults, ...again.faults], []);
});

test('a release that is refused is not shown as the one that decides', async (t) => {
  const opened = await playground.open('#lesson=17-gangs');
  t.after(() => opened.close());
  const { page } = opened;
  const release = page.getByRole('combobox', { name: 'Release of kube-scheduler' });
  for (const refused of ['v1.33', 'v1.34']) {
    await release.selectOption(refused);
    await page.getByText('unrecognized feature gate: GangScheduling').waitFor();
    await opened.untilQuiet();
    assert.equal(await release.inputValue(), 'v1.36');
    await page.locator('.stage .fault').getByRole('button', { name: 'Close' }).click();
  }
});
