import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { server } from '../../../support/extender_server.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeDump, makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const whatif = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);

test('one pod explained: the matrix at the time of its decision', async () => {
  const objects = makeList(
    makeNode('a', { cpu: '3' }),
    makeNode('b', { cpu: '2' }),
    makeNode('c', { cpu: '0' }),
    ...['p', 'q', 'r', 's', 't', 'u'].map((name) => storedPod(name)),
  );
  const stdin = JSON.stringify(objects);
  const { stdout } = await runCli(['simulate', '-', '--explain', 'q'], { stdin });
  assert.equal(
    stdout,
    [
      'default/q: Scheduled on b',
      '',
      'NODE   VERDICT   TOTAL    TaintToleration   NodeResourcesFit   DynamicResources   ' +
        'NodeResourcesBalancedAllocation   ImageLocality',
      'b      chosen    436      300               74                 0                  ' +
        '62                                0',
      'a      fits      431      300               65                 0                  ' +
        '66                                0',
      'c      refused   <none>   ok                Insufficient cpu   .                  ' +
        '.                                 .',
      '',
      'NODE   PLUGIN             WHY NOT',
      'c      NodeResourcesFit   the pod asks for 1 cpu, 0 of 0 are taken: 1 missing',
      '',
    ].join('\n'),
  );
  const last = await runCli(['simulate', '-', '--explain', 'pod/u', '--limit', '1'], { stdin });
  assert.match(
    last.stdout,
    /^default\/u: Unschedulable\n0\/3 nodes .*: 3 Insufficient cpu\. .*\n\nNODE.*\na +refused/,
  );
  assert.match(last.stderr, /^2 more nodes; --limit 0 shows all\n/);
  assert.equal((await runCli(['simulate', '-', '--explain', 'none'], { stdin })).code, 2);
});

test('pods that cannot be explained are rejected before the simulation', async () => {
  const theirs = storedPod('theirs', { spec: { schedulerName: 'other' } });
  const stdin = JSON.stringify(makeList(makeNode('a'), storedPod('p'), theirs));
  const cases = [
    [['theirs'], /^error: --explain: pod default\/theirs is for the scheduler other, this one is /],
    [['default/p', '-n', 'shop'], /^error: --explain: pod default\/p is not in namespace shop\n/],
    [['p', '-n', 'shop'], /^error: --explain: there is no pod p in namespace shop\n/],
    [['none'], /^error: --explain: there is no pod none in the input\n/],
  ];
  const loadEngine = async () => assert.fail('the engine is not needed');
  for (const [argv, message] of cases) {
    const { code, stdout, stderr } = await runCli(['simulate', '-', '--explain', ...argv], {
      stdin,
      loadEngine,
    });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, message);
  }
});

test('an evicted pod is explained as it was before, with its preemptor', async () => {
  const objects = makeList(
    makeNode('a', { cpu: '1' }),
    makeNode('b', { cpu: '0' }),
    storedPod('low', { spec: { nodeName: 'a' } }),
    storedPod('vip', { spec: { priority: 9 } }),
  );
  const argv = ['simulate', '-', '--explain', 'low', '--no-headers'];
  const { code, stdout } = await runCli(argv, { stdin: JSON.stringify(objects) });
  assert.equal(
    stdout,
    [
      'default/low: Evicted from a',
      'evicted for default/vip',
      'only a fits: kube-scheduler scores nothing then',
      '',
      'a   chosen    <none>   ok',
      'b   refused   <none>   Insufficient cpu',
      '',
      'b   NodeResourcesFit   the pod asks for 1 cpu, 0 of 0 are taken: 1 missing',
      '',
    ].join('\n'),
  );
  assert.equal(code, 0);
});

const dump = JSON.stringify(makeDump());

/** @param {string[]} argv */
const explain = (...argv) => runCli(['explain', ...argv], { stdin: dump });

test('explain: the same of one pod alone, and whether it fits', async () => {
  const small = await explain('pod/small', '-');
  const [title, why, , head] = small.stdout.split('\n');
  assert.equal(title, 'default/small: Scheduled on a');
  assert.equal(why, 'only a fits: kube-scheduler scores nothing then');
  assert.match(head, /^NODE +VERDICT +TOTAL/);
  assert.deepEqual([small.code, small.stderr], [0, '']);
  const big = await explain('big', '-f', '-', '--limit', '1');
  assert.match(big.stdout, /^default\/big: Unschedulable\n0\/2 nodes are available: /);
  assert.deepEqual([big.code, big.stderr], [1, '1 more nodes; --limit 0 shows all\n']);
  const bound = await explain('bound', '-', '-q');
  assert.match(bound.stdout, /^default\/bound: would be on a\n/);
});

