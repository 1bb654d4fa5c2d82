// Goal: users can open exports of their clusters, which keep their state. Method: files with a
// dump, a configuration, a scenario, and broken ones, in a Playground.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { dumpedDeployment, dumpedNode, dumpedPod, file, list } from './dumps.js';

/** @import { Opened } from '../../../web/src/worker/playground.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const SCENARIO = `apiVersion: stowage/v1
kind: Scenario
title: Before
objects:
  - { apiVersion: v1, kind: Node, metadata: { name: before } }
`;

const SECOND_PROFILE = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [{ schedulerName: 'second' }],
};

/** @param {import('node:test').TestContext} t */
async function playgroundOf(t) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  await playground.open(SCENARIO);
  return playground;
}

/**
 * @param {Playground} playground
 * @param {File[]} files
 * @returns {Promise<Opened>}
 */
async function opened(playground, ...files) {
  const result = await playground.openFiles(files);
  assert.ok('opened' in result, 'something was opened');
  return result.opened;
}

/** @param {Playground} playground */
async function podsLater(playground) {
  const update = await playground.do({ do: 'wait', for: 60_000 });
  assert.deepEqual(update.errors, []);
  const { cluster } = await playground.goTo(0).then(() => playground.goTo(update.position));
  return cluster.pods.map(({ key, node, phase }) => [key, node, phase]).sort();
}

const RUNNING = [
  ['shop/web-1', 'a', 'Running'],
  ['shop/web-2', 'b', 'Running'],
];

test('pods whose owners are not in the dump stay on their nodes', async (t) => {
  const playground = await playgroundOf(t);
  const dump = list(dumpedPod('web-1', 'a'), dumpedPod('web-2', 'b'), dumpedNode('a'));
  const { title, text, update } = await opened(playground, file('cluster.json', dump));
  assert.deepEqual([title, update.errors], ['cluster.json', []]);
  assert.match(text, /^1 node, 2 pods\./);
  assert.equal(new Date(update.now).toISOString(), '2026-03-01T12:00:00.000Z');
  assert.deepEqual(await podsLater(playground), RUNNING);
});

test('a Deployment without its ReplicaSet creates no second set of pods, and scales', async (t) => {
  const playground = await playgroundOf(t);
  const objects = [dumpedDeployment(2), dumpedPod('web-1', 'a'), dumpedPod('web-2', 'b')];
  const dump = list(dumpedNode('a'), dumpedNode('b'), ...objects);
  const { text } = await opened(playground, file('cluster.json', dump));
  assert.match(text, /Recreated from their pods and Deployments.*: 1 ReplicaSet\./);
  assert.deepEqual(await podsLater(playground), RUNNING);
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  await playground.do({ do: 'patch', object, patch: { spec: { replicas: 3 } } });
  const scaled = await podsLater(playground);
  assert.equal(scaled.length, 3);
  assert.deepEqual(scaled.slice(0, 2), RUNNING);
});

test('the status of nodes and pods in a dump is kept, and new pods run', async (t) => {
  const playground = await playgroundOf(t);
  const once = dumpedPod('once', 'a', { restartPolicy: 'Never' });
  const waiting = dumpedPod('waiting', '');
  waiting.status = /** @type {any} */ ({ phase: 'Pending' });
  const dump = list(dumpedNode('a', 'False'), dumpedNode('b'), once, waiting);
  await opened(playground, file('cluster.json', dump));
  assert.deepEqual(
    (await podsLater(playground)).map(([key, , phase]) => [key, phase]),
    [
      ['shop/once', 'Running'],
      ['shop/waiting', 'Running'],
    ],
  );
  const node = await playground.read({ apiVersion: 'v1', kind: 'Node', name: 'a' });
  assert.deepEqual(
    node?.status.conditions.map((/** @type {any} */ { status }) => status),
    ['False'],
  );
});

test('a List of a real API server is opened completely', async (t) => {
  const playground = await playgroundOf(t);
  const recorded = (/** @type {string} */ name) => {
    const url = new URL(`../../js/recordings/apiserver-v1.36/${name}.json`, import.meta.url);
    return JSON.parse(readFileSync(url, 'utf8')).response.body;
  };
  const nodes = file('nodes.json', recorded('list-nodes'));
  const pages = [1, 2, 3].map((page) => recorded(`list-pods-page-${page}`));
  const pods = pages.map((page, index) => file(`pods-${index}.json`, page));
  const { title, update } = await opened(playground, nodes, ...pods);
  assert.equal(title, 'nodes.json, pods-0.json, pods-1.json, pods-2.json');
  const items = pages.flatMap((page) => page.items);
  const placed = items.filter(({ spec }) => spec.nodeName).length;
  assert.ok(placed > 0);
  assert.equal(update.cluster.pods.length, items.length);
  assert.equal(update.cluster.pods.filter(({ node }) => node !== '').length, placed);
});

