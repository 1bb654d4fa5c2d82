/** All views of the page, with the steps that lead to them, for tests that hold in every view. */
import { packedLink } from '../../../web/src/scenario/link.js';

/** @import { OpenedPage } from './opened_page.js' */

/** A scenario with JavaScript, so that the page asks for consent. */
const WITH_PLUGIN = JSON.stringify({
  apiVersion: 'stowage/v1',
  kind: 'Scenario',
  title: 'A plugin',
  plugins: [{ source: 'export default { name: "Mine", preFilter() {} };' }],
});

/**
 * Goes to a view, from the page as it is after a scenario was opened.
 * @typedef {{ hash: string, act: (opened: OpenedPage) => Promise<unknown> }} View `hash`: of the
 *   scenario
 */

/** @type {Record<string, View>} */
export const VIEWS = {
  'first screen': { hash: '#lesson=07-preemption', act: async () => {} },
  decision: { hash: '#lesson=05-topology-spread', act: lookAtScores },
  backoff: { hash: '#lesson=09-backoff', act: lookAtBackoff },
  preemption: { hash: '#lesson=07-preemption', act: lookAtPreemption },
  devices: { hash: '#lesson=15-devices', act: lookAtDevices },
  'node and pod selected': { hash: '#lesson=01-taints', act: selectBoth },
  edit: { hash: '#lesson=07-preemption', act: openEditor },
  compare: { hash: '#lesson=06-bin-packing', act: compare },
  plugin: { hash: '#lesson=01-taints', act: openPluginPanel },
  'what if': { hash: '#lesson=three-zones', act: lookAhead },
  failures: { hash: '#lesson=three-zones', act: failEach },
  fix: { hash: '#lesson=01-taints', act: fixPod },
  'pod group': { hash: '#lesson=17-gangs', act: lookAtGroup },
  '5,000 nodes': { hash: '#lesson=five-thousand-nodes', act: async () => {} },
};

/**
 * Shows a view in a page, from any state.
 * @param {OpenedPage} opened
 * @param {View} view
 */
export async function show(opened, { hash, act }) {
  const { page } = opened;
  const url = page.url().replace(/#.*$/s, '');
  // Changing the hash alone would not reload the page.
  await page.goto('about:blank');
  await page.goto(`${url}${hash}`);
  await page.locator('.side h2').waitFor();
  await opened.untilQuiet();
  await act(opened);
}

/** A pod with scores, with one formula in a tip and another below. @param {OpenedPage} opened */
async function lookAtScores(opened) {
  const { page } = opened;
  await opened.playToEnd();
  await decisionOn(opened, 'api-4', 'scheduled').click();
  await opened.untilQuiet();
  await page.getByLabel('All refusals').check();
  await page.getByRole('button', { name: /^NodeResourcesFit on b-1/ }).click();
  await page.getByRole('region', { name: 'Formula' }).getByText('Weighted').waitFor();
  await page.getByRole('button', { name: /^TaintToleration on b-2/ }).focus();
  await page.getByRole('tooltip').getByText('Weighted').waitFor();
}

/** Pods in each queue. @param {OpenedPage} opened */
async function lookAtBackoff(opened) {
  await opened.decideAll();
  await opened.button('Next').click();
  await opened.untilQuiet();
  await opened.page.locator('.queues li').first().waitFor();
}

/** @param {OpenedPage} opened */
async function lookAtPreemption(opened) {
  await opened.playToEnd();
  await decisionOn(opened, 'critical-1', '0/2 nodes').click();
  await opened.untilQuiet();
  await opened.page.getByRole('region', { name: 'Candidates of preemption' }).waitFor();
}

/** A claim that no node can serve, and a node with its devices open. @param {OpenedPage} opened */
async function lookAtDevices(opened) {
  const { page } = opened;
  await opened.playToEnd();
  await decisionOn(opened, 'notebook-2', '0/2 nodes').click();
  await opened.untilQuiet();
  await page.getByRole('region', { name: 'Devices that each rule leaves' }).waitFor();
  await page.getByRole('row', { name: /^gpu-1 gpu 1 3 / }).click();
  await page.getByText('Devices: 3').click();
}

/** A pod that fits nowhere, and a node with its taints open. @param {OpenedPage} opened */
async function selectBoth(opened) {
  const { page } = opened;
  await opened.playToEnd();
  await page.locator('.pending button').first().click();
  await page.getByRole('application').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByText('Taints: 1').click();
  await opened.untilQuiet();
}

/** @param {OpenedPage} opened */
async function openEditor({ page }) {
  await page.getByRole('tab', { name: 'Edit' }).click();
  await page.getByRole('combobox', { name: 'Edit' }).selectOption('object');
  await page.locator('.side .cm-line').nth(3).waitFor();
}

/** Another configuration, and a pod that it places elsewhere. @param {OpenedPage} opened */
async function compare(opened) {
  const { page } = opened;
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'B', exact: true }).selectOption('packing-alone');
  await opened.button('Compare').click();
  await opened.button('Stop comparing').waitFor();
  await opened.button('Next').click();
  await opened.untilQuiet();
  await opened.decideAll();
  await page.locator('.differences button').last().click();
  await opened.untilQuiet();
  await page.locator('.decision-side').nth(1).waitFor();
}

