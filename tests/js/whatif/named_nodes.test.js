// Goal: a pod of a manifest that names its node is never "Fits" unasked: what the kubelet of that
// node asks is asked of the engine, for that node alone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { startWasm } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startWasm();
const loadEngine = async () => engine;
const { file } = await makeFolder();

const taint = (effect) => ({ key: 'k', value: 'v', effect });
const port = [{ name: 'c', image: 'app:v1', ports: [{ containerPort: 80, hostPort: 80 }] }];
const cpuAndPort = { containers: [{ ...port[0], resources: { requests: { cpu: '1' } } }] };
const cluster = await file(
  'cluster.json',
  makeList(
    makeNode('n1', { cpu: '5', labels: { disk: 'ssd' } }),
    makeNode('cordoned', { spec: { unschedulable: true, taints: [taint('NoSchedule')] } }),
    makeNode('evicting', { spec: { taints: [taint('NoExecute')] } }),
    storedPod('there', {
      spec: { nodeName: 'n1', schedulerName: 'default-scheduler', ...cpuAndPort },
    }),
    storedPod('done', { cpu: '4', spec: { nodeName: 'n1' }, status: { phase: 'Succeeded' } }),
  ),
);
const TAKES = (node) => `names its node ${node} and is not scheduled; the kubelet there takes it`;
const REFUSES = (node, reasons) =>
  `names its node ${node} and is not scheduled; the kubelet there refuses it: ${reasons}`;

let count = 0;
/** @param {object[]} objects of the manifest */
async function check(objects) {
  const manifest = await file(`manifest-${(count += 1)}.json`, makeList(...objects));
  const argv = ['check', '-f', manifest, '--cluster', cluster, '-o', 'json'];
  const { code, stdout } = await runCli(argv, { loadEngine });
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const results = document.workloads.map(({ result, placed, messages }) => [
    result,
    placed,
    messages.map(({ message }) => message).join(),
  ]);
  return { code, results };
}

/** @param {string} nodeName @param {object} [spec] */
const on = (nodeName, spec = {}, name = 'p') => makePod(name, { spec: { nodeName, ...spec } });
const cpu = (text) => ({
  containers: [{ name: 'c', image: 'app:v1', resources: { requests: { cpu: text } } }],
});

test('a named node is checked as the kubelet does', async () => {
  const cases = [
    [on('n1'), 'Fits', TAKES('n1')],
    [on('n1', cpu('5')), 'DoesNotFit', REFUSES('n1', 'Insufficient cpu')],
    [
      on('n1', { nodeSelector: { disk: 'hdd' } }),
      'DoesNotFit',
      REFUSES('n1', "node(s) didn't match Pod's node affinity/selector"),
    ],
    [on('n1', { nodeSelector: { disk: 'ssd' } }), 'Fits', TAKES('n1')],
    [
      on('n1', { containers: port }),
      'DoesNotFit',
      REFUSES('n1', "node(s) didn't have free ports for the requested pod ports"),
    ],
    [on('cordoned'), 'Fits', TAKES('cordoned')],
    [on('evicting'), 'DoesNotFit', REFUSES('evicting', 'node(s) had untolerated taint(s)')],
    [on('evicting', { tolerations: [{ operator: 'Exists' }] }), 'Fits', TAKES('evicting')],
    [on('n1', { schedulerName: 'other' }), 'Fits', TAKES('n1')],
    [on('nowhere'), 'DoesNotFit', 'names the node nowhere, which is not in the cluster'],
  ];
  for (const [pod, result, message] of cases) {
    const { code, results } = await check([pod]);
    const placed = result === 'Fits' ? 1 : 0;
    assert.deepEqual(results, [[result, placed, message]]);
    assert.equal(code, 1 - placed);
  }
});

test('a placed pod takes room from the next one, a refused pod takes none', async () => {
  const pods = ['3', '2', '1'].map((text, index) => on('n1', cpu(text), `p-${index}`));
  const { results } = await check([on('n1', cpu('9'), 'huge'), ...pods]);
  assert.deepEqual(
    results.map(([result]) => result),
    ['DoesNotFit', 'Fits', 'DoesNotFit', 'Fits'],
  );
});

const storageClass = (/** @type {string} */ volumeBindingMode) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'disk.example.com',
  volumeBindingMode,
});
const claim = (/** @type {object} */ spec = {}, /** @type {object} */ annotations = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', annotations },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
});
const volumeOn = (/** @type {string} */ host, /** @type {object} */ spec = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'disk' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    capacity: { storage: '1Gi' },
    local: { path: '/disk' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [host] }] },
        ],
      },
    },
    ...spec,
  },
});
const ending = (/** @type {any} */ { metadata, ...object }) => ({
  ...object,
  metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});
const deviceClaim = (/** @type {object} */ status) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'gpu' },
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
  ...(status && { status }),
});
const deviceTemplate = {
  ...deviceClaim(undefined),
  kind: 'ResourceClaimTemplate',
  spec: { spec: deviceClaim(undefined).spec },
};

test('a volume that the claim cannot have is not bound to it', async () => {
  const data = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
  const claimRef = { namespace: 'default', name: 'data' };
  const late = storageClass('WaitForFirstConsumer');
  const cases = {
    'released by a former claim': volumeOn('n1', { claimRef: { ...claimRef, uid: 'former' } }),
    'too small': volumeOn('n1', { claimRef, capacity: { storage: '1Mi' } }),
    'of another mode': volumeOn('n1', { claimRef, volumeMode: 'Block' }),
    'of other attributes': volumeOn('n1', { claimRef, volumeAttributesClassName: 'fast' }),
    'being deleted': ending(volumeOn('n1', { claimRef })),
  };
  for (const [name, volume] of Object.entries(cases)) {
    const { results } = await check([late, claim(), volume, on('n1', data)]);
    const [[result, , message]] = results;
    assert.equal(result, 'DoesNotFit', name);
    assert.match(message, /claim data stays unbound/, name);
  }
});

