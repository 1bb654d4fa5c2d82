import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCluster } from '../../../../js/src/cli/cluster/cluster.js';
import { Engine } from '../../../../js/src/index.js';
import { NativeSurface } from '../../support/native_surface.js';
import { makeFolder } from '../../support/folder.js';
import { makeDump, makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { folder, file } = await makeFolder();
const dump = makeDump();

test('every way to give the same cluster', async () => {
  const path = await file('ways/cluster.json', dump);
  const yaml = [
    'apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: 4, pods: 9}}\n',
    'kind: Pod\napiVersion: v1\nmetadata: {name: small}\nspec: {containers: []}\n',
  ].join('---\n');
  await file('ways/ignored.txt', 'x');
  await file('ways/nested/more.yaml', yaml);
  const bytes = Buffer.from(`\ufeff${JSON.stringify(dump)}`, 'utf16le');
  const cases = [
    [[path], '', 2],
    [['-f', path], '', 2],
    [['-'], JSON.stringify(dump), 2],
    [['-'], bytes, 2],
    [['-'], `\ufeff${JSON.stringify(dump)}`, 2],
    [['-'], dump.items.map((item) => JSON.stringify(item)).join('\n'), 2],
    [['-'], yaml, 1],
    [[join(folder, 'ways')], '', 2],
  ];
  for (const [argv, stdin, pods] of cases) {
    const { stdout, stderr } = await runCli(['simulate', ...argv, '--no-headers'], { stdin });
    assert.equal(stdout.trim().split('\n').length, pods, `${argv} ${stderr}`);
  }
  const recursive = await runCli(['simulate', '-R', join(folder, 'ways'), '--no-headers']);
  assert.equal(
    recursive.stdout.trim().split('\n').length,
    2,
    'the hand-written pod replaces the one of its name',
  );
});

test('a dump is applied byte by byte', async () => {
  const surface = new NativeSurface();
  const stdin = JSON.stringify(dump, null, 2);
  await runCli(['simulate', '-'], { stdin, loadEngine: async () => new Engine(surface) });
  assert.deepEqual(
    surface.calls
      .filter(([name]) => name === 'apply')
      .map(([, , , format, size]) => [format, size]),
    [[0, stdin.length]],
  );
});

test('a dump larger than a batch is applied object by object', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(dump));
  const source = { name: 'dump', bytes, text: JSON.stringify(dump) };
  const whole = readCluster([source], { batchBytes: bytes.length });
  assert.deepEqual(
    whole.batches.map((batch) => batch.bytes),
    [bytes],
  );
  const { batches } = readCluster([source], { batchBytes: bytes.length - 1 });
  assert.deepEqual(
    batches.map((batch) => [batch.bytes, batch.objects.length]),
    [[undefined, dump.items.length]],
  );
});

test('hand-written objects of every kind that the engine reads are completed', () => {
  const kinds = [
    ['v1', 'PersistentVolumeClaim', 'default'],
    ['storage.k8s.io/v1', 'StorageClass', undefined],
    ['resource.k8s.io/v1', 'DeviceClass', undefined],
  ];
  for (const [apiVersion, kind, namespace] of kinds) {
    const text = JSON.stringify(makeList({ apiVersion, kind, metadata: { name: 'x' } }));
    const source = { name: 'x', bytes: new TextEncoder().encode(text), text };
    const { batches } = readCluster([source]);
    assert.deepEqual(
      batches.map(({ bytes }) => bytes),
      [undefined],
      kind,
    );
    const { metadata } = batches[0].objects[0];
    assert.equal(metadata.namespace, namespace, kind);
    assert.match(metadata.uid, /^[0-9a-f-]{36}$/, kind);
  }
});

test('hand-written pods are younger than stored ones, and get their class’s value', async () => {
  const old = storedPod('old', {
    cpu: '1',
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
  });
  const gold = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'gold' },
    value: 5,
  };
  const objects = [
    makePod('new'),
    makePod('vip', { spec: { priorityClassName: 'gold' } }),
    gold,
    makeNode('a'),
    old,
  ];
  const text = objects.map((object) => JSON.stringify(object)).join('\n');
  const { batches } = readCluster([{ name: 'x', bytes: new TextEncoder().encode(text), text }]);
  const created = Object.fromEntries(
    batches
      .flatMap((batch) => batch.objects)
      .filter(({ kind }) => kind === 'Pod')
      .map(({ metadata }) => [metadata.name, metadata.creationTimestamp]),
  );
  assert.ok(created.new > created.old && created.vip > created.old, JSON.stringify(created));
  const { stdout } = await runCli(['simulate', '-', '--no-headers'], { stdin: text });
  assert.match(stdout, /^default +vip /, 'its class has the highest value');
});

