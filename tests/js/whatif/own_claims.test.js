// Goal: the claims that controllers made for a pod end with it, so that its successor gets new ones
// and may go elsewhere. Method: pods with device claims from a template and with ephemeral volumes
// are taken off their nodes in every way; each time another node can take them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drain, evaluateAll, repack, sweep, whatIf } from '../../../js/src/whatif.js';
import { makeNode, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const options = { startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' };
const { engine } = await TARGETS.wasm();

const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
const device = (node) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `${node}-gpu`, uid: `s-${node}` },
  spec: {
    driver: 'gpu.example.com',
    nodeName: node,
    pool: { name: node, generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'd0' }],
  },
});
const ofPod = (pod, name) => ({
  name,
  namespace: 'default',
  uid: `u-${name}`,
  ownerReferences: [
    { apiVersion: 'v1', kind: 'Pod', name: pod, uid: `${pod}-uid`, controller: true },
  ],
});
const controller = {
  ownerReferences: [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'w', uid: 'u-w', controller: true },
  ],
};
const inPool = (node) => ({
  devices: {
    results: [{ request: 'r', driver: 'gpu.example.com', pool: node, device: 'd0' }],
  },
  nodeSelector: {
    nodeSelectorTerms: [
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] },
    ],
  },
});
/** A pod on a node whose claim, made from the template, has the node's device. */
const withDevice = (name, node) => [
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: ofPod(name, `${name}-c-x`),
    spec: { devices: { requests } },
    status: {
      allocation: inPool(node),
      reservedFor: [{ resource: 'pods', name, uid: `${name}-uid` }],
    },
  },
  storedPod(name, {
    cpu: '1',
    metadata: { ...controller, uid: `${name}-uid` },
    spec: {
      ...(node && { nodeName: node }),
      resourceClaims: [{ name: 'c', resourceClaimTemplateName: 't' }],
    },
    status: { resourceClaimStatuses: [{ name: 'c', resourceClaimName: `${name}-c-x` }] },
  }),
];
const DEVICES = [
  ...['g0', 'g1', 'g2'].flatMap((name) => [makeNode(name), device(name)]),
  { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: {} },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 't', namespace: 'default', uid: 't' },
    spec: { spec: { devices: { requests } } },
  },
  ...withDevice('p1', 'g0'),
  ...withDevice('p2', 'g1'),
];

const ZONE = 'topology.kubernetes.io/zone';
const zonal = (name) => [
  makeNode(name, { labels: { [ZONE]: name } }),
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name, uid: `c-${name}` },
    spec: { drivers: [{ name: 'p.example.com', nodeID: name, topologyKeys: [ZONE] }] },
  },
];
const claimSpec = {
  accessModes: ['ReadWriteOnce'],
  storageClassName: 'sc',
  resources: { requests: { storage: '1Gi' } },
};
const ephemeral = (name, node) =>
  storedPod(name, {
    cpu: '1',
    metadata: { ...controller, uid: `${name}-uid` },
    spec: {
      ...(node && { nodeName: node }),
      volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }],
    },
  });
const boundAnnotations = {
  'pv.kubernetes.io/bind-completed': 'yes',
  'pv.kubernetes.io/bound-by-controller': 'yes',
};
const STORAGE_CLASS = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'sc', uid: 'sc' },
  provisioner: 'p.example.com',
  volumeBindingMode: 'WaitForFirstConsumer',
};
const VOLUMES = [
  ...zonal('a'),
  ...zonal('b'),
  STORAGE_CLASS,
  ephemeral('e', 'a'),
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...ofPod('e', 'e-v'), annotations: boundAnnotations },
    spec: { ...claimSpec, volumeName: 'pv1' },
    status: { phase: 'Bound' },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv1', uid: 'pv1' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      storageClassName: 'sc',
      csi: { driver: 'p.example.com', volumeHandle: 'pv1' },
      claimRef: { namespace: 'default', name: 'e-v', uid: 'u-e-v' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: ['a'] }] }],
        },
      },
    },
    status: { phase: 'Bound' },
  },
];
/** The same, placed by the scheduler, whose controllers made the claims. */
const PENDING_VOLUMES = [...zonal('a'), STORAGE_CLASS, ephemeral('e')];
const PENDING_DEVICES = DEVICES.filter(({ kind }) => kind !== 'ResourceClaim').map((object) => {
  if (object.kind !== 'Pod') return object;
  const { nodeName, ...spec } = object.spec;
  return { ...object, spec, status: { phase: 'Pending' } };
});

