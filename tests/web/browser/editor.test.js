// Goal: the editor shows errors at their lines, applies nothing before they are corrected, and
// never loses what the user typed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { assertAccessible } from './axe.js';
import { markedLine, untilCode, writeCode, writtenCode } from './code_field.js';
import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: written
spec:
  nodeName
  containers:
    - name: main
      image: main
`;
const MENDED = POD.replace('  nodeName\n', '');

/**
 * A lesson with the editor open.
 * @param {import('node:test').TestContext} t
 * @param {string} [kind] the text to edit
 */
async function openEditor(t, kind = 'objects') {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  await opened.page.getByRole('tab', { name: 'Edit' }).click();
  await choose(opened, kind);
  return opened;
}

/** @param {OpenedPage} opened @param {string} kind */
async function choose({ page }, kind) {
  await page.getByRole('combobox', { name: 'Edit' }).selectOption(kind);
  await page.locator('.cm-content').waitFor();
}

/**
 * Chooses an object to edit.
 * @param {OpenedPage} opened
 * @param {string} kind
 * @param {string} name `namespace/name`, or a name alone
 * @returns {Promise<string>} its text
 */
async function chosenObject({ page }, kind, name) {
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: kind });
  await page.getByRole('combobox', { name: 'Name' }).selectOption(name);
  await untilCode(page, new RegExp(`^  name: ${name.split('/').at(-1)}$`, 'm'));
  return writtenCode(page);
}

/** @param {OpenedPage} opened */
async function lastLines({ page }) {
  return (await page.locator('.cm-line').allInnerTexts()).slice(-2);
}

/** The scheduler's decision about the lesson's first pod. @param {OpenedPage} opened */
async function firstDecision(opened) {
  await opened.button('Next').click();
  await opened.untilQuiet();
  await opened.button('Cycle').click();
  await opened.untilQuiet();
  const rows = opened.page.locator('.timeline li', { has: opened.page.locator('.Decision') });
  return /scheduled on .*/.exec((await rows.allInnerTexts()).join())?.[0];
}

test('a new line stands below the key before it, and deeper where a block begins', async (t) => {
  const { page } = await openEditor(t);
  await page.locator('.cm-content').press('ControlOrMeta+A');
  for (const line of ['env:', '- name: script', 'value: |', 'first', 'second'])
    await page.keyboard.type(`${line}\n`);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('other: {}');
  const lines = ['env:', '- name: script', '  value: |', '    first', '    second', '  other: {}'];
  assert.equal(await writtenCode(page), lines.join('\n'));
});

test('keys, values and comments have colours', async (t) => {
  const { page } = await openEditor(t);
  await writeCode(page, 'text: "a" # why\ncount: 12\n');
  const parts = page.locator('.cm-line span');
  await page.locator('.cm-line', { hasText: 'count' }).locator('span').first().waitFor();
  const colours = Object.fromEntries(
    await parts.evaluateAll((spans) =>
      spans.map((span) => [span.textContent?.trim(), getComputedStyle(span).color]),
    ),
  );
  assert.equal(colours.text, colours.count);
  const kinds = [colours.text, colours['"a"'], colours['# why'], colours['12']];
  assert.equal(new Set(kinds).size, kinds.length, JSON.stringify(colours));
});

test('pasting broken YAML shows the error at its line, and loses nothing', async (t) => {
  const opened = await openEditor(t);
  const { page } = opened;
  const before = [await opened.hash(), await page.locator('.timeline').innerText()];
  await writeCode(page, POD);
  const problem = page.getByRole('list', { name: 'Problems' }).getByRole('button');
  await problem.first().waitFor();
  assert.match(await problem.first().innerText(), /^Line 6, column 3: /);
  assert.equal(await markedLine(page), 6);
  await opened.button('Apply').click();
  await page.getByText('Nothing was applied.').waitFor();
  assert.equal(await writtenCode(page), POD);
  assert.deepEqual([await opened.hash(), await page.locator('.timeline').innerText()], before);

  await page.getByRole('tab', { name: 'Story' }).click();
  await page.getByRole('tab', { name: 'Edit' }).click();
  await choose(opened, 'configuration');
  await choose(opened, 'objects');
  assert.equal(await writtenCode(page), POD);

  await writeCode(page, MENDED);
  await page.locator('.cm-content').press('ControlOrMeta+Enter');
  await page.getByText('Applied.', { exact: true }).waitFor();
  await page.locator('.timeline').getByText('apply Pod written').waitFor();
  await choose(opened, 'object');
  const names = page.getByRole('combobox', { name: 'Name' });
  await names.locator('option', { hasText: 'default/written' }).waitFor({ state: 'attached' });
  assert.deepEqual(opened.faults, []);
});

test('fields and values complete at the cursor, and Tab leaves the text', async (t) => {
  const opened = await openEditor(t);
  const { page } = opened;
  await writeCode(page, `${MENDED}  tole`);
  await page.keyboard.press('Control+Space');
  const option = page.getByRole('option', { name: /^tolerations/ });
  await option.waitFor();
  assert.match(await option.innerText(), /\[\]Toleration/);
  await option.click();
  assert.deepEqual(await lastLines(opened), ['  tolerations:', '    - ']);
  await page.keyboard.type('effect: ');
  await page.getByRole('option', { name: 'NoExecute', exact: true }).click();
  assert.deepEqual(await lastLines(opened), ['  tolerations:', '    - effect: NoExecute']);
  await page.keyboard.press('Tab');
  assert.equal(await page.locator('.cm-content:focus').count(), 0);
  assert.deepEqual(opened.faults, []);
});

const CONFIGURATION =
  'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n';

test('an invalid configuration is refused at its line, and the old scheduler stays', async (t) => {
  const opened = await openEditor(t, 'configuration');
  const { page } = opened;
  await page.locator('.cm-line', { hasText: "kube-scheduler's defaults" }).waitFor();
  const plugins = '  - plugins:\n      filter:\n        enabled: [{ name: Best }]\n';
  await writeCode(page, CONFIGURATION + plugins);
  await opened.button('Apply').click();
  await page.getByText('Nothing was applied.').waitFor();
  const problem = page.getByRole('list', { name: 'Problems' }).getByRole('button');
  assert.match(
    await problem.innerText(),
    /^Line 6, column \d+: .*FilterPlugin "Best" does not exist$/,
  );
  assert.equal(await firstDecision(opened), 'scheduled on general-1');
  assert.deepEqual(opened.faults, []);
});

test('another configuration changes the decisions', async (t) => {
  const opened = await openEditor(t, 'configuration');
  const { page } = opened;
  await page.locator('.cm-line', { hasText: "kube-scheduler's defaults" }).waitFor();
  const plugins =
    '  - plugins:\n      multiPoint:\n        disabled: [{ name: TaintToleration }]\n';
  await writeCode(page, CONFIGURATION + plugins);
  await opened.button('Apply').click();
  await page.getByText('Applied.', { exact: true }).waitFor();
  await page.locator('.timeline').getByText('another configuration').waitFor();
  assert.equal(await firstDecision(opened), 'scheduled on spot-1');
  assert.deepEqual(opened.faults, []);
});

test('the selected object can be edited', async (t) => {
  const opened = await openEditor(t, 'object');
  const { page } = opened;
  const text = await chosenObject(opened, 'Node', 'gpu-1');
  await writeCode(page, text.replace(/^ {2}taints:\n( {4}.*\n)+/m, '  taints: []\n'));
  await opened.button('Apply').click();
  await page.getByText('Applied.', { exact: true }).waitFor();
  await page.locator('.timeline').getByText('change Node gpu-1').waitFor();
  assert.doesNotMatch(await writtenCode(page), /taints/);
  assert.deepEqual(opened.faults, []);
});

/** Runs in the page, as soon as it shows that the text was applied. @param {string} text */
function pasteWhenApplied(text) {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('.text-editor output')?.textContent !== 'Applied.') return;
      observer.disconnect();
      const content = /** @type {HTMLElement} */ (document.querySelector('.cm-content'));
      getSelection()?.selectAllChildren(content);
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const init = { clipboardData, bubbles: true, cancelable: true };
      content.dispatchEvent(new ClipboardEvent('paste', init));
      resolve(undefined);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

test('text typed while an edit is applied stays in the editor', async (t) => {
  const opened = await openEditor(t, 'object');
  const { page } = opened;
  const text = await chosenObject(opened, 'Node', 'gpu-1');
  const [first, second] = ['first', 'second'].map((value) =>
    text.replace('  name: gpu-1\n', `  name: gpu-1\n  annotations: { a: ${value} }\n`),
  );
  await writeCode(page, first);
  const isWritten = page.evaluate(pasteWhenApplied, second);
  await opened.button('Apply').click();
  await isWritten;
  await page.getByText('Not applied yet.').waitFor();
  await opened.untilQuiet();
  assert.equal(await writtenCode(page), second);
  await opened.button('Apply').click();
  await page.getByText('Applied.', { exact: true }).waitFor();
  await untilCode(page, /^ {4}a: second$/m);
  assert.deepEqual(opened.faults, []);
});

/** Runs in the page. @returns the text and the state of the button at the moment of the choice */
function chooseScenario() {
  const choice = /** @type {HTMLSelectElement} */ (document.querySelector('.what select'));
  choice.value = 'scenario';
  choice.dispatchEvent(new Event('change', { bubbles: true }));
  const content = /** @type {HTMLElement} */ (document.querySelector('.cm-content'));
  return { isEditable: content.isContentEditable, text: content.innerText.trim() };
}

test('a newly chosen text takes no input before it has been read', async (t) => {
  const opened = await openEditor(t);
  const { page } = opened;
  await writeCode(page, MENDED);
  assert.deepEqual(await page.evaluate(chooseScenario), { isEditable: false, text: '' });
  await untilCode(page, /^kind: Scenario$/m);
  assert.ok(await opened.button('Open').isEnabled());
  await choose(opened, 'objects');
  assert.equal(await writtenCode(page), MENDED);
  assert.deepEqual(opened.faults, []);
});

test('the cursor stays in place when an object is read again', async (t) => {
  const opened = await openEditor(t, 'object');
  const { page } = opened;
  const text = await chosenObject(opened, 'Node', 'gpu-1');
  await writeCode(page, text.replace('value: present', 'value: "another"'));
  await page.locator('.cm-line').getByText('name: gpu-1', { exact: true }).click();
  await page.keyboard.press('End');
  await opened.button('Apply').click();
  await page.locator('.cm-line').getByText('value: another', { exact: true }).waitFor();
  await page.locator('.cm-content').focus();
  await page.keyboard.type('-x');
  assert.match(await writtenCode(page), /^  name: gpu-1-x$/m);
  assert.deepEqual(opened.faults, []);
});

test('a button recreates a pod whose spec cannot be changed', async (t) => {
  const opened = await openEditor(t);
  const { page } = opened;
  await writeCode(page, MENDED);
  await opened.button('Apply').click();
  await page.getByText('Applied.', { exact: true }).waitFor();
  await choose(opened, 'object');
  const text = await chosenObject(opened, 'Pod', 'default/written');
  const selector = 'spec:\n  nodeSelector: { kubernetes.io/hostname: gpu-1 }\n';
  await writeCode(page, text.replace('spec:\n', selector));
  await opened.button('Apply').click();
  await page.getByText('Nothing was applied.').waitFor();
  await page
    .getByRole('list', { name: 'Problems' })
    .getByText(/spec: Forbidden/)
    .waitFor();
  await opened.button('Change and re-create').click();
  await page.getByText('Re-created.').waitFor();
  await untilCode(page, /^ {4}kubernetes.io\/hostname: gpu-1$/m);
  const uid = /** @param {string} written */ (written) => /uid: (.*)/.exec(written)?.[1];
  assert.notEqual(uid(await writtenCode(page)), uid(text), 'another pod');
  assert.equal(await opened.button('Change and re-create').count(), 0);
  assert.deepEqual(opened.faults, []);
});

test('a scenario with an error keeps what is open; after the correction it opens', async (t) => {
  const opened = await openEditor(t, 'scenario');
  const { page } = opened;
  await page.locator('.cm-line', { hasText: 'kind: Scenario' }).waitFor();
  const hash = await opened.hash();
  const text = 'apiVersion: stowage/v1\nkind: Scenario\ntitle: Mine\nsteps: [{ advance: soon }]\n';
  await writeCode(page, text);
  await opened.button('Open').click();
  await page.getByText('Nothing was applied.').waitFor();
  assert.match(
    await page.getByRole('list', { name: 'Problems' }).innerText(),
    /^Line 4, column \d+: .*must be a duration/,
  );
  assert.equal(await opened.hash(), hash);
  await page.getByRole('tab', { name: 'Story' }).click();
  assert.notEqual(await page.locator('.side h2').innerText(), 'Mine');
  await page.getByRole('tab', { name: 'Edit' }).click();
  assert.equal(await writtenCode(page), text);
  await writeCode(page, text.replace('soon', '10s'));
  await opened.button('Open').click();
  await page.getByText('Applied.', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Story' }).click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  assert.deepEqual(opened.faults, []);
});

test('the editor is accessible in each layout and colour scheme', async (t) => {
  const { page } = await openEditor(t, 'objects');
  await writeCode(page, `${POD}# a note\n`);
  await page.getByRole('list', { name: 'Problems' }).getByRole('button').waitFor();
  await assertAccessible(page);
});