test('a configuration applies to what is open, or schedules the dump beside it', async (t) => {
  const playground = await playgroundOf(t);
  const configuration = file('config.json', SECOND_PROFILE);
  const result = await playground.openFiles([configuration]);
  assert.ok('update' in result && result.update.rows[0].text === 'another configuration');
  const pod = { ...dumpedPod('one', ''), spec: { schedulerName: 'second', containers: [] } };
  await opened(playground, configuration, file('cluster.json', list(dumpedNode('a'), pod)));
  assert.deepEqual(
    playground.inspect()?.queues.active.map(({ pod: queued }) => queued),
    ['shop/one'],
  );
});

test('a changed dump is written as a scenario that leads to the same state', async (t) => {
  const playground = await playgroundOf(t);
  const objects = [dumpedDeployment(2), dumpedPod('web-1', 'a'), dumpedPod('web-2', 'b')];
  const dump = list(dumpedNode('a'), dumpedNode('b'), ...objects);
  await opened(playground, file('cluster.json', dump));
  await playground.do({ do: 'evict', pods: ['shop/web-1'] });
  const { hash } = await playground.do({ do: 'wait', for: 60_000 });
  const written = await playground.exported('scenario');
  const again = await opened(playground, file('again.yaml', written));
  assert.deepEqual([again.title, again.notes.length], ['cluster.json', 3]);
  await playground.next();
  assert.equal((await playground.next()).hash, hash);
});

test('objects of unknown kinds are counted, not refused', async (t) => {
  const playground = await playgroundOf(t);
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'shop' } };
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
  const dump = list(event, widget, dumpedNode('a'), event);
  const { text } = await opened(playground, file('all.json', dump));
  assert.match(text, /Ignored, because they are not served here: 2 `Event`, 1 `Widget`\./);
});

test('a scenario opens as one, in YAML and in UTF-16', async (t) => {
  const playground = await playgroundOf(t);
  const scenario = SCENARIO.replace('Before', 'After');
  assert.equal((await opened(playground, file('s.yaml', scenario))).title, 'After');
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${JSON.stringify(dumpedNode('a'))}`, 'utf16le'));
  assert.equal((await opened(playground, file('powershell.json', utf16))).title, 'powershell.json');
});

test('an invalid file shows its error with the line, and what is open stays', async (t) => {
  const playground = await playgroundOf(t);
  const bad = { ...dumpedNode('a'), status: { allocatable: { cpu: 'much' } } };
  const badText = JSON.stringify(list(dumpedNode('b'), bad), null, 1);
  const badLine = badText.split('\n').findIndex((line) => line.includes('much')) + 1;
  /** @type {[string, string | Uint8Array | object, object][]} */
  const cases = [
    ['cut.json', '{"kind": "List",\n "items": [', { document: 1, line: 2, code: 'MalformedJson' }],
    ['tab.yaml', 'kind: Node\n---\nkind: [\n', { document: 2, line: 4, code: 'MalformedYaml' }],
    ['none.json', { name: 'stowage' }, { line: 1, message: /^apiVersion: Required value/ }],
    ['empty.yaml', '', { message: 'it contains no object of a served kind' }],
    ['picture.png', new Uint8Array([0x89, 0x50, 0xff]), { code: 'InvalidUtf8' }],
    [
      'quantity.json',
      badText,
      {
        code: 'BadRequest',
        line: badLine,
        message: /^Node a: status\.allocatable\.cpu: quantities must match the regular expression/,
      },
    ],
    [
      'scenario.yaml',
      `${SCENARIO}steps: [{ wait: 1s }]\n`,
      { line: 6, field: 'steps[0].wait', message: /unknown field/ },
    ],
    [
      'config.yaml',
      `apiVersion: ${SECOND_PROFILE.apiVersion}\nkind: ${SECOND_PROFILE.kind}\nparallelism: 0\n`,
      { line: 3, column: 14, message: /^parallelism: Invalid value: 0/ },
    ],
  ];
  for (const [name, content, wanted] of cases) {
    /** @type {any} */
    const expected = { source: name, ...wanted };
    delete expected.field;
    await assert.rejects(playground.openFiles([file(name, content)]), expected, name);
    if (typeof content !== 'string' || content === '') continue;
    // The editor reports the same error before the file is opened.
    const [first] = await playground.check({ kind: 'file' }, content);
    const { line, message } = await playground.openFiles([file(name, content)]).catch((e) => e);
    assert.deepEqual([first.line, message.startsWith(first.message)], [line, true], name);
  }
  assert.deepEqual(await playground.check({ kind: 'file' }, SCENARIO), []);
  const scenario = file('s.yaml', SCENARIO);
  const dump = file('n.json', dumpedNode('a'));
  await assert.rejects(playground.openFiles([dump, scenario]), /a Scenario must be opened alone/);
  assert.ok(await playground.read({ apiVersion: 'v1', kind: 'Node', name: 'before' }));
});
