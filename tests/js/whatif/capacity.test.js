import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { capacity, measureCapacity, templateOf } from '../../../js/src/whatif/capacity.js';
import { validate } from '../support/json_schema.js';
import { makeNode, makePod, storedPod as podOf } from '../support/objects.js';
import { startNative, startWasm } from '../support/real_engine.js';

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
    [
      {
        kind: 'Deployment',
        metadata: { name: 'x' },
        spec: { template: { spec: { nodeName: 'a', containers: [] } } },
      },
      'spec.template.spec.nodeName',
    ],
    [{ kind: 'Pod', metadata: { name: 'x' }, spec: { nodeName: 'a' } }, 'spec.nodeName'],
    [{ apiVersion: 'apps.example.org/v1', kind: 'Deployment', metadata: { name: 'x' } }, 'kind'],
  ];
  for (const [object, field] of cases)
    assert.throws(() => templateOf(object, {}), { name: 'InputError', field });
});

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);

/** @param {object[]} objects @param {object[]} shapes @param {object} [options] */
async function together(objects, shapes, { by = engine, ...options } = {}) {
  const scheduler = by.createScheduler({ startTime: Date.UTC(2026, 0, 1) });
  try {
    scheduler.apply(objects);
    const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
    const found = await capacity(scheduler, shapes, options);
    assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before, 'unchanged');
    assert.deepEqual(validate(schema, found), []);
    return found;
  } finally {
    scheduler.dispose();
  }
}

const half = storedPod('half', { cpu: '500m' });
const whole = storedPod('whole', { cpu: '1' });

test('several shapes fit in a ratio', async () => {
  const { total, rounds, shapes } = await together([twoCores('a'), twoCores('b')], [half, whole], {
    ratio: [2, 1],
  });
  // The halves are spread, so that a whole one finds no room in the second round.
  assert.deepEqual([total, rounds], [5, 1]);
  assert.deepEqual(
    shapes.map(({ pod, total: count, alone, stoppedBy, message }) => ({
      pod,
      count,
      alone,
      stoppedBy,
      message,
    })),
    [
      { pod: 'default/half', count: 4, alone: 8, stoppedBy: 'Ratio', message: '' },
      {
        pod: 'default/whole',
        count: 1,
        alone: 4,
        stoppedBy: 'Unschedulable',
        message: '0/2 nodes are available: 2 Insufficient cpu.',
      },
    ],
  );
  assert.deepEqual(shapes[1].nodes, [
    { node: 'a', pods: 1, next: ['Insufficient cpu'] },
    { node: 'b', pods: 0, next: ['Insufficient cpu'] },
  ]);
});

test('several shapes fill the cluster in their order', async () => {
  const small = { ...half, metadata: { ...half.metadata, name: 'whole' } };
  const objects = [{ ...twoCores('a'), status: { allocatable: { cpu: '2500m', pods: '110' } } }];
  const { total, rounds, shapes } = await together(objects, [whole, small]);
  assert.deepEqual(
    [total, rounds, shapes.map((shape) => [shape.total, shape.alone])],
    [
      3,
      null,
      [
        [2, 2],
        [1, 5],
      ],
    ],
  );
  const limited = await together(objects, [half, whole], { atMost: 1 });
  assert.deepEqual(
    limited.shapes.map(({ total: count, stoppedBy }) => [count, stoppedBy]),
    [
      [1, 'LimitReached'],
      [1, 'LimitReached'],
    ],
  );
});

test('the answer holds in a scheduler built from scratch', async () => {
  const objects = [twoCores('a'), { ...twoCores('b'), spec: { unschedulable: true } }];
  const { shapes } = await together(objects, [half, whole], { ratio: [1, 1] });
  const placed = shapes.flatMap(({ pod, nodes }) =>
    nodes.flatMap(({ node, pods }) =>
      Array.from({ length: pods }, (_, index) => {
        const { spec } = pod.endsWith('/half') ? half : whole;
        return storedPod(`${pod.slice(8)}-${node}-${index}`, { spec: { ...spec, nodeName: node } });
      }),
    ),
  );
  for (const [next, expected] of [
    [half, 0],
    [whole, 0],
  ])
    assert.equal((await measure([...objects, ...placed], next)).total, expected);
});

test('WebAssembly counts the same', async () => {
  const { engine: wasm } = await startWasm();
  const answers = [];
  for (const by of [engine, wasm])
    answers.push(await together([twoCores('a')], [half, whole], { by, ratio: [1, 1] }));
  assert.deepEqual(answers[0], answers[1]);
});

test('shapes and ratios that cannot be counted are refused', async () => {
  const cases = [
    [[], {}, 'shapes'],
    [[twoCores('a')], {}, 'kind'],
    [[makePod('incomplete')], {}, 'kind'],
    [[half, whole], { ratio: [1] }, 'ratio'],
    [[half, whole], { ratio: [0, 0] }, 'ratio'],
    [[half, whole], { ratio: [1, -1] }, 'ratio'],
    [[half], { atMost: 0.5 }, 'atMost'],
  ];
  for (const [shapes, options, field] of cases)
    await assert.rejects(together([twoCores('a')], shapes, options), { name: 'InputError', field });
});
