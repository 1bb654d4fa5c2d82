import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Engine } from '../../../js/src/index.js';
import { parse } from '../../../js/src/manifests.js';
import { FakeSurface } from '../support/fake_surface.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-'));
});
after(() => rm(folder, { recursive: true }));

/** @param {string} name @param {unknown} content text, or what becomes JSON */
async function file(name, content) {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(
    path,
    typeof content === 'string' || content instanceof Uint8Array
      ? content
      : JSON.stringify(content),
  );
  return path;
}

const stored = (name, options = {}) =>
  makePod(name, {
    ...options,
    metadata: { namespace: 'default', uid: `u-${name}`, ...options.metadata },
  });
const dump = makeList(
  makeNode('a', { cpu: '2' }),
  makeNode('b', { spec: { unschedulable: true } }),
  stored('bound', { spec: { nodeName: 'a' } }),
  stored('small'),
  stored('big', { cpu: '9' }),
);

test('pending pods are placed, and the table says where and why not', async () => {
  const path = await file('dump.json', dump);
  const { code, stdout, stderr } = await runCli(['simulate', path]);
  assert.equal(
    stdout,
    [
      'NAMESPACE   POD     NODE     RESULT          MESSAGE',
      'default     small   a        Scheduled       <none>',
      'default     big     <none>   Unschedulable   ' +
        '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.',
      '',
    ].join('\n'),
  );
  assert.match(stderr, /^placed 1, pending 1, bound before 1 \(v1\.36, [\d.]+ ms\)\n$/);
  assert.equal(code, 1);
});

test('everything placed is exit code 0, and so is nothing to place', async () => {
  assert.equal(
    (
      await runCli(['simulate', '-'], {
        stdin: JSON.stringify(makeList(makeNode('a'), stored('p'))),
      })
    ).code,
    0,
  );
  const empty = await runCli(['simulate', '-', '-n', 'nowhere'], { stdin: JSON.stringify(dump) });
  assert.deepEqual([empty.code, empty.stdout], [0, '']);
  assert.match(empty.stderr, /^no pending pods in namespace nowhere\nplaced 0, pending 0/);
});

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

test('a dump goes to the engine as it is', async () => {
  const surface = new FakeSurface();
  const stdin = JSON.stringify(dump, null, 2);
  await runCli(['simulate', '-'], { stdin, loadEngine: async () => new Engine(surface) });
  assert.deepEqual(
    surface.calls
      .filter(([name]) => name === 'apply')
      .map(([, , , format, size]) => [format, size]),
    [[0, stdin.length]],
  );
});

test('hand-written pods come after those of the dump, their classes count', async () => {
  const old = stored('old', { cpu: '1', metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } });
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
  const { stdout } = await runCli(['simulate', '-', '--no-headers'], {
    stdin: objects.map((object) => JSON.stringify(object)).join('\n'),
  });
  assert.deepEqual(stdout.match(/vip|old|new/g), ['vip', 'old', 'new']);
});

test('workloads become the pods that they lack', async () => {
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n' +
    '  template:\n    metadata: {labels: {app: web}}\n' +
    '    spec: {containers: [{name: c, resources: {limits: {cpu: 1}}}]}\n';
  const app = await file('app.yaml', deployment);
  const { stdout, code } = await runCli(['simulate', '-', '-f', app, '--no-headers'], {
    stdin: JSON.stringify(makeList(makeNode('a', { cpu: '1' }))),
  });
  assert.match(
    stdout,
    /^default +web-\w{9}-0 +a +Scheduled .*\ndefault +web-\w{9}-1 +<none> +Unschedulable +0\/1 /,
  );
  assert.equal(code, 1);
});

