import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode } from '../../support/objects.js';
import { startWasm } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';
import { junitErrors, sarifErrors } from '../../support/standard_schemas.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../../support/workloads.js';

const { engine } = await startWasm();
const loadEngine = async () => engine;
const { file } = await makeFolder();
const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const ALONE = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
};
let count = 0;

/**
 * @param {object[]} objects of the cluster
 * @param {object | object[]} manifests
 * @param {string} [output]
 * @param {string[]} [more] flags
 */
async function check(objects, manifests, output = 'json', more = []) {
  const cluster = await file(`${(count += 1)}.json`, makeList(...objects));
  const stdin = JSON.stringify(makeList(...[manifests].flat()));
  const argv = ['check', '-', '--cluster', cluster, '-o', output, ...more];
  return runCli(argv, { stdin, loadEngine });
}

/** @param {object[]} objects @param {object | object[]} manifests */
async function results(objects, manifests) {
  const { stdout, stderr } = await check(objects, manifests);
  assert.ok(stdout, stderr);
  return JSON.parse(stdout).workloads.map(({ result }) => result);
}

/**
 * A Deployment with old pods on nodes, without ReplicaSet, with it, and with the Deployment too.
 * @param {object} options of the workload
 * @param {string[]} nodes of the old pods
 */
function deployed(options, nodes) {
  const workload = owned(makeWorkload('Deployment', 'web', { image: 'app:v1', ...options }));
  const set = replicaSetOf(workload, '7d4b', { replicas: nodes.length });
  const { cpu, podSpec: spec } = options;
  const pods = nodes.map((node, at) => podOf(`web-7d4b-${at}`, set, { node, cpu, spec }));
  return [pods, [...pods, set], [...pods, set, workload]];
}

/** @param {object} [rollingUpdate] */
const rolling = (rollingUpdate) => ({ strategy: { type: 'RollingUpdate', rollingUpdate } });
const surge = rolling({ maxSurge: 1, maxUnavailable: 0 });

test('a Deployment whose new pod finds no node beside the old ones hangs', async () => {
  const small = makeNode('a', { cpu: '4' });
  const cases = [
    // What is asked for, the nodes of the old pods, all nodes, the result.
    ['anti-affinity, surge', { podSpec: ALONE, spec: surge }, ['a'], ['a'], 'RolloutWouldHang'],
    ['a node that is free', { podSpec: ALONE, spec: surge }, ['a'], ['a', 'b'], 'Fits'],
    [
      'the old one may go',
      { podSpec: ALONE, spec: rolling({ maxSurge: 0, maxUnavailable: 1 }) },
      ['a'],
      ['a'],
      'Fits',
    ],
    [
      'no surge and a tenth of one unavailable is one unavailable',
      { podSpec: ALONE, spec: rolling({ maxSurge: 0, maxUnavailable: '10%' }) },
      ['a'],
      ['a'],
      'Fits',
    ],
    ['the default of one replica', { podSpec: ALONE }, ['a'], ['a'], 'RolloutWouldHang'],
    [
      'a quarter of four may go',
      { podSpec: ALONE, spec: { replicas: 4 } },
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
      'Fits',
    ],
    [
      'of three none may',
      { podSpec: ALONE, spec: { replicas: 3 } },
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      'RolloutWouldHang',
    ],
    [
      'Recreate',
      { podSpec: ALONE, spec: { strategy: { type: 'Recreate' } } },
      ['a'],
      ['a'],
      'Fits',
    ],
    ['paused', { podSpec: ALONE, spec: { ...surge, paused: true } }, ['a'], ['a'], 'Fits'],
    ['too large beside', { cpu: '3', spec: surge }, ['a'], ['a'], 'RolloutWouldHang'],
    ['too large at all', { cpu: '5', spec: surge }, ['a'], ['a'], 'DoesNotFit'],
    ['new', { podSpec: ALONE, spec: surge }, [], ['a'], 'Fits'],
  ];
  for (const [name, options, old, all, expected] of cases) {
    const nodes = all.map((node) => ({ ...small, metadata: makeNode(node).metadata }));
    const manifest = makeWorkload('Deployment', 'web', options);
    const before = { ...options, cpu: options.cpu && '3' };
    for (const held of deployed(before, old)) {
      const what = `${name}, ${held.length} objects`;
      assert.deepEqual(await results([...nodes, ...held], manifest), [expected], what);
    }
  }
});