/** A zone fails, and the future is beside the present. @param {OpenedPage} opened */
async function lookAhead(opened) {
  const { page } = opened;
  await opened.playToEnd();
  await page.getByRole('tab', { name: 'What if' }).click();
  await opened.button('Fail zone').click();
  await page.getByRole('combobox', { name: 'Node' }).fill('b-2');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Drain' }).click();
  await page.getByRole('region', { name: 'Pods that are affected' }).waitFor();
}

/** A pod that fits nowhere, and what would help it. @param {OpenedPage} opened */
async function fixPod(opened) {
  const { page } = opened;
  await opened.playToEnd();
  await page.locator('.pending button').first().click();
  await opened.button('Fix…').click();
  await page.getByRole('list', { name: 'Ways to fix it' }).getByRole('button').first().waitFor();
}

/** A pod group that cannot start. @param {OpenedPage} opened */
async function lookAtGroup(opened) {
  const { page } = opened;
  for (let step = 0; step < 3; step += 1) {
    await opened.button('Next').click();
    await opened.untilQuiet();
    await opened.decideAll();
  }
  await page.locator('.pending button').first().click();
  await opened.button('Pod group…').click();
  await page.getByRole('region', { name: 'Members' }).waitFor();
}

/** The map of failures. @param {OpenedPage} opened */
async function failEach(opened) {
  const { page } = opened;
  await opened.playToEnd();
  await page.getByRole('tab', { name: 'What if' }).click();
  await page.getByText('Failures').click();
  await opened.button('Fail each zone').click();
  await page.getByRole('list', { name: 'Weakest zones' }).waitFor();
}

/** The page asks about the plugin of a link. @param {OpenedPage} opened */
async function openPluginPanel({ page }) {
  await page.getByRole('tab', { name: 'Plugin' }).click();
  const shared = { scenario: WITH_PLUGIN, moves: [], position: 0, hash: '', look: {} };
  const link = `#share=${await packedLink(shared)}`;
  await page.evaluate((hash) => {
    location.hash = hash;
  }, link);
  await page.locator('.plugin-notice').waitFor();
  await page.locator('.code-field .cm-content').waitFor();
}

/** @param {OpenedPage} opened @param {string} pod @param {string} text */
function decisionOn({ page }, pod, text) {
  const rows = page.locator('.timeline li').filter({ hasText: 'Decision' });
  return rows.filter({ hasText: pod }).filter({ hasText: text }).last().getByRole('button').last();
}
