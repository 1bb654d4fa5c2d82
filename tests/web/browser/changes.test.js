// Goal: clicks and keys change a cluster, and files can be dropped into the page. Method: a dump is
// dropped, then every change is made to it, and undone by going back.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { dumpedDeployment, dumpedNode, dumpedPod, list } from '../worker/dumps.js';
import { openPlayground } from './opened_page.js';

/** @import { OpenedPage } from './opened_page.js' */

const playground = await openPlayground();
after(() => playground.stop());

const BUDGET = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
};

const single = dumpedPod('single', 'a');
single.metadata.labels = /** @type {any} */ ({});
single.metadata.ownerReferences = [];

const DUMP = list(
  ...[dumpedNode('a'), dumpedNode('b'), dumpedDeployment(2), BUDGET],
  ...[dumpedPod('web-1', 'a'), dumpedPod('web-2', 'b'), single],
  { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'shop' } },
);

/**
 * Drags files over the page and drops them.
 * @param {OpenedPage} opened
 * @param {[string, string][]} files name and text of each
 */
async function drop({ page }, files) {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const [name, text] of all) data.items.add(new File([text], name));
    return data;
  }, files);
  const about = { dataTransfer: transfer };
  await page.dispatchEvent('body', 'dragenter', about);
  await page.dispatchEvent('body', 'dragover', about);
  await page.locator('.drop-target').waitFor();
  await page.dispatchEvent('body', 'drop', about);
  await page.locator('.drop-target').waitFor({ state: 'detached' });
}

/** @param {import('node:test').TestContext} t */
async function withDump(t) {
  const opened = await playground.open();
  t.after(() => opened.close());
  await drop(opened, [['cluster.json', JSON.stringify(DUMP)]]);
  await opened.page.getByRole('heading', { name: 'cluster.json' }).waitFor();
  await opened.untilQuiet();
  return opened;
}

/** Uses the keyboard alone. @param {OpenedPage} opened @param {string} name of the first node */
async function selected(opened, name) {
  await opened.page.getByRole('application').focus();
  await opened.page.keyboard.press('Home');
  await opened.page.keyboard.press('Enter');
  const node = opened.page.getByRole('group', { name: `Node ${name}`, exact: true });
  await node.waitFor();
  return node;
}

test('a dropped dump keeps its state', async (t) => {
  const opened = await withDump(t);
  const { page } = opened;
  await page.getByText('2 nodes, 3 pods, 2 other objects.').waitFor();
  await page.getByText('Ignored, because they are not served here: 1').waitFor();
  assert.equal(await page.getByLabel('Lesson').inputValue(), 'cluster.json');
  await page.getByText('Workloads: 1').click();
  await page.getByText('Deployment shop/web').waitFor();
  await page.getByRole('group', { name: '2 nodes, 3 pods' }).waitFor();
  assert.deepEqual(opened.faults, []);
});

test('a node is cordoned, tainted, drained as far as its budget allows, and deleted', async (t) => {
  const opened = await withDump(t);
  const { page } = opened;
  const node = await selected(opened, 'a');
  await node.getByRole('button', { name: 'Cordon' }).click();
  await node.getByRole('button', { name: 'Uncordon' }).click();
  await node.getByRole('button', { name: 'Cordon' }).waitFor();
  await node.getByText('Taints: 0').click();
  await node.getByLabel('Key').fill('not a key');
  await node.getByRole('button', { name: 'Add taint' }).click();
  await page
    .getByRole('alert')
    .getByText(/Node "a" is invalid: .*taints/)
    .waitFor();
  await node.getByLabel('Key').fill('gpu');
  await node.getByLabel('Effect').selectOption('PreferNoSchedule');
  await node.getByRole('button', { name: 'Add taint' }).click();
  await node.getByText('gpu:PreferNoSchedule').waitFor();
  await node.getByRole('button', { name: 'Remove taint gpu:PreferNoSchedule' }).click();
  await node.getByText('gpu:PreferNoSchedule').waitFor({ state: 'detached' });
  await node.getByRole('button', { name: 'Drain' }).click();
  const refusal =
    /pod shop\/web-1: Cannot evict pod as it would violate the pod's disruption budget/;
  await page.getByRole('alert').getByText(refusal).waitFor();
  await node.getByText('cordoned').waitFor();
  await page.locator('.timeline').getByText('evict shop/single, shop/web-1').waitFor();
  await node.getByRole('button', { name: 'Delete node' }).click();
  await page.getByRole('group', { name: /^1 nodes, / }).waitFor();
  await page.getByLabel(/^Step \d+ of \d+$/).fill('1');
  await page.getByRole('group', { name: '2 nodes, 3 pods' }).waitFor();
  assert.deepEqual(opened.faults, []);
});

