// Goal: the page shows the same cluster as kubectl: it follows a live cluster, explains decisions,
// and changes nothing without permission. Method: `stowage up` as a process, with its page in a
// browser; changes are made through the API, and by kubectl itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { finishedKubectl } from '../../../wasm/toolchain/kubectl.js';
import { WEB_FOLDER } from '../../../wasm/toolchain/web.js';
import { packedLink } from '../../../web/src/scenario/link.js';
import { openBrowser } from '../../runtimes/launchers/chromium.js';
import { assertAccessible, violationsOn } from './axe.js';
import { untilCode, writeCode, writtenCode } from './code_field.js';
import { OpenedPage } from './opened_page.js';

const COMMAND = fileURLToPath(new URL('../../../js/src/cli/stowage.js', import.meta.url));
const SIZE = { width: 1440, height: 900 };

const browser = await openBrowser();
after(() => browser.close());
const sandbox = await startProcess(process.execPath, [COMMAND, 'up', '--port', '0', '-q']);
after(() => sandbox.stop());
const url = sandbox.printed.trim();

/**
 * Starts a program and waits for its first line.
 * @param {string} program
 * @param {string[]} args
 */
async function startProcess(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  while (!printed.includes('\n')) await once(child.stdout, 'data');
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { printed, stop };
}

/** @param {import('node:test').TestContext} t @param {string} address */
async function open(t, address) {
  const opened = await OpenedPage.open(browser, address, SIZE);
  t.after(() => opened.close());
  return opened;
}

/** @param {string} path @param {object} [object] to create there */
async function api(path, object) {
  const init = { method: 'POST', body: JSON.stringify(object) };
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url + path, object && { ...init, headers });
  assert.ok(answer.ok, await answer.clone().text());
  return answer.json();
}

/** @param {string} name @param {string} cpu */
const pod = (name, cpu) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu } } }] },
});

const PODS = '/api/v1/namespaces/default/pods';

test('the page of stowage up follows its cluster without being asked', async (t) => {
  const { page, faults } = await open(t, `${url}/playground/`);
  await page.locator('.following').waitFor();
  await page.getByRole('group', { name: /^6 nodes, / }).waitFor();
  assert.equal(await page.getByText('Changes are allowed').count(), 1);
  assert.equal(await page.getByRole('toolbar', { name: 'Time' }).count(), 0);
  assert.equal(await page.locator('.queues').count(), 0);
  await api(PODS, pod('seen', '100m'));
  const rows = page.locator('.timeline li', { hasText: 'default/seen' });
  await rows.filter({ hasText: /bound to node-/ }).waitFor();
  await rows.filter({ hasText: /Scheduled: Successfully assigned default\/seen/ }).waitFor();
  assert.deepEqual(faults, []);
});

test('a waiting pod is explained, and disappears when there is room', async (t) => {
  const { page, faults } = await open(t, `${url}/playground/`);
  await api(PODS, pod('large', '100'));
  await page
    .locator('.pending')
    .getByRole('button', { name: /default\/large/ })
    .click();
  await page
    .getByText(/^0\/6 nodes are available: 6 Insufficient cpu/)
    .first()
    .waitFor();
  await fetch(`${url}${PODS}/large`, { method: 'DELETE' });
  await page.getByText('default/large is not there any more.').waitFor();
  assert.deepEqual(faults, []);
});

test('rows of the timeline do not overlap', async (t) => {
  const { page, faults } = await open(t, `${url}/playground/`);
  await page.locator('.following').waitFor();
  for (const name of ['row-1', 'row-2']) await api(PODS, pod(name, '100m'));
  await page.locator('.timeline li', { hasText: 'Scheduled: Success' }).nth(1).waitFor();
  const boxes = await page.locator('.timeline li').evaluateAll((rows) =>
    rows.map((row) => {
      const { top, bottom, height } = row.getBoundingClientRect();
      return { top, bottom, height };
    }),
  );
  assert.ok(boxes.length >= 4);
  boxes.forEach(({ top, height }, at) => {
    assert.ok(height > 10, `row ${at} is seen`);
    if (at > 0) assert.ok(top >= boxes[at - 1].bottom - 1, `row ${at} is below the one before`);
  });
  assert.deepEqual(faults, []);
});

