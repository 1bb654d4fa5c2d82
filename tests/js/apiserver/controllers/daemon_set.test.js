// Goal: DaemonSets have one pod for each matching node, which only the scheduler binds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { template, workload, World } from './world.js';

const node = (name, { labels = {}, taints = [] } = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
  spec: { taints },
});
const TAINT = { key: 'only', value: 'gpu', effect: 'NoSchedule' };

/** @param {import('node:test').TestContext} t @param {object} spec @param {...object} nodes */
async function prepare(t, spec, ...nodes) {
  const world = new World(workloads);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(...nodes, workload('DaemonSet', 'agent', spec));
  await world.settle();
  return world;
}

const targetOf = ({ spec }) =>
  spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]
    .matchFields[0].values[0];
const targets = (world) => world.list('pods').filter(isThere).map(targetOf).sort();
const isThere = ({ metadata }) => !metadata.deletionTimestamp;

/**
 * Binds the pods as the scheduler would, and runs them as the kubelet would.
 * @param {World} world
 */
async function bind(world) {
  for (const pod of world.list('pods').filter(({ spec }) => !spec.nodeName))
    world.bind(pod.metadata.name, targetOf(pod));
  await world.runAll();
}

test('each eligible node gets a pod with affinity to that node', async (t) => {
  const spec = { template: template({ app: 'agent' }, { nodeSelector: { disk: 'ssd' } }) };
  const world = await prepare(
    t,
    spec,
    node('a', { labels: { disk: 'ssd' } }),
    node('b', { labels: { disk: 'ssd' }, taints: [TAINT] }),
    node('c'),
    node('d', {
      labels: { disk: 'ssd' },
      taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
    }),
  );
  assert.deepEqual(targets(world), ['a', 'd']);
  const [pod] = world.list('pods');
  assert.match(pod.metadata.name, /^agent-[a-z0-9]{5}$/);
  assert.equal(pod.spec.nodeName, undefined);
  assert.deepEqual(
    pod.spec.tolerations.map(({ key, effect }) => `${key.split('/')[1]}:${effect}`),
    [
      'not-ready:NoExecute',
      'unreachable:NoExecute',
      'disk-pressure:NoSchedule',
      'memory-pressure:NoSchedule',
      'pid-pressure:NoSchedule',
      'unschedulable:NoSchedule',
    ],
  );
  await bind(world);
  assert.deepEqual(world.get('daemonsets', 'agent').status, {
    currentNumberScheduled: 2,
    numberMisscheduled: 0,
    desiredNumberScheduled: 2,
    numberReady: 2,
    observedGeneration: 1,
    updatedNumberScheduled: 2,
    numberAvailable: 2,
  });
});

test('pods follow added, deleted and changed nodes', async (t) => {
  const world = await prepare(t, {}, node('a'), node('b'));
  await bind(world);
  world.create(node('c'));
  await world.settle();
  assert.deepEqual(targets(world), ['a', 'b', 'c']);
  // Its pod is not bound yet, so no other controller deletes it.
  world.delete('nodes', 'c');
  await world.settle();
  assert.deepEqual(targets(world), ['a', 'b']);
  world.patchSpec('nodes', 'a', { taints: [TAINT] });
  await world.settle();
  assert.deepEqual(targets(world), ['a', 'b']);
  assert.equal(world.get('daemonsets', 'agent').status.numberMisscheduled, 1);
  world.patchSpec('nodes', 'a', { taints: [{ ...TAINT, effect: 'NoExecute' }] });
  await world.settle();
  assert.deepEqual(targets(world), ['b']);
});

test('a pod that fails is replaced, ever more slowly', async (t) => {
  const world = await prepare(t, {}, node('a'));
  const fail = async () => {
    const [{ metadata }] = world.list('pods').filter(isThere);
    world.patchStatus('pods', metadata.name, { phase: 'Failed' });
    await world.settle();
    return metadata.name;
  };
  const first = await fail();
  assert.notEqual(world.list('pods')[0].metadata.name, first);
  const second = await fail();
  assert.equal(world.list('pods')[0].metadata.name, second);
  await world.advance(1100);
  assert.notEqual(world.list('pods')[0].metadata.name, second);
});

test('a new template replaces as many pods at once as may be missing', async (t) => {
  const spec = {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2, maxSurge: 0 } },
  };
  const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => node(name));
  const world = await prepare(t, spec, ...nodes);
  await bind(world);
  const image = { containers: [{ name: 'main', image: 'app:v2' }] };
  world.patchSpec('daemonsets', 'agent', { template: template({ app: 'agent' }, image) });
  await world.settle();
  const leaving = () => world.list('pods').filter(({ metadata }) => metadata.deletionTimestamp);
  for (let step = 0; step < 6; step += 1) {
    assert.ok(leaving().length <= 2);
    for (const { metadata } of leaving())
      world.delete('pods', metadata.name, { gracePeriodSeconds: 0 });
    await world.settle();
    await bind(world);
  }
  assert.deepEqual(
    world.list('pods').map(({ spec }) => spec.containers[0].image),
    nodes.map(() => 'app:v2'),
  );
  assert.equal(world.get('daemonsets', 'agent').status.updatedNumberScheduled, 5);
});

test('with a surge the new pod comes first, and the old one goes when it is ready', async (t) => {
  const spec = {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
  };
  const world = await prepare(t, spec, node('a'), node('b'));
  await bind(world);
  const image = { containers: [{ name: 'main', image: 'app:v2' }] };
  world.patchSpec('daemonsets', 'agent', { template: template({ app: 'agent' }, image) });
  await world.settle();
  assert.equal(world.list('pods').length, 3);
  for (let step = 0; step < 4; step += 1) {
    await bind(world);
    for (const { metadata } of world.list('pods'))
      if (metadata.deletionTimestamp)
        world.delete('pods', metadata.name, { gracePeriodSeconds: 0 });
    await world.settle();
  }
  assert.deepEqual(
    world.list('pods').map(({ spec }) => spec.containers[0].image),
    ['app:v2', 'app:v2'],
  );
});

// Goal: a cluster from a file rarely has ControllerRevisions; its pods stay all the same.
test('pods of a DaemonSet without ControllerRevisions stay', async (t) => {
  const first = await prepare(t, {}, node('a'), node('b'));
  await bind(first);
  const world = new World();
  const labels = { app: 'agent', 'controller-revision-hash': 'elsewhere' };
  for (const resource of ['nodes', 'daemonsets', 'pods'])
    for (const object of first.list(resource))
      world.store.load({ ...object, metadata: { ...object.metadata, labels } });
  t.after(workloads().start(world.store, world.clock));
  const names = world.list('pods').map(({ metadata }) => metadata.name);
  await world.settle();
  assert.deepEqual(
    world
      .list('pods')
      .filter(isThere)
      .map(({ metadata }) => metadata.name),
    names,
  );
  assert.equal(world.get('daemonsets', 'agent').status.updatedNumberScheduled, 2);
});
