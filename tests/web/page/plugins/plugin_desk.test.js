// Goal: a plugin that the user writes runs, or shows its error. Method: a session with a playground
// in this process.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../../js/src/index.js';
import { openText } from '../../../../web/src/page/changes/open_files.js';
import { Connection } from '../../../../web/src/page/connection.js';
import { PluginDesk } from '../../../../web/src/page/plugins/plugin_desk.js';
import { Session } from '../../../../web/src/page/session.js';
import { withPlainErrors } from '../../../../web/src/worker/plain_errors.js';
import { Playground } from '../../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../../support/targets.js';
import { node, pod } from '../../world/objects.js';
import { textModules } from '../../world/text_modules.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

// The page's address, which opening a text changes.
Object.assign(globalThis, {
  location: { hash: '' },
  history: { pushState() {}, replaceState() {} },
});

const ONLY_B = `export default {
  name: 'OnlyB',
  filter: (state, pod, { name }) =>
    name === 'b' ? undefined : { code: 'Unschedulable', reasons: ['node is not b'] },
};`;

const SYNTAX_ERROR = { line: 3, column: 13, message: 'SyntaxError: Unexpected number' };

/** @param {object} [more] of the scenario */
const scenario = (more) =>
  JSON.stringify({
    apiVersion: 'stowage/v1',
    kind: 'Scenario',
    title: 'Plugins',
    objects: [node('a'), node('b'), pod('one')],
    ...more,
  });

/**
 * @param {import('node:test').TestContext} t
 * @param {(sources: string[]) => Promise<boolean>} [ask]
 */
function begun(t, ask) {
  const readFile = async () => [];
  const playground = new Playground({ engine, readFile, modules: textModules([], ask) });
  t.after(() => playground.close());
  return new Session(/** @type {any} */ (withPlainErrors(playground)));
}

/** @param {Session} session */
const decided = ({ rows }) =>
  rows.value.filter(({ kind }) => kind === 'Decision').map(({ node: where }) => where);

test('a text runs from the next cycle on, and can be stopped', async (t) => {
  const session = begun(t);
  await session.open(scenario(), 'test');
  const desk = session.pluginDesk;
  desk.isLive.value = false;
  desk.write(ONLY_B);
  await desk.run();
  assert.deepEqual([desk.problem.value, session.fault.value], [null, null]);
  assert.deepEqual(session.plugins.value, [{ name: 'OnlyB', points: ['filter'], isAdded: true }]);
  await session.step();
  assert.deepEqual(decided(session), ['b']);
  await desk.stop();
  assert.deepEqual(session.plugins.value, []);
});

test('a text runs as it is typed, without a button', async (t) => {
  const session = begun(t);
  await session.open(scenario(), 'test');
  session.pluginDesk.write(ONLY_B);
  await new Promise((resolve) => {
    session.plugins.subscribe((plugins) => plugins.length > 0 && resolve(undefined));
  });
  assert.equal(session.plugins.value[0].name, 'OnlyB');
});

test('an invalid text shows its error with the line, and changes nothing', async (t) => {
  const session = begun(t);
  await session.open(scenario(), 'test');
  // The position of a syntax error is the browser's; here it is given.
  const desk = new PluginDesk(session, async () => SYNTAX_ERROR);
  desk.isLive.value = false;
  const position = session.position.value;
  const problemOf = async (/** @type {string} */ text) => {
    desk.write(text);
    await desk.run();
    return { line: desk.problem.value?.line, message: desk.problem.value?.message };
  };
  const { line, message } = await problemOf('export default {\n  name: "x",\n  filter( { 1 }\n}');
  assert.equal(line, SYNTAX_ERROR.line);
  assert.equal(message, SYNTAX_ERROR.message);
  assert.equal((await problemOf('\nnothing();')).line, 2);
  assert.match(String((await problemOf('export default 5')).message), /must be an object/);
  assert.deepEqual([session.position.value, session.fault.value], [position, null]);
});

test('JavaScript of a scenario runs after the user agrees', async (t) => {
  let answer = false;
  /** @type {string[][]} */
  const asked = [];
  const session = begun(t, async (sources) => {
    asked.push(sources);
    return answer;
  });
  const profiles = [{ plugins: { multiPoint: { enabled: [{ name: 'OnlyB' }] } } }];
  const kind = 'KubeSchedulerConfiguration';
  const configuration = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind, profiles };
  const text = scenario({ configuration, plugins: [{ source: ONLY_B }] });
  await session.open(text, 'link');
  assert.deepEqual([session.title.value, session.plugins.value], ['Plugins', []]);
  answer = true;
  await session.open(text, 'link', { plugins: 'leave' });
  assert.deepEqual([session.plugins.value, asked.length], [[], 1]);
  await session.open(text, 'link');
  assert.deepEqual(session.plugins.value, [{ name: 'OnlyB', points: ['filter'], isAdded: false }]);
  await session.pluginDesk.begin();
  assert.equal(session.pluginDesk.text.value, ONLY_B);
  await session.open(text, 'link');
  assert.deepEqual(asked, [[ONLY_B], [ONLY_B]], 'that text was agreed to');
  await session.step();
  assert.deepEqual(decided(session), ['b']);
});

test('JavaScript in later steps is asked about once', async (t) => {
  let count = 0;
  const session = begun(t, async () => {
    count += 1;
    return false;
  });
  await session.open(scenario(), 'test');
  const configure = { do: 'configure', scheduler: { plugins: [{ source: ONLY_B }] } };
  await session.do(/** @type {any} */ (configure));
  assert.match(
    String(session.fault.value?.message),
    /the user has not agreed to run this JavaScript/,
  );
  await session.goTo(1);
  await session.goTo(2);
  assert.deepEqual([count, session.position.value, session.plugins.value], [1, 2, []]);
});

test('a restart repeats an opened file, another release, and a pod made anew', async (t) => {
  const connection = await Connection.open(async (ask) => {
    const modules = textModules([], (sources) => ask(sources, ''));
    const playground = new Playground({ engine, readFile: async () => [], modules });
    t.after(() => playground.close());
    return { playground: withPlainErrors(playground), end() {} };
  });
  const session = new Session(connection.playground, connection);
  await session.open(scenario(), 'lesson');
  const dump = [node('c'), node('d'), pod('two'), pod('three')].map((one) => JSON.stringify(one));
  await openText(session, dump.join('\n'));
  await session.ask(async (playground) => {
    await session.show(await playground.reconfigure({ kubernetesVersion: 'v1.34' }));
    for (const update of await playground.recreate(JSON.stringify(pod('two', '500m'))))
      await session.show(update);
  });
  await session.step();
  const shown = () => ({
    title: session.title.value,
    source: session.source.value,
    nodes: [...session.cluster.value.nodes.keys()],
    pods: [...session.cluster.value.pods.values()].map(({ key, requests }) => [key, requests]),
    release: session.release.value,
    position: session.position.value,
    hash: session.hash.value,
    fault: session.fault.value,
  });
  const before = shown();
  assert.deepEqual([before.title, before.nodes], ['pasted text', ['c', 'd']]);
  session.pluginDesk.isLive.value = false;
  session.pluginDesk.write(ONLY_B);
  await session.pluginDesk.run();
  await session.pluginDesk.restart();
  assert.deepEqual(shown(), before);
});
