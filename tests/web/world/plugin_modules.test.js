import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PluginModules } from '../../../web/src/world/plugin_modules.js';
import { textModules } from './text_modules.js';

/** @param {string[]} sources */
const loaded = (...sources) => textModules(sources).load(sources.map((source) => ({ source })));

test('the default export is a plugin or a list, other exports need a name', async () => {
  const names = async (/** @type {string} */ source) =>
    (await loaded(source)).map((plugin) => plugin?.name);
  assert.deepEqual(await names("export default { name: 'One' }"), ['One']);
  assert.deepEqual(await names("export default [{ name: 'One' }, { name: 'Two' }]"), [
    'One',
    'Two',
  ]);
  assert.deepEqual(
    await names("export const a = { name: 'A' }, rest = {}; export function name() {}"),
    ['A'],
  );
  assert.deepEqual(
    await names('export default { filter() {} }'),
    [undefined],
    'the engine says so',
  );
});

test('the exports of stowage for plugins are available', async () => {
  const source = `
import { unschedulable, wait } from 'stowage';
import { skip as pass } from "stowage";
export default { name: 'All', status: [unschedulable('a'), wait(5), pass()] };`;
  const [plugin] = await loaded(source);
  assert.deepEqual(
    /** @type {any} */ (plugin).status.map((/** @type {any} */ { code }) => code),
    ['Unschedulable', 'Wait', 'Skip'],
  );
});

test('each load is a new module without the state of the last', async () => {
  const source = "let count = 0; export default { name: 'C', count: () => (count += 1) }";
  const modules = textModules([source]);
  for (let round = 0; round < 2; round += 1) {
    const [plugin] = await modules.load([{ source }]);
    assert.equal(/** @type {any} */ (plugin).count(), 1);
  }
});

test('an error while loading has its line', async () => {
  const rejected = loaded("const a = 1;\n\nnothing.at.all;\nexport default { name: 'x' };");
  await assert.rejects(rejected, {
    name: 'PluginModuleError',
    code: 'LoadFailed',
    message: 'ReferenceError: nothing is not defined',
    line: 3,
  });
  await assert.rejects(loaded('export default {'), { code: 'LoadFailed', message: /^SyntaxError/ });
  await assert.rejects(loaded('const a = 1;'), {
    code: 'NoPlugins',
    message: /^exports no plugin/,
  });
});

test('with a reason against plugins none runs, even with consent', async () => {
  const source = "globalThis.ranAnyway = true; export default { name: 'P' }";
  /** @type {unknown[][]} */
  const asked = [];
  const modules = new PluginModules({
    reasonAgainst: async () => 'no plugin is run here',
    ask: async (...question) => asked.push(question) > 0,
  });
  modules.agree([{ source }]);
  await assert.rejects(modules.load([{ source }]), {
    code: 'NotHere',
    message: 'no plugin is run here',
  });
  assert.deepEqual(await modules.load([]), []);
  await modules.areAgreed([{ source }]);
  assert.deepEqual(asked, [[[], 'no plugin is run here']]);
  assert.equal(Reflect.has(globalThis, 'ranAnyway'), false);
});

test('a text that imports from elsewhere is not run', async () => {
  await assert.rejects(loaded("\nimport('data:text/javascript,')"), {
    code: 'ForeignImport',
    line: 2,
    column: 1,
  });
});

test('only agreed texts run, after the network APIs are removed', async () => {
  /** @type {string[]} */
  const happened = [];
  Reflect.set(globalThis, 'happened', happened);
  const source = "globalThis.happened.push('run'); export default { name: 'P' }";
  const modules = new PluginModules({
    urlOf: (text) => `data:text/javascript,${encodeURIComponent(text)}#${happened.length}`,
    beforeFirst: async () => void happened.push('closed'),
  });
  await assert.rejects(modules.load([{ source }]), { code: 'NotAgreed' });
  assert.deepEqual(happened, []);
  modules.agree([{ source }]);
  await modules.load([{ source }]);
  await modules.load([{ source }]);
  assert.deepEqual(happened, ['closed', 'run', 'run']);
});