test('a named node does not start a pod whose claims wait for the scheduler', async () => {
  const data = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
  const { spec } = claim();
  const scratch = { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }] };
  const device = (/** @type {object} */ one) => ({ resourceClaims: [{ name: 'gpu', ...one }] });
  const [late, early] = ['WaitForFirstConsumer', 'Immediate'].map(storageClass);
  const claimRef = { namespace: 'default', name: 'data' };
  const waits = (/** @type {string} */ why) =>
    `names its node n1 and is not scheduled; it waits there: ${why}`;
  const unbound = (/** @type {string} */ name) =>
    waits(`claim ${name} stays unbound, as class fast waits for a pod that is scheduled`);
  const isElsewhere = waits("volume disk of claim data: node(s) didn't match its node affinity");
  const cases = [
    [[late, claim()], data, unbound('data')],
    [[late], scratch, unbound('p-v')],
    [[early, claim()], data, TAKES('n1')],
    [[early], scratch, TAKES('n1')],
    [[late], data, waits('persistentvolumeclaim "data" not found')],
    [[late, claim({}, { 'volume.kubernetes.io/selected-node': 'n1' })], data, TAKES('n1')],
    [[late, claim({ volumeName: 'disk' }), volumeOn('n1')], data, TAKES('n1')],
    [[late, claim({ volumeName: 'disk' }), volumeOn('cordoned')], data, isElsewhere],
    [[late, claim(), volumeOn('n1', { claimRef })], data, TAKES('n1')],
    [[late, claim(), volumeOn('cordoned', { claimRef })], data, isElsewhere],
    [[late, claim(), volumeOn('n1')], data, unbound('data')],
    [
      [deviceClaim(undefined)],
      device({ resourceClaimName: 'gpu' }),
      waits('no devices are allocated to claim gpu, as only the scheduler does'),
    ],
    [
      [deviceTemplate],
      device({ resourceClaimTemplateName: 'gpu' }),
      waits('no devices are allocated to the claim from template gpu, as only the scheduler does'),
    ],
    [[], device({ resourceClaimName: 'gpu' }), waits('resourceclaim "gpu" not found')],
    [
      [deviceClaim({ allocation: { devices: { results: [] } } })],
      device({ resourceClaimName: 'gpu' }),
      TAKES('n1'),
    ],
  ];
  for (const [objects, spec, message] of cases) {
    const { code, results } = await check([...objects, on('n1', spec)]);
    const placed = message === TAKES('n1') ? 1 : 0;
    assert.deepEqual(results, [[placed ? 'Fits' : 'DoesNotFit', placed, message]]);
    assert.equal(code, 1 - placed, message);
  }
  // A pod that is scheduled is a first consumer.
  for (const [objects, spec] of [
    [[late, claim()], data],
    [[deviceClaim(undefined)], device({ resourceClaimName: 'gpu' })],
  ]) {
    const scheduled = makePod('other', { spec });
    const { results } = await check([...objects, scheduled, on('n1', spec)]);
    assert.deepEqual(results[1], ['Fits', 1, TAKES('n1')]);
  }
  // It has its node all the same.
  const pods = [on('n1', { ...cpu('3'), ...data }, 'waits'), on('n1', cpu('2'), 'late')];
  const { results } = await check([late, claim(), ...pods]);
  assert.deepEqual(results[1].slice(0, 2), ['DoesNotFit', 0]);
});

test('a template that names its node', async () => {
  const workload = (kind, spec) => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: on('n1', cpu('2')).spec },
      ...spec,
    },
  });
  const { code, results } = await check([workload('Deployment', { replicas: 3 })]);
  assert.equal(code, 1);
  const [[result, placed, message]] = results;
  assert.deepEqual([result, placed], ['DoesNotFit', 2]);
  assert.ok(message.startsWith(REFUSES('n1', 'Insufficient cpu')), message);
});

test('explain asks the same', async () => {
  const manifest = await file(
    'explained.json',
    makeList(on('n1', cpu('5'), 'big'), on('n1', {}, 'small'), on('nowhere', {}, 'lost')),
  );
  const ask = (pod, ...flags) =>
    runCli(['explain', pod, '-f', manifest, '--cluster', cluster, ...flags], { loadEngine });
  const big = await ask('big');
  assert.equal(big.code, 1);
  assert.ok(big.stdout.startsWith(`default/big: ${REFUSES('n1', 'Insufficient cpu')}\n`));
  assert.match(big.stdout, /^n1 +refused +<none> +Insufficient cpu$/m);
  const small = await ask('small');
  assert.deepEqual([small.code, small.stdout.split('\n')[0]], [0, `default/small: ${TAKES('n1')}`]);
  assert.equal((await ask('small', '--node', 'n1')).code, 0);
  assert.equal((await ask('small', '--node', 'cordoned')).code, 1);
  const lost = await ask('lost');
  assert.deepEqual(
    [lost.code, lost.stdout],
    [1, 'default/lost: names the node nowhere, which is not in the cluster\n'],
  );
  for (const pod of ['big', 'small', 'lost']) {
    const { stdout } = await ask(pod, '-o', 'json');
    const document = JSON.parse(stdout);
    assert.deepEqual(validate(schema, document), []);
    assert.equal(document.node, pod === 'small' ? 'n1' : null);
  }
});

test('explain of a bound pod reports the node that it would get', async () => {
  const { stdout } = await runCli(['explain', 'there', cluster], { loadEngine });
  assert.match(stdout, /^default\/there: would be on n1$/m);
});