test('pods and workloads that have only a generateName get names of their own', async () => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { generateName: 'job-' },
    spec: { template: { spec: { containers: [{ name: 'c' }] } } },
  };
  const pod = makePod(undefined, { metadata: { generateName: 'pod-' } });
  const objects = [makeNode('a'), pod, pod, job, job, { ...job, metadata: { name: 'named' } }];
  const { stdout } = await runCli(['simulate', '-', '-o', 'json'], {
    stdin: JSON.stringify(makeList(...objects)),
  });
  const { pods, decisions } = JSON.parse(stdout);
  const names = pods.map(({ name }) => name).sort();
  assert.equal(new Set(names).size, 5);
  assert.match(names.join(' '), /^job-\w{5}-0 job-\w{5}-0 named-0 pod-\w{5} pod-\w{5}$/);
  assert.equal(new Set(decisions.map(({ uid }) => uid)).size, 5);
});

test('the last manifest of a workload counts, with the uid that its pods refer to', async () => {
  const set = (replicas, uid) => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default', ...(uid && { uid }) },
    spec: { replicas, template: { spec: { containers: [] } } },
  });
  const ownerReferences = [{ kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true }];
  const owned = storedPod('web-0', { metadata: { ownerReferences }, spec: { nodeName: 'a' } });
  const cluster = makeList(makeNode('a'), set(2, 'rs'), owned);
  const cases = [
    [
      [cluster, set(4)],
      ['web-1', 'web-2', 'web-3'],
    ],
    [[set(4), cluster], ['web-1']],
    [[cluster, cluster], ['web-1']],
    [
      [set(1), set(2)],
      ['web-0', 'web-1'],
    ],
  ];
  for (const [documents, expected] of cases) {
    const stdin = documents.map((document) => JSON.stringify(document)).join('\n');
    const { stdout } = await runCli(['simulate', '-', '-o', 'name'], { stdin });
    assert.deepEqual(
      stdout.trim().split('\n'),
      expected.map((name) => `pod/${name}`),
    );
  }
});

test('workloads are expanded to the pods that they lack', async () => {
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n' +
    '  template:\n    metadata: {labels: {app: web}}\n' +
    '    spec: {containers: [{name: c, resources: {limits: {cpu: 1}}}]}\n';
  const app = await file('app.yaml', deployment);
  const { stdout, code } = await runCli(['simulate', '-', '-f', app, '--no-headers'], {
    stdin: JSON.stringify(makeList(makeNode('a', { cpu: '1' }))),
  });
  assert.match(stdout, /^default +web-\w{5,10}-0 +a +Scheduled .*\n/);
  assert.match(stdout, /\ndefault +web-\w{5,10}-1 +<none> +Unschedulable +0\/1 /);
  assert.equal(code, 1);
});

test('errors name the file, document, line and field', async () => {
  const two =
    'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n' +
    'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n' +
    '    resources:\n      requests:\n        cpu: 1x\n';
  const field =
    'Pod default/p: spec.containers[0].resources.requests[cpu]: Invalid value: "1x": quantities ' +
    "must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'\n";
  const deployment = two
    .replace('kind: Pod', 'kind: ReplicaSet')
    .replace(
      /spec:[^]*/,
      'spec:\n  replicas: 2\n  template:\n    spec:\n' +
        '      containers: [{resources: {requests: {cpu: 1x}}}]\n',
    );
  const list = JSON.stringify(makeList(makeNode('a'), storedPod('p', { cpu: '1x' })));
  const large = JSON.stringify({
    ...JSON.parse(list.replace('"1x"', '"1"')),
    annotations: 'x'.repeat(2 << 20),
  });
  const largeBytes = new TextEncoder().encode(large);
  const cases = [
    ['a.yaml', two, `document 2, line 13, column 14: ${field}`],
    ['b.json', list, `document 1, line 1, column ${list.indexOf('"1x"') + 1}: ${field}`],
    [
      'c.yaml',
      deployment,
      'document 2, line 12, column 49: Pod default/p-0: spec.containers[0].resources.requests[cpu]',
    ],
    ['d.yaml', 'kind: [', 'document 1, line 1, column 8: Flow sequence'],
    ['e.json', '{"kind" "Pod"}', 'document 1, line 1, column 9: "\\"" where ":" is expected'],
    ['f.yaml', new Uint8Array([0x6b, 0xff, 0xfe]), 'the text is not valid UTF-8'],
    [
      'large.json',
      new Uint8Array([...largeBytes, 0xff, ...new TextEncoder().encode('}')]),
      'the text is not valid UTF-8',
    ],
    [
      'large_list.json',
      large.replace('"cpu":"1"', '"cpu":"1x"'),
      `document 1, line 1, column ${large.indexOf('"cpu":"1"') + '"cpu":'.length + 1}: ${field}`,
    ],
    [
      'g.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: x}\n',
      'document 1, line 4, column 27: ' +
        'Pod default/p: spec.priorityClassName: no PriorityClass with name x was found',
    ],
    [
      'h.yaml',
      'metadata: {name: p}',
      'document 1, line 1, column 1: default/p: kind: Required value',
    ],
  ];
  for (const [name, content, expected] of cases) {
    const path = await file(name, content);
    const { code, stdout, stderr } = await runCli(['simulate', path]);
    assert.deepEqual([code, stdout], [2, ''], name);
    assert.ok(stderr.includes(`error: ${path}: ${expected}`), `${name}: ${stderr}`);
  }
});