test('explain: one node, in one sentence', async () => {
  const cases = [
    ['small', 'a', 'a was chosen.\n', 0],
    ['big', 'a', 'NodeResourcesFit refuses a: Insufficient cpu.\n', 1],
    ['big', 'b', 'NodeUnschedulable refuses b: node(s) were unschedulable.\n', 1],
  ];
  for (const [pod, node, stdout, code] of cases)
    assert.deepEqual(await explain(pod, '-', '--node', node), { code, stdout, stderr: '' });
  const row = JSON.parse((await explain('big', '-', '--node', 'a', '-o', 'json')).stdout);
  assert.deepEqual([row.node, row.verdict], ['a', 'refused']);
});

test('explain: with --cluster, manifests are applied to it first', async () => {
  const { file } = await makeFolder();
  const cluster = await file('cluster.json', makeList(makeNode('n', { cpu: '1' })));
  const manifest = (/** @type {string} */ cpu) => JSON.stringify(makeList(makePod('web', { cpu })));
  const argv = ['explain', 'web', '-', '--cluster', cluster];
  const fits = await runCli(argv, { stdin: manifest('1') });
  assert.match(fits.stdout, /^default\/web: Scheduled on n\n/);
  assert.equal(fits.code, 0);
  const refused = await runCli(argv, { stdin: manifest('2') });
  assert.match(refused.stdout, /^default\/web: Unschedulable\n0\/1 nodes are available: /);
  assert.equal(refused.code, 1);
  // Without manifests the cluster is all there is.
  const alone = await runCli(['explain', 'small', '--cluster', '-'], { stdin: dump });
  assert.match(alone.stdout, /^default\/small: Scheduled on a\n/);
});

/** @param {string} kind @param {string} name @param {object} [metadata] */
const workload = (kind, name, metadata = {}) => {
  const { spec } = makePod('x');
  const labels = { app: name };
  return {
    apiVersion: ['Job', 'CronJob'].includes(kind) ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { name, ...metadata },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
};

test('explain: a pod of a workload that has no pods yet', async () => {
  const { file } = await makeFolder();
  const cluster = await file('cluster.json', makeList(makeNode('n', { cpu: '2' })));
  const { template } = workload('Job', 'x').spec;
  const report = {
    ...workload('CronJob', 'report'),
    spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template } } },
  };
  const cases = /** @type {const} */ ([
    [
      'deployment/web',
      workload('Deployment', 'web'),
      /^default\/web-[0-9a-z]+-0: Scheduled on n\n/,
    ],
    ['deploy/web', workload('Deployment', 'web'), /^default\/web-/],
    ['deployments.apps/web', workload('Deployment', 'web'), /^default\/web-/],
    ['sts/db', workload('StatefulSet', 'db'), /^default\/db-0: Scheduled on n\n/],
    ['job/x', workload('Job', 'x'), /^default\/x-0: Scheduled on n\n/],
    ['ds/agent', workload('DaemonSet', 'agent'), /^default\/agent-n: Scheduled on n\n/],
    ['cronjob/report', report, /^default\/report-0-0: Scheduled on n\n/],
  ]);
  for (const [name, object, expected] of cases) {
    const argv = ['explain', name, '-f', '-', '--cluster', cluster];
    const { code, stdout, stderr } = await runCli(argv, { stdin: JSON.stringify(object) });
    assert.match(stdout, expected, `${name}: ${stderr}`);
    assert.equal(code, 0, name);
  }
});

test('explain: of a running workload, a pending pod, else the first', async () => {
  const owned = (/** @type {string} */ kind, /** @type {string} */ name) => ({
    ownerReferences: [{ apiVersion: 'v1', kind, name, uid: name, controller: true }],
  });
  const set = { namespace: 'default', uid: 'web-1a', ...owned('Deployment', 'web') };
  const setOf = workload('ReplicaSet', 'web-1a', set);
  const hash = { labels: { 'pod-template-hash': '9z' } };
  const stdin = JSON.stringify(
    makeList(
      makeNode('n', { cpu: '9' }),
      { ...setOf, spec: { ...setOf.spec, replicas: 0 } },
      storedPod('web-a', { metadata: owned('ReplicaSet', 'web-1a'), spec: { nodeName: 'n' } }),
      storedPod('web-b', { metadata: owned('ReplicaSet', 'web-1a') }),
      storedPod('api-9z-a', {
        metadata: { ...owned('ReplicaSet', 'api-9z'), ...hash },
        spec: { nodeName: 'n' },
      }),
      storedPod('other', { metadata: { ...owned('ReplicaSet', 'api-x'), namespace: 'shop' } }),
      storedPod('alone'),
    ),
  );
  const explained = async (/** @type {string[]} */ ...argv) => {
    const { stdout, stderr } = await runCli(['explain', ...argv, '-'], { stdin });
    return stdout.split('\n')[0] || stderr.split('\n')[0];
  };
  assert.equal(await explained('deployment/web'), 'default/web-b: Scheduled on n');
  assert.equal(await explained('rs/web-1a'), 'default/web-b: Scheduled on n');
  assert.equal(await explained('deploy/api'), 'default/api-9z-a: would be on n');
  assert.equal(
    await explained('deploy/wbe'),
    'error: explain: there is no pod of deployment/wbe in the input; did you mean deployment/web?',
  );
  assert.equal(
    await explained('deploy/web', '-n', 'shop'),
    'error: explain: there is no pod of deployment/web in namespace shop',
  );
  assert.equal(await explained('rs/api-x', '-n', 'shop'), 'shop/other: Scheduled on n');
});

