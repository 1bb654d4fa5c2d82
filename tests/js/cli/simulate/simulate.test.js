import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Engine } from '../../../../js/src/index.js';
import { parse } from '../../../../js/src/manifests.js';
import { NativeSurface } from '../../support/native_surface.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeDump, makeList, makeNode, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { folder, file } = await makeFolder();
const dump = makeDump();
const CONFIGURATION =
  'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

test('pending pods are placed, and the table has nodes and reasons', async () => {
  const path = await file('dump.json', dump);
  const { code, stdout, stderr } = await runCli(['simulate', path]);
  assert.equal(
    stdout,
    [
      'NAMESPACE   POD     NODE     RESULT          MESSAGE',
      'default     small   a        Scheduled       <none>',
      'default     big     <none>   Unschedulable   ' +
        '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. ' +
        'no new claims to deallocate, preemption: ' +
        '0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
      '',
    ].join('\n'),
  );
  assert.match(
    stderr,
    /^nearest node .*: 9 missing\nplaced 1, pending 1, bound before 1 \(v1\.36, [\d.]+ ms\)\n$/,
  );
  assert.equal(code, 1);
});

test('everything placed is exit code 0, and so is nothing to place', async () => {
  assert.equal(
    (
      await runCli(['simulate', '-'], {
        stdin: JSON.stringify(makeList(makeNode('a'), storedPod('p'))),
      })
    ).code,
    0,
  );
  const empty = await runCli(['simulate', '-', '-n', 'nowhere'], { stdin: JSON.stringify(dump) });
  assert.deepEqual([empty.code, empty.stdout], [0, '']);
  assert.match(empty.stderr, /^no pending pods in namespace nowhere\nplaced 0, pending 0/);
});

test('a run with 200,000 gated decisions is reported', async () => {
  const surface = new NativeSurface();
  const { run } = surface;
  const held = JSON.stringify({ kind: 'Decision', pod: 'default/held', result: 'gated' });
  const said = [`${held}\n`.repeat(200_000)];
  surface.run = (...values) => {
    const size = run(...values);
    const text = new TextDecoder().decode(surface.output().subarray(0, size));
    return surface.say((said.pop() ?? '') + text);
  };
  const { code, stderr } = await runCli(['simulate', '-'], {
    stdin: JSON.stringify(dump),
    loadEngine: async () => new Engine(surface),
  });
  assert.match(stderr, /^placed 1, pending 2, /m);
  assert.equal(code, 1);
});

test('preemption: the victims go, the preemptor is tried again', async () => {
  const objects = makeList(
    makeNode('a', { cpu: '1' }),
    storedPod('low', { spec: { nodeName: 'a' } }),
    storedPod('vip', { spec: { priority: 9 } }),
  );
  const { stdout, stderr, code } = await runCli(['simulate', '-', '--no-headers'], {
    stdin: JSON.stringify(objects),
  });
  assert.equal(
    stdout,
    'default   vip   a   Scheduled   evicted default/low\n' +
      'default   low   a   Evicted     evicted for default/vip\n',
  );
  assert.match(stderr, /^placed 1, pending 0, evicted 1, bound before 1/);
  assert.equal(code, 0);
});

