import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseCapacityArguments } from '../../../../js/src/cli/capacity/arguments.js';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload } from '../../support/workloads.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();
const cluster = await file(
  'cluster.json',
  makeList(makeNode('a', { cpu: '2' }), makeNode('b', { cpu: '1' }), storedPod('waits')),
);
const pod = await file('pod.json', makePod('web'));

/** @param {string[]} argv @param {object} [options] */
const capacity = (argv, options) => runCli(['capacity', '--cluster', cluster, ...argv], options);

test('capacity reports the count, the nodes and the reason of the limit', async () => {
  const { code, stdout, stderr } = await capacity(['-f', pod]);
  assert.equal(
    stdout,
    [
      '3 more like default/web fit, on 2 of 2 nodes',
      'the next: 0/2 nodes are available: 2 Insufficient cpu.',
      '',
      'NODE   PODS   NEXT',
      'a      2      Insufficient cpu',
      'b      1      Insufficient cpu',
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
});

test('--at-least decides the exit code', async () => {
  const codes = await Promise.all(
    [
      ['--at-least', '3'],
      ['--at-least', '4'],
      ['--at-least', '0'],
      ['--max-limit', '0'],
    ].map(async (argv) => (await capacity(['-f', pod, '-q', ...argv])).code),
  );
  assert.deepEqual(codes, [0, 1, 0, 1]);
  const quiet = await capacity(['-f', pod, '-q', '--max-limit', '1']);
  assert.equal(quiet.stdout, '1 more like default/web fits, on 1 of 2 nodes\n');
  const limited = await capacity(['-f', pod, '--max-limit', '1']);
  assert.match(limited.stdout, /\nmore may fit: counting stopped at --max-limit\n\nNODE/);
});

test('errors of the engine name the place in the file', async () => {
  const claim = ['apiVersion: v1', 'kind: PersistentVolumeClaim', 'metadata:', '  name: data'];
  const spec = ['spec:', '  accessModes: [ReadWriteOnce]', '  resources:', '    requests:'];
  const text = [
    JSON.stringify(makePod('web')),
    '---',
    ...claim,
    ...spec,
    '      storage: ten',
  ].join('\n');
  const path = await file('place.yaml', text);
  for (const mode of ['ignore', 'warn', 'strict']) {
    const { code, stdout, stderr } = await capacity(['-f', path, '--validate', mode]);
    assert.deepEqual([code, stdout], [2, ''], mode);
    assert.match(
      stderr,
      /^error: .*place\.yaml: document 2, line 11, column 16: .*storage\]: Invalid value: "ten"/m,
    );
  }
});

test('no pod fits into a namespace that is being deleted', async () => {
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'gone', uid: 'n' },
    status: { phase: 'Terminating' },
  };
  const ending = await file('ending.json', makeList(makeNode('a'), namespace));
  for (const written of [makePod('web'), makeWorkload('Deployment', 'web')]) {
    const stdin = JSON.stringify(written);
    const argv = ['capacity', '-f', '-', '-n', 'gone', '--cluster', ending];
    const { code, stdout, stderr } = await runCli(argv, { stdin });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /forbidden: unable to create new content in namespace gone because it is/);
  }
});

test('formats', async () => {
  const document = JSON.parse((await capacity(['-f', pod, '-o', 'json'])).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual([document.total, document.stoppedBy], [3, 'Unschedulable']);
  assert.deepEqual(parse((await capacity(['-f', pod, '-o', 'yaml'])).stdout), [document]);
  const bare = await capacity(['-f', pod, '--no-headers']);
  assert.match(bare.stdout, /\n\na   2   Insufficient cpu\n/);
});

test('other objects of the file are applied, and PriorityClasses of both files count', async () => {
  const both = makeList(
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'gold' },
      value: 9,
    },
    makePod('web', { spec: { priorityClassName: 'gold' } }),
    makeNode('c', { cpu: '5' }),
  );
  const { code, stdout } = await capacity(['-'], { stdin: JSON.stringify(both) });
  assert.equal(code, 0);
  assert.match(stdout, /^8 more like default\/web fit, on 3 of 3 nodes\n/);
});