test('the last step of a rollout is looked at as the first is', async () => {
  const spec = { replicas: 4, ...surge };
  const [held] = deployed({ cpu: '1', spec }, ['a', 'a', 'a', 'a']);
  const manifest = makeWorkload('Deployment', 'web', { cpu: '2', spec });
  assert.deepEqual(await results([makeNode('a', { cpu: '9' }), ...held], manifest), ['Fits']);
  const tight = makeNode('a', { cpu: '8500m' });
  assert.deepEqual(await results([tight, ...held], manifest), ['RolloutWouldHang']);
});

test('a Deployment that is scaled as well scales its old ReplicaSet first', async () => {
  const before = (replicas) => {
    const [, , [...held]] = deployed({ cpu: '4', spec: { replicas } }, Array(replicas).fill('a'));
    return held.map((object) => {
      if (object.kind !== 'ReplicaSet') return object;
      const annotations = {
        ...object.metadata.annotations,
        'deployment.kubernetes.io/desired-replicas': `${replicas}`,
        'deployment.kubernetes.io/max-replicas': `${replicas + 1}`,
      };
      return { ...object, metadata: { ...object.metadata, annotations } };
    });
  };
  const next = (replicas, cpu) => makeWorkload('Deployment', 'web', { cpu, spec: { replicas } });
  // Four old pods of 4 cpu fill the node before the first new one is created.
  const node = makeNode('a', { cpu: '16' });
  assert.deepEqual(await results([node, ...before(2)], next(10, '1')), ['RolloutWouldHang']);
  const large = makeNode('a', { cpu: '64' });
  assert.deepEqual(await results([large, ...before(2)], next(10, '1')), ['Fits']);
  // Two of four old pods go before the first new one is created.
  assert.deepEqual(await results([node, ...before(4)], next(2, '8')), ['RolloutWouldHang']);
  assert.deepEqual(await results([node, ...before(4)], next(2, '6')), ['Fits']);
});

test('a template that does not change is no rollout', async () => {
  const options = { podSpec: ALONE, spec: surge, image: 'app:v1' };
  for (const held of deployed(options, ['a'])) {
    const manifest = makeWorkload('Deployment', 'web', options);
    const { resources } = manifest.spec.template.spec.containers[0];
    resources.requests.cpu = '1000m';
    assert.deepEqual(await results([makeNode('a'), ...held], manifest), ['Fits'], held.length);
  }
});

test('a rollout that is under way already is looked at', async () => {
  const [, , [old, set, workload]] = deployed({ podSpec: ALONE, spec: surge }, ['a']);
  const next = makeWorkload('Deployment', 'web', { podSpec: ALONE, spec: surge, image: 'app:v2' });
  const newer = replicaSetOf({ ...workload, spec: next.spec }, '9c', { revision: 2 });
  const waiting = podOf('web-9c-0', newer, { spec: ALONE });
  const dump = [makeNode('a'), { ...workload, spec: next.spec }, set, newer, old, waiting];
  assert.deepEqual(await results(dump, next), ['RolloutWouldHang']);
});

test('room that another rollout frees is used', async () => {
  const options = { cpu: '3', spec: surge };
  const [held] = deployed(options, ['a']);
  const other = owned(makeWorkload('Deployment', 'api'));
  const used = podOf('api-1f-0', replicaSetOf(other, '1f'), { node: 'b', cpu: '3' });
  const nodes = [makeNode('a'), makeNode('b')];
  const web = makeWorkload('Deployment', 'web', options);
  const smaller = makeWorkload('Deployment', 'api', { spec: surge });
  assert.deepEqual(await results([...nodes, ...held, used], [web, smaller]), ['Fits', 'Fits']);
  assert.deepEqual(await results([...nodes, ...held, used], web), ['RolloutWouldHang']);
});

