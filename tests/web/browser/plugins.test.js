// Goal: a plugin typed into the page takes part in decisions, and can neither reach the network nor
// block the page. Method: the panel in a browser, under the page's policy.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { packedLink } from '../../../web/src/scenario/link.js';
import { DOORS } from '../../../web/src/worker/network_doors.js';
import { markedLine } from './code_field.js';
import { openPlayground } from './opened_page.js';

const playground = await openPlayground();
after(() => playground.stop());

/** A lesson with the panel open. @param {import('node:test').TestContext} t */
async function begun(t) {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  await page.getByRole('tab', { name: 'Plugin' }).click();
  const type = async (/** @type {string} */ text) => {
    await page.getByLabel('JavaScript of the plugin').fill(text);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await opened.untilQuiet();
  };
  return { opened, page, type };
}

test('a sample runs when it is chosen, and has its column in the next decision', async (t) => {
  const { opened, page } = await begun(t);
  await page.getByLabel('Sample').selectOption('filter_even_numbers');
  await page.getByText('EvenNumbers is active: filter.').waitFor();
  await opened.untilQuiet();
  await opened.playToEnd();
  await page.locator('.timeline .Decision + button').last().click();
  await opened.untilQuiet();
  const heads = await page
    .getByRole('region', { name: 'Nodes by plugins' })
    .locator('thead th')
    .allInnerTexts();
  assert.ok(heads.includes('EvenNumbers'), heads.join());
  assert.deepEqual(opened.faults, []);
});

test('a broken plugin shows its error, and the previous one keeps running', async (t) => {
  const { opened, page, type } = await begun(t);
  await type("export default { name: 'All', filter() {} };");
  await type('export default {\n  name: "Broken",\n  filter( { return 1 }\n};');
  assert.match(
    await page.locator('.plugin-panel .fault').innerText(),
    /^line 3, column \d+: SyntaxError/,
  );
  assert.equal(await markedLine(page), 3);
  assert.match(await page.locator('.running').innerText(), /^All is active/);
  assert.deepEqual(opened.faults, []);
});

/** Each with the place of its error, and the message. */
const UNPARSABLE = [
  ['export default {\n  name: "x",\n  filter( { return 1 }\n};', 'Line 3, column 20', 'number'],
  ['const = 5;', 'Line 1, column 7', "token '='"],
  ['let a = 1;\n  let a = 2;', 'Line 2, column 7', "'a' has already been declared"],
  ['export default {\n  name: `x', 'Line 2, column 11', 'end of input'],
];

test('a syntax error is marked at its line and column while the user types', async (t) => {
  const { opened, page } = await begun(t);
  await page.getByLabel('Run as I type').uncheck();
  const problems = page.getByRole('list', { name: 'Problems' });
  for (const [text, place, message] of UNPARSABLE) {
    await page.getByLabel('JavaScript of the plugin').fill(text);
    const problem = problems.getByText(`${place}: SyntaxError`);
    await problem.waitFor();
    assert.ok((await problem.innerText()).includes(message), await problem.innerText());
    assert.equal(`Line ${await markedLine(page)}`, place.split(',')[0]);
  }
  assert.equal(await page.locator('.plugin-panel .fault').count(), 0);
  assert.deepEqual(opened.faults, []);
});

test('a text that is checked for syntax errors neither runs nor loads anything', async (t) => {
  const { opened, page } = await begun(t);
  await page.getByLabel('Run as I type').uncheck();
  const problems = page.getByRole('list', { name: 'Problems' });
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) requests.push(request.url());
  });
  const own = new URL('sw.js', playground.address('')).href;
  for (const text of [
    'globalThis.ran = true;',
    "import 'data:text/javascript,globalThis.ran = true';\nglobalThis.ran = true;",
    `import icon from '${own}';\nexport { other } from '${own}';\nglobalThis.ran = true;`,
    'export const a = (globalThis.ran = true), b = await (globalThis.ran = true);',
    "import { skip } from 'stowage';\nvar ran = skip();",
  ]) {
    // The problem of the first text goes once the second one has been checked.
    await page.getByLabel('JavaScript of the plugin').fill('const = 5;');
    await problems.waitFor();
    await page.getByLabel('JavaScript of the plugin').fill(text);
    await problems.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => 'ran' in globalThis), false, text);
  }
  assert.deepEqual([requests, opened.faults], [[], []]);
});