/** @param {object[]} objects @param {(scheduler: any) => Promise<any>} use */
async function within(objects, use) {
  const scheduler = engine.createScheduler(options);
  try {
    scheduler.apply(objects);
    await scheduler.schedule({ until: options.startTime + 60_000 });
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

/** @param {object[]} objects @param {object[]} changes */
async function moves(objects, changes) {
  const { pods } = await within(objects, (scheduler) => whatIf(scheduler, changes));
  return pods.map(({ pod, outcome, after }) => `${pod} ${outcome} ${after.node ?? after.message}`);
}

for (const [origin, objects] of Object.entries({ given: DEVICES, placed: PENDING_DEVICES })) {
  test(`a displaced pod gets a new device claim: ${origin}`, async () => {
    const lost = { type: 'removeNode', node: 'g0' };
    assert.deepEqual(await moves(objects, [lost]), ['default/p1 Moves g2']);
    const requested = { type: 'setRequest', kind: 'Pod', name: 'p1', resource: 'cpu', value: '2' };
    assert.deepEqual(await moves(objects, [requested]), ['default/p1 Returns g0']);
    const twice = [
      { type: 'cordon', node: 'g2' },
      lost,
      { type: 'addNodes', count: 1, like: 'g1' },
    ];
    assert.deepEqual(await moves(objects, twice), ['default/p1 Moves g1-1']);
    const { failures } = await within(objects, (scheduler) => sweep(scheduler, 'nodes:1'));
    assert.deepEqual(failures, []);
    const { isPlaced } = await within(objects, (scheduler) => drain(scheduler, ['g0']));
    assert.equal(isPlaced, true);
  });
}

test('repack moves pods with device claims', async () => {
  const bare = storedPod('bare', { cpu: '100m', spec: { nodeName: 'g2' } });
  const goal = /** @type {const} */ ({ emptyNodes: 1 });
  const answer = await within([...DEVICES, bare], (scheduler) => repack(scheduler, goal));
  assert.deepEqual([answer.reached, answer.moves.map(({ to }) => to)], [true, ['g2']]);
});

test('an unbound pod gets new claims for its device and its ephemeral volume', async () => {
  await within(DEVICES, async (scheduler) => {
    scheduler.apply([{ type: 'DELETED', object: scheduler.get('Node', 'g0') }]);
    scheduler.unbind('default/p1');
    const decisions = await scheduler.schedule();
    assert.equal(decisions.at(-1).node, 'g2');
  });
  await within(VOLUMES, async (scheduler) => {
    scheduler.apply([{ type: 'DELETED', object: scheduler.get('Node', 'a') }]);
    scheduler.unbind('default/e');
    const decisions = await scheduler.schedule();
    assert.equal(decisions.at(-1).node, 'b');
  });
});

test('a displaced pod gets a new claim for its ephemeral volume', async () => {
  const lost = { type: 'removeNode', node: 'a' };
  assert.deepEqual(await moves(VOLUMES, [lost]), ['default/e Moves b']);
  const { failures } = await within(VOLUMES, (scheduler) => sweep(scheduler, 'nodes:1'));
  assert.deepEqual(failures, []);
  const { isPlaced } = await within(VOLUMES, (scheduler) => drain(scheduler, ['a']));
  assert.equal(isPlaced, true);
  const tainted = { type: 'cordon', node: 'a' };
  const requested = { type: 'setRequest', kind: 'Pod', name: 'e', resource: 'cpu', value: '2' };
  assert.deepEqual(await moves(VOLUMES, [tainted, requested]), ['default/e Moves b']);
  const pod = { ...ephemeral('e'), metadata: { name: 'e', namespace: 'default' } };
  const applied = { type: 'apply', object: pod };
  assert.deepEqual(await moves(VOLUMES, [tainted, applied]), ['default/e Moves b']);
});

test('a volume that the scheduler made for a pod ends with it', async () => {
  const applied = zonal('b').map((object) => ({ type: 'apply', object }));
  const lost = { type: 'removeNode', node: 'a' };
  assert.deepEqual(await moves(PENDING_VOLUMES, [...applied, lost]), ['default/e Moves b']);
});

test('an evicted pod gets new claims', async () => {
  const urgent = (node) => ({
    type: 'apply',
    object: storedPod('urgent', {
      cpu: '4',
      spec: { priority: 10, nodeSelector: { 'kubernetes.io/hostname': node } },
    }),
  });
  assert.deepEqual(await moves(VOLUMES, [urgent('a')]), [
    'default/e Moves b',
    'default/urgent Placed a',
  ]);
  assert.deepEqual(await moves(DEVICES, [urgent('g0')]), [
    'default/p1 Moves g2',
    'default/urgent Placed g0',
  ]);
});

test('a pod that is asked together with others keeps its device from them', async () => {
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'free', namespace: 'default', uid: 'free' },
    spec: { devices: { requests } },
  };
  const resourceClaims = [{ name: 'c', resourceClaimName: 'free' }];
  const other = storedPod('other', { cpu: '1', spec: { resourceClaims } });
  const cluster = [...DEVICES, claim, makeNode('g2', { spec: { unschedulable: true } })];
  const answers = await within(cluster, (scheduler) =>
    evaluateAll(scheduler, ['default/p1', other]),
  );
  assert.deepEqual(
    answers.map(({ node }) => node),
    ['g0', null],
  );
});
