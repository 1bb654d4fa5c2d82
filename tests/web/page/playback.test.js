// Goal: Play runs cycles, chapters and time at the chosen speed, and ends. Method: a session with a
// playground in this process; the test controls its timer.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { SPEEDS } from '../../../web/src/page/playback.js';
import { Session } from '../../../web/src/page/session.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from '../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const UNSEEN = SPEEDS[SPEEDS.length - 1];

const COMES = { note: 'Four words are few.', apply: pod('one') };

/** A timer that wakes sleepers at once; `onSleep` is called before. */
class FakeTimer {
  time = 0;
  onSleep = () => {};

  now() {
    return this.time;
  }

  /** @param {number} ms */
  async sleep(ms) {
    this.time += ms;
    this.onSleep();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * @param {import('node:test').TestContext} t
 * @param {object} scenario
 */
async function opened(t, scenario) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  const timer = new FakeTimer();
  const session = new Session(/** @type {any} */ (playground), undefined, timer);
  const text = { apiVersion: 'stowage/v1', kind: 'Scenario', title: 'T', ...scenario };
  assert.ok(await session.open(JSON.stringify(text), 'test'));
  return { session, timer, playback: session.playback, start: session.now.value };
}

/** @param {Session} session */
function decisionsOf({ rows }) {
  const start = Date.parse(rows.value[0].at);
  const decisions = rows.value.filter(({ kind }) => kind === 'Decision');
  return decisions.map(({ at, result }) => [(Date.parse(at) - start) / 1000, result]);
}

test('Play runs chapter by chapter, and time passes in them and after the last one', async (t) => {
  const steps = [COMES, { note: 'Time.', advance: '6s' }, { note: 'A node.', apply: node('a') }];
  const { session, timer, playback, start } = await opened(t, { steps });
  /** @type {number[]} */
  const shown = [];
  timer.onSleep = () => shown.push(playback.time.value - start);
  await playback.play();
  const { position, chapter, now, hash } = session;
  assert.deepEqual(decisionsOf(session), [
    [0, 'unschedulable'],
    [2, 'unschedulable'],
    [5, 'unschedulable'],
    [10, 'scheduled'],
  ]);
  assert.equal(chapter.value, 4);
  assert.equal(now.value - start, 11_000, 'the pod runs, and nothing is due');
  assert.deepEqual(
    [...shown].sort((a, b) => a - b),
    shown,
    'the time that is shown never goes back',
  );
  const steady = shown.filter((time, at) => time - shown[at - 1] === 1000);
  assert.ok(steady.length >= 8, `a tenth of a second is a second: ${shown}`);
  assert.ok(timer.time >= 1100 + 2 * 1000, 'eleven seconds take 1.1, two notes are read');
  assert.ok(timer.time <= 8000, `${timer.time}`);
  const end = [position.value, now.value, hash.value];
  await session.goTo(1);
  playback.speed.value = UNSEEN;
  timer.onSleep = () => assert.fail('no timer may start');
  await playback.play();
  assert.deepEqual([position.value, now.value, hash.value], end);
  assert.equal(playback.canPlay.value, false);
});

test('pausing advances the world to the time that is shown, by one entry', async (t) => {
  const { session, timer, playback, start } = await opened(t, { steps: [COMES] });
  const before = session.position.value;
  timer.onSleep = () => {
    if (playback.time.value - start >= 4000) void playback.pause();
  };
  await playback.play();
  assert.equal(session.now.value - start, 4000);
  // The chapter, two cycles, the advance to the first deadline, and the pause.
  assert.equal(session.position.value, before + 5);
  assert.equal(playback.canPlay.value, true);
});

test('an action while time passes happens at the time that is shown', async (t) => {
  const { session, timer, playback, start } = await opened(t, { steps: [COMES] });
  /** @type {Promise<void> | undefined} */
  let done;
  timer.onSleep = () => {
    if (playback.time.value - start < 3000 || done) return;
    done = session.do({ do: 'apply', objects: [node('a')] });
  };
  await playback.play();
  const { at } = session.rows.value.find(({ text }) => text === 'apply Node a') ?? { at: '' };
  assert.equal(Date.parse(at) - start, 3000);
  assert.deepEqual(decisionsOf(session).at(-1), [5, 'scheduled'], 'it plays on');
});

test('a chapter waits during a pause, and is finished before any other action', async (t) => {
  const steps = [COMES, { note: 'Time.', advance: '30s' }];
  const { session, timer, playback, start } = await opened(t, { steps });
  timer.onSleep = () => {
    if (playback.time.value - start >= 7000) void playback.pause();
  };
  await playback.play();
  assert.deepEqual([session.chapter.value, playback.time.value - start], [2, 7000]);
  await session.next();
  assert.deepEqual([session.chapter.value, playback.time.value - start], [3, 30_000]);
  await session.goTo(session.position.value - 1);
  await playback.play();
  await session.do({ do: 'wait', for: 1000 });
  assert.deepEqual([session.chapter.value, playback.time.value - start], [3, 31_000]);
});

test('another scenario has its own time, and an error stops Play', async (t) => {
  const { session, timer, playback, start } = await opened(t, { steps: [COMES] });
  /** @type {Promise<boolean> | undefined} */
  let isOpen;
  const next = JSON.stringify({
    apiVersion: 'stowage/v1',
    kind: 'Scenario',
    title: 'Next',
    steps: [{ note: 'Refused.', apply: pod('BAD') }, COMES],
  });
  timer.onSleep = () => {
    if (playback.time.value - start >= 1000) isOpen ??= session.open(next, 'next');
  };
  await playback.play();
  await isOpen;
  assert.deepEqual([session.title.value, playback.time.value - start], ['Next', 0]);
  await playback.play();
  assert.deepEqual([session.chapter.value, playback.isPlaying.value], [2, false]);
  assert.match(session.fault.value?.message ?? '', /Invalid value: "BAD"/);
});

test('Play ends when only retries are left, and does not wait for them', async (t) => {
  const { session, playback, start } = await opened(t, { steps: [COMES] });
  playback.speed.value = UNSEEN;
  await playback.play();
  const minutes = (session.now.value - start) / 60_000;
  assert.ok(minutes > 1 && minutes < 3, `${minutes} minutes`);
  const rejected = await opened(t, { objects: [node('a')], steps: [{ apply: pod('big', '64') }] });
  await rejected.playback.play();
  assert.equal(rejected.session.now.value, rejected.start, 'it is not tried without a cause');
  assert.equal(rejected.playback.canPlay.value, false);
});

test('Play stops where a scenario ends early, and continues on request', async (t) => {
  const objects = [node('a', '4'), pod('one'), pod('two'), pod('three')];
  const { session, playback } = await opened(t, { objects, cycles: 1 });
  playback.speed.value = UNSEEN;
  assert.deepEqual([session.isHeld.value, session.isAtEnd.value], [true, true]);
  await playback.play();
  assert.equal(decisionsOf(session).length, 3);
  const held = await opened(t, {
    objects: [node('a', '4')],
    steps: [{ apply: objects.slice(1), cycles: 1 }],
  });
  await held.playback.play();
  assert.equal(decisionsOf(held.session).length, 1);
  assert.equal(held.playback.canPlay.value, true);
});

test('the latest decision is shown until the user selects another', async (t) => {
  const objects = [node('a', '4'), pod('one'), pod('two')];
  const { session, playback } = await opened(t, { objects });
  assert.deepEqual(session.selectedPod.value, { pod: 'default/one' }, 'the first to be decided');
  await session.step();
  assert.equal(session.selectedPod.value?.pod, 'default/one');
  assert.equal(session.evaluation.value?.node, 'a');
  await session.step();
  const second = session.selectedPod.value;
  assert.deepEqual([second?.pod, typeof second?.attempt], ['default/two', 'number']);
  await session.goTo(session.position.value - 1);
  assert.equal(session.selectedPod.value?.pod, 'default/one');
  await session.selectPod('default/two');
  assert.deepEqual(session.selectedPod.value, { pod: 'default/two' }, 'it is on no node yet');
  await playback.play();
  assert.equal(session.isFollowing.value, false);
  const { attempt } = session.selectedPod.value ?? {};
  assert.equal(session.rows.value.find((row) => row.attempt === attempt)?.pod, 'default/two');
  await session.selectPod('default/one');
  const row = session.rows.value.find((one) => one.attempt === session.selectedPod.value?.attempt);
  assert.deepEqual(
    [row?.kind, row?.pod, row?.result],
    ['Decision', 'default/one', 'scheduled'],
    'the attempt that placed it',
  );
  await session.lookAt('default/one');
  assert.deepEqual(session.selectedPod.value, { pod: 'default/one' }, 'now, as it was asked for');
  await session.follow(true);
  assert.equal(typeof session.selectedPod.value?.attempt, 'number');
});
