import assert from 'node:assert/strict';
import { test } from 'node:test';
import { survives, toSurvive } from '../../../js/src/whatif.js';
import { makeList, makeNode, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';

const { engine } = await startNative();
const ZONE = 'topology.kubernetes.io/zone';

/** A cluster that survives the loss of a node, but not of a zone. */
const objects = [
  makeNode('a', { cpu: '2', labels: { [ZONE]: 'east' } }),
  makeNode('b', { cpu: '2', labels: { [ZONE]: 'east' } }),
  makeNode('c', { cpu: '2', labels: { [ZONE]: 'west' } }),
  ...['a', 'b', 'c'].map((nodeName, at) =>
    storedPod(`web-${nodeName}`, {
      metadata: { labels: { tier: at === 1 ? 'gold' : 'base' } },
      spec: { nodeName },
    }),
  ),
];

test('a cluster is a scheduler, objects, or the text of a snapshot', async () => {
  const scheduler = engine.createScheduler();
  scheduler.apply(objects);
  const list = makeList(...objects);
  for (const cluster of [scheduler, objects, list, JSON.stringify(list)]) {
    await survives(cluster, { nodes: 1, engine });
    await assert.rejects(survives(cluster, { zones: 1, engine }), { name: 'AssertionError' });
  }
  scheduler.dispose();
});

test('the error lists failures, pods and reasons', async () => {
  /** @type {any} */
  const error = await survives(objects, { nodes: 1, zones: 1, engine }).then(
    () => assert.fail('it survives'),
    (cause) => cause,
  );
  assert.equal(
    error.message,
    [
      '1 failure leaves pods pending, of 5 tried:',
      '  zone/east: 1 pod waits',
      '    default/web-b: 0/1 nodes are available: 1 Insufficient cpu. ' +
        'no new claims to deallocate, preemption: 0/1 nodes are available: ' +
        '1 No preemption victims found for incoming pod.',
    ].join('\n'),
  );
  assert.deepEqual(
    [error.code, error.actual.kind, error.operator],
    ['ERR_ASSERTION', 'Sweep', 'survives'],
  );
});

test('long lists are cut off', async () => {
  const pods = Array.from({ length: 9 }, (_, at) =>
    storedPod(`p${at}`, { cpu: '100m', spec: { nodeName: 'n0' } }),
  );
  const nodes = Array.from({ length: 12 }, (_, at) => makeNode(`n${at}`, { cpu: '1' }));
  const full = Array.from({ length: 11 }, (_, at) =>
    storedPod(`f${at}`, { spec: { nodeName: `n${at + 1}` } }),
  );
  await assert.rejects(
    survives([...nodes, ...pods, ...full], { nodes: 1, engine }),
    ({ message }) => {
      assert.match(
        message,
        /^12 failures leave pods pending, of 12 tried:\n {2}node\/n0: 9 pods wait\n/,
      );
      assert.match(message, /\n {4}and 4 more pods\n/);
      assert.match(message, /\n {2}and 2 more failures$/);
      return true;
    },
  );
});

test('a selector and a namespace say which pods must have nodes', async () => {
  await survives(objects, { zones: 1, selector: 'tier=base', engine });
  await survives(objects, { zones: 1, namespace: 'kube-system', engine });
  await assert.rejects(survives(objects, { zones: 1, selector: 'tier=gold', engine }));
});

test('toSurvive is a matcher for expect.extend', async () => {
  const lost = await toSurvive(objects, { zones: 1, engine });
  assert.deepEqual([lost.pass, lost.message().split('\n')[1]], [false, '  zone/east: 1 pod waits']);
  const kept = await toSurvive(objects, { nodes: 1, engine });
  assert.deepEqual(
    [kept.pass, kept.message()],
    [true, 'expected a failure to leave pods pending, but all 3 leave none'],
  );
});

test('bad questions and texts are typed errors', async () => {
  await assert.rejects(survives(objects, { engine }), { name: 'InputError', field: 'failures' });
  const racks = survives(objects, { racks: 1, engine });
  await assert.rejects(racks, { name: 'InputError', field: 'topologyKey' });
  await assert.rejects(survives('{"kind" 1}', { nodes: 1, engine }), { name: 'InputError' });
});

test('without an engine, the shared one is loaded', async () => {
  await survives(objects, { nodes: 1 });
});