test('an exception of a plugin is the error of the cycle', async (t) => {
  const { opened, page, type } = await begun(t);
  await type("export default { name: 'Bad', filter() { throw new Error('oh no'); } };");
  await opened.playToEnd();
  const failed = page.locator('.timeline li:has(.Decision.error)').first();
  assert.match(await failed.innerText(), /Bad.*default\/.*oh no/);
  assert.deepEqual(opened.faults, []);
});

test('network and storage stay removed, and no code is made from text', async (t) => {
  const { page, type } = await begun(t);
  await type(`const open = [];
for (const name of ${JSON.stringify(DOORS)}) {
  Reflect.deleteProperty(globalThis, name);
  const isRenewed = Reflect.defineProperty(globalThis, name, { value: 1 });
  if (isRenewed || globalThis[name] !== undefined) open.push(name);
  for (const { prototype } of [DedicatedWorkerGlobalScope, WorkerGlobalScope, EventTarget, Object])
    if (name in prototype) open.push('inherited ' + name);
}
for (const owner of [WorkerNavigator, StorageManager, LockManager, IDBFactory, CacheStorage])
  if (made(() => new owner()) !== 'TypeError') open.push(owner.name);
for (const code of [eval, Function, (async () => {}).constructor])
  if (made(() => code('1')) !== 'EvalError') open.push(String(code));
if (setTimeout('1') !== 0) open.push('setTimeout');
function made(make) {
  try { make(); } catch ({ name }) { return name; }
}
export default { name: ['Open:', ...open].join(' '), filter() {} };`);
  assert.match(await page.locator('.plugin-panel').innerText(), /Open: is active/);
});

test('a plugin that imports other modules is refused with a message', async (t) => {
  const { opened, page, type } = await begun(t);
  for (const text of [
    "export { default } from './sw.js';",
    "await import('/version', { with: { type: 'json' } });\nexport default { name: 'A' };",
    "import all from '/version' with { type: 'json' };\nexport default { name: 'A' };",
  ]) {
    await type(text);
    assert.match(
      await page.locator('.plugin-panel .fault').innerText(),
      /^line 1, column \d+: a plugin (im|ex)ports nothing/,
    );
    await page.getByText('No plugin is active').waitFor();
  }
  await type("import { skip } from 'stowage';\nexport default { name: skip().code, filter() {} };");
  await page.getByText('Skip is active').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('a plugin that never returns is removed, and no earlier action is lost', async (t) => {
  const { opened, page, type } = await begun(t);
  await opened.playToEnd();
  const hash = await opened.hash();
  const position = await page.getByLabel(/^Step \d+ of \d+$/).inputValue();
  const endless = "export default { name: 'Endless', preFilter() { for (;;); } };";
  await type(endless);
  await opened.button('Cycle').click();
  await opened.button('Restart without it').click({ timeout: 90_000 });
  await page.getByText('All earlier actions were repeated without it.').waitFor();
  await opened.untilQuiet();
  assert.equal(await opened.hash(), hash);
  assert.equal(await page.getByLabel(/^Step \d+ of \d+$/).inputValue(), position);
  await page.getByText('No plugin is active').waitFor();
  assert.deepEqual(opened.faults, []);
});

test('JavaScript in a link runs after the user agrees', async (t) => {
  const opened = await playground.open('#lesson=01-taints');
  t.after(() => opened.close());
  const { page } = opened;
  const source = "export default { name: 'Brought', filter() {} };";
  const scenario = `apiVersion: stowage/v1
kind: Scenario
title: With a plugin
plugins: [{ source: "${source}" }]
`;
  const shared = {
    scenario,
    moves: [/** @type {const} */ ('next')],
    position: 1,
    hash: '',
    look: {},
  };
  const link = `#share=${await packedLink(shared)}`;
  const visit = async (/** @type {string} */ button) => {
    await page.goto(playground.address(link));
    await page.reload();
    await page.getByText('Its code').click();
    assert.match(await page.locator('.plugin-notice pre').innerText(), /Brought/);
    await opened.button(button).click();
    await page.getByRole('heading', { name: 'With a plugin' }).waitFor();
    await page.getByRole('tab', { name: 'Plugin' }).click();
    await opened.untilQuiet();
  };
  await visit('Open without it');
  await page.getByText('No plugin is active').waitFor();
  await visit('Run it');
  await page.getByText('Brought is active: filter.').waitFor();
  assert.deepEqual(opened.faults, []);
});
