import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { junitErrors, sarifErrors } from '../../support/standard_schemas.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { folder, file } = await makeFolder();
const cluster = await file('cluster.json', makeList(makeNode('a', { cpu: '3' })));

/** @param {string} name @param {{ replicas?: number, cpu?: string, spec?: object }} [options] */
function deployment(name, { replicas = 1, cpu = '1', spec = {} } = {}) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: makePod('x', { cpu, spec }).spec },
    },
  };
}

/** @param {string[]} argv @param {object} [options] */
const check = (argv, options) => runCli(['check', '--cluster', cluster, ...argv], options);

test('each workload has a verdict, with the line that it stands in', async () => {
  const manifests = await file(
    'app/web.yaml',
    [
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata:',
      '  name: web',
      'spec:',
      '  replicas: 2',
      '  selector: { matchLabels: { app: web } }',
      '  template:',
      '    metadata: { labels: { app: web } }',
      '    spec: { containers: [{ name: c, image: x, resources: { requests: { cpu: 1 } } }] }',
      '---',
      'apiVersion: v1',
      'kind: Pod',
      'metadata: { name: huge, namespace: shop }',
      'spec: { containers: [{ name: c, image: x, resources: { requests: { cpu: 9 } } }] }',
      '---',
      'apiVersion: v1',
      'kind: Service',
      'metadata: { name: web }',
      'spec: { ports: [{ port: 80 }] }',
      '',
    ].join('\n'),
  );
  const { code, stdout, stderr } = await check(['-f', manifests]);
  const where = relative(process.cwd(), manifests).startsWith('..')
    ? manifests
    : relative(process.cwd(), manifests);
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/));
  assert.deepEqual(rows, [
    ['NAMESPACE', 'WORKLOAD', 'REPLICAS', 'PLACED', 'RESULT', 'WHERE', 'MESSAGE'],
    ['default', 'deployment/web', '2', '2', 'Fits', `${where}:4`, '<none>'],
    [
      'shop',
      'pod/huge',
      '1',
      '0',
      'DoesNotFit',
      `${where}:14`,
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: ' +
        '0/1 nodes are available: 1 Preemption is not helpful for scheduling. Nearest node a: ' +
        'the pod asks for 9 cpu, 2 of 3 are taken, most by ' +
        'default/web-695979c87b-0 1, default/web-695979c87b-1 1: 8 missing.',
    ],
  ]);
  assert.match(stderr, /^2 workloads: 1 fit, 1 does not \(v1\.36, [\d.]+ ms\)\n$/);
  assert.equal(code, 1);
});

test('every format, valid', async () => {
  const manifests = await file('formats/app.json', makeList(deployment('web', { replicas: 4 })));
  const outputs = {};
  for (const format of ['json', 'junit', 'sarif', 'github']) {
    const { code, stdout, stderr } = await check(['-f', manifests, '-q', '-o', format]);
    assert.deepEqual([code, stderr], [1, ''], format);
    outputs[format] = stdout;
  }
  const document = JSON.parse(outputs.json);
  assert.deepEqual(validate(schema, document), []);
  assert.match(document.workloads[0].waiting.join(), /^default\/web-\w+-3$/);
  assert.deepEqual(document.workloads[0].messages, [
    {
      message:
        '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: ' +
        '0/1 nodes are available: 1 No preemption victims found for incoming pod.',
      pods: 1,
    },
  ]);
  assert.deepEqual(await junitErrors(outputs.junit), []);
  assert.deepEqual(await sarifErrors(JSON.parse(outputs.sarif)), []);
  assert.match(
    outputs.github,
    /^::error file=.*,line=1,col=\d+,title=Deployment default\/web does /,
  );
});

test('workloads that fit are exit code 0, without annotations', async () => {
  const stdin = JSON.stringify(deployment('web'));
  assert.deepEqual(await check(['-', '-q', '-o', 'github'], { stdin }), {
    code: 0,
    stdout: '',
    stderr: '',
  });
  const { stdout } = await check(['-', '-q', '--no-headers'], { stdin });
  assert.equal(stdout, 'default   deployment/web   1   1   Fits   <none>   <none>\n');
  const none = await check(['-'], {
    stdin: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"s"}}',
  });
  assert.deepEqual([none.code, none.stdout], [0, '']);
  assert.match(none.stderr, /^0 workloads: 0 fit/);
});

