// Goal: manifests of objects that the cluster has already, other than pods and workloads, change
// those as `kubectl apply` does; and an object that the input has twice is no silent loss. Method:
// `check` with such manifests, where a replaced object would give another answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { file } = await makeFolder();
let count = 0;

/**
 * The result of the last workload, and the lines on standard error.
 * @param {object[]} cluster
 * @param {object[]} manifests
 */
async function check(cluster, manifests) {
  const number = (count += 1);
  const dump = await file(`cluster-${number}.json`, makeList(...cluster));
  const path = await file(`manifests-${number}.json`, makeList(...manifests));
  const argv = ['check', '-f', path, '--cluster', dump, '-o', 'json'];
  const { stdout, stderr } = await runCli(argv);
  const { workloads, madeUp, warnings } = JSON.parse(stdout);
  const own = warnings.map((/** @type {string} */ line) => line.replace(`${path}: `, ''));
  return { result: workloads.at(-1).result, madeUp, warnings: own, stderr };
}

/** @param {string} kind @param {object} metadata @param {object} [fields] */
const core = (kind, metadata, fields = {}) => ({ apiVersion: 'v1', kind, metadata, ...fields });

const ZONE = 'topology.kubernetes.io/zone';
const zonal = [
  makeNode('a', { labels: { [ZONE]: 'a' } }),
  makeNode('b', { labels: { [ZONE]: 'b' } }),
];
const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast', uid: 'class' },
  provisioner: 'example.com/disk',
  volumeBindingMode: 'Immediate',
};
const claimSpec = {
  accessModes: ['ReadWriteOnce'],
  storageClassName: 'fast',
  resources: { requests: { storage: '1Gi' } },
};
const boundClaim = core(
  'PersistentVolumeClaim',
  {
    name: 'data',
    namespace: 'default',
    uid: 'claim',
    annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
  },
  { spec: { ...claimSpec, volumeName: 'pv' }, status: { phase: 'Bound' } },
);
const volume = core(
  'PersistentVolume',
  { name: 'pv', uid: 'volume' },
  {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data', uid: 'claim' },
      csi: { driver: 'example.com/disk', volumeHandle: 'v' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: ['a'] }] }],
        },
      },
    },
    status: { phase: 'Bound' },
  },
);

test('a bound claim stays bound to its volume', async () => {
  const cluster = [...zonal, storageClass, volume, boundClaim];
  const claim = core('PersistentVolumeClaim', { name: 'data' }, { spec: claimSpec });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const pod = (/** @type {string} */ zone) =>
    makePod('web', { spec: { volumes, nodeSelector: { [ZONE]: zone } } });
  const there = await check(cluster, [claim, pod('a')]);
  assert.deepEqual([there.result, there.madeUp], ['Fits', []]);
  assert.equal((await check(cluster, [claim, pod('b')])).result, 'DoesNotFit');
});

test('simulate and capacity: a written claim is a change of the stored one', async () => {
  const dump = await file('dump.json', makeList(...zonal, storageClass, volume, boundClaim));
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const claim = core('PersistentVolumeClaim', { name: 'data' }, { spec: claimSpec });
  const both = await file('both.json', makeList(claim, makePod('web', { spec: { volumes } })));
  const simulated = await runCli(['simulate', dump, '-f', both, '-o', 'json']);
  const { pods, madeUp } = JSON.parse(simulated.stdout);
  assert.deepEqual([pods[0].node, madeUp], ['a', []]);
  const counted = await runCli(['capacity', '-f', both, '--cluster', dump, '-o', 'json']);
  const { nodes, madeUp: made } = JSON.parse(counted.stdout);
  const taken = nodes.filter((/** @type {any} */ { pods: count }) => count > 0);
  assert.deepEqual([taken.map((/** @type {any} */ { node }) => node), made], [['a'], []]);
});