test('an object is created, placed, chosen by kind and name, and edited', async (t) => {
  const opened = await open(t, `${url}/playground/`);
  const { page, faults } = opened;
  await page.locator('.following').waitFor();
  await page.getByRole('tab', { name: 'Edit' }).click();
  const what = page.getByRole('combobox', { name: 'Edit' });
  await page.locator('.cm-content').waitFor();
  assert.deepEqual(
    await what.locator('option').allInnerTexts(),
    ['Objects', 'An object of the cluster'],
    'what is of a scenario is not offered',
  );
  await writeCode(page, JSON.stringify({ ...pod('made', '100m'), spec: { containers: 'x' } }));
  await opened.button('Apply').click();
  await page.getByText('Nothing was applied.').waitFor();
  await writeCode(page, JSON.stringify(pod('made', '100m')));
  await opened.button('Apply').click();
  await page.getByText('Applied.').waitFor();
  await page
    .locator('.timeline li', { hasText: 'default/made' })
    .filter({ hasText: /bound to node-/ })
    .waitFor();
  await what.selectOption('object');
  const kind = page.getByRole('combobox', { name: 'Kind' });
  await kind.locator('option', { hasText: /^Pod$/ }).waitFor({ state: 'attached' });
  await kind.selectOption({ label: 'Pod' });
  await page.getByRole('combobox', { name: 'Name' }).selectOption('default/made');
  await page.locator('.cm-content').getByText('name: made').waitFor();
  const text = await writtenCode(page);
  assert.match(text, /^apiVersion: v1\nkind: Pod\n/);
  await writeCode(page, text.replace('  name: made\n', '  name: made\n  annotations: { a: b }\n'));
  await opened.button('Apply').click();
  await page.getByText('Applied.').waitFor();
  assert.deepEqual((await api(`${PODS}/made`)).metadata.annotations, { a: 'b' });
  await untilCode(page, /^ {4}a: b$/m);
  await writeCode(page, (await writtenCode(page)).replace('image: x', "image: ''"));
  await opened.button('Apply').click();
  await page.getByText('Not all of it was applied.').waitFor();
  await page.getByRole('alert').getByText(/image/).waitFor();
  assert.deepEqual(faults, []);
});

