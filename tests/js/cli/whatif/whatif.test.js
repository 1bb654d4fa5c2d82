import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseWhatIfArguments } from '../../../../js/src/cli/whatif/arguments.js';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();
const owned = {
  ownerReferences: [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u-web', controller: true },
  ],
};
const web = (name, node) => storedPod(name, { metadata: owned, spec: { nodeName: node } });
const cluster = await file(
  'cluster.json',
  makeList(
    makeNode('a', { cpu: '2' }),
    makeNode('b', { cpu: '2' }),
    web('web-x', 'a'),
    web('web-y', 'b'),
    storedPod('big', { cpu: '3' }),
  ),
);

/** @param {string[]} argv */
const whatif = (argv) => runCli(['whatif', '--cluster', cluster, ...argv]);

test('whatif reports what becomes of each pod', async () => {
  const { code, stdout, stderr } = await whatif(['--without-node', 'b']);
  assert.equal(
    stdout,
    [
      '1 pod moves, 1 pod still waits',
      '',
      'POD             OUTCOME   BEFORE   AFTER   MESSAGE',
      'default/web-y   Moves     b        a',
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
  const none = await whatif(['--uncordon', 'a']);
  assert.deepEqual([none.code, none.stdout], [0, '1 pod still waits\n']);
});

test('new pods get the priority of the PriorityClasses of the cluster', async () => {
  const classOf = (/** @type {string} */ name, /** @type {object} */ more) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name, uid: `class-${name}` },
    ...more,
  });
  const objects = makeList(
    classOf('high', { value: 7 }),
    classOf('usual', { value: 5, globalDefault: true }),
    makeNode('a', { cpu: '1' }),
    storedPod('low', { spec: { nodeName: 'a', priority: 1 } }),
  );
  const bytes = await file('classes.json', objects);
  const text = await file(
    'classes.yaml',
    objects.items.map((one) => JSON.stringify(one)).join('\n---\n'),
  );
  for (const name of [bytes, text])
    for (const spec of [{ priorityClassName: 'high' }, {}]) {
      const manifest = await file('pod.json', makePod('new', { spec }));
      const argv = ['whatif', '--cluster', name, '--apply', manifest, '-o', 'json'];
      const { stdout, stderr } = await runCli(argv);
      const { pods } = JSON.parse(stdout || '{"pods":[]}');
      const evicted = pods.map((/** @type {any} */ { pod, after }) => [pod, after.preemptedBy]);
      const expected = [
        ['default/low', 'default/new'],
        ['default/new', undefined],
      ];
      assert.deepEqual(evicted, expected, stderr);
    }
});

test('a pod that loses its node, or finds none, is exit code 1', async () => {
  const lost = await whatif(['--taint', 'a=k=v:NoExecute', '--cordon', 'b']);
  assert.equal(lost.code, 1);
  const [first, , , row] = lost.stdout.split('\n');
  assert.equal(first, '1 pod loses its node and waits, 1 pod still waits');
  assert.match(row, /^default\/web-x {3}Waits .* 0\/2 nodes are available: /);
  const scaled = await whatif(['--scale', 'rs/web=6', '-q']);
  assert.deepEqual(
    [scaled.code, scaled.stdout],
    [1, '2 new pods wait, 2 pods get nodes, 1 pod still waits\n'],
  );
});

test('documents, and changes from files', async () => {
  const changes = await file('changes.yaml', {
    apiVersion: 'stowage/v1',
    kind: 'Changes',
    changes: [
      { type: 'addNodes', count: 1, like: 'a' },
      { type: 'setRequest', kind: 'Pod', name: 'big', resource: 'cpu', value: '2' },
    ],
  });
  const argv = ['-f', changes, '--without-node', 'b', '-o'];
  const { code, stdout } = await whatif([...argv, 'json']);
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.equal(code, 0);
  assert.deepEqual(
    document.changes.map(({ type }) => type),
    ['addNodes', 'setRequest', 'removeNode'],
  );
  assert.deepEqual(
    document.pods.map(({ pod, outcome, after }) => [pod, outcome, after.node]),
    [
      ['default/web-y', 'Moves', 'a'],
      ['default/big', 'Placed', 'a-1'],
    ],
  );
  assert.deepEqual(parse((await whatif([...argv, 'yaml'])).stdout), [document]);
});