test('a node keeps what it offers', async () => {
  const labelled = core('Node', { name: 'a', labels: { disk: 'ssd' } });
  const pod = makePod('web', { cpu: '4', spec: { nodeSelector: { disk: 'ssd' } } });
  assert.equal((await check([makeNode('a')], [labelled, pod])).result, 'Fits');
  const larger = { ...labelled, status: { allocatable: { cpu: '8', memory: '1Gi', pods: '9' } } };
  const large = makePod('web', { cpu: '8', spec: { nodeSelector: { disk: 'ssd' } } });
  assert.equal((await check([makeNode('a')], [labelled, large])).result, 'DoesNotFit');
  assert.equal((await check([makeNode('a')], [larger, large])).result, 'Fits', 'its own status');
});

test('a LimitRange is changed, and not there twice', async () => {
  const limits = (/** @type {string} */ cpu, more = {}) =>
    core(
      'LimitRange',
      { name: 'limits', namespace: 'default', ...more },
      { spec: { limits: [{ type: 'Container', max: { cpu } }] } },
    );
  const resources = { requests: { cpu: '2' }, limits: { cpu: '2' } };
  const pod = makePod('web', { spec: { containers: [{ name: 'c', image: 'x', resources }] } });
  const small = [makeNode('a'), limits('1', { uid: 'l' })];
  assert.equal((await check(small, [pod])).result, 'DoesNotFit');
  assert.equal((await check(small, [limits('4'), pod])).result, 'Fits');
  const large = [makeNode('a'), limits('4', { uid: 'l' })];
  assert.equal((await check(large, [limits('1'), pod])).result, 'DoesNotFit');
});

test('a ResourceQuota keeps its usage and gets its new bounds', async () => {
  const quota = (/** @type {string} */ pods, more = {}) =>
    core(
      'ResourceQuota',
      { name: 'team', namespace: 'default' },
      { spec: { hard: { pods } }, ...more },
    );
  const stored = quota('3', { status: { hard: { pods: '3' }, used: { pods: '3' } } });
  const { warnings } = await check([makeNode('a'), stored], [makePod('web')]);
  assert.match(warnings[0], /used: pods=3, limited: pods=3$/);
  const raised = await check([makeNode('a'), stored], [quota('4'), makePod('web')]);
  assert.deepEqual(raised.warnings, []);
  const lowered = await check([makeNode('a'), stored], [quota('2'), makePod('web')]);
  assert.match(lowered.warnings[0], /used: pods=3, limited: pods=2$/);
});

test('an object that is there twice is a warning, wherever the other one is', async () => {
  const twice = await check([makeNode('a')], [makePod('web', { cpu: '40' }), makePod('web')]);
  const line = 'Pod default/web is there 2 times, and only this one counts';
  assert.deepEqual([twice.result, twice.warnings], ['Fits', [`line 1: ${line}`]]);
  assert.match(twice.stderr, new RegExp(`^warning: .*: line 1: ${line}$`, 'm'));

  const others = ['b', 'c'].flatMap((name) => [makePod(name, { cpu: '2' }), makePod(name)]);
  const many = await check(
    [makeNode('a')],
    [makePod('web'), ...others, makePod('web', { cpu: '2' })],
  );
  assert.deepEqual(many.warnings, [`line 1: ${line} (and in 2 more objects)`]);

  const first = await file('first.yaml', JSON.stringify(makePod('web', { cpu: '3' })));
  const second = await file('second.yaml', `\n${JSON.stringify(makePod('web'))}`);
  const cluster = await file('only.json', makeNode('a'));
  const argv = ['simulate', cluster, '-f', first, '-f', second, '-o', 'json'];
  const { stdout } = await runCli(argv);
  assert.deepEqual(JSON.parse(stdout).warnings, [`${second}: line 2: ${line}`]);
});

test('copies, generated names, other groups and stored objects are not repeated', async () => {
  const generated = { ...makePod(''), metadata: { generateName: 'web-' } };
  const other = { apiVersion: 'example.com/v1', kind: 'Service', metadata: { name: 'a' } };
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: {} };
  const manifests = [
    makePod('web'),
    makePod('web'),
    generated,
    { ...generated, spec: makePod('', { cpu: '2' }).spec },
  ];
  const { warnings } = await check(
    [makeNode('a'), makeNode('a', { cpu: '9' })],
    [other, service, ...manifests],
  );
  assert.deepEqual(warnings, []);
});
