import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { sliceOf } from '../../support/obstacle_objects.js';
import { CLAIM_OBJECTS, devicePod } from '../../support/own_claims.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();
const cluster = await file(
  'cluster.json',
  makeList(
    makeNode('old', { cpu: '2' }),
    storedPod('placed', { spec: { nodeName: 'old' } }),
    ...['a', 'b', 'c', 'd'].map((name) => storedPod(name)),
  ),
);
const small = await file('small.json', makeNode('small', { cpu: '2' }));
const large = await file('large.json', makeNode('large', { cpu: '4' }));

/** @param {string[]} argv */
const plan = (argv) => runCli(['plan', ...argv]);

test('plan reports the nodes, their price, and the proof', async () => {
  const { code, stdout, stderr } = await plan([
    ...['--cluster', cluster, '--pool', small, '--pool', `${large}:1.75`],
  ]);
  assert.equal(
    stdout,
    [
      '1 new node for 1.75: 1 large',
      'lower bound: 1.75; no mix is cheaper; 1 mix tried; replayed from scratch',
      '',
      'POOL    NODES   PRICE   COST   PODS',
      'small   0       1       0      0',
      'large   1       1.75    1.75   4',
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
});

test('manifests are planned for as well, and need no cluster', async () => {
  const template = { metadata: { labels: { app: 'x' } }, spec: makePod('x').spec };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x' },
    spec: { replicas: 5, selector: { matchLabels: { app: 'x' } }, template },
  };
  const manifest = await file('deployment.json', deployment);
  const both = await plan(['-q', '-f', manifest, '--cluster', cluster, '--pool', small]);
  assert.deepEqual([both.code, both.stdout], [0, '4 new nodes for 4: 4 small\n']);
  const alone = await plan(['-q', '-f', manifest, '--pool', small]);
  assert.deepEqual([alone.code, alone.stdout], [0, '3 new nodes for 3: 3 small\n']);
  const like = await plan(['-q', '--cluster', cluster, '--pool', 'node/old:3']);
  assert.deepEqual([like.code, like.stdout], [0, '2 new nodes for 6: 2 old\n']);
});

test('a pool like a node has its devices, and none of its state', async () => {
  const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
  const node = makeNode('old', { spec: { unschedulable: true, taints } });
  const others = [sliceOf('old', 'gpu', [{ name: 'd0' }]), ...CLAIM_OBJECTS];
  const pods = ['p', 'q'].map((name) => devicePod(name));
  const devices = await file('devices.json', makeList(node, ...others, ...pods));
  const like = await plan(['-q', '--cluster', devices, '--pool', 'node/old']);
  assert.deepEqual([like.code, like.stdout], [0, '2 new nodes for 2: 2 old\n']);
  const pool = await file('pool.json', makeList(node, others[0]));
  const inFile = await plan(['-q', '--cluster', devices, '--pool', pool]);
  assert.deepEqual([inFile.code, inFile.stdout], [0, '2 new nodes for 2: 2 old\n']);
});

test('pods that no node takes come first, and exit with 1', async () => {
  const big = await file('big.json', makePod('big', { cpu: '9' }));
  const { code, stdout } = await plan(['-f', big, '--cluster', cluster, '--pool', small]);
  assert.equal(code, 1);
  assert.match(stdout, /^IMPOSSIBLE +MESSAGE\ndefault\/big +0\/2 nodes are available: 2 Insuff/);
  assert.match(stdout, /\n2 new nodes for 2: 2 small; no node takes 1 pod\n/);
  const none = await plan(['--cluster', cluster, '--pool', small, '--max-nodes', '1']);
  assert.equal(none.code, 1);
  assert.match(none.stdout, /^no mix that was tried places all pods: \d pods would wait\n/);
  assert.match(none.stdout, /\n\nWAITS +MESSAGE\ndefault\/. +0\/\d nodes are available: \d Insuff/);
});

test('formats', async () => {
  const argv = ['--cluster', cluster, '--pool', small];
  const document = JSON.parse((await plan([...argv, '-o', 'json'])).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual(document.pools, [{ pool: 'small', price: 1, nodes: ['small-1', 'small-2'] }]);
  assert.deepEqual(parse((await plan([...argv, '-o', 'yaml'])).stdout), [document]);
});

test('bad input is exit code 2', async () => {
  const empty = await file('empty.json', makeList());
  const mixed = await file('mixed.json', makeList(makeNode('a'), makePod('p')));
  const slice = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice' };
  const wrong = { ...slice, metadata: { name: 's' }, spec: { driver: ['d'], nodeName: 'a' } };
  const faulty = await file('faulty.json', makeList(makeNode('a'), wrong));
  const cases = [
    [[], /plan needs a pool/],
    [['--pool', small], /plan needs pods/],
    [['--pool', `${small}:0`, '--cluster', cluster], /the price is a number above 0/],
    [['--pool', 'node/none', '--cluster', cluster], /--pool: there is no node "none"/],
    [['--pool', empty, '--cluster', cluster], /empty.json: there are no nodes; a pool has one/],
    [['--pool', '/nowhere.yaml', '--cluster', cluster], /there is no such file/],
    [['--pool', small, '--pool', small, '--cluster', cluster], /two pools are named small/],
    [
      ['--pool', mixed, '--cluster', cluster],
      /mixed.json: document 1, line 1, column \d+: Pod p: kind: a pool has one Node, .*; no Pod/,
    ],
    [
      ['--pool', faulty, '--cluster', cluster],
      /faulty.json: document 1, line 1, column \d+: ResourceSlice s: spec\.driver: Invalid value/,
    ],
    [
      ['--pool', small, '--cluster', cluster, '--max-trials', '0'],
      /--max-trials is a whole number/,
    ],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await plan(argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});

test('a pod that the API server refuses is no answer of yes', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gone', uid: 'n' } };
  const ending = { ...namespace, status: { phase: 'Terminating' } };
  const here = await file('ending.json', makeList(makeNode('a'), ending));
  const path = await file('gone.json', makePod('p', { metadata: { namespace: 'gone' } }));
  const { code, stderr } = await plan(['--pool', small, '--cluster', here, '-f', path]);
  assert.match(stderr, /^warning: .*gone\.json: Pod gone\/p is refused: /m);
  assert.equal(code, 1);
});

test('manifests that only other controllers read are named', async () => {
  const set = { apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet', metadata: { name: 's' } };
  const path = await file('set.json', set);
  const line = 'left aside: 1 JobSet (jobset.x-k8s.io/v1alpha2): what their controllers do is not';
  for (const more of [[], ['--cluster', cluster]]) {
    const { stderr } = await plan(['--pool', large, '-f', path, ...more]);
    assert.equal(stderr, `note: ${line} simulated\n`);
  }
});