test('workloads of the manifests take the place of their pods in the cluster', async () => {
  const owner = (kind, name) => [
    { apiVersion: 'apps/v1', kind, name, uid: `u-${name}`, controller: true },
  ];
  const stored = (name) => ({
    ...deployment(name, { replicas: 2 }),
    metadata: { name, namespace: 'default', uid: `u-${name}` },
  });
  const set = (name, of) => ({
    ...deployment(name, { replicas: 2 }),
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'default',
      uid: `u-${name}`,
      ownerReferences: owner('Deployment', of),
    },
  });
  const pods = (of) =>
    ['1', '2'].map((n) =>
      storedPod(`${of}-${n}`, {
        metadata: { ownerReferences: owner('ReplicaSet', of) },
        spec: { nodeName: 'a' },
      }),
    );
  const full = await file(
    'full.json',
    makeList(
      makeNode('a', { cpu: '4' }),
      ...['web', 'api'].flatMap((name) => [
        stored(name),
        set(`${name}-x`, name),
        ...pods(`${name}-x`),
      ]),
    ),
  );
  const argv = ['check', '-', '--cluster', full, '-q', '--no-headers'];
  const grown = deployment('web', { cpu: '2' });
  const recreated = { ...grown, spec: { ...grown.spec, strategy: { type: 'Recreate' } } };
  const anew = await runCli(argv, { stdin: JSON.stringify(recreated) });
  assert.match(
    anew.stdout,
    /^default +deployment\/web +1 +1 +Fits/,
    'one of 2 where two of 1 were',
  );
  const rolled = await runCli(argv, { stdin: JSON.stringify(grown) });
  assert.match(
    rolled.stdout,
    /^default +deployment\/web +1 +1 +RolloutWouldHang/,
    'one of 2 beside one of 1 that has to stay',
  );
  const both = await runCli(argv, { stdin: JSON.stringify(deployment('web', { cpu: '3' })) });
  assert.match(both.stdout, /^default +deployment\/web +1 +0 +DoesNotFit/, 'api stays');
  const other = await runCli(argv, { stdin: JSON.stringify(deployment('new')) });
  assert.equal(other.code, 1, 'all stay');
});

test('a CronJob is checked as one run; unknown kinds are not checked', async () => {
  const { spec } = makePod('x', { cpu: '9' });
  const objects = makeList(
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly' },
      spec: {
        schedule: '0 3 * * *',
        jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } },
      },
    },
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'canary' },
      spec: { template: { spec } },
    },
    makePod('theirs', { spec: { schedulerName: 'other' } }),
    makePod('named', { spec: { nodeName: 'a' } }),
  );
  const { code, stdout } = await check(['-', '-o', 'json'], { stdin: JSON.stringify(objects) });
  const { workloads } = JSON.parse(stdout);
  assert.deepEqual(
    workloads.map(({ kind, namespace, name, result }) => [kind, namespace, name, result]),
    [
      ['CronJob', 'default', 'nightly', 'DoesNotFit'],
      ['Rollout', 'default', 'canary', 'NotChecked'],
      ['Pod', 'default', 'theirs', 'NotChecked'],
      ['Pod', 'default', 'named', 'Fits'],
    ],
  );
  assert.equal(code, 1);
});

test('a workload that fits by preemption only fits, and is reported as such', async () => {
  const low = await file(
    'low.json',
    makeList(makeNode('a', { cpu: '1' }), storedPod('low', { spec: { nodeName: 'a' } }), {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'vip' },
      value: 9,
    }),
  );
  const stdin = JSON.stringify(deployment('vip', { spec: { priorityClassName: 'vip' } }));
  const argv = ['check', '-', '--cluster', low];
  const { code, stdout } = await runCli([...argv, '-q', '--no-headers'], { stdin });
  assert.match(stdout, /FitsByPreemption   <none>   evicts default\/low\n$/);
  assert.equal(code, 0);
  const { stdout: github } = await runCli([...argv, '-o', 'github'], { stdin });
  assert.match(github, /^::warning title=Deployment default\/vip fits if other pods go::evicts /);
});