test('a StatefulSet takes the old pod away first, the highest ordinal first', async () => {
  const set = (cpu, spec = {}) =>
    makeWorkload('StatefulSet', 'web', { cpu, spec: { replicas: 2, ...spec } });
  const stored = owned(set('2'));
  const pods = [
    podOf('web-0', stored, { node: 'a', cpu: '2' }),
    podOf('web-1', stored, { node: 'b' }),
  ];
  // Beside what web-0 uses, web-1 gets no 3 cpu; when both are gone, there is room for both.
  const nodes = [makeNode('a', { cpu: '4' }), makeNode('b', { cpu: '2' })];
  assert.deepEqual(await results([...nodes, ...pods], set('2')), ['Fits']);
  const wide = [makeNode('a', { cpu: '6' }), makeNode('b', { cpu: '2' })];
  assert.deepEqual(await results([...wide, ...pods], set('3')), ['Fits']);
  const bigger = set('2500m');
  const tight = [makeNode('a', { cpu: '5' }), makeNode('b', { cpu: '2' })];
  const filled = [podOf('web-0', stored, { node: 'a', cpu: '3' }), pods[1]];
  for (const held of [filled, [...filled, stored]]) {
    assert.deepEqual(await results([...tight, ...held], bigger), ['RolloutWouldHang']);
    const partition = {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    };
    assert.deepEqual(await results([...tight, ...held], set('2500m', partition)), ['Fits']);
    const byHand = { updateStrategy: { type: 'OnDelete' } };
    assert.deepEqual(await results([...tight, ...held], set('2500m', byHand)), ['Fits']);
  }
});

test('a StatefulSet creates its new ordinals before it deletes former ones', async () => {
  const set = (spec) => makeWorkload('StatefulSet', 'web', { spec: { replicas: 2, ...spec } });
  const stored = owned(set({}));
  const pods = ['web-0', 'web-1'].map((name) => podOf(name, stored, { node: 'a' }));
  const held = [stored, ...pods];
  const [full, roomy] = ['2', '3'].map((cpu) => makeNode('a', { cpu }));
  const moved = { ordinals: { start: 2 } };
  assert.deepEqual(await results([full, ...held], set(moved)), ['RolloutWouldHang']);
  assert.deepEqual(await results([makeNode('a', { cpu: '4' }), ...held], set(moved)), ['Fits']);
  assert.deepEqual(await results([roomy, ...held], set(moved)), ['RolloutWouldHang']);
  assert.deepEqual(await results([full, ...held], set({ replicas: 1 })), ['Fits']);
});

/**
 * A StatefulSet of which two pods of four are updated, and a cluster that has room for the first
 * new one only when both have gone.
 */
function partitionedSet() {
  const set = (maxUnavailable, spec = {}) =>
    makeWorkload('StatefulSet', 'web', {
      cpu: '2',
      spec: {
        replicas: 4,
        updateStrategy: {
          type: 'RollingUpdate',
          rollingUpdate: { partition: 2, maxUnavailable },
        },
        ...spec,
      },
    });
  const stored = owned(makeWorkload('StatefulSet', 'web', { spec: { replicas: 4 } }));
  const nodes = [makeNode('a', { cpu: '2' }), makeNode('b', { cpu: '4' })];
  const places = [
    ['a', '1'],
    ['a', '1'],
    ['b', '3'],
    ['b', '1'],
  ];
  const pods = places.map(([node, cpu], at) => podOf(`web-${at}`, stored, { node, cpu }));
  const cluster = [...nodes, stored, ...pods];
  return { set, cluster };
}

