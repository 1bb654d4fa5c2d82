// Goal: a written scenario leads to the same state. Method: actions are done in a scenario, and the
// written text is played as users play it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { readLessonFile } from '../../../web/lessons/files.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { lessonNames, lessonText } from '../played_lesson.js';
import { node, pod } from '../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const SCENARIO = `# How the pods go.
apiVersion: stowage/v1
kind: Scenario
title: Two pods, one place
objects:
  - repeat: 2 # of a kind
    object:
      apiVersion: v1
      kind: Node
      metadata: { name: 'n-{n}' }
      status: { allocatable: { cpu: '2', memory: 8Gi, pods: '110' } }
steps:
  # The first ones.
  - note: Three pods come.
    apply:
      repeat: 3
      object:
        apiVersion: v1
        kind: Pod
        metadata: { name: 'p-{n}' }
        spec: { containers: [{ name: c, image: i, resources: { requests: { cpu: '1' } } }] }
  - note: Nothing but time.
    advance: 1m0.5s
  - note: Nothing happens.
  - note: A change.
    patch: { apiVersion: v1, kind: Node, metadata: { name: n-1 }, spec: { unschedulable: true } }
`;

/** @typedef {import('../../../web/src/worker/playground.js').Update} Update */

/** @param {import('node:test').TestContext} t */
function playgroundOf(t) {
  const playground = new Playground({ engine, readFile: readLessonFile });
  t.after(() => playground.close());
  return playground;
}

/**
 * As the buttons Play and Next do.
 * @param {Playground} playground
 * @param {string} text
 * @returns {Promise<Update>} the last one
 */
async function playedToEnd(playground, text) {
  const { notes, update } = await playground.open(text);
  let last = update;
  for (;;) {
    if (!last.isHeld) last = await playground.steps(1000);
    if (last.chapter >= notes.length) return last;
    last = await playground.next();
  }
}

test('an unchanged scenario keeps its text, including comments', async (t) => {
  const playground = playgroundOf(t);
  await playedToEnd(playground, SCENARIO);
  assert.equal(await playground.exported('scenario'), SCENARIO);
});

test('steps that were not reached are cut, the rest keeps its text', async (t) => {
  const playground = playgroundOf(t);
  await playground.open(SCENARIO);
  await playground.next();
  await playground.steps(100);
  const text = await playground.exported('scenario');
  assert.match(text, /^# How the pods go\.\n/);
  assert.match(text, /repeat: 2 # of a kind/);
  assert.match(text, /# The first ones\.\n {2}- note: Three pods come\./);
  assert.doesNotMatch(text, /cycles|Nothing but time/);
});

/** Actions of a user. @type {Record<string, (playground: Playground) => Promise<unknown>>} */
const DEEDS = {
  'own actions between chapters': async (playground) => {
    await playground.next();
    await playground.steps(100);
    await playground.do({ do: 'apply', objects: [pod('mine', '1'), node('yes', '3')] });
    await playground.steps(100);
    await playground.do({ do: 'wait', for: 1500.25 });
    await playground.next();
  },
  'an action before everything is decided': async (playground) => {
    await playground.next();
    await playground.do({ do: 'step' });
    await playground.do({ do: 'apply', objects: [node('n-0', '3')] });
    await playground.do({ do: 'scheduleOne', pod: 'default/p-3' });
    await playground.do({
      do: 'patch',
      object: { apiVersion: 'v1', kind: 'Node', name: 'n-1' },
      patch: { metadata: { labels: { 'a/b': 'on' } }, spec: { unschedulable: true } },
    });
    await playground.next();
    await playground.next();
  },
  'two chapters at once, and the next one not decided': async (playground) => {
    await playground.next();
    await playground.next();
    await playground.do({
      do: 'delete',
      objects: [{ apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'p-1' }],
    });
    await playground.do({ do: 'apply', objects: [pod('late', '1')] });
  },
  'another configuration, and a way to an absolute time': async (playground) => {
    await playground.next();
    await playground.do({ do: 'configure', scheduler: { featureGates: {} } });
    await playground.do({ do: 'advance', to: Date.UTC(2026, 0, 1, 0, 0, 10, 1) });
    await playground.steps(100);
    await playground.do({ do: 'step' });
    await playground.do({ do: 'apply', objects: [pod('late', '1')] });
    await playground.steps(100);
  },
  'another beginning': async (playground) => {
    await playground.goTo(0);
    await playground.do({ do: 'apply', objects: [node('first', '1')] });
    await playground.next();
    await playground.next();
    await playground.do({ do: 'step' });
  },
};

for (const [name, act] of Object.entries(DEEDS)) {
  for (const [kind, scenario] of Object.entries({
    YAML: SCENARIO,
    JSON: JSON.stringify({
      apiVersion: 'stowage/v1',
      kind: 'Scenario',
      title: 'In JSON',
      startTime: '2026-01-01T00:00:00Z',
      objects: [node('n-1', '2'), node('n-2', '2'), pod('early', '1')],
      steps: [
        { apply: [pod('p-1', '1'), pod('p-2', '1'), pod('p-3', '1')] },
        { apply: node('n-4'), advance: '5s' },
        {},
      ],
    }),
  })) {
    test(`${name}: the written scenario leads to the same state, from ${kind}`, async (t) => {
      const playground = playgroundOf(t);
      await playground.open(scenario);
      await act(playground);
      const { hash } = playground.history();
      const objects = await playground.exported('objects');
      const text = await playground.exported('scenario');
      const again = await playedToEnd(playground, text);
      assert.equal(again.hash, hash, text);
      assert.equal(await playground.exported('objects'), objects, text);
      // Writing it a second time changes nothing.
      assert.equal(await playground.exported('scenario'), text);
    });
  }
}

test('an action without a field in a scenario is refused', async (t) => {
  const playground = playgroundOf(t);
  await playground.open(SCENARIO);
  await playground.do({
    do: 'patch',
    object: { apiVersion: 'v1', kind: 'Node', name: 'n-1' },
    patch: {},
    subresource: 'scale',
  });
  await assert.rejects(playground.exported('scenario'), /cannot change the subresource scale/);
});

for (const name of lessonNames().filter((lesson) => lesson !== '14-openb')) {
  test(`${name}: played without pauses, it is written with the same result`, async (t) => {
    const playground = playgroundOf(t);
    const { notes } = await playground.open(lessonText(name));
    for (let chapter = 1; chapter < notes.length; chapter += 1) {
      await playground.steps(chapter);
      await playground.next();
    }
    const { hash, position } = playground.history();
    const text = await playground.exported('scenario');
    const again = await playedToEnd(playground, text);
    assert.deepEqual([again.hash, again.position], [hash, position], text);
    await playground.goTo(Math.floor(position / 2));
    const half = playground.history();
    const other = await playedToEnd(playground, await playground.exported('scenario'));
    assert.deepEqual(other.hash, half.hash);
  });
}
