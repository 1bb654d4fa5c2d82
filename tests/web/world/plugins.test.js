// Goal: plugins of the user take part in a world's decisions. Method: small modules as text, in
// worlds with a journal.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Attempts } from '../../../web/src/world/attempts.js';
import { Journal } from '../../../web/src/world/journal.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from './objects.js';
import { textModules } from './text_modules.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const ONLY_B = `export default {
  name: 'OnlyB',
  filter: (state, pod, { name }) =>
    name === 'b' ? undefined : { code: 'Unschedulable', reasons: ['node is not b'] },
  score: () => 42,
};`;
const FICKLE = `export default {
  name: 'Fickle',
  score: (state, pod, { name }) => Math.floor(Math.random() * 101),
};`;

/** @param {import('node:test').TestContext} t @param {string[]} sources */
async function begun(t, ...sources) {
  const modules = textModules(sources);
  const journal = await Journal.begin({ engine, modules });
  t.after(() => journal.dispose());
  await journal.do({ do: 'apply', objects: [node('a'), node('b'), node('c'), pod('one')] });
  return { journal, modules };
}

/** @param {string[]} sources @returns {import('../../../web/src/world/world.js').Action} */
const configure = (...sources) => ({
  do: 'configure',
  scheduler: { plugins: sources.map((source) => ({ source })) },
});

/** @param {Journal} journal */
const decisionsOf = ({ entries }) =>
  entries.flatMap(({ said }) => said.filter(({ record }) => record.kind === 'Decision'));

test('a plugin decides from the next cycle on, and going back repeats it', async (t) => {
  const { journal } = await begun(t, ONLY_B);
  assert.deepEqual(journal.world.plugins, []);
  assert.deepEqual((await journal.do(configure(ONLY_B))).errors, []);
  assert.deepEqual(journal.world.plugins, [
    { name: 'OnlyB', points: ['filter', 'score'], isAdded: true },
  ]);
  await journal.do({ do: 'step' });
  const [{ record }] = decisionsOf(journal);
  assert.equal(record.node, 'b');
  const { hash } = journal.world.scheduler;
  await journal.goTo(1);
  assert.deepEqual(journal.world.plugins, []);
  await journal.goTo(3);
  assert.equal(journal.world.scheduler.hash, hash);
});

test('attempts of each scheduler are explained with the plugins that it had', async (t) => {
  const { journal, modules } = await begun(t, ONLY_B);
  const attempts = new Attempts(engine, modules);
  t.after(() => attempts.dispose());
  const said = [];
  for (const action of [{ do: 'step' }, configure(ONLY_B)])
    await journal.do(/** @type {any} */ (action));
  const before = journal.world.log;
  await journal.do({ do: 'apply', objects: [pod('two')] });
  await journal.do({ do: 'step' });
  const { log } = journal.world;
  assert.equal(log, before);
  said.push(...decisionsOf(journal));
  const plugins = [{ source: ONLY_B }];
  const { scheduler } = await attempts.moment({ log, line: said[1].logLine, plugins });
  const now = scheduler.evaluate('default/two', { detail: 'table', allPlugins: true });
  assert.equal(now.node, 'b');
  assert.deepEqual(now.filterAll?.find(({ plugin }) => plugin === 'OnlyB')?.nodes, ['a', 'c']);
  assert.ok(now.table?.plugins.includes('OnlyB'));
});

test('an invalid plugin is refused, and the scheduler stays', async (t) => {
  const noName = 'export default { filter() {} }';
  const noMethod = "export default { name: 'None' }";
  const { journal } = await begun(t, ONLY_B, noName, noMethod);
  await journal.do(configure(ONLY_B));
  const refusalOf = async (/** @type {string} */ source) => {
    const { errors } = await journal.do(configure(source));
    assert.equal(errors.length, 1);
    return String(/** @type {Error} */ (errors[0]).message);
  };
  assert.match(await refusalOf(noName), /^plugins\[0\]: name: Required value/);
  assert.match(await refusalOf(noMethod), /plugin "None" has none of/);
  assert.match(
    await refusalOf('export default 1'),
    /the user has not agreed to run this JavaScript/,
  );
  await journal.do({ do: 'step' });
  assert.equal(decisionsOf(journal)[0].record.node, 'b');
});

test('an exception of a plugin is the error of the cycle', async (t) => {
  const source = "export default { name: 'Bad', filter() { throw new Error('oh no') } }";
  const { journal } = await begun(t, source);
  await journal.do(configure(source));
  await journal.do({ do: 'step' });
  const [{ record }] = decisionsOf(journal);
  assert.equal(record.result, 'error');
  assert.match(String(record.message), /Bad.*default\/one.*oh no/);
});

test('a plugin with randomness is reported, and another future begins', async (t) => {
  const { journal } = await begun(t, FICKLE);
  const pods = Array.from({ length: 12 }, (_, index) => pod(`p${index}`, '100m'));
  const nodes = Array.from({ length: 12 }, (_, index) => node(`n${index}`));
  await journal.do(configure(FICKLE));
  await journal.do({ do: 'apply', objects: [...nodes, ...pods] });
  while (!journal.world.isIdle) await journal.do({ do: 'step' });
  const end = journal.position;
  await journal.goTo(1);
  await assert.rejects(journal.goTo(end), {
    name: 'DivergedError',
    message: /A plugin answers differently than before: it uses Math\.random/,
  });
  assert.ok(journal.position > 3 && journal.position <= end);
  assert.equal(journal.entries.length, journal.position);
  await journal.do({ do: 'step' });
  assert.deepEqual(journal.world.server.store.list('nodes').length, 15);
});