test('a Deployment is scaled, and a pod of it deleted, by keyboard', async (t) => {
  const opened = await withDump(t);
  const { page } = opened;
  await page.getByText('Workloads: 1').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Scale web up' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: '2 nodes, 4 pods' }).waitFor();
  await page.getByLabel('Replicas of web').fill('-1');
  await page.keyboard.press('Enter');
  await page
    .getByRole('alert')
    .getByText(/must be greater than or equal to 0/)
    .waitFor();
  await page.getByLabel('Replicas of web').fill('2');
  await page.keyboard.press('Enter');
  await page.getByText('2 of 2 ready').waitFor();
  const node = await selected(opened, 'a');
  await node.getByText(/^Pods: /).focus();
  await page.keyboard.press('Enter');
  await node.getByRole('button', { name: 'shop/single' }).press('Enter');
  const pod = page.getByRole('group', { name: 'Pod shop/single' });
  await pod.getByText(/Running · on a · priority 0 · requests nothing/).waitFor();
  await pod.getByRole('button', { name: 'Delete pod' }).press('Enter');
  await pod.getByText('Terminating').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('the form for nodes and pods keeps its values', async (t) => {
  const opened = await withDump(t);
  const { page } = opened;
  await opened.button('Add…').press('Enter');
  const form = page.getByRole('dialog', { name: 'Add' });
  await form.getByLabel('Names begin with').fill('Big');
  await form.getByLabel('How many', { exact: true }).fill('50');
  await form.getByLabel('cpu').fill('many');
  await form.getByText('quantities must match the regular expression').waitFor();
  await form.getByLabel('cpu').fill('16');
  await form.getByRole('button', { name: 'Add' }).click();
  await form
    .getByRole('alert')
    .getByText(/metadata.name: Invalid value: "Big-1"/)
    .waitFor();
  assert.equal(await form.getByLabel('How many', { exact: true }).inputValue(), '50');
  await form.getByLabel('Names begin with').fill('big');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: '52 nodes, 3 pods' }).waitFor();
  await opened.button('Add…').click();
  await form.getByLabel('Pods').check();
  await form.getByLabel('Priority').fill('7');
  await form.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('group', { name: '52 nodes, 6 pods' }).waitFor();
  await page.locator('.pending').getByRole('button', { name: 'default/new-2' }).click();
  const pod = page.getByRole('group', { name: 'Pod default/new-2' });
  await pod.getByText(/Pending · on no node · priority 7/).waitFor();
  await pod.getByRole('button', { name: 'Schedule next' }).click();
  await page.locator('.timeline .Decision.scheduled + button').first().waitFor();
  assert.equal(await page.locator('.timeline .Decision').count(), 1);
  await pod.getByText(/ · on /).waitFor();
  assert.deepEqual(opened.faults, []);
});

test('an invalid file shows its error with a position, and the open scenario stays', async (t) => {
  const opened = await withDump(t);
  const { page } = opened;
  await drop(opened, [['broken.yaml', 'kind: Node\n---\nkind: [\n']]);
  await page.getByRole('alert').getByText('broken.yaml, document 2, line 4').waitFor();
  await page.getByRole('group', { name: '2 nodes, 3 pods' }).waitFor();
  const configuration =
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
  await drop(opened, [['config.yaml', configuration]]);
  await page.locator('.timeline').getByText('another configuration').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    opened.button('Open file…').press('Enter'),
  ]);
  const buffer = Buffer.from(JSON.stringify(dumpedNode('c')));
  await chooser.setFiles([{ name: 'node.json', mimeType: 'application/json', buffer }]);
  await page.getByRole('heading', { name: 'node.json' }).waitFor();
  await page.getByRole('group', { name: '1 nodes, 0 pods' }).waitFor();
  assert.deepEqual(opened.faults, []);
});
