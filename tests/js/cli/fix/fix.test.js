import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { applyStrategicMergePatch } from '../../../../js/apiserver/patch/strategic_merge_patch.js';
import { shapeOf } from '../../../../js/apiserver/schema/types.js';
import { controllerRefTo } from '../../../../js/src/kubernetes/owners.js';
import { AskedServer } from '../../apiserver/asked_server.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../../support/workloads.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { folder, file } = await makeFolder();
const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: makePod('x', { cpu: '1500m' }).spec },
  },
};
const cluster = await file(
  'cluster.json',
  makeList(
    makeNode('a', { cpu: '2' }),
    makeNode('b', { cpu: '8', spec: { taints } }),
    storedPod('fits', { cpu: '100m' }),
    storedPod('picky', { cpu: '100m', spec: { nodeSelector: { disk: 'ssd' } } }),
  ),
);
const web = await file('web.json', makeList(deployment));
const larger = { ...deployment, spec: { ...deployment.spec, replicas: 3 } };
const webs = await file('webs.json', makeList(larger));

/** @param {string[]} argv */
const fix = (...argv) => runCli(['fix', ...argv]);

test('each way has its sentence, its node and its commands', async () => {
  const { code, stdout, stderr } = await fix('pod/picky', cluster, '--limit', '2');
  assert.equal(
    stdout,
    [
      "default/picky: 0/2 nodes are available: 1 node(s) didn't match Pod's node " +
        'affinity/selector, 1 node(s) had untolerated taint(s). no new claims to deallocate, ' +
        'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
      '',
      "1. Drop disk=ssd from the pod's nodeSelector.",
      '   It then goes to a.',
      '   kubectl get pod picky -n default -o yaml | kubectl patch --local -f - -p ' +
        `'{"spec":{"nodeSelector":null}}' -o yaml | kubectl replace --force -f -`,
      '',
      '2. Label node a with disk=ssd.',
      '   It then goes to a.',
      `   kubectl patch node a -p '{"metadata":{"labels":{"disk":"ssd"}}}'`,
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
});

test('a gated pod for which there is room is held back by its gates alone', async () => {
  const gated = storedPod('gated', { spec: { schedulingGates: [{ name: 'example.com/quota' }] } });
  const { stdout } = await fix(
    'pod/gated',
    await file('gated.json', makeList(makeNode('a'), gated)),
  );
  const held = 'default/gated: waiting for scheduling gates: [example.com/quota]\n';
  assert.ok(stdout.startsWith(held), stdout);
  assert.match(stdout.slice(held.length), /^\n1\. Remove .* gates\.\n/);
});

test('a workload is patched in its template, and its own pods are not removed', async () => {
  const { code, stdout } = await fix('deployment/web', web, '--cluster', cluster, '-q');
  assert.equal(code, 0);
  assert.match(stdout, /\n1\. Lower the pod's request for cpu from 1500m to 400m\.\n/);
  assert.doesNotMatch(stdout, /Remove pod default\/web|PriorityClass|kubectl/);
  const json = await fix('deployment/web', web, '--cluster', cluster, '-o', 'json');
  const [{ changes }] = JSON.parse(json.stdout).offers;
  assert.deepEqual(changes, [
    {
      action: 'patch',
      target: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' },
      patch: {
        spec: {
          template: {
            spec: { containers: [{ name: 'main', resources: { requests: { cpu: '400m' } } }] },
          },
        },
      },
      inPlace: true,
    },
  ]);
});

test('the command for a Job removes what the API server generated from its uid', async () => {
  const waiting = { ...makePod('x').spec, restartPolicy: 'Never', nodeSelector: { disk: 'ssd' } };
  const template = { metadata: { labels: { app: 'batch' } }, spec: waiting };
  const labels = { 'batch.kubernetes.io/controller-uid': null, 'controller-uid': null };
  const change = { spec: { nodeSelector: null } };
  const generated = {
    metadata: { labels },
    spec: { selector: null, template: { metadata: { labels }, ...change } },
  };
  const selector = { matchLabels: { app: 'batch' } };
  const cases = [
    [{ template }, generated],
    [{ template, manualSelector: true, selector }, { spec: { template: change } }],
  ];
  for (const [spec, patch] of cases) {
    const store = new AskedServer().store;
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'batch' }, spec };
    const inDefault = { ...job, metadata: { name: 'batch', namespace: 'default' } };
    const stored = { ...job, ...store.create('jobs', inDefault) };
    const owner = { ...controllerRefTo(stored), controller: true };
    const { uid } = stored.metadata;
    const pod = storedPod('batch-0', {
      metadata: { labels: stored.spec.template.metadata.labels, ownerReferences: [owner] },
      spec: waiting,
    });
    const [fromDump, fromManifest] = [
      await file('job.json', makeList(makeNode('a'), stored, pod)),
      await file('manifest.json', makeList(job)),
    ];
    const runs = [
      ['batch-0', fromDump],
      ['job/batch', fromManifest, '--cluster', await file('node.json', makeList(makeNode('a')))],
    ];
    for (const argv of runs) {
      const { stdout } = await fix(...argv, '--limit', '1');
      assert.ok(stdout.includes(`-p '${JSON.stringify(patch)}' -o yaml | kubectl replace`), stdout);
    }
    const changed = applyStrategicMergePatch(stored, patch, shapeOf('batch/v1', 'Job'));
    const { metadata, ...rest } = changed;
    assert.ok(!JSON.stringify([metadata.labels, rest]).includes(uid), 'no trace of the old uid');
    const { store: later } = new AskedServer();
    const again = later.create('jobs', { ...rest, metadata: { ...inDefault.metadata } });
    assert.equal(again.spec.template.metadata.labels.app, 'batch');
    assert.equal(again.spec.template.spec.nodeSelector, undefined);
  }
});

test('a node of a pool is one of the ways', async () => {
  const pool = await file('pool.json', makeNode('large', { cpu: '64', labels: { disk: 'ssd' } }));
  const { stdout } = await fix('picky', cluster, '--pool', pool);
  assert.match(stdout, /\n\d\. Add a node like large\.\n {3}It then goes to large-new-1\.\n/);
  const slice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'large-gpu' },
    spec: { driver: 'd.io', nodeName: 'large', pool: { name: 'large' }, devices: [] },
  };
  const node = makeNode('large', { cpu: '64', labels: { disk: 'ssd' } });
  const both = await file('both.json', makeList(node, slice));
  const argv = ['picky', cluster, '--pool', both, '-o', 'json'];
  const { offers } = JSON.parse((await fix(...argv)).stdout);
  const [{ changes }] = offers.filter(
    (/** @type {any} */ { edits }) => edits[0].kind === 'AddNode',
  );
  const kinds = changes.map((/** @type {any} */ { object }) => object.kind);
  assert.deepEqual(kinds, ['Node', 'ResourceSlice']);
});

