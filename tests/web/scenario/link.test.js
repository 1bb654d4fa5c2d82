// Goal: a link restores the state in which it was made. Method: each lesson is played to its end,
// to its half and another way; a playground with nothing but the link repeats the moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { readLessonFile } from '../../../web/lessons/files.js';
import { LINK_BYTES_SAFE, packedLink, readLink } from '../../../web/src/scenario/link.js';
import { toHash } from '../../../web/src/scenario/share.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { lessonNames, lessonText } from '../played_lesson.js';
import { node, pod } from '../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** A trace of a real cluster takes minutes. */
const LARGE = '14-openb';
const CYCLES_MAX = 60;

/** @param {import('node:test').TestContext} t */
function playgroundOf(t) {
  const playground = new Playground({ engine, readFile: readLessonFile });
  t.after(() => playground.close());
  return playground;
}

/**
 * A link with the whole scenario opens the same state as one that names the lesson.
 * @param {import('node:test').TestContext} t
 * @param {Playground} playground
 */
async function assertOpensTheSame(t, playground) {
  const { text, ...history } = playground.history();
  const packed = await packedLink({ scenario: text, ...history, look: {} });
  assert.ok(packed.length <= LINK_BYTES_SAFE, `${packed.length} bytes`);
  const { scenario = '', moves, position } = await readLink(packed);
  const other = playgroundOf(t);
  await other.open(scenario);
  await other.goTo(0);
  await other.make(moves);
  await other.goTo(position);
  assert.deepEqual(other.history(), playground.history());
  assert.equal(await other.exported('objects'), await playground.exported('objects'));
  await other.close();
}

for (const name of lessonNames()) {
  test(`${name}: links to its end, its half and another future restore them`, async (t) => {
    const playground = playgroundOf(t);
    const { notes } = await playground.open(lessonText(name));
    await playground.steps(CYCLES_MAX);
    for (let chapter = 1; chapter < notes.length; chapter += 1) {
      await playground.next();
      const { isIdle } = await playground.steps(CYCLES_MAX);
      if (!isIdle) break;
    }
    await assertOpensTheSame(t, playground);
    if (name === LARGE) return;
    const { position } = playground.history();
    await playground.goTo(Math.floor(position / 2));
    await assertOpensTheSame(t, playground);
    await playground.do({ do: 'apply', objects: [node('mine'), pod('mine', '100m')] });
    await playground.do({ do: 'step' });
    await playground.do({ do: 'wait', for: 3000 });
    await playground.next();
    await assertOpensTheSame(t, playground);
  });
}

test('going back restores the position in the scenario, also within a chapter', async (t) => {
  const playground = playgroundOf(t);
  const patch = (/** @type {string} */ value) => ({
    ...{ apiVersion: 'v1', kind: 'Node' },
    metadata: { name: 'a', labels: { x: value } },
  });
  const steps = [{ patch: [patch('1'), patch('2'), patch('3')] }, { patch: patch('4') }];
  await playground.open(
    JSON.stringify({
      ...{ apiVersion: 'stowage/v1', kind: 'Scenario', title: 'Labels' },
      ...{ objects: [node('a')], steps },
    }),
  );
  await playground.next();
  const end = await playground.next();
  assert.deepEqual([end.chapter, end.position], [3, 5]);
  const middle = await playground.goTo(3);
  assert.equal(middle.chapter, 1);
  await playground.do({ do: 'apply', objects: [pod('own')] });
  const done = await playground.next();
  assert.deepEqual([done.chapter, done.position], [2, 5]);
  assert.match(await playground.object({ apiVersion: 'v1', kind: 'Node', name: 'a' }), /x: "?3/);
  const { moves } = playground.history();
  assert.deepEqual(
    moves.map((move) => (typeof move === 'object' && 'do' in move ? move.do : move)),
    ['next', { next: 2 }, 'apply', 'next'],
  );
  await assertOpensTheSame(t, playground);
});

test('a chapter that counts its cycles continues before everything is decided', async (t) => {
  const playground = playgroundOf(t);
  const pods = ['a', 'b', 'c'].map((name) => pod(name, '100m'));
  const steps = [{ apply: pods, cycles: 2 }, { advance: '1s' }];
  const head = { apiVersion: 'stowage/v1', kind: 'Scenario', title: 'Two of three' };
  await playground.open(JSON.stringify({ ...head, objects: [node('n')], cycles: 0, steps }));
  const two = await playground.next();
  assert.deepEqual([two.isHeld, two.isIdle, two.position], [true, false, 4]);
  const more = await playground.do({ do: 'step' });
  assert.deepEqual([more.isHeld, more.isIdle], [false, true]);
});

test('a link of another kind is refused in a sentence', async () => {
  const good = { v: 1, scenario: '', moves: [], position: 0, hash: '' };
  assert.deepEqual((await readLink(await toHash(good))).look, {});
  /** @type {[unknown, RegExp][]} */
  const cases = [
    [
      { ...good, v: 7 },
      /the link cannot be opened: it is of version 7, this page reads version 1$/,
    ],
    [[good], /this page did not create it/],
    [{ ...good, lesson: '01-taints' }, /it needs a lesson or a scenario/],
    [{ ...good, position: -1 }, /it has no position/],
    [{ ...good, look: { pod: 1 } }, /its selection is unknown to this page/],
    [{ ...good, moves: 'next' }, /it has no list of moves/],
  ];
  for (const [value, message] of cases)
    await assert.rejects(readLink(await toHash(value)), message);
});