test('preemption: the victims go, the preemptor is tried again', async () => {
  const objects = makeList(
    makeNode('a', { cpu: '1' }),
    stored('low', { spec: { nodeName: 'a' } }),
    stored('vip', { spec: { priority: 9 } }),
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

test('terminating pods and those of others stay as they are, and are said so', async () => {
  const objects = makeList(
    makeNode('a'),
    stored('going', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    stored('theirs', { spec: { schedulerName: 'other' } }),
    stored('done', { status: { phase: 'Succeeded' }, spec: { nodeName: 'a' } }),
  );
  const stdin = JSON.stringify(objects);
  const { stdout, stderr, code } = await runCli(['simulate', '-'], { stdin });
  assert.deepEqual([stdout, code], ['', 0]);
  assert.match(
    stderr,
    /are: 1 terminating: default\/going\n.* 1 of other schedulers: default\/theirs \(other\)\n/,
  );
  assert.match(stderr, /bound before 0/);
  const other = await runCli(['simulate', '-', '--scheduler-name', 'other', '-q', '--no-headers'], {
    stdin,
  });
  assert.equal(other.stdout, 'default   theirs   a   Scheduled   <none>\n');
});

test('decisions without a plugin are warned of and are exit code 1', async () => {
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }];
  const stdin = JSON.stringify(makeList(makeNode('a'), stored('p', { spec: { volumes } })));
  const { stderr, code } = await runCli(['simulate', '-', '-q'], { stdin });
  assert.equal(
    stderr,
    'warning: 1 pod was decided without VolumeBinding, ' +
      'which this version does not have yet: default/p\n',
  );
  assert.equal(code, 1);
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
  assert.match(wide, /^NAMESPACE +POD +NODE +RESULT +ATTEMPTS +FEASIBLE +PLUGINS +MESSAGE\n/);
  assert.match(wide, /big .* 0\/2 {8}NodeResourcesFit,NodeUnschedulable {3}0\/2 nodes/);
});

test('the schema refuses what is no document of ours', () => {
  for (const value of [{}, { kind: 'Simulation' }, { kind: 'RecordsDropped', count: -1 }])
    assert.notDeepEqual(validate(schema, value), []);
});

test('one pod explained: the matrix at the time of its decision', async () => {
  const objects = makeList(
    makeNode('a', { cpu: '3' }),
    makeNode('b', { cpu: '2' }),
    makeNode('c', { cpu: '0' }),
    ...['p', 'q', 'r', 's', 't', 'u'].map((name) => stored(name)),
  );
  const stdin = JSON.stringify(objects);
  const { stdout } = await runCli(['simulate', '-', '--explain', 'q'], { stdin });
  assert.equal(
    stdout,
    [
      'default/q: Scheduled on a',
      '',
      'NODE   VERDICT   TOTAL    NodeResourcesFit',
      'a      chosen    2000     2000',
      'b      fits      2000     2000',
      'c      refused   <none>   Insufficient cpu',
      '',
    ].join('\n'),
  );
  const last = await runCli(['simulate', '-', '--explain', 'pod/u', '--limit', '1'], { stdin });
  assert.match(
    last.stdout,
    /^default\/u: Unschedulable\n0\/3 nodes .*: 3 Insufficient cpu\.\n\nNODE.*\na +refused.*\n$/,
  );
  assert.match(last.stderr, /^2 more nodes; --limit 0 shows all\n/);
  assert.equal((await runCli(['simulate', '-', '--explain', 'none'], { stdin })).code, 2);
});

test('bad input is named by file, document, line and field', async () => {
  const two =
    'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n' +
    'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n' +
    '    resources:\n      requests:\n        cpu: 1x\n';
  const field =
    "Pod default/p: spec.containers[0].resources.requests[cpu]: unable to parse quantity's suffix";
  const deployment = two
    .replace('kind: Pod', 'kind: ReplicaSet')
    .replace(
      /spec:[^]*/,
      'spec:\n  replicas: 2\n  template:\n    spec:\n' +
        '      containers: [{resources: {requests: {cpu: 1x}}}]\n',
    );
  const list = JSON.stringify(makeList(makeNode('a'), stored('p', { cpu: '1x' })));
  const cases = [
    ['a.yaml', two, `document 2, line 13, column 14: ${field}`],
    ['b.json', list, `document 1, line 1, column ${list.indexOf('"1x"') + 1}: ${field}`],
    [
      'c.yaml',
      deployment,
      'document 2, line 12, column 49: Pod default/p-0: spec.containers[0].resources.requests[cpu]',
    ],
    ['d.yaml', 'kind: [', 'document 1, line 1, column 8: Flow sequence'],
    [
      'e.json',
      '{"kind":"Pod",}',
      'document 1, line 1, column 15: "}" where a key in double quotes is expected',
    ],
    ['f.yaml', new Uint8Array([0x6b, 0xff, 0xfe]), 'the text is not valid UTF-8'],
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

test('a mistake in a template is told once, many mistakes not all', async () => {
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 's' },
    spec: { replicas: 5, template: { spec: { priorityClassName: 'x', containers: [] } } },
  };
  assert.equal(
    (await runCli(['simulate', '-'], { stdin: JSON.stringify(set) })).stderr.trim().split('\n')
      .length,
    1,
  );
  const pods = Array.from({ length: 30 }, (_, index) =>
    JSON.stringify(stored(`p${index}`, { cpu: 'x' })),
  ).join('\n');
  const { stderr } = await runCli(['simulate', '-'], { stdin: pods });
  assert.match(stderr, /error: and 10 more\n$/);
});

test('bad configurations are told in kube-scheduler’s words', async () => {
  const cases = [
    ['c.yaml', 'bogus: 1\n', 'strict decoding error: unknown field "bogus"'],
    ['c.json', '{"bogus":1}', 'strict decoding error: unknown field "bogus"'],
    ['d.yaml', 'kind: A\nkind: B\n', 'line 2, column 1: Map keys must be unique'],
  ];
  for (const [name, text, expected] of cases) {
    const path = await file(`config/${name}`, text);
    const { code, stderr } = await runCli(['simulate', '-', '--config', path], { stdin: '{}' });
    assert.equal(code, 2);
    assert.ok(stderr.startsWith(`error: ${path}: ${expected}`), stderr);
  }
  const profiles = await file(
    'config/two.yaml',
    'profiles:\n- schedulerName: one\n- schedulerName: other\n',
  );
  const { stdout } = await runCli(['simulate', '-', '--config', profiles, '-q', '--no-headers'], {
    stdin: JSON.stringify(
      makeList(makeNode('a'), stored('x', { spec: { schedulerName: 'other' } }), stored('y')),
    ),
  });
  assert.equal(stdout, 'default   x   a   Scheduled   <none>\n');
});

test('wrong command lines are exit code 2 and say what would be right', async () => {
  const cases = [
    [['simulate'], /needs a file/],
    [['simulate', '-', '-o', 'xml'], /--output is one of table, wide, json, yaml, name, not "xml"/],
    [['simulate', '-', '--nope'], /--nope/],
    [['simulate', '-', '--seed', 'x'], /--seed is a whole number/],
    [['simulate', '-', '--feature-gates', 'A=maybe'], /"A=maybe" does not belong there/],
    [['simulate', '-', '--tie-break', 'dice'], /--tie-break is one of/],
    [['simulate', '-', '--config', 'x', '--scheduler-name', 'y'], /does not go with --config/],
    [['simulate', join('no', 'such')], /there is no such file/],
    [['stow'], /unknown command "stow"/],
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
    /there is no \.yaml, \.yml or \.json file in it/,
  );
});

test('gates, tie-break and seed reach the scheduler', async () => {
  const surface = new FakeSurface();
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

test('our own faults are exit code 3', async () => {
  const stdin = JSON.stringify(makeList(stored('crash')));
  const crash = await runCli(['simulate', '-'], { stdin });
  assert.equal(crash.code, 3);
  assert.match(crash.stderr, /scheduling_cycle\.cc:42\nThis is a fault of stowage/);
  const broken = await runCli(['simulate', '-'], {
    stdin,
    loadEngine: async () => {
      throw new TypeError('x');
    },
  });
  assert.equal(broken.code, 3);
});

test('colours only on a terminal or when told', async () => {
  const stdin = JSON.stringify(dump);
  const isColored = async (argv, options) =>
    (await runCli(['simulate', '-', ...argv], { stdin, ...options })).stdout.includes('\x1b[');
  assert.equal(await isColored([], {}), false);
  assert.equal(await isColored([], { isTTY: true }), true);
  assert.equal(await isColored([], { isTTY: true, env: { NO_COLOR: '1' } }), false);
  assert.equal(await isColored(['--color', 'always'], {}), true);
  assert.equal(await isColored(['--color', 'never'], { isTTY: true }), false);
});

test('unknown kinds are ignored, and named when asked', async () => {
  const map = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const stdin = JSON.stringify(
    makeList(makeNode('a'), map('x'), map('y'), {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'p', uid: '1' },
      value: 1,
    }),
  );
  assert.doesNotMatch((await runCli(['simulate', '-'], { stdin })).stderr, /ConfigMap/);
  const { stderr } = await runCli(['simulate', '-', '-v', '--speed'], { stdin });
  assert.match(
    stderr,
    /^ignored: 2 ConfigMap, which the scheduler does not read\n0 decisions in .* ms, 0\/s; /,
  );
});

test('help and version', async () => {
  for (const argv of [[], ['help'], ['--help']])
    assert.match((await runCli(argv)).stdout, /^stowage decides where pods go/);
  for (const argv of [
    ['help', 'simulate'],
    ['simulate', '-h'],
  ]) {
    const { stdout, code } = await runCli(argv);
    assert.match(stdout, /Exit codes:\n {2}0 /);
    assert.equal(code, 0);
  }
  for (const argv of [['version'], ['--version']])
    assert.match((await runCli(argv)).stdout, /^stowage 0\.0\.0-fake \(kube-scheduler v1\.36\)\n$/);
});