test('formats', async () => {
  const document = JSON.parse((await fix('picky', cluster, '-o', 'json')).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual(parse((await fix('picky', cluster, '-o', 'yaml')).stdout), [document]);
  const { code, stdout } = await fix('fits', cluster);
  assert.deepEqual([code, stdout], [0, 'default/fits fits: it goes to a\n']);
});

test('exit code 1 if there is no way', async () => {
  const full = makeNode('a', { cpu: '2' });
  full.status.allocatable.pods = '0';
  const hopeless = await file('full.json', makeList(full, storedPod('p')));
  const { code, stdout } = await fix('p', hopeless);
  assert.equal(code, 1);
  const [, ...lines] = stdout.split('\n');
  assert.deepEqual(lines, [
    'never: no node takes it even if no other pod existed',
    '- Too many pods on 1 node (a): the node is too small even when it is empty',
    '',
    'no change was found',
    '',
  ]);
});

test('--all fixes every pod that waits, one of each workload', async () => {
  const all = ['--all', webs, '--cluster', cluster, '--limit', '1'];
  const { code, stdout, stderr } = await fix(...all, '-q');
  const [first, ...lines] = stdout.split('\n').filter((line) => !/available:/.test(line));
  assert.deepEqual([code, first, stderr], [0, '3 pods wait: each has a way', '']);
  assert.deepEqual(lines, [
    '',
    '',
    "1. Drop disk=ssd from the pod's nodeSelector.",
    '   It then goes to a.',
    '',
    '',
    "1. Lower the pod's request for cpu from 1500m to 400m.",
    '   It then goes to a.',
    '',
  ]);
  assert.match(stdout, /\ndefault\/web-\S+ and 1 more: 0\/2 nodes are available/);
  const json = await fix(...all, '-o', 'json');
  const document = JSON.parse(json.stdout);
  assert.deepEqual(validate(schema, document), []);
  for (const { pods, fix: answer } of document.fixes) {
    const single = await fix(pods[0], webs, '--cluster', cluster, '--limit', '1', '-o', 'json');
    const { missing, warnings, ...alone } = JSON.parse(single.stdout);
    assert.deepEqual(answer, alone);
  }
  const none = await fix('--all', cluster, '-n', 'other');
  assert.deepEqual([none.code, none.stdout], [0, 'no pod waits\n']);
});

test('threads and merged shards of --all print what a single run prints', async () => {
  const all = ['--all', webs, '--cluster', cluster];
  const single = await fix(...all);
  assert.deepEqual(await fix(...all, '--workers', '2'), single);
  const results = join(folder, 'results');
  const shards = [...all, '-q', '--results', results];
  for (const shard of ['2/2', '1/2', '1/2'])
    assert.deepEqual(await fix(...shards, '--shard', shard), { code: 0, stdout: '', stderr: '' });
  assert.deepEqual(await fix('merge', results), single);
  const foreign = await fix(...shards, '--shard', '1/2', '--limit', '1');
  assert.match(foreign.stderr, /shard 1\/2 of another cluster or question is there/);
});

test('bad input is exit code 2', async () => {
  const bare = await file('bare.json', { ...makeNode('bare'), status: {} });
  const mixed = await file('mixed.json', makeList(makeNode('a'), makePod('p')));
  const cases = [
    [[], /fix needs a pod/],
    [['picky'], /fix needs a cluster/],
    [['none', cluster], /there is no pod none/],
    [['picky', cluster, '--workers', '2'], /--workers and --results belong to --all/],
    [['merge'], /merge needs the folder/],
    [['picky', cluster, '--limit', '0'], /--limit is a whole number from 1/],
    [
      ['picky', cluster, '--pool', web],
      /there are no nodes; a pool has one, as an example of its nodes/,
    ],
    [['picky', cluster, '--pool', mixed], /Pod p: kind: a pool has one Node, and .*; no Pod$/m],
    [['picky', cluster, '--pool', bare], /a pool has a Node with status\.allocatable/],
  ];
  for (const [argv, expected] of /** @type {[string[], RegExp][]} */ (cases)) {
    const { code, stdout, stderr } = await fix(...argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});

test('a pod that its controller leaves as it is, is deleted after the patch', async () => {
  const made = (/** @type {string} */ kind, spec = {}) =>
    owned(makeWorkload(kind, 'db', { cpu: '3', spec: { replicas: 1, ...spec } }));
  const deployed = made('Deployment');
  const onDelete = { updateStrategy: { type: 'OnDelete' } };
  const lone = made('ReplicaSet');
  for (const [owners, isDeleted] of [
    [[lone], true],
    [[made('StatefulSet')], true],
    [[made('StatefulSet', { podManagementPolicy: 'Parallel' })], false],
    [[made('StatefulSet', { podManagementPolicy: 'Parallel', ...onDelete })], true],
    [[made('DaemonSet', onDelete)], true],
    [[made('DaemonSet')], false],
    [[replicaSetOf(deployed, '7d4b'), deployed], false],
  ]) {
    const pod = podOf('db-0', owners[0], { cpu: '3' });
    const dump = await file('left.json', makeList(makeNode('a', { cpu: '2' }), ...owners, pod));
    const { stdout } = await fix('db-0', dump, '--limit', '1');
    const name = `${owners.at(-1).kind} ${JSON.stringify(owners.at(-1).spec)}`;
    assert.match(stdout, /^ {3}kubectl patch .*"cpu":"2"/m, name);
    const isSaid = stdout.endsWith("'\n   kubectl delete pod db-0 -n default\n");
    assert.equal(isSaid, isDeleted, name);
  }
  const manifest = await file(
    'set.json',
    makeList(makeWorkload('StatefulSet', 'db', { cpu: '3' })),
  );
  const nodes = await file('node.json', makeList(makeNode('a', { cpu: '2' })));
  const { stdout } = await fix('statefulset/db', manifest, '--cluster', nodes, '--limit', '1');
  assert.doesNotMatch(stdout, /delete/, 'there is no pod yet');
});

test('the pods of a lone ReplicaSet that wait are all deleted after its patch', async () => {
  const lone = owned(makeWorkload('ReplicaSet', 'db', { cpu: '3', spec: { replicas: 3 } }));
  const pods = ['db-x', 'db-y', 'db-z'].map((name) => podOf(name, lone, { cpu: '3' }));
  const nodes = [makeNode('a', { cpu: '3' }), makeNode('b', { cpu: '2' })];
  const dump = await file('lone.json', makeList(...nodes, lone, ...pods));
  const { stdout } = await fix('--all', dump, '--limit', '1');
  const deleted = [...stdout.matchAll(/^ {3}kubectl delete (.*)$/gm)].map(([, what]) => what);
  assert.match(stdout, /^default\/db-\w and 1 more: /m);
  const waiting = pods.map(({ metadata }) => metadata.name).slice(1);
  assert.deepEqual(
    deleted,
    waiting.map((name) => `pod ${name} -n default`),
  );
  const { fixes } = JSON.parse((await fix('--all', dump, '--limit', '1', '-o', 'json')).stdout);
  const [{ changes }] = fixes[0].fix.offers;
  assert.deepEqual(
    changes.map((/** @type {any} */ { action, target }) => `${action} ${target.name}`),
    ['patch db', 'delete db-y', 'delete db-z'],
  );
});

test('--all shows pods with one cause and the same ways together', async () => {
  const count = 30;
  const names = Array.from({ length: count }, (_, index) => `w-${index}`);
  const full = storedPod('full', { cpu: '3', spec: { nodeName: 'a' } });
  const huge = storedPod('huge', { cpu: '9' });
  const bare = names.map((name) => storedPod(name, { cpu: '2' }));
  const dump = await file('many.json', makeList(makeNode('a'), full, ...bare, huge));
  const { code, stdout } = await fix('--all', dump);
  assert.equal(code, 0);
  const heads = stdout.split('\n').filter((line) => / available: /.test(line));
  assert.deepEqual(
    heads.map((line) => line.split(': ')[0]),
    ['default/w-0 and 29 more, each by itself', 'default/huge'],
  );
  const [, lower] = /\d\. (Lower .* 2 to 1)\.\n(?:.+\n)+/.exec(stdout) ?? [];
  assert.ok(lower, stdout);
  assert.match(stdout, /kubectl get pod w-9 .*\n {3}# and 20 more of these; -o json has the/);
  assert.doesNotMatch(stdout, /get pod w-10 /);
  assert.match(stdout, /\n\d\. Remove pod default\/full\.\n.*\n {3}kubectl delete pod full .*\n\n/);
  const { fixes } = JSON.parse((await fix('--all', dump, '-o', 'json')).stdout);
  const pods = fixes.flatMap((/** @type {any} */ one) => one.pods);
  assert.deepEqual(pods.sort(), [...names, 'huge'].map((name) => `default/${name}`).sort());

  const set = owned(makeWorkload('ReplicaSet', 'db', { cpu: '9', spec: { replicas: count } }));
  const kept = names.map((name) => podOf(name, set, { cpu: '9' }));
  const owners = await file('kept.json', makeList(makeNode('a'), set, ...kept));
  const deletions = (await fix('--all', owners, '--limit', '1')).stdout;
  assert.equal([...deletions.matchAll(/kubectl delete pod/g)].length, 9);
  assert.match(deletions, /\n {3}# and 21 more of these/);
});

test('the pod of a DaemonSet stays on its node', async () => {
  const set = owned(makeWorkload('DaemonSet', 'agent', { cpu: '2' }));
  const full = storedPod('full', { cpu: '3', spec: { nodeName: 'a', priority: 9 } });
  const dump = await file('agents.json', makeList(makeNode('a'), makeNode('b'), set, full));
  const { code, stdout } = await fix('daemonset/agent', dump);
  assert.equal(code, 0);
  assert.match(stdout, /cpu from 2 to 1\./);
  assert.doesNotMatch(stdout, /affinity|goes to b/);
});