test('terminating pods and pods of other schedulers stay as they are, and are listed', async () => {
  const objects = makeList(
    makeNode('a'),
    storedPod('going', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    storedPod('theirs', { spec: { schedulerName: 'other' } }),
    storedPod('done', { status: { phase: 'Succeeded' }, spec: { nodeName: 'a' } }),
  );
  const stdin = JSON.stringify(objects);
  const { stdout, stderr, code } = await runCli(['simulate', '-'], { stdin });
  assert.equal(stdout, '');
  assert.equal(code, 0);
  assert.match(
    stderr,
    /are: 1 terminating: default\/going\n.* 1 of other schedulers: default\/theirs \(other\)\n/,
  );
  assert.match(stderr, /^placed 0, pending 0, bound before 0 /m);
  const other = await runCli(['simulate', '-', '--scheduler-name', 'other', '-q', '--no-headers'], {
    stdin,
  });
  assert.equal(other.stdout, 'default   theirs   a   Scheduled   <none>\n');
});

test('volumes: the claims of each pod, and the pods that wait if the host binds them', async () => {
  const withClaim = (name) => {
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: `d-${name}` } }];
    return storedPod(name, { spec: { volumes } });
  };
  const claims = ['p', 'q'].map((name) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: `d-${name}`, namespace: 'default', uid: `u-d-${name}` },
    spec: {
      storageClassName: 'local',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  }));
  const storage = (/** @type {string} */ kind, /** @type {string} */ name, fields = {}) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind,
    metadata: { name, uid: `u-${name}` },
    ...fields,
  });
  const provisioner = 'csi.example.com';
  const items = [
    makeNode('a'),
    storage('CSINode', 'a', { spec: { drivers: [{ name: provisioner, nodeID: 'a' }] } }),
    storage('CSIDriver', provisioner, { spec: {} }),
    storage('StorageClass', 'local', { provisioner, volumeBindingMode: 'WaitForFirstConsumer' }),
    ...claims,
    withClaim('p'),
    withClaim('q'),
  ];
  const stdin = JSON.stringify(makeList(...items));
  const simulated = await runCli(['simulate', '-', '-q', '-o', 'wide'], { stdin });
  assert.deepEqual([simulated.code, simulated.stderr], [0, '']);
  assert.match(simulated.stdout, /^default +p .* d-p=provision +<none>$/m);
  const argv = ['simulate', '-', '--volumes=host', '-o', 'json'];
  const { code, stdout, stderr } = await runCli(argv, { stdin });
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const [{ result, volumes, waitsForVolumes }] = document.pods;
  assert.deepEqual([result, volumes, waitsForVolumes], ['Scheduled', { 'd-p': 'provision' }, true]);
  assert.match(
    stderr,
    /^warning: 2 pods have a node and wait for volumes: default\/p, default\/q\nplaced 2, /,
  );
  assert.equal(code, 1);
  const other = await runCli([...argv, '-n', 'elsewhere', '-q'], { stdin });
  assert.deepEqual([other.code, other.stderr], [0, '']);
});

test('formats', async () => {
  const stdin = JSON.stringify(dump);
  const json = JSON.parse((await runCli(['simulate', '-', '-o', 'json'], { stdin })).stdout);
  assert.deepEqual(validate(schema, json), []);
  assert.deepEqual(json.summary, {
    placed: 1,
    pending: 1,
    evicted: 0,
    boundBefore: 1,
    leftAlone: 0,
  });
  const yaml = (await runCli(['simulate', '-', '-o', 'yaml'], { stdin })).stdout;
  assert.deepEqual(parse(yaml), [json]);
  const explained = JSON.parse(
    (await runCli(['simulate', '-', '-o', 'json', '--explain', 'big'], { stdin })).stdout,
  );
  assert.deepEqual(validate(schema, explained), []);
  assert.equal(explained.evaluation.pod, 'default/big');
  assert.equal(
    (await runCli(['simulate', '-', '-o', 'name'], { stdin })).stdout,
    'pod/small\npod/big\n',
  );
  const wide = (await runCli(['simulate', '-', '-o', 'wide'], { stdin })).stdout;
  assert.match(
    wide,
    /^NAMESPACE +POD +NODE +RESULT +ATTEMPTS +FEASIBLE +PLUGINS +VOLUMES +MESSAGE\n/,
  );
  assert.match(wide, /big .* 0\/2 {8}NodeResourcesFit,NodeUnschedulable {3}<none> {4}0\/2 nodes/);
});

test('the schema rejects other documents', () => {
  for (const value of [{}, { kind: 'Simulation' }, { kind: 'RecordsDropped', count: -1 }])
    assert.notDeepEqual(validate(schema, value), []);
});

