// Goal: ReplicaSets and ReplicationControllers keep their number of pods, and delete surplus pods
// in upstream's order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortForDeletion } from '../../../../js/src/kubernetes/workloads/active_pods.js';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { runningStatus, template, workload, World } from './world.js';

const NOW = Date.UTC(2026, 2, 1);
const ago = (/** @type {number} */ seconds) =>
  new Date(NOW - seconds * 1000).toISOString().replace('.000', '');

/**
 * Returns a pod that runs, is ready, and is a day old.
 * @param {string} name
 * @param {object} [given]
 */
function pod(name, { annotations = {}, created = 86_400, nodeName = 'n', status = {} } = {}) {
  return {
    metadata: { name, uid: name, annotations, creationTimestamp: ago(created) },
    spec: { ...(nodeName && { nodeName }) },
    status: { ...ready(86_400), ...status },
  };
}

const ready = (/** @type {number} */ seconds) => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(seconds) }],
});
const cost = (/** @type {string} */ value) => ({
  annotations: { 'controller.kubernetes.io/pod-deletion-cost': value },
});

test('pods go in the order of the reference', () => {
  const cases = [
    [
      'unassigned before assigned',
      pod('a', { nodeName: '' }),
      pod('b', { status: { phase: 'Pending' } }),
    ],
    ['pending before running', pod('a', { status: { phase: 'Pending' } }), pod('b')],
    ['not ready before ready', pod('a', { status: { conditions: [] } }), pod('b', cost('-5'))],
    ['cheap before dear', pod('a', cost('-1')), pod('b', { nodeName: 'crowded' })],
    ['a cost that is no number is none', pod('a'), pod('b', cost('1'))],
    [
      'crowded nodes before others',
      pod('a', { nodeName: 'crowded' }),
      pod('b', { status: ready(5) }),
    ],
    ['ready for a shorter time first', pod('a', { status: ready(60) }), pod('b')],
    [
      'more restarts before less',
      pod('a', { status: { containerStatuses: [{ restartCount: 2 }] } }),
      pod('b', { created: 5 }),
    ],
    ['younger before older', pod('a', { created: 60 }), pod('b')],
    ['of about the same age by uid', pod('a', { created: 86_400 }), pod('b', { created: 86_000 })],
  ];
  const ranks = new Map([['crowded', 2]]);
  for (const [name, first, second] of cases) {
    const names = (...pods) =>
      sortForDeletion(pods, NOW, ranks).map(({ metadata }) => metadata.name);
    assert.deepEqual(names(first, second), ['a', 'b'], name);
    assert.deepEqual(names(second, first), ['a', 'b'], name);
  }
});

/** @param {import('node:test').TestContext} t @param {...object} objects */
async function prepare(t, ...objects) {
  const world = new World(workloads);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(...objects);
  await world.settle();
  return world;
}

for (const kind of ['ReplicaSet', 'ReplicationController']) {
  const resource = `${kind.toLowerCase()}s`;
  const set = (/** @type {object} */ spec) =>
    kind === 'ReplicaSet'
      ? workload(kind, 'web', spec)
      : {
          apiVersion: 'v1',
          kind,
          metadata: { name: 'web' },
          spec: { selector: { app: 'web' }, template: template({ app: 'web' }), ...spec },
        };

  test(`a ${kind} replaces pods that go or end`, async (t) => {
    const world = await prepare(t, set({ replicas: 3 }));
    await world.runAll();
    const [first, second] = world.list('pods').map(({ metadata }) => metadata.name);
    world.delete('pods', first, { gracePeriodSeconds: 0 });
    world.patchStatus('pods', second, { phase: 'Failed' });
    await world.settle();
    const { status } = world.get(resource, 'web');
    assert.equal(world.list('pods').length, 4);
    assert.deepEqual([status.replicas, status.readyReplicas, status.observedGeneration], [3, 1, 1]);
  });

  test(`a ${kind} that is made smaller deletes those that help least`, async (t) => {
    const world = await prepare(t, set({ replicas: 3 }));
    const [kept, ...others] = world.list('pods').map(({ metadata }) => metadata.name);
    world.run(kept);
    await world.settle();
    world.patchSpec(resource, 'web', { replicas: 1 });
    await world.settle();
    assert.deepEqual(
      world.list('pods').map(({ metadata }) => metadata.name),
      [kept],
    );
    assert.equal(others.length, 2);
    assert.ok(world.events('web').some((event) => event.startsWith('SuccessfulDelete')));
  });
}

test('orphans that match are adopted, pods that match no more are released', async (t) => {
  const orphan = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'orphan', labels: { app: 'web' } },
    spec: template({}).spec,
  };
  const world = await prepare(t, orphan, workload('ReplicaSet', 'web', { replicas: 2 }));
  assert.equal(world.list('pods').length, 2);
  assert.equal(world.get('pods', 'orphan').metadata.ownerReferences[0].name, 'web');
  world.change('pods', 'orphan', (pod) => ({
    ...pod,
    metadata: { ...pod.metadata, labels: { app: 'other' } },
  }));
  await world.settle();
  assert.equal(world.get('pods', 'orphan').metadata.ownerReferences?.length ?? 0, 0);
  assert.equal(world.list('pods').length, 3);
});

test('a pod counts as available when it was ready for long enough', async (t) => {
  const world = await prepare(
    t,
    workload('ReplicaSet', 'web', { replicas: 1, minReadySeconds: 30 }),
  );
  await world.runAll();
  assert.equal(world.get('replicasets', 'web').status.availableReplicas, undefined);
  await world.advance(31_000);
  assert.equal(world.get('replicasets', 'web').status.availableReplicas, 1);
});

// A thousand pods take two bursts; the status is counted in batches, and is right in the end.
test('a large set is filled in bursts, and counted in the end', async (t) => {
  const world = await prepare(t, workload('ReplicaSet', 'web', { replicas: 1000 }));
  assert.equal(world.list('pods').length, 1000);
  const before = world.storage.resourceVersion;
  for (const { metadata } of world.list('pods'))
    world.patchStatus('pods', metadata.name, runningStatus(NOW));
  await world.advance(2000);
  assert.equal(world.get('replicasets', 'web').status.readyReplicas, 1000);
  assert.ok(world.storage.resourceVersion - before <= 1000 + 5);
  // At most 25 events about one object.
  assert.ok(world.list('events').length <= 26);
});
