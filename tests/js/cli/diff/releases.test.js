// Goal: stowage diff compares two releases, and says which change of kube-scheduler makes the
// difference. Method: the native engine, clusters in which one row of the table matters.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, storedPod } from '../../support/objects.js';
import { startNative } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startNative();
const loadEngine = async () => engine;
const { file } = await makeFolder();

const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
const spec = { containers: [{ name: 'main' }], resources: { requests: { cpu: '6' } } };
const ignored = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', uid: 'c' } };
const cluster = makeList(
  makeNode('a'),
  makeNode('b', { spec: { taints } }),
  storedPod('big', { spec }),
  storedPod('x', { cpu: '9' }),
  storedPod('y', { cpu: '9' }),
  storedPod('there', { cpu: '1', spec: { nodeName: 'a' } }),
  storedPod('there', {
    cpu: '1',
    metadata: { namespace: 'team', uid: 'u-t' },
    spec: { nodeName: 'a' },
  }),
  ignored,
);

/** @param {object} objects @param {string[]} argv */
const diff = (objects, ...argv) =>
  runCli(['diff', '-', ...argv], { stdin: JSON.stringify(objects), loadEngine });

/** @param {string} from @param {string} to */
const releases = (from, to) => ['--kubernetes-version', from, '--kubernetes-version', to];

const MESSAGE = '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint';

test('the rows, the pods and the messages', async () => {
  const { code, stdout, stderr } = await diff(cluster, ...releases('1.33', 'v1.34.9'));
  const [causes, pods, messages] = stdout
    .split('\n\n')
    .map((table) => table.trimEnd().split('\n'))
    .map((lines) => lines.map((line) => line.split(/ {3,}/)));
  assert.deepEqual(
    causes.map((row) => row.slice(0, 2)),
    [
      ['BY', 'PODS'],
      ['taint-text', '2'],
      ['fit-unresolvable', '2'],
      ['DynamicResourceAllocation', '2'],
      ['PodLevelResources', '1'],
    ],
  );
  assert.deepEqual(causes[3][2], 'the feature gate is off, then on by default');
  const [head, ...rows] = pods;
  assert.deepEqual(head, ['POD', 'EQUAL', 'CHANGE', 'v1.33', 'v1.34', 'BY']);
  assert.deepEqual(rows, [
    ['default/big', '1', 'newly pending', 'a', '<none>', 'PodLevelResources'],
    [
      'default/x',
      '2',
      'other message',
      '<none>',
      '<none>',
      'taint-text, fit-unresolvable, DynamicResourceAllocation',
    ],
  ]);
  assert.deepEqual(
    messages.slice(1).map((row) => [...row.slice(0, -1), row.at(-1)?.slice(0, MESSAGE.length)]),
    [
      ['2', 'v1.33', MESSAGE],
      ['', 'v1.34', MESSAGE],
    ],
  );
  assert.equal(
    stderr,
    '3 of 5 pods differ in v1.34 from v1.33: 1 newly pending, 2 other message\n',
  );
  assert.equal(code, 1);
});

test('as JSON and YAML, by its schema', async () => {
  for (const format of ['json', 'yaml']) {
    const { code, stdout } = await diff(cluster, ...releases('1.33', '1.36'), '-o', format);
    const answer = format === 'json' ? JSON.parse(stdout) : parse(stdout)[0];
    assert.deepEqual(validate(schema, answer), []);
    assert.deepEqual(
      [answer.from, answer.to, answer.kubernetesVersion],
      ['v1.33', 'v1.36', 'v1.36'],
    );
    assert.equal(answer.summary.differ, 3);
    assert.equal(code, 1);
  }
});

test('the pods that are selected, and the gates that are given', async () => {
  const cases = [
    [['-n', 'team'], 0, '0 of 1 pod differ in v1.34 from v1.33\n'],
    [
      ['--pending-only', '-n', 'default', '--feature-gates', 'PodLevelResources=true'],
      1,
      /^3 of 3/,
    ],
    [
      ['--feature-gates', 'DRAListTypeAttributes=true'],
      2,
      /--kubernetes-version v1.33, v1.34: .*DRAL/,
    ],
  ];
  for (const [argv, expected, said] of /** @type {any[]} */ (cases)) {
    const { code, stderr } = await diff(cluster, ...releases('1.33', '1.34'), ...argv);
    assert.equal(code, expected, stderr);
    if (typeof said === 'string') assert.equal(stderr, said);
    else assert.match(stderr, said);
  }
});

test('one configuration for both releases, and one release for two configurations', async () => {
  const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
  const named = await file('named.yaml', `${head}profiles: [{ schedulerName: other }]\n`);
  const both = await diff(cluster, ...releases('1.33', '1.36'), '--config', named);
  assert.equal(both.stderr, '0 of 0 pods differ in v1.36 from v1.33\n');
  const plain = await file('plain.yaml', head);
  const argv = ['--kubernetes-version', '1.33', '--config', plain, '--config', plain, '-o', 'json'];
  const { code, stdout } = await diff(cluster, ...argv);
  const { kind, kubernetesVersion } = JSON.parse(stdout);
  assert.deepEqual([code, kind, kubernetesVersion], [0, 'Diff', 'v1.33']);
});

test('what cannot be asked', async () => {
  const plain = ['--config', 'a', '--config', 'b'];
  const cases = [
    [[...releases('1.33', '1.34'), '--kubernetes-version', '1.35'], /at most twice, not 3 times/],
    [[...releases('1.33', '1.34'), ...plain], /goes with one --config at most/],
    [['--kubernetes-version', '1.33'], /--config once or twice, not 0 times/],
    [
      releases('1.33', '1.12'),
      /--kubernetes-version is one of 1\.33, 1\.34, 1\.35, 1\.36, 1\.37-preview, not "1\.12"/,
    ],
    [releases('1.33', '1.33'), /must be another release than v1\.33/],
  ];
  for (const [argv, said] of /** @type {any[]} */ (cases)) {
    const { code, stderr } = await diff(cluster, ...argv);
    assert.equal(code, 2, stderr);
    assert.match(stderr, said);
  }
  const bad = makeList(...cluster.items, storedPod('bad', { spec: { containers: 3 } }));
  const { code, stderr } = await diff(bad, ...releases('1.33', '1.34'));
  assert.equal(code, 2);
  assert.match(stderr, /^error: .*, line 1, column \d+: Pod default\/bad: spec\.containers: .*\n$/);
});
