// Goal: two configurations are compared pod by pod, with a short and true reason. Method: the
// native engine with configurations that tip a known balance.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, storedPod as podOf } from '../../support/objects.js';
import { startNative } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startNative();
const loadEngine = async () => engine;
const { file } = await makeFolder();

/** @param {string} name @param {{ spec?: object }} [options] */
function storedPod(name, options = {}) {
  const spec = { schedulerName: 'default-scheduler', ...options.spec };
  return podOf(name, { ...options, spec });
}

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const spread = await file('default.yaml', HEAD);
const pack = await file(
  'binpack.yaml',
  `${HEAD}profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: { scoringStrategy: { type: MostAllocated, resources: [{ name: cpu, weight: 1 }] } }
`,
);
const blind = await file(
  'blind.yaml',
  `${HEAD}profiles:\n- plugins: { multiPoint: { disabled: [{ name: TaintToleration }] } }\n`,
);

/** Half full and empty: spreading takes the empty one, packing the other. */
const cluster = makeList(
  makeNode('empty'),
  makeNode('half'),
  storedPod('there', { cpu: '2', spec: { nodeName: 'half' } }),
  storedPod('small', { cpu: '500m' }),
);

/** @param {object} objects @param {string[]} argv */
const diff = (objects, ...argv) =>
  runCli(['diff', '-', ...argv], { stdin: JSON.stringify(objects), loadEngine });

test('a pod that moves, and the scores that turned', async () => {
  const argv = ['--config', spread, '--config', pack, '--pending-only'];
  const { code, stdout, stderr } = await diff(cluster, ...argv);
  const [head, row] = stdout.split('\n').map((line) => line.split(/ {3,}/));
  assert.deepEqual(head, ['POD', 'default.yaml', 'binpack.yaml', 'WHY']);
  assert.deepEqual(row.slice(0, 3), ['default/small', 'empty', 'half']);
  assert.match(row[3], /^NodeResourcesFit on half \d+ → 62; half leads empty by \d+$/);
  assert.equal(stderr, '1 of 1 pod differs: 1 moved\n');
  assert.equal(code, 1);
});

test('the same is exit code 0, without a table', async () => {
  const { code, stdout, stderr } = await diff(cluster, '--config', spread, '--config', spread);
  assert.deepEqual([code, stdout, stderr], [0, '', '0 of 2 pods differ\n']);
});

/** One row for each pod that differs: its name and where it is. */
async function moves(objects, ...argv) {
  const { stdout, ...rest } = await diff(objects, ...argv, '--no-headers');
  const rows = stdout.split('\n').filter(Boolean);
  return { ...rest, rows: rows.map((row) => row.split(/ {3,}/).slice(0, 3).join(' ')) };
}

const BOTH = ['--config', spread, '--config', pack];

test('running pods are placed again without the claims that were made for them', async () => {
  const volumeClaimTemplate = {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: {} },
  };
  const running = (/** @type {string} */ name, /** @type {string} */ nodeName) =>
    storedPod(name, {
      spec: { nodeName, volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate } }] },
      status: { phase: 'Running' },
    });
  const owner = {
    apiVersion: 'v1',
    kind: 'Pod',
    name: 'second',
    uid: 'u-second',
    controller: true,
  };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...{ name: 'second-v', namespace: 'default', uid: 'claim', ownerReferences: [owner] },
      annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
    },
    spec: { ...volumeClaimTemplate.spec, volumeName: 'local' },
    status: { phase: 'Bound' },
  };
  const hostname = { key: 'kubernetes.io/hostname', operator: 'In', values: ['a'] };
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'local' },
    spec: {
      ...{ storageClassName: 'fast', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      claimRef: { namespace: 'default', name: 'second-v', uid: 'claim' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [hostname] }] } },
    },
    status: { phase: 'Bound' },
  };
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'p.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const there = [running('first', 'a'), running('second', 'a'), running('third', 'b')];
  const all = [makeNode('a'), makeNode('b'), storageClass, claim, volume, ...there];
  assert.deepEqual((await moves(makeList(...all), ...BOTH)).rows, ['default/second b a']);
});

