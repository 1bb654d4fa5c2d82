import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from '../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const SCENARIO = JSON.stringify({
  apiVersion: 'stowage/v1',
  kind: 'Scenario',
  title: 'Two pods, one place',
  text: 'Who goes first?',
  objects: [node('a', '1'), pod('one')],
  steps: [
    { note: 'Another comes.', apply: pod('two') },
    { note: 'Room is made.', advance: '1s', apply: node('b') },
  ],
});

/** @param {import('node:test').TestContext} t */
async function opened(t) {
  const readFile = async (/** @type {string} */ name) => [
    { apiVersion: 'v1', kind: 'Node', metadata: { name } },
  ];
  const playground = new Playground({ engine, readFile });
  t.after(() => playground.close());
  return { playground, opening: await playground.open(SCENARIO) };
}

/**
 * @param {Playground} playground
 * @param {import('../../../web/src/worker/playground.js').Update} update
 */
async function untilIdle(playground, update) {
  const rows = [...update.rows];
  let last = update;
  while (!last.isIdle) {
    last = await playground.do({ do: 'step' });
    rows.push(...last.rows);
  }
  return { last, rows };
}

test('a scenario opens with its initial objects', async (t) => {
  const { opening } = await opened(t);
  const { title, text, notes, update } = opening;
  assert.deepEqual([title, text], ['Two pods, one place', 'Who goes first?']);
  assert.deepEqual(notes, ['', 'Another comes.', 'Room is made.']);
  assert.deepEqual(
    [update.chapter, update.position, update.isIdle, update.cluster.isWhole],
    [1, 1, false, true],
  );
  assert.deepEqual(
    update.rows.map(({ kind, pod: about, text: what }) => [kind, about, what]),
    [
      ['Action', undefined, 'apply Node a, Pod one'],
      ['Event', undefined, 'Node a added'],
      ['Event', 'default/one', 'Pod added'],
      ['Event', undefined, 'Node a updated: conditions'],
      ['QueueMove', 'default/one', 'active (UnschedulablePodAdd)'],
    ],
  );
});

test('decisions are rows of the timeline, and each can be evaluated', async (t) => {
  const { playground, opening } = await opened(t);
  await untilIdle(playground, opening.update);
  const { rows } = await untilIdle(playground, await playground.next());
  const [decision] = rows.filter(({ kind }) => kind === 'Decision');
  assert.deepEqual([decision.pod, decision.result], ['default/two', 'unschedulable']);
  assert.match(decision.text, /^0\/1 nodes are available: 1 Insufficient cpu\./);
  await untilIdle(playground, await playground.next());
  const then = await playground.evaluate('default/two', decision.attempt);
  assert.deepEqual([then.node, then.table?.nodes], [null, ['a']]);
  const now = await playground.evaluate('default/two');
  assert.deepEqual([now.node, now.table?.nodes], ['b', ['a', 'b']]);
});

test('a score is explained now, and as it was', async (t) => {
  const { playground, opening } = await opened(t);
  const { rows } = await untilIdle(playground, opening.update);
  await untilIdle(playground, await playground.next());
  await untilIdle(playground, await playground.next());
  const score = { plugin: 'NodeResourcesFit', node: 'a' };
  const now = await playground.explainScore('default/one', undefined, score);
  const cpu = 'cpu: requested 0 + 1000 = 1000; (1000 − 1000) × 100 / 1000 = 0';
  assert.equal(now?.raw.lines.at(1), cpu, 'as if the pod were not on the node yet');
  assert.deepEqual([now?.weight, now?.weighted], [1, now?.raw.value]);
  const decision = rows.find(({ kind }) => kind === 'Decision');
  const then = await playground.evaluate('default/one', decision?.attempt);
  assert.deepEqual(then.feasible, ['a']);
  const none = await playground.explainScore('default/one', decision?.attempt, score);
  assert.equal(none, null, 'the only node that fits is not scored');
  assert.equal(await playground.explainPick('default/two', undefined), null);
});

test('going back sends the whole cluster, and another future cuts the timeline', async (t) => {
  const { playground, opening } = await opened(t);
  const first = await untilIdle(playground, opening.update);
  await untilIdle(playground, await playground.next());
  const back = await playground.goTo(first.last.position);
  assert.deepEqual(
    [back.cluster.isWhole, back.cluster.pods.map(({ key, node: on }) => [key, on]), back.rows],
    [true, [['default/one', 'a']], []],
  );
  assert.equal(back.hash, first.last.hash);
  assert.ok(back.length > back.position);
  const other = await playground.do({ do: 'apply', objects: [pod('three', '500m')] });
  assert.equal(other.length, other.position);
  assert.deepEqual([other.rowsFrom, other.rows[0].text], [first.rows.length, 'apply Pod three']);
});

test('a cycle has rows for its calls and the events that they cause, in order', async (t) => {
  const { playground, opening } = await opened(t);
  assert.equal(opening.update.isIdle, false);
  const { rows } = await playground.do({ do: 'step' });
  const told = rows.map(({ kind, text: what }) =>
    kind === 'Event' || kind === 'Call' ? what : kind,
  );
  const binding = 'POST /api/v1/namespaces/default/pods/one/binding → 201';
  assert.deepEqual(
    [told[0], told[1], told[2]],
    ['Decision', binding, 'Pod updated: nodeName, conditions'],
  );
  assert.ok(told.includes('BindingResult'));
});