test('an invalid time is left to the engine', () => {
  const metadata = { creationTimestamp: '+275760-09-13T00:00:00Z' };
  const text = JSON.stringify(makeList(makePod('p', { metadata })));
  const source = { name: 'x', bytes: new TextEncoder().encode(text), text };
  assert.equal(readCluster([source]).startTime, 1000);
});

test('a mistake in a template is reported once, of many mistakes the first 20', async () => {
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 's' },
    spec: { replicas: 5, template: { spec: { priorityClassName: 'x', containers: [] } } },
  };
  const once = await runCli(['simulate', '-', '-q'], { stdin: JSON.stringify(set) });
  assert.equal(once.stderr.match(/^error: /gm)?.length, 1);
  const pods = Array.from({ length: 30 }, (_, index) =>
    JSON.stringify(storedPod(`p${index}`, { cpu: 'x' })),
  ).join('\n');
  const { stderr } = await runCli(['simulate', '-', '-q'], { stdin: pods });
  assert.match(stderr, /error: and 10 more\n$/);
});

test('a Pod of another API group is ignored', async () => {
  const foreign = { apiVersion: 'example.org/v1', kind: 'Pod', metadata: { name: 'x' }, spec: {} };
  const stdin = JSON.stringify(makeList(makeNode('a'), foreign));
  const { code, stderr } = await runCli(['simulate', '-'], { stdin });
  assert.equal(code, 0);
  assert.match(stderr, /^ignored: 1 object of 1 kind .*\nno pending pods\n/);
});

test('unknown kinds are ignored, and listed with -v', async () => {
  const map = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const stdin = JSON.stringify(
    makeList(makeNode('a'), map('x'), map('y'), {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'p', uid: '1' },
      value: 1,
    }),
  );
  const job = { apiVersion: 'batch.example.org/v1', kind: 'Job', metadata: { name: 'x' } };
  const { stderr: summary } = await runCli(['simulate', '-'], {
    stdin: JSON.stringify(makeList(makeNode('a'), map('x'), map('y'), job)),
  });
  assert.match(
    summary,
    /^ignored: 3 objects of 2 kinds that the scheduler does not read \(-v names them\)\n/,
  );
  assert.doesNotMatch(summary, /ConfigMap/);
  const quiet = await runCli(['simulate', '-', '-q'], { stdin });
  assert.equal(quiet.stderr, '');
  const { stderr } = await runCli(['simulate', '-', '-v', '--speed'], { stdin });
  assert.match(
    stderr,
    /^ignored: 2 ConfigMap \(v1\), which the scheduler does not read\n0 decisions in .* ms, 0\/s; /,
  );
});

test('a dump of converted objects is not applied byte by byte', async () => {
  const devices = (/** @type {string} */ kind, /** @type {string} */ name, spec = {}) => ({
    apiVersion: 'resource.k8s.io/v1beta1',
    kind,
    metadata: {
      name,
      uid: `${kind}-${name}`,
      ...(kind === 'ResourceClaim' && { namespace: 'default' }),
    },
    spec,
  });
  const pool = { name: 'a', generation: 1, resourceSliceCount: 1 };
  const requests = [{ name: 'r', deviceClassName: 'gpu' }];
  const claims = [{ name: 'c', resourceClaimName: 'claim' }];
  const stdin = JSON.stringify(
    makeList(
      makeNode('a'),
      devices('DeviceClass', 'gpu'),
      devices('ResourceSlice', 'a', {
        ...{ driver: 'gpu.example.com', nodeName: 'a', pool },
        devices: [{ name: 'gpu-0', basic: {} }],
      }),
      devices('ResourceClaim', 'claim', { devices: { requests } }),
      storedPod('trainer', { spec: { resourceClaims: claims } }),
    ),
  );
  const { code, stdout } = await runCli(['simulate', '-', '-o', 'json'], { stdin });
  const [pod] = JSON.parse(stdout).pods;
  assert.deepEqual([code, pod.result, pod.node], [0, 'Scheduled', 'a']);
});