test('the kubelet of the node that an applied pod names is asked', async () => {
  const named = (/** @type {string} */ name, /** @type {string} */ node, cpu = '1') =>
    makePod(name, { cpu, spec: { nodeName: node } });
  const cases = /** @type {[any, string, RegExp][]} */ ([
    [named('fits', 'a'), 'Placed', /^$/],
    [named('large', 'a', '3'), 'NewWaits', /names its node a .* refuses it: Insufficient cpu$/],
    [named('lost', 'none'), 'NewWaits', /names the node none, which is not in the cluster$/],
    [named('web-x', 'b', '2'), 'Waits', /names its node b .* refuses it: Insufficient cpu$/],
  ]);
  for (const [pod, outcome, message] of cases) {
    const manifest = await file('named.json', pod);
    const { code, stdout } = await whatif(['--apply', manifest, '-o', 'json']);
    const document = JSON.parse(stdout);
    assert.deepEqual(validate(schema, document), []);
    const one = document.pods.find((/** @type {any} */ { pod: key }) =>
      key.endsWith(pod.metadata.name),
    );
    assert.equal(one.outcome, outcome, pod.metadata.name);
    assert.match(one.after.message, message);
    assert.equal(code, outcome === 'Placed' ? 0 : 1);
  }
  const removed = await file('first.json', named('first', 'b'));
  const { stdout } = await whatif(['--apply', removed, '--without-node', 'b', '-o', 'json']);
  const first = JSON.parse(stdout).pods.find(({ pod }) => pod === 'default/first');
  assert.equal(first.after.node === 'b', false);
});

test('manifests are applied, and workloads of the input expand', async () => {
  const spec = {
    replicas: 1,
    selector: { matchLabels: { app: 'api' } },
    template: { metadata: { labels: { app: 'api' } }, spec: makePod('p').spec },
  };
  const api = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'api' }, spec };
  const manifest = await file('api.json', api);
  const applied = JSON.parse((await whatif(['--apply', manifest, '-o', 'json'])).stdout);
  assert.match(applied.pods[0].pod, /^default\/api-\w+-0$/);
  const other = await whatif(['--apply', manifest, '-n', 'shop', '-o', 'json']);
  assert.match(JSON.parse(other.stdout).pods[0].pod, /^shop\/api-/);
  const both = await whatif([manifest, '--scale', 'deploy/api=2', '-o', 'json']);
  assert.deepEqual(
    JSON.parse(both.stdout).pods.map(({ outcome }) => outcome),
    ['Placed'],
    'the first pod is there before the change',
  );
});

test('flags are changes', () => {
  const changesOf = (...argv) =>
    parseWhatIfArguments(['--cluster', 'c', ...argv]).given.map(({ change }) => change);
  const table = [
    [
      ['--taint', 'a=k=v:NoSchedule'],
      { type: 'taint', node: 'a', key: 'k', value: 'v', effect: 'NoSchedule' },
    ],
    [
      ['--taint', 'a=x.io/k:NoExecute'],
      { type: 'taint', node: 'a', key: 'x.io/k', effect: 'NoExecute' },
    ],
    [['--untaint', 'a=k'], { type: 'untaint', node: 'a', key: 'k' }],
    [
      ['--untaint', 'a=k:NoExecute-'],
      { type: 'untaint', node: 'a', key: 'k', effect: 'NoExecute' },
    ],
    [
      ['--scale', 'sts/shop/db=3'],
      { type: 'scale', kind: 'StatefulSet', namespace: 'shop', name: 'db', replicas: 3 },
    ],
    [
      ['--scale', 'Deployment/web=3', '-n', 'n'],
      { type: 'scale', kind: 'Deployment', namespace: 'n', name: 'web', replicas: 3 },
    ],
    [
      ['--set-request', 'web-0:nvidia.com/gpu=2'],
      {
        type: 'setRequest',
        kind: 'Pod',
        namespace: 'default',
        name: 'web-0',
        resource: 'nvidia.com/gpu',
        value: '2',
      },
    ],
    [
      ['--set-request', 'shop/web-0:cpu=2'],
      {
        type: 'setRequest',
        kind: 'Pod',
        namespace: 'shop',
        name: 'web-0',
        resource: 'cpu',
        value: '2',
      },
    ],
    [
      ['--set-request', 'deploy/web:cpu=2'],
      {
        type: 'setRequest',
        kind: 'Deployment',
        namespace: 'default',
        name: 'web',
        resource: 'cpu',
        value: '2',
      },
    ],
    [
      ['--delete', 'pdb/web'],
      { type: 'delete', kind: 'PodDisruptionBudget', namespace: 'default', name: 'web' },
    ],
    [['--add-nodes', '2', '--like', 'a'], { type: 'addNodes', count: 2, like: 'a' }],
  ];
  for (const [argv, change] of table)
    assert.deepEqual(changesOf(...argv), [change], argv.join(' '));
});