test('bad input is exit code 2, and our faults are 3', async () => {
  const cases = [
    [['check'], /check needs manifests/],
    [['check', '-f', 'x'], /check needs a cluster/],
    [['check', '-f', '', '--cluster', 'x'], /--filename needs a value/],
    [['check', '-', '--cluster', cluster, '-o', 'xml'], /--output is one of table, json, junit, /],
    [['check', folder, '--cluster', `${folder}/none`], /none: there is no such file/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await runCli(argv, { stdin: '{}' });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
  const stdin = 'kind: Pod\nmetadata: { name: p }\nspec:\n  priorityClassName: none\n';
  const missing = await check(['-', '-o', 'sarif'], { stdin });
  assert.deepEqual([missing.code, JSON.parse(missing.stdout).runs[0].results.length], [2, 1]);
  assert.match(missing.stderr, /^error: standard input: document 1, line 4, column 22: /);
  const crash = await check(['-'], { stdin: JSON.stringify(makePod('crash')) });
  assert.equal(crash.code, 3);
});

test('kinds that only other controllers read are named, those with templates in rows', async () => {
  const made = (/** @type {string} */ kind, /** @type {object} */ spec) => ({
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name: 'a' },
    spec,
  });
  const { spec } = makePod('x');
  const manifests = await file(
    'made.json',
    makeList(
      made('Workers', { groups: [{ replicas: 2, template: { spec } }] }),
      made('Broker', { replicas: 3 }),
      { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    ),
  );
  const { code, stdout, stderr } = await check(['-f', manifests]);
  assert.match(stdout, /^default +workers\/a +0 +0 +NotChecked .*Workers is not known here$/m);
  assert.doesNotMatch(stdout, /broker/);
  const types = '1 Broker (example.com/v1), 1 HorizontalPodAutoscaler (autoscaling/v2)';
  const note = `note: left aside: ${types}: what their controllers do is not simulated\n`;
  assert.ok(stderr.endsWith(note), stderr);
  assert.equal(code, 0);
  const quiet = await check(['-f', manifests, '-q']);
  assert.equal(quiet.stderr, '');
});

test('topologies that other controllers demand are named as not modelled', async () => {
  const template = (/** @type {object} */ annotations) => ({
    metadata: { annotations },
    spec: { ...makePod('x', { cpu: '500m' }).spec, restartPolicy: 'Never' },
  });
  const job = { completions: 1, template: template({}) };
  const set = {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: {
      name: 'slices',
      annotations: { 'alpha.jobset.sigs.k8s.io/exclusive-topology': 'rack' },
    },
    spec: { replicatedJobs: [{ name: 'slice', replicas: 2, template: { spec: job } }] },
  };
  const required = {
    'kueue.x-k8s.io/podset-required-topology': 'rack',
    'kueue.x-k8s.io/podset-topology-spreading': '{}',
  };
  const alone = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'alone' },
    spec: { ...job, template: template(required) },
  };
  const plain = { ...alone, metadata: { name: 'plain' }, spec: job };
  const path = await file('topologies.json', makeList(set, alone, plain));
  const { code, stdout } = await check(['-f', path]);
  assert.equal(code, 0);
  assert.match(stdout, /jobset\/slices +2 +2 +Fits .* Not modelled: the exclusive topology\.$/m);
  const both = 'the topology spreading, the required topology';
  assert.match(stdout, new RegExp(`job/alone +1 +1 +Fits .* Not modelled: ${both}\\.$`, 'm'));
  assert.match(stdout, /job\/plain +1 +1 +Fits .* <none>$/m);
  const gangs = await check(['-f', path, '--gang']);
  assert.match(gangs.stdout, /job\/alone .* Not modelled: the topology spreading\.$/m);
});