test('explain: of a workload, the first replica that does not fit', async () => {
  const set = workload('StatefulSet', 'db', { namespace: 'default' });
  const stdin = JSON.stringify(
    makeList(makeNode('n', { cpu: '2' }), { ...set, spec: { ...set.spec, replicas: 4 } }),
  );
  for (const argv of [
    ['explain', 'sts/db', '-'],
    ['simulate', '-', '--explain', 'sts/db', '-q'],
  ]) {
    const { stdout } = await runCli(argv, { stdin });
    assert.match(stdout, /^default\/db-2: Unschedulable\n/m, argv.join(' '));
  }
});

test('explain: a workload name of two namespaces needs --namespace', async () => {
  const inNamespace = (/** @type {string} */ namespace) =>
    workload('StatefulSet', 'db', { namespace });
  const stdin = JSON.stringify(makeList(makeNode('n'), inNamespace('a'), inNamespace('b')));
  const either = await runCli(['explain', 'sts/db', '-'], { stdin });
  assert.deepEqual([either.code, either.stdout], [2, '']);
  assert.match(either.stderr, /statefulset\/db may be a\/db or b\/db; --namespace tells which\n/);
  const one = await runCli(['explain', 'sts/db', '-n', 'b', '-'], { stdin });
  assert.match(one.stdout, /^b\/db-0: Scheduled/);
});

test('explain: a wrong name is answered with the nearest one', async () => {
  const cases = [
    ['pod/smal', 'there is no pod smal in the input; did you mean default/small?'],
    ['default/bigg', 'there is no pod default/bigg in the input; did you mean default/big?'],
    ['shop/big', 'there is no pod shop/big in the input; did you mean default/big?'],
    ['bo', 'there is no pod bo in the input; did you mean default/bound?'],
    ['zzzz', 'there is no pod zzzz in the input'],
  ];
  for (const [name, message] of cases) {
    const { code, stderr } = await explain(name, '-');
    assert.deepEqual([code, stderr.split('\n')[0]], [2, `error: explain: ${message}`]);
  }
});

test('explain: as data', async () => {
  const evaluation = JSON.parse((await explain('big', '-', '-o', 'json')).stdout);
  assert.deepEqual(validate(schema, evaluation), []);
  assert.deepEqual(parse((await explain('big', '-', '-o', 'yaml')).stdout), [evaluation]);
});