test('without its feature gate a StatefulSet updates one pod at a time', async () => {
  const { set, cluster } = partitionedSet();
  for (const maxUnavailable of [undefined, 1, 2, '50%']) {
    const manifest = set(maxUnavailable);
    const { stdout, stderr } = await check(cluster, manifest);
    const [{ result }] = JSON.parse(stdout).workloads;
    assert.equal(result, 'RolloutWouldHang', String(maxUnavailable));
    const warning =
      /warning: .*StatefulSet default\/web: .*maxUnavailable is not used: .*MaxUnavailable/;
    const isUsed = [undefined, 1].includes(maxUnavailable);
    (isUsed ? assert.doesNotMatch : assert.match)(stderr, warning);
  }
});

test('with its feature gate a StatefulSet updates up to maxUnavailable pods at once', async () => {
  const { set, cluster } = partitionedSet();
  const gate = ['--feature-gates', 'MaxUnavailableStatefulSet=true'];
  const preview = ['--kubernetes-version', '1.37-preview'];
  const off = ['--feature-gates', 'MaxUnavailableStatefulSet=false'];
  for (const [maxUnavailable, flags, expected] of [
    [undefined, preview, 'RolloutWouldHang'],
    [1, preview, 'RolloutWouldHang'],
    [2, preview, 'Fits'],
    ['50%', preview, 'Fits'],
    ['49%', preview, 'RolloutWouldHang'],
    [2, [...preview, ...off], 'RolloutWouldHang'],
    [2, gate, 'Fits'],
    [2, [...gate, '--kubernetes-version', '1.33'], 'Fits'],
    [2, ['--kubernetes-version', '1.35'], 'RolloutWouldHang'],
  ]) {
    const { stdout, stderr } = await check(cluster, set(maxUnavailable), 'json', flags);
    const about = `${maxUnavailable} ${flags}`;
    assert.equal(JSON.parse(stdout || '{}').workloads?.[0].result, expected, about + stderr);
    const isIgnored = maxUnavailable === 2 && expected === 'RolloutWouldHang';
    const warning = /maxUnavailable is not used: the feature gate MaxUnavailableStatefulSet is off/;
    (isIgnored ? assert.match : assert.doesNotMatch)(stderr, warning, about);
  }
});

test('old pods that never started stay with the gate of v1.36, not of v1.37', async () => {
  const spec = { replicas: 3, podManagementPolicy: 'Parallel' };
  const stored = owned(makeWorkload('StatefulSet', 'web', { cpu: '9', spec }));
  const old = [0, 1, 2].map((at) => podOf(`web-${at}`, stored, { cpu: '9' }));
  const cluster = [makeNode('a', { cpu: '4' }), stored, ...old];
  const manifest = makeWorkload('StatefulSet', 'web', { cpu: '1', spec });
  const gate = ['--feature-gates', 'MaxUnavailableStatefulSet=true'];
  for (const [flags, expected] of [
    [[], 'Fits'],
    [gate, 'RolloutWouldHang'],
    [['--kubernetes-version', '1.37-preview'], 'Fits'],
  ]) {
    const { stdout, stderr } = await check(cluster, manifest, 'json', flags);
    assert.equal(JSON.parse(stdout || '{}').workloads?.[0].result, expected, flags + stderr);
  }
});

