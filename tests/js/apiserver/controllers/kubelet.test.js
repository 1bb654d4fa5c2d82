// Goal: bound pods run, end and are deleted as if they had containers; nodes are ready, and their
// failures affect their pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubelet } from '../../../../js/apiserver/controllers/kubelet/kubelet.js';
import { namespace } from '../../../../js/apiserver/controllers/namespace.js';
import { nodelifecycle } from '../../../../js/apiserver/controllers/nodelifecycle.js';
import { World } from './world.js';

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a', labels: { 'kubernetes.io/arch': 'arm64' } },
  status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' } },
};
const pod = (name, spec = {}, metadata = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'app:v1' }], ...spec },
});

/** @param {import('node:test').TestContext} t @param {...object} objects */
async function prepare(t, ...objects) {
  const world = new World(namespace, kubelet, nodelifecycle);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(NODE, ...objects);
  await world.settle();
  return world;
}

const conditions = ({ status }) =>
  Object.fromEntries(status.conditions.map(({ type, status: value }) => [type, value]));
const taints = (world) =>
  (world.get('nodes', 'a').spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);

test('a pod that is bound is created, and runs a moment later', async (t) => {
  const world = await prepare(t, pod('web', { initContainers: [{ name: 'init', image: 'i' }] }));
  await world.advance(5000);
  assert.equal(world.get('pods', 'web').status?.startTime, undefined);
  world.bind('web', 'a');
  await world.settle();
  const created = world.get('pods', 'web');
  assert.equal(created.status.phase, 'Pending');
  assert.equal(created.status.startTime, '2026-03-01T00:00:05Z');
  assert.deepEqual(created.status.containerStatuses[0].state, {
    waiting: { reason: 'PodInitializing' },
  });
  assert.equal(conditions(created).PodScheduled, 'True');
  assert.equal(conditions(created).Ready, 'False');
  await world.advance(1000);
  const running = world.get('pods', 'web');
  assert.deepEqual(conditions(running), {
    PodReadyToStartContainers: 'True',
    Initialized: 'True',
    Ready: 'True',
    ContainersReady: 'True',
    PodScheduled: 'True',
  });
  const { phase, podIP, hostIP, containerStatuses, initContainerStatuses } = running.status;
  assert.deepEqual([phase, podIP, hostIP], ['Running', '10.244.0.1', '172.18.0.2']);
  assert.deepEqual(containerStatuses[0].state, { running: { startedAt: '2026-03-01T00:00:06Z' } });
  assert.equal(initContainerStatuses[0].state.terminated.reason, 'Completed');
  const version = world.get('pods', 'web').metadata.resourceVersion;
  await world.advance(3_600_000);
  assert.equal(world.get('pods', 'web').metadata.resourceVersion, version);
});

test('a pod that is not restarted succeeds, one that takes too long fails', async (t) => {
  const world = await prepare(
    t,
    pod('job', { nodeName: 'a', restartPolicy: 'OnFailure' }),
    pod('slow', { nodeName: 'a', restartPolicy: 'Never', activeDeadlineSeconds: 3 }),
  );
  await world.advance(2000);
  assert.equal(world.get('pods', 'job').status.phase, 'Running');
  await world.advance(5000);
  const { status } = world.get('pods', 'job');
  assert.equal(status.phase, 'Succeeded');
  assert.deepEqual(status.containerStatuses[0].state.terminated, {
    exitCode: 0,
    reason: 'Completed',
    startedAt: '2026-03-01T00:00:01Z',
    finishedAt: '2026-03-01T00:00:06Z',
  });
  assert.equal(world.get('pods', 'slow').status.phase, 'Failed');
  assert.equal(world.get('pods', 'slow').status.reason, 'DeadlineExceeded');
});

test('a pod that is deleted ends within its grace period, then it is gone', async (t) => {
  const world = await prepare(
    t,
    pod('web', { nodeName: 'a' }),
    pod('held', { nodeName: 'a' }, { finalizers: ['example.org/hold'] }),
  );
  await world.advance(2000);
  world.delete('pods', 'web');
  world.delete('pods', 'held');
  await world.settle();
  assert.equal(world.get('pods', 'web').status.phase, 'Running');
  await world.advance(1000);
  assert.equal(world.get('pods', 'web'), undefined);
  assert.equal(world.get('pods', 'held').status.phase, 'Failed');
  assert.equal(world.get('pods', 'held').metadata.deletionGracePeriodSeconds, 0);
});