test('bad input is exit code 2', async () => {
  const cases = [
    [['capacity'], '', /capacity needs a pod/],
    [['capacity', '-f', pod], '', /capacity needs a cluster/],
    [
      ['capacity', '-', '--cluster', cluster],
      '{}',
      /standard input: there is no pod; one is expected/,
    ],
    [
      ['capacity', '-', '--cluster', cluster],
      JSON.stringify({
        ...makeWorkload('StatefulSet', 'adv'),
        apiVersion: 'apps.kruise.io/v1beta1',
      }),
      /standard input: there is no pod; one is expected/,
    ],
    [
      ['capacity', '-', '--cluster', cluster],
      JSON.stringify([makePod('a'), makePod('b')]),
      /standard input: there is 2 pods and workloads; one is expected/,
    ],
    [
      ['capacity', '-', '--cluster', cluster],
      'kind: DaemonSet\napiVersion: apps/v1\nmetadata: { name: d }\n',
      /^error: standard input: document 1, line 1, column 7: .*kind/m,
    ],
    [
      ['capacity', '-', '--cluster', cluster],
      '{"kind" 1}',
      /^error: standard input: document 1, line 1/,
    ],
    [
      ['capacity', '-', '--cluster', cluster, '--at-least', 'x'],
      '',
      /--at-least is a whole number/,
    ],
  ];
  for (const [argv, stdin, expected] of cases) {
    const { code, stdout, stderr } = await runCli(argv, { stdin });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});

test('clones take no name that a pod has, be it finished', async () => {
  const taken = await file(
    'taken.json',
    makeList(
      makeNode('a', { cpu: '4' }),
      storedPod('web-0', { spec: { nodeName: 'a' } }),
      storedPod('web-1', { status: { phase: 'Succeeded' } }),
      storedPod('web-3'),
    ),
  );
  const argv = ['capacity', '-f', pod, '--cluster', taken, '-o', 'json'];
  assert.equal(JSON.parse((await runCli(argv)).stdout).total, 3, 'beside the one that runs');
});

test('clones of a running pod are placed, those of a pod for one node are not', async () => {
  const running = storedPod('runs', { spec: { nodeName: 'gone' } });
  assert.match((await capacity(['-f', await file('runs.json', running)])).stdout, /^3 more like/);
  const written = makePod('named', { spec: { nodeName: 'gone' } });
  const { code, stderr } = await capacity(['-f', await file('for-one.json', written)]);
  assert.equal(code, 2);
  assert.match(stderr, /: Pod default\/named: spec\.nodeName: names its node: ask "stowage check"/);
});

test('a pod with a generateName is reported by the name that it is given', async () => {
  const { metadata: _, ...rest } = makePod('');
  const path = await file('named.json', { ...rest, metadata: { generateName: 'job-' } });
  const { stdout } = await capacity(['-f', path]);
  assert.match(stdout, /^3 more like default\/job-\w{5} fit, /);
  const several = await capacity(['-f', path, '-f', pod, '--in-order']);
  assert.match(several.stdout, /\ndefault\/job-\w{5} +3 /);
});

test('a workload with a generateName is reported by that prefix', async () => {
  const { spec } = makePod('');
  const path = await file('job.json', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { generateName: 'train-' },
    spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } },
  });
  const { stdout } = await capacity(['-f', path]);
  assert.match(stdout, /^3 more like those of job default\/train- fit, /);
});

test('several pods are counted together', async () => {
  const db = await file('db.json', makePod('db', { cpu: '500m' }));
  const { code, stdout } = await capacity(['-f', pod, '-f', db, '--ratio', '1:2']);
  assert.equal(
    stdout,
    [
      '3 more fit: 1:2 fits 1 times',
      '',
      'LIKE          PODS   ALONE   NEXT',
      'default/web   1      3       0/2 nodes are available: 2 Insufficient cpu.',
      'default/db    2      6       stopped with the ratio',
      '',
      'NODE   LIKE          PODS   NEXT',
      'a      default/web   1      Insufficient cpu',
      'a      default/db    1      <none>',
      'b      default/web   0      Insufficient cpu',
      'b      default/db    1      <none>',
      '',
    ].join('\n'),
  );
  assert.equal(code, 0);
  const inOrder = await capacity(['-f', pod, '-f', db, '--in-order', '-q', '--at-least', '1']);
  assert.deepEqual([inOrder.code, inOrder.stdout], [1, '3 more fit\n']);
  const document = JSON.parse(
    (await capacity(['-f', pod, '-f', db, '--ratio', '1:1', '-o', 'json'])).stdout,
  );
  const whatIf = JSON.parse(
    await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(validate(whatIf, document), []);
  assert.deepEqual(document.ratio, [1, 1]);
});

test('ratios that make no sense are exit code 2', async () => {
  const cases = [
    [['--ratio', '2'], /--ratio is two or more whole numbers, such as 2:1, not "2"/],
    [['--ratio', '0:0'], /--ratio is two or more whole numbers/],
    [['--ratio', '1:1', '--in-order'], /--ratio does not go with --in-order/],
    [['--ratio', '1:1'], /--ratio has 2 numbers for 1 pods and workloads/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stderr } = await capacity(['-f', pod, ...argv]);
    assert.equal(code, 2, argv.join(' '));
    assert.match(stderr, expected);
  }
});

test('counting ends where nothing bounds it', () => {
  const flags = (...more) => parseCapacityArguments(['-f', 'x', '--cluster', 'y', ...more]);
  assert.equal(flags().maxLimit, 10_000);
  assert.equal(flags('--at-least', '20000').maxLimit, 20_000);
  assert.equal(flags('--max-limit', '30000').maxLimit, 30_000);
});
