// Goal: a text that is pasted anywhere opens like a dropped file; a broken one loses nothing.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { dumpedDeployment, dumpedNode, dumpedPod, list } from '../worker/dumps.js';
import { assertAccessible } from './axe.js';
import { markedLine, pasteAt, writeCode, writtenCode } from './code_field.js';
import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

const CONFIGURATION =
  'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

/** The page has no type for it. */
const INGRESS = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'default', uid: 'ingress' },
  spec: { ingressClassName: 'nginx', rules: [{ host: 'a.example' }] },
};

const DUMP = JSON.stringify(
  list(
    ...[dumpedNode('a'), dumpedNode('b'), dumpedDeployment(3), INGRESS],
    ...[dumpedPod('web-1', 'a'), dumpedPod('web-2', '')],
  ),
);

const BROKEN = 'apiVersion: v1\nkind: Node\nmetadata: { name: a }\n---\nkind: [\n';
const MENDED = BROKEN.replace('kind: [', 'apiVersion: v1\nkind: Node\nmetadata: { name: b }');

/** @param {import('node:test').TestContext} t */
async function lesson(t) {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  return opened;
}

/** The state after all decisions about a dump. @param {OpenedPage} opened */
async function outcome(opened) {
  await opened.page.getByText('2 nodes, 2 pods, 2 other objects.').waitFor();
  await opened.playToEnd();
  const cluster = await opened.page.getByRole('group', { name: /^\d+ nodes, / }).first();
  return [await opened.hash(), await cluster.getAttribute('aria-label')];
}

/** @param {OpenedPage} opened @param {{ text?: string, files?: [string, string][] }} pasted */
const paste = ({ page }, pasted) => pasteAt(page.locator('body'), pasted);

test('pasting a dump leads to the same state as dropping it', async (t) => {
  const dropped = await lesson(t);
  const dataTransfer = await dropped.page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'cluster.json'));
    return data;
  }, DUMP);
  await dropped.page.dispatchEvent('body', 'drop', { dataTransfer });
  const wanted = await outcome(dropped);

  const pasted = await lesson(t);
  await pasted.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await pasted.page.evaluate((text) => navigator.clipboard.writeText(text), DUMP);
  // A user who has just chosen a lesson has no text field focused.
  await pasted.page.getByLabel('Lesson or cluster').focus();
  await pasted.page.keyboard.press('ControlOrMeta+v');
  await pasted.page.getByRole('heading', { name: 'pasted text' }).waitFor();
  assert.deepEqual(await outcome(pasted), wanted);

  const files = await lesson(t);
  await paste(files, { files: [['nodes.json', DUMP]], text: 'nodes.json' });
  await files.page.getByRole('heading', { name: 'nodes.json' }).waitFor();
  assert.deepEqual(await outcome(files), wanted);
  assert.deepEqual(
    [dropped, pasted, files].flatMap(({ faults }) => faults),
    [],
  );
});

test('scenarios and configurations can be pasted; text fields take them as text', async (t) => {
  const opened = await lesson(t);
  const { page } = opened;
  await pasteAt(page.getByLabel('Search', { exact: true }), { text: CONFIGURATION });
  await paste(opened, { text: 'apiVersion: stowage/v1\nkind: Scenario\ntitle: Pasted\n' });
  await page.getByRole('heading', { name: 'Pasted' }).waitFor();
  const configurations = page.locator('.timeline').getByText('another configuration');
  assert.equal(await configurations.count(), 0);
  await paste(opened, { text: CONFIGURATION });
  await configurations.waitFor();
  assert.deepEqual(opened.faults, []);
});

test('pasting broken YAML shows the error at its line, and loses nothing', async (t) => {
  const opened = await lesson(t);
  const { page } = opened;
  const before = [await opened.hash(), await page.locator('.timeline').innerText()];
  await paste(opened, { text: BROKEN });
  const dialog = page.getByRole('dialog', { name: 'Open a text' });
  await dialog.locator('.cm-content').waitFor();
  assert.match(await dialog.getByRole('alert').innerText(), /^document 2, line 6, column 1: /);
  assert.equal(await markedLine(page), 6);
  assert.equal(await writtenCode(page), BROKEN);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await opened.button('Paste…').click();
  assert.equal(await writtenCode(page), BROKEN);
  assert.deepEqual([await opened.hash(), await page.locator('.timeline').innerText()], before);
  await writeCode(page, MENDED);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('group', { name: '2 nodes, 0 pods' }).waitFor();
  assert.equal(await dialog.isVisible(), false);
  assert.deepEqual(opened.faults, []);
});

test('text typed by hand is checked and can be searched', async (t) => {
  const opened = await lesson(t);
  const { page } = opened;
  await opened.button('Paste…').press('Enter');
  await page.locator('.cm-content').waitFor();
  await page.keyboard.type(`${CONFIGURATION}parallelism: 0`);
  const problem = page.getByRole('list', { name: 'Problems' }).getByRole('button');
  assert.match(await problem.innerText(), /^Line 3, column 14: parallelism: Invalid value: 0/);
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('kind');
  await page.locator('.cm-searchMatch').waitFor();
  // Escape closes the search, not the dialog.
  await page.keyboard.press('Escape');
  await page.locator('.cm-search').waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+Enter');
  const alert = page.getByRole('dialog').getByRole('alert');
  assert.match(await alert.innerText(), /^line 3, column 14: parallelism: Invalid value: 0/);
  assert.deepEqual(opened.faults, []);
});

test('the editor opens objects as a cluster', async (t) => {
  const opened = await lesson(t);
  const { page } = opened;
  await page.getByRole('tab', { name: 'Edit' }).click();
  await page.locator('.cm-content').waitFor();
  await writeCode(page, BROKEN);
  await opened.button('Open as a cluster').click();
  await page.getByText('Nothing was opened.').waitFor();
  assert.equal(await markedLine(page), 6);
  await writeCode(page, DUMP);
  await opened.button('Open as a cluster').click();
  await page.getByRole('heading', { name: 'pasted text' }).waitFor();
  await page.getByRole('group', { name: '2 nodes, 3 pods' }).waitFor();
  assert.deepEqual(opened.faults, []);
});

test('the paste dialog is accessible in each layout and colour scheme', async (t) => {
  const opened = await lesson(t);
  const { page } = opened;
  await paste(opened, { text: BROKEN });
  await page.locator('.cm-content').press('ControlOrMeta+f');
  await page.locator('.cm-search').waitFor();
  await assertAccessible(page);
});