test('a StatefulSet replaces pods that never started, if no order is asked for', async () => {
  const set = (cpu, spec) =>
    makeWorkload('StatefulSet', 'web', { cpu, spec: { replicas: 3, ...spec } });
  const below = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } };
  const parallel = { podManagementPolicy: 'Parallel' };
  const names = ['web-0', 'web-1', 'web-2'];
  for (const [nodesOf, spec, expected] of [
    [[], {}, 'RolloutWouldHang'],
    [[], parallel, 'Fits'],
    [['a', 'a'], parallel, 'Fits'],
    [[, 'a', 'a'], { ...parallel, ...below }, 'Fits'],
  ]) {
    const stored = owned(set('9', spec));
    const pods = names.map((name, at) =>
      podOf(name, stored, nodesOf[at] ? { node: nodesOf[at] } : { cpu: '9' }),
    );
    const objects = [makeNode('a', { cpu: '4' }), stored, ...pods];
    const found = await results(objects, set('1', spec));
    assert.deepEqual(found, [expected], JSON.stringify([nodesOf, spec]));
  }
  const waits = owned(set('9', {}));
  const { stdout } = await check(
    [makeNode('a', { cpu: '4' }), waits, podOf('web-0', waits, { cpu: '9' })],
    set('1', {}),
  );
  assert.match(
    stdout,
    /old pod default\/web-0 finds no node, and is not replaced before it runs: /,
  );
  // A new pod without a node stops the update: web-0 would make room for web-1.
  const stored = owned(set('1', parallel));
  const old = names.map((name, at) =>
    podOf(name, stored, at === 0 ? { node: 'a', cpu: '3' } : { node: 'b' }),
  );
  const manifest = set('1', parallel);
  manifest.spec.template.spec.nodeSelector = { 'kubernetes.io/hostname': 'a' };
  const nodes = [makeNode('a', { cpu: '4' }), makeNode('b', { cpu: '4' })];
  assert.deepEqual(await results([...nodes, stored, ...old], manifest), ['RolloutWouldHang']);
});

test('a DaemonSet hangs where its surge has no room', async () => {
  const daemon = (updateStrategy) =>
    makeWorkload('DaemonSet', 'web', {
      spec: updateStrategy ? { updateStrategy: { type: 'RollingUpdate', ...updateStrategy } } : {},
      podSpec: { hostNetwork: true },
    });
  const ports = (workload) => {
    workload.spec.template.spec.containers[0].ports = [{ containerPort: 80 }];
    return workload;
  };
  const stored = owned(makeWorkload('DaemonSet', 'web'));
  const hash = { 'controller-revision-hash': '5f' };
  const pods = ['a', 'b'].map((node) => {
    const pod = podOf(`web-${node}`, stored, { node, labels: hash, spec: { hostNetwork: true } });
    pod.spec.containers[0].ports = [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }];
    return pod;
  });
  const objects = [makeNode('a'), makeNode('b'), ...pods];
  const surging = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  assert.deepEqual(await results(objects, ports(daemon())), ['Fits']);
  assert.deepEqual(await results(objects, ports(daemon(surging))), ['RolloutWouldHang']);
  assert.deepEqual(await results(objects, daemon(surging)), ['Fits'], 'without a port');
  assert.deepEqual(await results(objects, ports(daemon({ type: 'OnDelete' }))), ['Fits']);
});

test('every format reports a rollout that hangs, with the reason', async () => {
  const [held] = deployed({ podSpec: ALONE, spec: surge }, ['a']);
  const objects = [makeNode('a'), ...held];
  const manifest = makeWorkload('Deployment', 'web', { podSpec: ALONE, spec: surge });
  const outputs = {};
  for (const format of ['table', 'json', 'junit', 'sarif', 'github']) {
    const { code, stdout, stderr } = await check(objects, manifest, format);
    assert.equal(code, 1, format);
    assert.match(stderr, /^1 workload: 0 fit, 1 would hang in its rollout \(/, format);
    assert.match(stdout, /pod default\/web-\w+-0 finds no node while 1 old pod still runs: 0\/1 /);
    outputs[format] = stdout;
  }
  const document = JSON.parse(outputs.json);
  assert.deepEqual(validate(schema, document), []);
  const { fits, summary } = document;
  assert.deepEqual([fits, summary.wouldHang, summary.fit], [false, 1, 0]);
  assert.deepEqual(await junitErrors(outputs.junit), []);
  assert.match(outputs.junit, /failures="1"[^]*<failure type="RolloutWouldHang"/);
  assert.deepEqual(await sarifErrors(JSON.parse(outputs.sarif)), []);
  assert.match(
    outputs.github,
    /^::error title=Deployment default\/web would hang in its rollout::/,
  );
});