test('running pods are placed again, on any node', async () => {
  const running = (/** @type {string} */ name, /** @type {string} */ nodeName) =>
    storedPod(name, { spec: { nodeName }, status: { phase: 'Running' } });
  const nodes = [makeNode('a'), makeNode('b')];
  const there = [running('first', 'a'), running('second', 'a'), running('third', 'b')];
  const { code, rows, stderr } = await moves(makeList(...nodes, ...there), ...BOTH);
  assert.deepEqual(rows, ['default/second b a']);
  assert.match(stderr, /^1 of 3 pods differs: 1 moved\n$/);
  assert.equal(code, 1);
  const elsewhere = there.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'b' } }));
  assert.deepEqual((await moves(makeList(...nodes, ...elsewhere), ...BOTH)).rows, rows);
  const pending = await moves(makeList(...nodes, ...there), ...BOTH, '--pending-only');
  assert.deepEqual([pending.code, pending.rows], [0, []]);
  const nothing = 'no pending pods: without --pending-only all are compared\n';
  assert.equal(pending.stderr, `0 of 0 pods differ\n${nothing}`);
});

test('they queue by priority, then age, whatever the order of the files', async () => {
  const taker = (/** @type {string} */ name, priority = 0, hour = 0) =>
    storedPod(name, {
      cpu: '3',
      metadata: { creationTimestamp: `2026-01-01T0${hour}:00:00Z` },
      spec: { nodeName: 'a', priority, preemptionPolicy: 'Never' },
    });
  const gold = { ...makeNode('gold'), spec: { taints: [{ key: 'gold', effect: 'NoSchedule' }] } };
  const argv = ['--config', spread, '--config', blind];
  const rowsOf = async (/** @type {object[]} */ ...pods) =>
    (await moves(makeList(makeNode('a'), gold, ...pods), ...argv)).rows;
  assert.deepEqual(await rowsOf(taker('low'), taker('high', 9)), ['default/low <none> gold']);
  assert.deepEqual(await rowsOf(taker('young', 0, 2), taker('old', 0, 1)), [
    'default/young <none> gold',
  ]);
});

test('pods that no scheduler would move stay in place', async () => {
  const owned = (/** @type {string} */ kind) => ({
    metadata: {
      ownerReferences: [{ apiVersion: 'v1', kind, name: 'o', uid: 'o', controller: true }],
    },
  });
  const required = (/** @type {object} */ term) => ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  });
  const field = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['half'] }] };
  const hostname = { key: 'kubernetes.io/hostname', operator: 'In', values: ['half'] };
  /** @type {Record<string, any>} */
  const kinds = {
    'of a DaemonSet': owned('DaemonSet'),
    static: owned('Node'),
    mirror: { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } },
    terminating: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    'of another scheduler': { spec: { schedulerName: 'other' } },
    'with a hostname': { spec: { nodeSelector: { 'kubernetes.io/hostname': 'half' } } },
    'with an affinity to a name': { spec: { affinity: required(field) } },
    'with one to a hostname': { spec: { affinity: required({ matchExpressions: [hostname] }) } },
  };
  for (const [what, { metadata, spec }] of Object.entries(kinds)) {
    const there = storedPod('there', { cpu: '2', metadata, spec: { ...spec, nodeName: 'half' } });
    const objects = makeList(makeNode('empty'), makeNode('half'), there, storedPod('small'));
    const { rows, stderr } = await moves(objects, ...BOTH);
    assert.deepEqual(rows, ['default/small empty half'], what);
    assert.match(stderr, /^1 of 1 pod differs: 1 moved\n1 pod stays in place: /, what);
  }
  const replicas = { ...owned('ReplicaSet'), cpu: '2', spec: { nodeName: 'half' } };
  const free = makeList(makeNode('empty'), makeNode('half'), storedPod('there', replicas));
  assert.equal((await moves(free, ...BOTH)).stderr, '0 of 1 pod differ\n');
});

test('claims of pods that are placed again stay bound', async () => {
  const node = (/** @type {string} */ zone) =>
    makeNode(zone, { labels: { 'topology.kubernetes.io/zone': zone } });
  const claimName = 'data';
  const term = {
    matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] }],
  };
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v', uid: 'v' },
    spec: {
      capacity: { storage: '1Gi' },
      claimRef: { namespace: 'default', name: claimName, uid: 'c' },
      nodeAffinity: { required: { nodeSelectorTerms: [term] } },
    },
  };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimName,
      namespace: 'default',
      uid: 'c',
      annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
    },
    spec: { volumeName: 'v' },
    status: { phase: 'Bound' },
  };
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName } }];
  const pods = [
    storedPod('first', { spec: { nodeName: 'b' } }),
    storedPod('db', { spec: { nodeName: 'b', volumes } }),
  ];
  const objects = makeList(node('a'), node('b'), volume, claim, ...pods);
  assert.deepEqual((await moves(objects, ...BOTH)).rows, []);
});