test('going back restores the position in the scenario too', async (t) => {
  const { playground, opening } = await opened(t);
  const first = await untilIdle(playground, opening.update);
  await playground.next();
  const back = await playground.goTo(first.last.position);
  assert.equal(back.chapter, 1);
  const again = await playground.next();
  assert.deepEqual([again.chapter, again.rows[0].text], [2, 'apply Pod two']);
});

test('objects, queues and the log can be read; errors are reported', async (t) => {
  const { playground } = await opened(t);
  const reference = { apiVersion: 'v1', kind: 'Node', name: 'a' };
  assert.match(
    await playground.object(reference),
    /^kind: Node\napiVersion: v1\nmetadata:\n {2}name: a/,
  );
  assert.equal(await playground.object({ ...reference, name: 'z' }), '');
  assert.deepEqual(
    playground.inspect()?.queues.active.map(({ pod: queued }) => queued),
    ['default/one'],
  );
  const header = JSON.parse(playground.log().split('\n')[0]);
  assert.deepEqual([header.apiVersion, header.kind], ['stowage/v1', 'Log']);
  const { errors, rows } = await playground.do({
    do: 'delete',
    objects: [{ ...reference, name: 'z' }],
  });
  assert.match(errors?.join() ?? '', /nodes "z" not found/);
  assert.ok(rows.some(({ kind }) => kind === 'Fault'));
});

test('an invalid scenario leaves the open one unchanged', async (t) => {
  const { playground } = await opened(t);
  await assert.rejects(playground.open('kind: Pod'), /must be Scenario/);
  assert.deepEqual(
    playground.inspect()?.queues.active.map(({ pod: queued }) => queued),
    ['default/one'],
  );
  await playground.close();
  assert.throws(() => playground.inspect(), /no scenario is open/);
});

test('a scenario may name files', async (t) => {
  const { playground } = await opened(t);
  const { update } = await playground.open(
    'apiVersion: stowage/v1\nkind: Scenario\ntitle: T\nobjects: [{ file: nodes.json }]\n',
  );
  assert.deepEqual(
    update.cluster.nodes.map(({ name }) => name),
    ['nodes.json'],
  );
});

const WAITING = JSON.stringify({
  apiVersion: 'stowage/v1',
  kind: 'Scenario',
  title: 'No node',
  objects: [pod('one')],
  steps: [
    { note: 'No pod arrives.', advance: '6s' },
    { note: 'A node comes.', apply: node('a') },
  ],
});

/** @param {import('../../../web/src/worker/opening.js').Update} update */
const triesIn = ({ rows }) => rows.filter(({ kind }) => kind === 'Decision').length;

test('a chapter halts before the clock moves on, and leads to the same state', async (t) => {
  const { playground } = await opened(t);
  const { update } = await playground.open(WAITING);
  await untilIdle(playground, update);
  const whole = await playground.next();
  assert.deepEqual([triesIn(whole), whole.passing, whole.chapter], [2, null, 2]);
  const start = await playground.goTo(whole.position - 1);
  const first = await playground.next(true);
  assert.deepEqual([triesIn(first), Number(first.passing) - start.now], [0, 2000]);
  assert.deepEqual([first.position, first.length], [whole.position, whole.position]);
  const second = await playground.goOn();
  assert.deepEqual([triesIn(second), second.now - start.now], [1, 2000]);
  const third = await playground.goOn();
  assert.deepEqual([third.chapter, Number(third.passing) - start.now], [1, 6000]);
  const last = await playground.goOn();
  const rows = [first, second, third, last].reduce(
    (/** @type {unknown[]} */ all, part) => all.slice(0, part.rowsFrom).concat(part.rows),
    new Array(start.rowsFrom),
  );
  const withoutNumber = (/** @type {any} */ { attempt: _, ...row }) => row;
  assert.deepEqual(
    rows.slice(-whole.rows.length).map(withoutNumber),
    whole.rows.map(withoutNumber),
  );
  assert.deepEqual([last.hash, last.position, last.passing], [whole.hash, whole.position, null]);
});

test('a request in the middle of a chapter runs after the chapter', async (t) => {
  const { playground } = await opened(t);
  const { update } = await playground.open(WAITING);
  const { last } = await untilIdle(playground, update);
  await playground.next(true);
  const done = await playground.do({ do: 'apply', objects: [pod('two')] });
  assert.deepEqual([done.chapter, done.position], [2, last.position + 2]);
  assert.equal(done.now, last.now + 6000);
  const back = await playground.goTo(last.position);
  await playground.next(true);
  const finished = await playground.next();
  assert.deepEqual([finished.chapter, finished.now], [2, back.now + 6000], 'the rest comes next');
});

test('a move reports its progress, and stops on request', async (t) => {
  const { playground, opening } = await opened(t);
  const { last } = await untilIdle(playground, opening.update);
  await playground.next();
  const end = await playground.next();
  assert.equal(playground.going(), null);
  const going = playground.goTo(last.position);
  while (playground.going() === null) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(Number(playground.going({ stop: true })) < last.position);
  const stayed = await going;
  assert.deepEqual([stayed.position, stayed.hash], [end.position, end.hash]);
  assert.equal(playground.going(), null);
  assert.equal((await playground.goTo(last.position)).position, last.position);
});