test('preStop hooks that sleep keep a pod, at most for its grace period', async (t) => {
  const container = (/** @type {string} */ name, /** @type {number} */ seconds) => ({
    name,
    image: 'app:v1',
    lifecycle: { preStop: { sleep: { seconds } } },
  });
  const slept = (/** @type {string} */ name, /** @type {number[]} */ seconds, spec = {}) =>
    pod(name, {
      nodeName: 'a',
      containers: seconds.map((each, index) => container(`c${index}`, each)),
      ...spec,
    });
  const sidecar = { ...container('sidecar', 7), restartPolicy: 'Always' };
  const init = { name: 'init', image: 'app:v1' };
  const world = await prepare(
    t,
    slept('two', [2, 5]),
    slept('side', [1], { initContainers: [init, sidecar] }),
    slept('long', [10], { terminationGracePeriodSeconds: 10 }),
    slept('asked', [30]),
    slept('forced', [30]),
    slept('hurried', [20]),
  );
  await world.advance(2000);
  /** The seconds after which each pod is gone. @type {Record<string, number>} */
  const gone = {};
  for (const name of ['two', 'side', 'long', 'hurried']) world.delete('pods', name);
  world.delete('pods', 'asked', { gracePeriodSeconds: 3 });
  world.delete('pods', 'forced', { gracePeriodSeconds: 0 });
  for (let second = 0; second < 20; second += 1) {
    for (const { metadata } of world.list('pods')) gone[metadata.name] = second + 1;
    if (second === 4) world.delete('pods', 'hurried', { gracePeriodSeconds: 1 });
    await world.advance(1000);
  }
  const { forced, two, side, long, asked, hurried } = gone;
  assert.equal(forced, undefined);
  assert.deepEqual(
    { two, side, long, asked, hurried },
    {
      two: 6,
      side: 8,
      long: 11,
      asked: 4,
      hurried: 6,
    },
  );
});

test('a pod that waits for its hooks runs on, and says when it goes', async (t) => {
  const lifecycle = { preStop: { sleep: { seconds: 5 } } };
  const containers = [{ name: 'main', image: 'app:v1', lifecycle }];
  const world = await prepare(t, pod('web', { nodeName: 'a', containers }));
  await world.advance(2000);
  world.delete('pods', 'web');
  await world.advance(5000);
  const { metadata, status } = world.get('pods', 'web');
  assert.equal(metadata.deletionGracePeriodSeconds, 30);
  assert.equal(metadata.deletionTimestamp, '2026-03-01T00:00:32Z');
  assert.deepEqual([status.phase, conditions({ status }).Ready], ['Running', 'True']);
});

test('addresses are given again only after all others', async (t) => {
  const world = await prepare(t, pod('one', { nodeName: 'a' }), pod('two', { nodeName: 'a' }));
  await world.advance(1000);
  world.delete('pods', 'one', { gracePeriodSeconds: 0 });
  world.create(pod('three', { nodeName: 'a' }), pod('host', { nodeName: 'a', hostNetwork: true }));
  await world.advance(1000);
  const addresses = ['two', 'three', 'host'].map((name) => world.get('pods', name).status.podIP);
  assert.deepEqual(addresses, ['10.244.0.2', '10.244.0.3', '172.18.0.2']);
});