test('a pod that only one configuration would place is not moved by it', async () => {
  const two = await file(
    'two.yaml',
    `${HEAD}profiles: [{ schedulerName: default-scheduler }, { schedulerName: second }]\n`,
  );
  const second = { schedulerName: 'second', nodeName: 'a' };
  const objects = makeList(makeNode('a'), makeNode('b'), storedPod('p', { spec: second }));
  const { stderr } = await moves(objects, '--config', spread, '--config', two);
  assert.match(stderr, /^0 of 0 pods differ\n1 pod stays in place: /);
  assert.equal(
    (await moves(objects, '--config', two, '--config', two)).stderr,
    '0 of 1 pod differ\n',
  );
});

test('one configuration is held against the defaults', async () => {
  const { stdout } = await diff(cluster, '--config', pack, '--pending-only');
  assert.match(stdout, /^POD {13}defaults {3}binpack\.yaml {3}WHY\n/);
});

test('newly placed and newly pending pods, with the plugin that refuses the old node', async () => {
  const taints = [{ key: 'gold', effect: 'NoSchedule' }];
  const tainted = { ...makeNode('gold', { cpu: '8' }), spec: { taints } };
  const big = makeList(makeNode('small', { cpu: '2' }), tainted, storedPod('big', { cpu: '4' }));
  const placed = await diff(big, '--config', spread, '--config', blind);
  assert.match(placed.stdout, /^default\/big {3}<none> +gold +before: 0\/2 nodes are available: /m);
  assert.match(placed.stderr, /: 1 newly placed\n$/);
  const pending = await diff(big, '--config', blind, '--config', spread);
  assert.match(pending.stdout, /^default\/big {3}gold +<none> +0\/2 nodes are available: /m);
  assert.match(pending.stderr, /: 1 newly pending\n$/);
  const either = makeList(makeNode('small', { cpu: '2' }), tainted, storedPod('p', { cpu: '1' }));
  const there = await diff(either, '--config', blind, '--config', spread);
  assert.match(
    there.stdout,
    /^default\/p +gold +small +TaintToleration refuses gold: node\(s\) had untolerated taint/m,
  );
  const back = await diff(either, '--config', spread, '--config', blind);
  assert.match(back.stdout, /^default\/p +small +gold +before: TaintToleration refuses gold: /m);
});

test('as data, valid', async () => {
  const argv = ['--config', spread, '--config', pack, '--pending-only'];
  const document = JSON.parse((await diff(cluster, ...argv, '-o', 'json')).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual(document.configurations, ['default.yaml', 'binpack.yaml']);
  assert.deepEqual(document.summary, { pods: 1, differ: 1 });
  assert.deepEqual([document.pods[0].pod, document.pods[0].change], ['default/small', 'Moved']);
  assert.deepEqual(parse((await diff(cluster, ...argv, '-o', 'yaml')).stdout), [document]);
  const elsewhere = await diff(cluster, ...argv, '-n', 'elsewhere');
  assert.deepEqual([elsewhere.code, elsewhere.stdout], [0, '']);
});

test('the example does what its README describes', async () => {
  const folder = new URL('../../../../examples/two-configurations/', import.meta.url);
  const readme = await readFile(new URL('README.md', folder), 'utf8');
  const [, command] = /^stowage (.*)$/m.exec(readme) ?? [];
  const argv = command.split(' ').map((word) => {
    return /\.(json|yaml)$/.test(word) ? fileURLToPath(new URL(word, folder)) : word;
  });
  const { code, stdout, stderr } = await runCli(argv, { loadEngine });
  assert.match(stdout, /^POD +defaults +binpack\.yaml +WHY\n/);
  assert.match(stderr, /^9 of 52 pods differ: 9 moved\n3 pods stay in place: /);
  assert.equal(code, 1);
});

test('bad input is exit code 2', async () => {
  const bad = await file('bad.yaml', 'bogus: 1\n');
  const cases = [
    [['diff', '-'], /diff needs --config once or twice, not 0 times/],
    [['diff', '--config', spread], /diff needs a cluster/],
    [['diff', '-', '--config', 'a', '--config', 'b', '--config', 'c'], /not 3 times/],
    [['diff', '-', '--config', bad], /bad\.yaml: Object 'Kind' is missing in/],
    [['diff', '-', '--scheduler-name', 'x', '--config', spread], /unknown flag --scheduler-name/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await runCli(argv, {
      stdin: JSON.stringify(makeNode('a')),
      loadEngine,
    });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});