test('explain: a pod or node that does not exist is exit code 2', async () => {
  const cases = [
    [[], /explain needs a pod/],
    [['small'], /explain needs a cluster/],
    [['none', '-'], /explain: there is no pod none in the input/],
    [['small', '-', '-n', 'shop'], /explain: there is no pod small in namespace shop/],
    [['small', '-', '--node', 'z'], /--node: there is no node z in the input/],
    [['small', '-', '--limit', '-1'], /limit/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await explain(...argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});

test('--against compares two nodes, and names what would change the choice', async () => {
  const taints = [{ key: 'old', value: 'yes', effect: 'PreferNoSchedule' }];
  const two = makeList(
    makeNode('a', { cpu: '2' }),
    makeNode('b', { cpu: '8', spec: { taints } }),
    makeNode('c', { spec: { unschedulable: true } }),
    storedPod('p', { cpu: '1500m' }),
  );
  const stdin = JSON.stringify(two);
  const { code, stdout } = await runCli(['explain', 'p', '-', '--against', 'b', '-q'], { stdin });
  assert.equal(
    stdout,
    [
      'default/p: it goes to a with 417 points, b has 159',
      '',
      'PLUGIN                            WEIGHT   a     b    DIFFERENCE',
      'TaintToleration                   3        300   0    +300',
      'NodeResourcesFit                  1        61    89   -28',
      'NodeResourcesBalancedAllocation   1        56    70   -14',
      '',
      'it would go to b with any of these changes:',
      '- raise the weight of NodeResourcesFit from 1 to 11',
      '- raise the weight of NodeResourcesBalancedAllocation from 1 to 20',
      '- add a toleration of the taint old=yes:PreferNoSchedule to the pod',
      "- raise the pod's request for cpu from 1500m to 2001m",
      '',
    ].join('\n'),
  );
  assert.equal(code, 0);
  const refused = await runCli(['explain', 'p', '-', '--against', 'c', '-q'], { stdin });
  assert.match(refused.stdout, /^default\/p: it goes to a; c refuses it \(NodeUnschedulable: /);
  assert.equal(refused.code, 1);
  const chosen = await runCli(['explain', 'p', '-', '--against', 'a'], { stdin });
  assert.deepEqual([chosen.code, chosen.stdout], [0, 'default/p: it goes to a\n']);
  const json = await runCli(['explain', 'p', '-', '--against', 'b', '-o', 'json'], { stdin });
  assert.deepEqual(validate(whatif, JSON.parse(json.stdout)), []);
});

test('--against: an extender scores and refuses, and its weight is none of a plugin', async (t) => {
  t.after(() => server.close().closeAllConnections());
  const port = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
  const urlPrefix = `http://127.0.0.1:${port}`;
  const extender = { urlPrefix, filterVerb: 'filter', prioritizeVerb: 'prioritize', weight: 5 };
  const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  const { file } = await makeFolder();
  const config = await file('c.json', { ...head, extenders: [extender] });
  const nodes = [makeNode('a', { cpu: '8' }), makeNode('b9', { cpu: '2' }), makeNode('c-busy')];
  const stdin = JSON.stringify(makeList(...nodes, storedPod('p')));
  const against = (/** @type {string} */ node) =>
    runCli(['explain', 'p', '-', '--against', node, '--config', config, '-q'], { stdin });
  const scored = await against('a');
  assert.equal(scored.code, 0, scored.stderr);
  assert.match(scored.stdout, /^default\/p: it goes to b9 with /);
  assert.doesNotMatch(scored.stdout, /the weight of http/);
  const refused = await against('c-busy');
  assert.match(refused.stdout, / it goes to b9; c-busy refuses it \(node\(s\) were busy\)\n/);
  const failing = { ...extender, urlPrefix: `${urlPrefix}/fail` };
  await file('c.json', { ...head, extenders: [failing] });
  const failed = await against('a');
  assert.match(failed.stdout, /^default\/p: it gets no node, though a passes: failed filter with /);
  assert.equal(failed.code, 1);
  const argv = ['explain', 'p', '-', '--node', 'a', '--config', config];
  const one = await runCli(argv, { stdin });
  assert.deepEqual([one.code, /^failed filter with extender at /.test(one.stdout)], [1, true]);
});

test('a gated pod fits on no node, whatever its filters say', async () => {
  const gated = storedPod('p', { spec: { schedulingGates: [{ name: 'x/y' }] } });
  const stdin = JSON.stringify(makeList(makeNode('a'), gated));
  const asked = (/** @type {string[]} */ ...flags) =>
    runCli(['explain', 'p', '-', ...flags], { stdin });
  const message = 'waiting for scheduling gates: [x/y]';
  const node = await asked('--node', 'a');
  assert.deepEqual([node.code, node.stdout], [1, `${message}\n`]);
  const row = JSON.parse((await asked('--node', 'a', '-o', 'json')).stdout);
  assert.deepEqual([row.node, row.message], ['a', message]);
  const all = await asked('--node', 'a', '--all-plugins');
  assert.deepEqual([all.code, all.stdout], [1, `${message}\n`]);
  const against = await asked('--against', 'a');
  const [first] = against.stdout.split('\n');
  assert.equal(first, `default/p: it gets no node, though a passes: ${message}`);
  assert.equal(against.code, 1);
  const contrasted = JSON.parse((await asked('--against', 'a', '-o', 'json')).stdout);
  assert.deepEqual([contrasted.node, contrasted.message], [null, message]);
  assert.deepEqual(validate(whatif, contrasted), []);
});

test('--against needs a node of the cluster, and excludes --node', async () => {
  const stdin = JSON.stringify(makeDump());
  const cases = /** @type {[string[], RegExp][]} */ ([
    [['--against', 'z'], /--against: there is no node z/],
    [['--against', 'a', '--node', 'a'], /--node does not go with --against/],
  ]);
  for (const [flags, expected] of cases) {
    const { code, stderr } = await runCli(['explain', 'small', '-', ...flags], { stdin });
    assert.equal(code, 2);
    assert.match(stderr, expected);
  }
});