test('a pod waits for its claims, and for its readiness gates', async (t) => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const readinessGates = [{ conditionType: 'example.org/open' }];
  const world = await prepare(t, pod('web', { nodeName: 'a', volumes, readinessGates }));
  await world.advance(10_000);
  assert.equal(world.get('pods', 'web').status.phase, 'Pending');
  world.create({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  world.patchStatus('persistentvolumeclaims', 'data', { phase: 'Bound' });
  await world.settle();
  const running = world.get('pods', 'web');
  assert.equal(running.status.phase, 'Running');
  assert.equal(conditions(running).Ready, 'False');
  world.patchStatus('pods', 'web', {
    conditions: [...running.status.conditions, { type: 'example.org/open', status: 'True' }],
  });
  await world.settle();
  assert.equal(conditions(world.get('pods', 'web')).Ready, 'True');
});

test('a node is ready, completed and renews its lease', async (t) => {
  const world = await prepare(t);
  const node = world.get('nodes', 'a');
  assert.equal(conditions(node).Ready, 'True');
  assert.deepEqual(node.status.allocatable, NODE.status.capacity);
  assert.equal(node.status.nodeInfo.architecture, 'arm64');
  assert.deepEqual(taints(world), []);
  const lease = () => world.store.get('leases', 'kube-node-lease', 'a').spec;
  assert.equal(lease().holderIdentity, 'a');
  assert.equal(lease().renewTime, '2026-03-01T00:00:00.000000Z');
  await world.advance(25_000);
  assert.equal(lease().renewTime, '2026-03-01T00:00:20.000000Z');
  await world.advance(300_000);
  const ready = world.get('nodes', 'a').status.conditions.find(({ type }) => type === 'Ready');
  assert.equal(ready.lastHeartbeatTime, '2026-03-01T00:05:00Z');
  assert.equal(ready.lastTransitionTime, '2026-03-01T00:00:00Z');
});

const stop = (world, value) =>
  world.change('nodes', 'a', (node) => ({
    ...node,
    metadata: { ...node.metadata, annotations: { 'stowage/kubelet': value } },
  }));

test('a node whose kubelet stops reporting is tainted, and loses its pods', async (t) => {
  const tolerations = ['not-ready', 'unreachable'].map((name) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  const world = await prepare(t, pod('web', { nodeName: 'a', tolerations }));
  await world.advance(20_000);
  stop(world, 'stopped');
  await world.advance(40_000);
  assert.equal(conditions(world.get('nodes', 'a')).Ready, 'True');
  await world.advance(15_000);
  assert.equal(conditions(world.get('nodes', 'a')).Ready, 'Unknown');
  assert.equal(conditions(world.get('pods', 'web')).Ready, 'False');
  assert.deepEqual(taints(world), [
    'node.kubernetes.io/unreachable:NoSchedule',
    'node.kubernetes.io/unreachable:NoExecute',
  ]);
  await world.advance(290_000);
  assert.equal(world.get('pods', 'web').metadata.deletionTimestamp, undefined);
  await world.advance(15_000);
  const evicted = world.get('pods', 'web');
  assert.ok(evicted.metadata.deletionTimestamp);
  assert.equal(conditions(evicted).DisruptionTarget, 'True');
  stop(world, '');
  await world.advance(2000);
  assert.equal(conditions(world.get('nodes', 'a')).Ready, 'True');
  assert.deepEqual(taints(world), []);
  assert.equal(world.get('pods', 'web'), undefined);
});

test('a node that is cordoned, or not well, is tainted; other taints stay', async (t) => {
  const world = await prepare(t);
  const own = { key: 'mine', effect: 'NoSchedule' };
  world.patchSpec('nodes', 'a', { unschedulable: true, taints: [own] });
  await world.settle();
  assert.deepEqual(taints(world), [
    'mine:NoSchedule',
    'node.kubernetes.io/unschedulable:NoSchedule',
  ]);
  world.patchSpec('nodes', 'a', { unschedulable: undefined });
  await world.settle();
  assert.deepEqual(taints(world), ['mine:NoSchedule']);
});

test('a NoExecute taint drives pods out that do not tolerate it', async (t) => {
  const toleration = { key: 'out', operator: 'Exists', effect: 'NoExecute' };
  const world = await prepare(
    t,
    pod('leaves', { nodeName: 'a' }),
    pod('stays', { nodeName: 'a', tolerations: [toleration] }),
    pod('later', { nodeName: 'a', tolerations: [{ ...toleration, tolerationSeconds: 60 }] }),
    pod('spared', { nodeName: 'a', tolerations: [{ ...toleration, tolerationSeconds: 90 }] }),
    pod('first', {
      nodeName: 'a',
      tolerations: [{ operator: 'Exists' }, { ...toleration, tolerationSeconds: 60 }],
    }),
  );
  await world.advance(2000);
  world.patchSpec('nodes', 'a', { taints: [{ key: 'out', effect: 'NoExecute' }] });
  await world.advance(2000);
  const there = () => world.list('pods').map(({ metadata }) => metadata.name);
  assert.deepEqual(there(), ['first', 'later', 'spared', 'stays']);
  await world.advance(60_000);
  assert.deepEqual(there(), ['first', 'spared', 'stays'], 'the first that matches counts');
  world.patchSpec('nodes', 'a', { taints: [] });
  await world.advance(60_000);
  assert.deepEqual(there(), ['first', 'spared', 'stays']);
});

test('pods of a node that is gone go after a while', async (t) => {
  const world = await prepare(t, pod('web', { nodeName: 'a' }));
  await world.advance(2000);
  world.delete('nodes', 'a');
  await world.advance(39_000);
  assert.ok(world.get('pods', 'web'));
  await world.advance(2000);
  assert.equal(world.get('pods', 'web'), undefined);
});

test('keepsFound leaves nodes and pods that have a status at the start unchanged', async (t) => {
  const ready = { type: 'Ready', status: 'False', reason: 'KubeletNotReady' };
  const found = { ...pod('found', { nodeName: 'a', restartPolicy: 'Never' }, { uid: 'found' }) };
  const world = new World(namespace);
  world.store.load({ ...NODE, metadata: { name: 'a', uid: 'a' }, status: { conditions: [ready] } });
  const status = { phase: 'Running', startTime: '2026-02-01T00:00:00Z' };
  world.store.load({ ...found, metadata: { ...found.metadata, namespace: 'default' }, status });
  const written = pod('written', { nodeName: 'a' }, { namespace: 'default', uid: 'written' });
  const isReady = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  world.store.load({ ...written, status: isReady });
  const stop = kubelet({ keepsFound: true }).start(world.store, world.clock);
  t.after(() => (stop(), world.stop()));
  world.create(pod('new', { nodeName: 'a' }));
  await world.advance(60_000);
  assert.deepEqual(conditions(world.get('nodes', 'a')), { Ready: 'False' });
  assert.equal(world.get('pods', 'found').status.phase, 'Running');
  assert.equal(world.get('pods', 'written').status.startTime, undefined);
  assert.equal(world.get('pods', 'new').status.phase, 'Running');
});
