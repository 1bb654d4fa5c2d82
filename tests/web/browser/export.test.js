// Goal: other programs can read the page's exports. Method: each file is downloaded and opened by
// its reader: the page itself, the command line, a parser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';

import { toHash } from '../../../web/src/scenario/share.js';
import { lessonText } from '../played_lesson.js';
import { openPlayground } from './opened_page.js';

const PROGRAM = fileURLToPath(new URL('../../../js/src/cli/stowage.js', import.meta.url));

const playground = await openPlayground();
const folder = mkdtempSync(join(tmpdir(), 'export-'));
after(async () => {
  await playground.stop();
  rmSync(folder, { recursive: true });
});

/** @typedef {import('./opened_page.js').OpenedPage} OpenedPage */

/**
 * @param {OpenedPage} opened
 * @param {string} name the name of the export
 * @returns {Promise<{ name: string, path: string }>}
 */
async function exported(opened, name) {
  await opened.button('Export').click();
  const [download] = await Promise.all([
    opened.page.waitForEvent('download'),
    opened.page.locator('#export').getByRole('button', { name }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  await opened.untilQuiet();
  return { name: download.suggestedFilename(), path };
}

/** @param {string[]} args */
function stowage(...args) {
  return promisify(execFile)(process.execPath, [PROGRAM, ...args]);
}

test('the command line replays the recording and simulates the objects', async (t) => {
  const opened = await playground.open('#lesson=07-preemption');
  t.after(() => opened.close());
  await opened.playToEnd();
  const recording = await exported(opened, 'Recording');
  assert.equal(recording.name, '07-preemption-2026-01-01T00-00-30Z.log.ndjson');
  const { stdout } = await stowage('replay', recording.path, '--hash');
  assert.equal(stdout.trim(), await opened.hash());

  const { path } = await exported(opened, 'Objects');
  const { kind, items } = JSON.parse(readFileSync(path, 'utf8'));
  assert.equal(kind, 'List');
  const pods = items.filter((/** @type {any} */ { kind: one }) => one === 'Pod');
  assert.deepEqual(pods.map((/** @type {any} */ { metadata }) => metadata.name).sort(), [
    'batch-1',
    'critical-1',
    'critical-2',
    'critical-3',
  ]);
  assert.ok(items.every((/** @type {any} */ { metadata }) => !metadata.resourceVersion));
  await stowage('simulate', '-f', path);

  const lines = readFileSync((await exported(opened, 'Decisions')).path, 'utf8')
    .trim()
    .split('\n');
  const last = lines
    .map((line) => JSON.parse(line))
    .filter((record) => record.kind === 'Decision')
    .at(-1);
  assert.equal(last.hash, await opened.hash());
  assert.deepEqual(opened.faults, []);
});

test('a scenario exports its own text, or after going back one with the same result', async (t) => {
  const opened = await playground.open('#lesson=07-preemption');
  t.after(() => opened.close());
  await opened.playToEnd();
  const whole = await exported(opened, 'Scenario');
  assert.equal(readFileSync(whole.path, 'utf8'), lessonText('07-preemption'));
  await opened.page.getByLabel(/^Step \d+ of \d+$/).fill('4');
  await opened.untilQuiet();
  const stand = await opened.hash();
  const { path } = await exported(opened, 'Scenario');
  const scenario = readFileSync(path, 'utf8');
  assert.ok(parse(scenario).steps.length < parse(lessonText('07-preemption')).steps.length);
  const link = { v: 1, scenario, moves: ['next'], position: 1, hash: '', look: {} };
  const other = await playground.open(`#share=${await toHash(link)}`);
  t.after(() => other.close());
  await other.page.getByText('Step 1 of 1').waitFor();
  await other.playChapters();
  assert.equal(await other.hash(), stand);
});

test('pictures show the whole cluster, including parts that are scrolled away', async (t) => {
  const opened = await playground.open('#lesson=11-node-sampling', { width: 1024, height: 500 });
  t.after(() => opened.close());
  const { page } = opened;
  await opened.playToEnd();
  const svg = readFileSync((await exported(opened, 'Picture, SVG')).path, 'utf8');
  const drawn = await page.evaluate((text) => {
    const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
    const texts = [...picture.querySelectorAll('text')].map(({ textContent }) => textContent);
    const { width, height } = picture.documentElement.attributes;
    const fault = picture.querySelector('parsererror')?.textContent ?? null;
    return { texts, fault, width: Number(width.value), height: Number(height.value) };
  }, svg);
  assert.equal(drawn.fault, null);
  const nodes = await page
    .getByRole('group', { name: /nodes, \d+ pods/ })
    .getAttribute('aria-label');
  assert.ok(
    drawn.texts.some((text) => text?.includes(nodes ?? 'none') && text.startsWith('2026-01-01T')),
    'the caption tells time and size',
  );
  const png = readFileSync((await exported(opened, 'Picture, PNG')).path);
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const ratio = png.readUInt32BE(16) / png.readUInt32BE(20);
  assert.ok(Math.abs(ratio - drawn.width / drawn.height) < 0.01);
  assert.deepEqual(opened.faults, []);
});

test('a picture names the nodes, in the colours of the page', async (t) => {
  const opened = await playground.open('#lesson=07-preemption');
  t.after(() => opened.close());
  await opened.page.emulateMedia({ colorScheme: 'dark' });
  const svg = readFileSync((await exported(opened, 'Picture, SVG')).path, 'utf8');
  for (const name of ['worker-1', 'worker-2', 'A PodDisruptionBudget steers preemption'])
    assert.ok(svg.includes(`>${name}`), name);
  assert.match(svg, /fill="rgb\(17, 22, 28\)"/);
  const legend = await opened.page.locator('.legend li').allTextContents();
  assert.deepEqual(legend, ['default/web 2', 'default/batch 2']);
  for (const words of legend) assert.ok(svg.includes(`>${words}<`), words);
  assert.deepEqual(opened.faults, []);
});

test('the menu works by keyboard', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  await opened.button('Export').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  assert.match(focused ?? '', /^Scenario/);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#export').isVisible(), false);
  const at = await page.evaluate(() => document.activeElement?.textContent);
  assert.equal(at, 'Export');
});