test('a long wait shows on a terminal', async () => {
  const long = storedPod('p', { metadata: { annotations: { long: 'x'.repeat(1 << 20) } } });
  const stdin = JSON.stringify(makeList(makeNode('a'), long));
  const { stderr } = await runCli(['simulate', '-'], { stdin, isTTY: true });
  assert.match(stderr, /^\r\x1b\[Kreading standard input\r\x1b\[K/);
  const small = await runCli(['simulate', '-'], { stdin: JSON.stringify(dump), isTTY: true });
  assert.doesNotMatch(small.stderr, /reading/);
  const bad = await runCli(['simulate', '-'], {
    stdin: `{"x": "${'y'.repeat(1 << 20)}",}`,
    isTTY: true,
  });
  // A slow machine shows a bar in between.
  const goes = /reading standard input\r\x1b\[K(?:reading [^\r]*\r\x1b\[K)*error: /;
  assert.match(bad.stderr, goes, 'and goes before the error');
});

test('bad configurations are reported in kube-scheduler’s words', async () => {
  const cases = [
    ['c.yaml', `${CONFIGURATION}bogus: 1\n`, 'strict decoding error: unknown field "bogus"'],
    ['c.json', '{"bogus":1}', `Object 'Kind' is missing in '{"bogus":1}'`],
    ['d.yaml', 'kind: A\nkind: B\n', 'line 2, column 1: Map keys must be unique'],
    [
      'e.yaml',
      `${CONFIGURATION}---\n---\nkind: B\n`,
      'line 5, column 1: one document is expected, there are more',
    ],
  ];
  for (const [name, text, expected] of cases) {
    const path = await file(`config/${name}`, text);
    const { code, stderr } = await runCli(['simulate', '-', '--config', path], { stdin: '{}' });
    assert.equal(code, 2);
    assert.ok(stderr.startsWith(`error: ${path}: ${expected}`), stderr);
  }
  const profiles = await file(
    'config/two.yaml',
    `${CONFIGURATION}profiles:\n- schedulerName: one\n- schedulerName: other\n`,
  );
  const { stdout } = await runCli(['simulate', '-', '--config', profiles, '-q', '--no-headers'], {
    stdin: JSON.stringify(
      makeList(makeNode('a'), storedPod('x', { spec: { schedulerName: 'other' } }), storedPod('y')),
    ),
  });
  assert.equal(stdout, 'default   x   a   Scheduled   <none>\n');
});

test('the configuration on standard input is named so in errors', async () => {
  const path = await file('config/cluster.json', makeList(makeNode('a')));
  for (const stdin of [`${CONFIGURATION}bogus: 1\n`, 'kind: [', '{"kind":"A"}', '{']) {
    const { code, stderr } = await runCli(['simulate', path, '--config', '-'], { stdin });
    assert.deepEqual([code, stderr.startsWith('error: standard input: ')], [2, true], stderr);
  }
});

test('a configuration may end with empty documents, as templates write them', async () => {
  for (const end of ['---\n', '...\n', '---\n# the end\n---\n']) {
    const path = await file('config/end.yaml', `---\n${CONFIGURATION}${end}`);
    const argv = ['simulate', '-', '--config', path];
    const { code, stderr } = await runCli(argv, { stdin: JSON.stringify(makeList(makeNode('a'))) });
    assert.equal(code, 0, stderr);
  }
});

test('wrong command lines are exit code 2, with a correction', async () => {
  const cases = [
    [['simulate'], /needs a file/],
    [['simulate', '-', '-o', 'xml'], /--output is one of table, wide, json, yaml, name, not "xml"/],
    [['simulate', '-', '--nope'], /^error: unknown flag --nope\n/],
    [['simulate', '-', '--config', '-q'], /'--config' argument is ambiguous\. Did you forget /],
    [['simulate', '-', '-x'], /^error: unknown flag -x\n/],
    [['simulate', '-', '--seed', 'x'], /--seed is a whole number/],
    [['simulate', '-', '--feature-gates', 'A=maybe'], /"A=maybe" does not belong there/],
    [['simulate', '-', '--tie-break', 'dice'], /--tie-break is one of/],
    [['simulate', '-', '--volumes', 'x'], /--volumes is one of simulate, host, not "x"/],
    [['simulate', '-', '--config', 'x', '--scheduler-name', 'y'], /does not go with --config/],
    [['simulate', join('no', 'such')], /there is no such file/],
    [['none'], /unknown command "none"; there are simulate, .*, version and help/],
    [['a.json', '-q'], /unknown command "a\.json"; did you mean: stowage simulate a\.json -q\?/],
    [['help', 'nope'], /unknown command "nope"/],
    [['simulate', '-', '--config', folder], /: this is a directory, a file is needed/],
    [['simulate', '-', '-n', ''], /--namespace needs a name/],
    [['simulate', '-', '--explain', ''], /--explain needs the name of a pod/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await runCli(argv, { stdin: '{}' });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
  const empty = join(folder, 'empty');
  await mkdir(empty);
  assert.match(
    (await runCli(['simulate', empty])).stderr,
    /no \.yaml, \.yml, \.json, \.ndjson or \.jsonl file in it; -R reads its directories too\n/,
  );
});

test('gates, tie-break and seed reach the scheduler', async () => {
  const surface = new NativeSurface();
  const engine = new Engine(surface);
  const options = [];
  const create = engine.createScheduler.bind(engine);
  engine.createScheduler = (given) => {
    options.push(given);
    return create(given);
  };
  await runCli(
    [
      'simulate',
      '-',
      '--feature-gates',
      'A=true,B=False',
      '--feature-gates',
      'C=true',
      '--tie-break',
      'random',
      '--seed',
      '7',
    ],
    { stdin: '{"kind":"Node","metadata":{"name":"n"}}', loadEngine: async () => engine },
  );
  const [{ featureGates, tieBreak, seed, startTime }] = options;
  assert.deepEqual(
    [featureGates, tieBreak, seed, startTime],
    [{ A: true, B: false, C: true }, 'random', 7, 1000],
  );
  assert.equal(surface.alive, 0);
});

test('internal errors are exit code 3', async () => {
  const stdin = JSON.stringify(makeList(storedPod('crash')));
  const crash = await runCli(['simulate', '-'], { stdin });
  assert.equal(crash.code, 3);
  assert.match(crash.stderr, /scheduling_cycle\.cc:42\nThis is a bug in stowage/);
  const broken = await runCli(['simulate', '-'], {
    stdin,
    loadEngine: async () => {
      throw new TypeError('x');
    },
  });
  assert.equal(broken.code, 3);
});

test('output has colours on a terminal or with --color', async () => {
  const stdin = JSON.stringify(dump);
  const isColored = async (argv, options) =>
    (await runCli(['simulate', '-', ...argv], { stdin, ...options })).stdout.includes('\x1b[');
  assert.equal(await isColored([], {}), false);
  assert.equal(await isColored([], { isTTY: true }), true);
  assert.equal(await isColored([], { isTTY: true, env: { NO_COLOR: '1' } }), false);
  assert.equal(await isColored(['--color', 'always'], {}), true);
  assert.equal(await isColored(['--color', 'never'], { isTTY: true }), false);
});

test('help and version', async () => {
  for (const argv of [[], ['help'], ['--help']])
    assert.match((await runCli(argv)).stdout, /^stowage makes the same placement decisions/);
  for (const argv of [
    ['help', 'simulate'],
    ['simulate', '-h'],
  ]) {
    const { stdout, code } = await runCli(argv);
    assert.match(stdout, /Exit codes:\n {2}0 /);
    assert.equal(code, 0);
  }
  for (const argv of [['version'], ['--version']])
    assert.match(
      (await runCli(argv)).stdout,
      /^stowage \d+\.\d+\.\d+ \(kube-scheduler v1\.36\)\nreleases: /,
    );
});