test('the user returns to the open lesson, and to the cluster again', async (t) => {
  const opened = await open(t, `${url}/playground/`);
  const { page, faults } = opened;
  await page.locator('.following').waitFor();
  await opened.button('Disconnect').click();
  await page.getByRole('heading', { name: /door/ }).waitFor();
  await opened.playToEnd();
  const position = await page.locator('.position').innerText();
  assert.match(page.url(), /#lesson=01-taints$/);
  await opened.button('Connect…').click();
  const dialog = page.getByRole('dialog', { name: 'Connect to a live cluster' });
  await assert.doesNotReject(
    page.waitForFunction((own) => {
      const input = /** @type {any} */ (document.querySelector('dialog input'));
      return input.value === own;
    }, url),
  );
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.locator('.following').waitFor();
  assert.equal(await page.getByText('Read-only', { exact: true }).count(), 1);
  for (const key of ['n', 's', 'j', '[']) await page.keyboard.press(key);
  await opened.button('Disconnect').click();
  await page.locator('.position').waitFor();
  await opened.untilQuiet();
  assert.equal(await page.locator('.position').innerText(), position, 'keys are of what is played');
  assert.deepEqual(faults, []);
});

test('panels that need a scenario are disabled beside a live cluster, with a reason', async (t) => {
  const { page, faults } = await open(t, `${url}/playground/`);
  await page.locator('.following').waitFor();
  await page.getByText(/^Compare, Plugin and What if need a scenario/).waitFor();
  for (const name of ['Compare', 'Plugin', 'What if']) {
    const tab = page.getByRole('tab', { name, disabled: true });
    assert.match(String(await tab.getAttribute('title')), /need a scenario/);
    // Dispatches a click, which the keyboard causes too.
    await tab.dispatchEvent('click');
    await page.getByRole('tab', { name: 'Story', selected: true }).waitFor();
  }
  await page.getByRole('tab', { name: 'Story' }).press('ArrowLeft');
  await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
  await page.getByRole('tab', { name: 'Edit' }).press('ArrowRight');
  await page.getByRole('tab', { name: 'Story', selected: true }).waitFor();
  assert.deepEqual(faults, []);
});

test('time shortcuts do nothing beside a live cluster', async (t) => {
  const opened = await open(t, `${url}/playground/`);
  const { page, faults } = opened;
  await page.locator('.following').waitFor();
  for (const key of ['n', 's', 'j', 'Space', '[', ']']) await page.keyboard.press(key);
  await opened.untilQuiet();
  assert.equal(await page.getByRole('alert').count(), 0);
  await opened.button('Disconnect').click();
  await page.getByText('Step 1 of 1').waitFor();
  assert.deepEqual(faults, []);
});

test('an invalid address is refused with a message, and the page continues', async (t) => {
  const opened = await open(t, `${url}/playground/#cluster=%`);
  await opened.page
    .getByRole('alert')
    .getByText(/must be an http or https URL/)
    .waitFor();
  await opened.page.getByRole('heading', { name: /door/ }).waitFor();
  assert.ok(await opened.button('Next').isEnabled());
  assert.deepEqual(opened.faults, []);
});

test('no plugin runs where it could read the API', async (t) => {
  const source = `const { items } = (await import('/api/v1/secrets', { with: { type: 'json' } }))
  .default; export default { name: 'Brought', filter() {} };`;
  const scenario = JSON.stringify({
    ...{ apiVersion: 'stowage/v1', kind: 'Scenario', title: 'With a plugin' },
    plugins: [{ source }],
  });
  const moves = [/** @type {const} */ ('next')];
  const link = await packedLink({ scenario, moves, position: 1, hash: '', look: {} });
  const opened = await open(t, `${url}/playground/#share=${link}`);
  const { page, faults } = opened;
  await page
    .getByText(/JavaScript, which is left out: plugins do not run here, because the address/)
    .waitFor();
  assert.equal(await opened.button('Run it').count(), 0);
  await page.getByRole('tab', { name: 'Plugin' }).click();
  await page
    .locator('.plugin-panel')
    .getByText(/^Plugins do not run here, because the address/)
    .waitFor();
  assert.equal(await page.getByLabel('Sample').count(), 0);
  assert.deepEqual(await violationsOn(page), []);
  assert.deepEqual(faults, []);
});

test('the dialog shows the error of an address without a cluster, and stays open', async (t) => {
  const silent = createServer((_, response) => response.end('{}'));
  t.after(() => silent.close());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (silent.address());
  const opened = await open(t, `${url}/playground/#lesson=01-taints`);
  const { page } = opened;
  // Types before the page knows whether its own server serves a cluster.
  let answer = () => {};
  const held = new Promise((resolve) => void (answer = () => resolve(undefined)));
  await page.route(`${url}/version`, (route) => held.then(() => route.continue()));
  await opened.button('Connect…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address of its API').fill(`http://127.0.0.1:${port}`);
  const answered = page.waitForResponse(`${url}/version`);
  answer();
  await answered;
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByText(/the browser blocks the answer for a page of another address/).waitFor();
  await dialog.getByLabel('Address of its API').fill(`${url}/playground`);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.ok(await opened.button('Next').isEnabled(), 'the lesson goes on');
});

test('the live view is accessible in each layout and colour scheme', async (t) => {
  const opened = await open(t, `${url}/playground/`);
  const { page } = opened;
  await page.locator('.following').waitFor();
  await page.locator('.timeline li').first().waitFor();
  await assertAccessible(page);
  await opened.button('Connect…').click();
  await page.getByText('Its scheduler’s configuration').click();
  await assertAccessible(page);
});

const kubectl = finishedKubectl();

test(
  'kubectl proxy serves the page beside the API of the same cluster',
  { skip: !kubectl },
  async (t) => {
    const args = ['--server', url, 'proxy', '--port=0', `--www=${WEB_FOLDER}/`];
    const proxy = await startProcess(String(kubectl?.program), [
      ...args,
      '--www-prefix=/playground/',
    ]);
    t.after(() => proxy.stop());
    const [authority] = /127\.0\.0\.1:\d+/.exec(proxy.printed) ?? [''];
    const { page, faults } = await open(t, `http://${authority}/playground/#cluster=`);
    await page.locator('.following').waitFor();
    await page.getByRole('group', { name: /^6 nodes, / }).waitFor();
    await api(PODS, pod('proxied', '100m'));
    await page
      .locator('.timeline li', { hasText: 'default/proxied' })
      .filter({ hasText: /bound to node-/ })
      .waitFor();
    assert.deepEqual(faults, []);
  },
);
