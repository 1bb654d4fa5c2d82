import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureCapacity, templateOf } from '../../../js/src/whatif/capacity.js';
import { makeNode, makePod, storedPod as podOf } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';

const { engine } = await startNative();

/** @param {string} name @param {{ spec?: object }} [options] */
function storedPod(name, options = {}) {
  const spec = { schedulerName: 'default-scheduler', ...options.spec };
  return podOf(name, { ...options, spec });
}

/** @param {object[]} objects @param {object} pod @param {object} [options] */
async function measure(objects, pod, options = {}) {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 1) });
  try {
    scheduler.apply(objects);
    const nodes = objects
      .filter(({ kind }) => kind === 'Node')
      .map(({ metadata }) => metadata.name);
    return await measureCapacity(scheduler, pod, { nodes, ...options });
  } finally {
    scheduler.dispose();
  }
}

/** @param {string} name */
function twoCores(name) {
  const node = makeNode(name);
  return { ...node, status: { allocatable: { cpu: '2', memory: '4Gi', pods: '110' } } };
}

const requests = { cpu: '150m', memory: '100Mi' };
const small = storedPod('small', {
  spec: { containers: [{ name: 'c', resources: { requests } }] },
});

test('four empty nodes of 2 CPU and 4 GB take 52 pods of 150m and 100Mi', async () => {
  const nodes = ['a', 'b', 'c', 'd'].map(twoCores);
  const found = await measure(nodes, small);
  assert.equal(found.total, 52);
  assert.deepEqual(
    found.nodes,
    ['a', 'b', 'c', 'd'].map((node) => ({ node, pods: 13, next: ['Insufficient cpu'] })),
  );
  assert.deepEqual(
    [found.pod, found.stoppedBy, found.message],
    ['default/small', 'Unschedulable', '0/4 nodes are available: 4 Insufficient cpu.'],
  );
});

test('existing pods count, pending ones do not, and no pod is evicted', async () => {
  const objects = [
    twoCores('a'),
    { ...twoCores('b'), spec: { unschedulable: true } },
    storedPod('low', { cpu: '1', spec: { nodeName: 'a', priority: -5 } }),
    storedPod('waiting', { cpu: '1' }),
  ];
  const vip = storedPod('vip', { cpu: '500m', spec: { priority: 1000 } });
  const found = await measure(objects, vip);
  assert.deepEqual(
    [found.total, found.nodes],
    [
      2,
      [
        { node: 'a', pods: 2, next: ['Insufficient cpu'] },
        { node: 'b', pods: 0, next: ['node(s) were unschedulable'] },
      ],
    ],
  );
});

test('each clone reduces the room for the next', async () => {
  const labels = { app: 'x' };
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const lonely = storedPod('lonely', {
    metadata: { labels },
    spec: { affinity: { podAntiAffinity } },
  });
  const found = await measure(['a', 'b', 'c'].map(twoCores), lonely);
  assert.equal(found.total, 3);
  assert.match(found.message, /3 node\(s\) didn't match pod anti-affinity rules/);
});

test('counting stops at its limit', async () => {
  const found = await measure([twoCores('a')], small, { atMost: 5 });
  assert.deepEqual([found.total, found.stoppedBy, found.message], [5, 'LimitReached', '']);
  assert.deepEqual(found.nodes, [{ node: 'a', pods: 5, next: [] }]);
  assert.equal((await measure([twoCores('a')], small, { atMost: 0 })).total, 0);
});

test('a pod that waits at a gate fits nowhere', async () => {
  const gated = storedPod('gated', { spec: { schedulingGates: [{ name: 'later' }] } });
  const found = await measure([twoCores('a')], gated);
  assert.deepEqual([found.total, found.stoppedBy], [0, 'SchedulingGated']);
});

test('a workload stands for its pod, whatever its counts are', () => {
  const { spec } = makePod('x');
  const selector = { matchLabels: { app: 'x' } };
  const template = { metadata: { labels: { app: 'x' } }, spec };
  const cases = [
    ['apps/v1', 'Deployment', { replicas: 0 }, 1],
    ['apps/v1', 'StatefulSet', { replicas: 7 }, 0],
    ['batch/v1', 'Job', { parallelism: 0, completions: 4, suspend: true }, 0],
  ];
  for (const [apiVersion, kind, counts, others] of cases) {
    const object = {
      apiVersion,
      kind,
      metadata: { name: 'x' },
      spec: { selector, template, ...counts },
    };
    const made = templateOf(object, {});
    assert.deepEqual(made.pod.spec.containers, spec.containers, kind);
    assert.equal(made.others.length, others, kind);
  }
});

test('pods that are not alike are refused', () => {
  const cases = [
    [{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'x' } }, 'kind'],
    [
      { kind: 'StatefulSet', metadata: { name: 'x' }, spec: { volumeClaimTemplates: [{}] } },
      'spec.volumeClaimTemplates',
    ],
  ];
  for (const [object, field] of cases)
    assert.throws(() => templateOf(object, {}), { name: 'InputError', field });
});