test('bad input is exit code 2, and names the flag or the file', async () => {
  const bad = await file('bad.yaml', {
    apiVersion: 'stowage/v1',
    kind: 'Changes',
    changes: [{ type: 'cordon', node: 'z' }],
  });
  const malformed = await file('malformed.yaml', { apiVersion: 'stowage/v1', kind: 'Changes' });
  const none = await file('none.yaml', { apiVersion: 'stowage/v1', kind: 'Changes', changes: [] });
  const empty = await file('empty.yaml', '# only a comment\n---\n');
  const cases = [
    [[], /whatif needs a change/],
    [['-f', none], /^error: .*none\.yaml: changes: there is no change in it$/m],
    [['--apply', empty], /^error: .*empty\.yaml: there is no object in it$/m],
    [['--add-nodes', '2'], /--add-nodes and --like go together/],
    [['--taint', 'a'], /--taint is NODE=KEY\[=VALUE\]:EFFECT/],
    [['--taint', 'a=k:Never'], /--taint is one of NoSchedule/],
    [['--scale', 'web=3'], /--scale is KIND\/\[NAMESPACE\/\]NAME/],
    [['--scale', 'deply/web=3'], /there is no kind "deply"; did you mean.*deploy/],
    [['--scale', 'deploy/web=x'], /--scale is a whole number/],
    [['--cordon', 'z'], /^error: --cordon z: node: Not found: "z"$/m],
    [['-f', bad], /bad\.yaml: changes\[0\]: node: Not found: "z"/],
    [['-f', malformed], /malformed\.yaml: changes: a list is expected/],
    [['-f', cluster], /cluster\.json: apiVersion: stowage\/v1 is expected/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await whatif(argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
  const { code, stderr } = await runCli(['whatif', '--cordon', 'a']);
  assert.equal(code, 2);
  assert.match(stderr, /whatif needs a cluster/);
});

test('applied kinds that only other controllers read are named', async () => {
  const broker = { apiVersion: 'example.com/v1', kind: 'Broker', metadata: { name: 'b' } };
  const line = 'left aside: 1 Broker (example.com/v1): what their controllers do is not simulated';
  const path = await file('broker.json', broker);
  const changes = await file('brokers.json', {
    apiVersion: 'stowage/v1',
    kind: 'Changes',
    changes: [{ type: 'apply', object: broker }],
  });
  for (const argv of [
    ['--apply', path],
    ['-f', changes],
    [path, '--uncordon', 'a'],
  ])
    assert.equal((await whatif(argv)).stderr, `note: ${line}\n`, argv.join(' '));
  assert.equal((await whatif(['--apply', path, '-q'])).stderr, '');
});

test('what the API server refuses is exit code 2, with the place in the file', async () => {
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'gone', uid: 'n' },
    status: { phase: 'Terminating' },
  };
  const range = {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'l', namespace: 'default', uid: 'l' },
    spec: { limits: [{ type: 'Pod', max: { cpu: '500m' } }] },
  };
  const guarded = await file('guarded.json', makeList(makeNode('a'), namespace, range));
  const pod = makePod('p', { cpu: '1' });
  const cases = [
    [pod, /maximum cpu usage per Pod is 500m/],
    [{ ...pod, metadata: { name: 'p', namespace: 'gone' } }, /because it is being terminated/],
  ];
  for (const [object, reason] of cases) {
    const path = await file('refused.yaml', `# one\n---\n${JSON.stringify(object)}\n`);
    const { code, stdout, stderr } = await runCli([
      'whatif',
      '--cluster',
      guarded,
      '--apply',
      path,
    ]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^error: .*refused\.yaml: document 1, line 3, column 1: pods "p" is forb/);
    assert.match(stderr, reason);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
});
