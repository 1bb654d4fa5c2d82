// Goal: kinds that a decision reads and the input lacks are listed, with the plugin that reads
// them, and no others. Method: one small input for each kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dump } from '../../../../js/src/check/missing/dump.js';
import { missingKinds } from '../../../../js/src/check/missing/kinds.js';
import { makeNode, makePod, storedPod } from '../../support/objects.js';

const START = Date.parse('2026-01-10T09:00:00Z');
const made = { namespace: 'default', creationTimestamp: '2026-01-10T09:00:00Z' };
const requests = { cpu: '1', memory: '1Gi' };
const containers = [{ name: 'c', resources: { requests } }];

/**
 * @param {object[]} objects
 * @param {{ pending?: object[], bound?: object[], decisions?: object[], listed?: string[] }} [rest]
 */
function missing(objects, { pending = [], bound = [], decisions = [], listed = [] } = {}) {
  const dump = new Dump(objects, { read: [], listed: new Set(listed) });
  const question = { dump, pending, bound, unclassed: [], startTime: START };
  return missingKinds(question, decisions);
}

/** Kind, names and whether it is certain. @param {Parameters<typeof missing>} question */
const short = (...question) =>
  missing(...question).map(({ kind, names, certain }) => [kind, ...names, certain]);

/** @param {string} kind @param {string} name @param {object} [rest] */
function object(kind, name, { group = '', namespace, ...rest } = {}) {
  const metadata = { name, ...(namespace && { namespace }) };
  return { apiVersion: group ? `${group}/v1` : 'v1', kind, metadata, ...rest };
}

/** @param {string} kind @param {string} [apiVersion] */
const ownedBy = (kind, apiVersion = 'apps/v1') =>
  storedPod('p', {
    metadata: {
      labels: { app: 'web' },
      ownerReferences: [{ apiVersion, kind, name: 'web', uid: 'u', controller: true }],
    },
  });

test('owners that default spreading reads', () => {
  assert.deepEqual(missing([], { pending: [ownedBy('ReplicaSet')], listed: ['Service'] }), [
    {
      kind: 'ReplicaSet',
      neededBy: ['PodTopologySpread'],
      names: ['default/web'],
      found: 0,
      certain: true,
      pods: ['default/p'],
    },
  ]);
  for (const [kind, apiVersion] of [
    ['StatefulSet', 'apps/v1'],
    ['ReplicationController', 'v1'],
  ]) {
    const pending = [ownedBy(kind, apiVersion)];
    assert.deepEqual(
      new Set(short([], { pending })),
      new Set([
        [kind, 'default/web', true],
        ['Service', true],
      ]),
    );
    const group = apiVersion === 'v1' ? '' : 'apps';
    const there = object(kind, 'web', { group, namespace: 'default' });
    assert.deepEqual(short([there], { pending }), [], 'it is there');
    const elsewhere = object(kind, 'web', { group, namespace: 'shop' });
    assert.deepEqual(short([elsewhere], { pending, listed: ['Service'] }), [
      [kind, 'default/web', true],
    ]);
    assert.deepEqual(short([], { pending, listed: [kind, 'Service'] }), [], 'the cluster has none');
  }
  for (const other of [ownedBy('DaemonSet'), ownedBy('Job', 'batch/v1'), ownedBy('Game', 'x.y/v1')])
    assert.deepEqual(short([], { pending: [other] }), [['Service', true]]);
  const bound = [ownedBy('ReplicaSet')];
  assert.deepEqual(short([], { bound }), [], 'what has a node is not spread');
  const own = ownedBy('ReplicaSet');
  own.spec.topologySpreadConstraints = [{ maxSkew: 1, topologyKey: 'zone' }];
  assert.deepEqual(short([], { pending: [own] }), [], 'it has constraints of its own');
});

test('Services, for pods whose owner has no selector', () => {
  const labelled = storedPod('p', { metadata: { labels: { app: 'web' } } });
  assert.deepEqual(short([], { pending: [labelled] }), [['Service', true]]);
  assert.deepEqual(short([object('Service', 'kubernetes')], { pending: [labelled] }), []);
  assert.deepEqual(short([], { pending: [storedPod('p')] }), []);
  const written = makePod('p', { metadata: { ...made, labels: { app: 'web' } } });
  written.spec = { priority: 1, containers };
  assert.deepEqual(short([], { pending: [written] }), [['Service', false]]);
});

test('Namespaces that a selector is held against', () => {
  const term = (namespaceSelector) => ({ topologyKey: 'zone', namespaceSelector });
  const withTerm = (one) =>
    storedPod('p', {
      spec: {
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [one] } },
      },
    });
  const selecting = withTerm(term({ matchLabels: { team: 'a' } }));
  const other = storedPod('q', { metadata: { namespace: 'shop' } });
  assert.deepEqual(short([], { pending: [selecting], bound: [other] }), [
    ['Namespace', 'default', 'shop', true],
  ]);
  assert.deepEqual(short([object('Namespace', 'shop')], { pending: [selecting], bound: [other] }), [
    ['Namespace', 'default', true],
  ]);
  assert.deepEqual(short([], { pending: [other], bound: [selecting] }), [
    ['Namespace', 'shop', true],
  ]);
  const weighted = storedPod('p', {
    spec: {
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              podAffinityTerm: term({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }),
            },
          ],
        },
      },
    },
  });
  assert.deepEqual(short([], { pending: [weighted] }), [['Namespace', 'default', true]]);
  for (const namespaceSelector of [undefined, null, {}])
    assert.deepEqual(
      short([], { pending: [withTerm(term(namespaceSelector))], bound: [other] }),
      [],
    );
});

test('PodDisruptionBudgets, where a pod evicts others', () => {
  const pending = [storedPod('high')];
  const decisions = [{ pod: 'default/high', preemption: { victims: ['default/low'] } }];
  assert.deepEqual(short([], { pending }), []);
  assert.deepEqual(short([], { pending, decisions }), [['PodDisruptionBudget', true]]);
  const budget = object('PodDisruptionBudget', 'b', { group: 'policy', namespace: 'x' });
  assert.deepEqual(short([budget], { pending, decisions }), []);
  const listed = ['PodDisruptionBudget'];
  assert.deepEqual(short([], { pending, decisions, listed }), []);
});

const storage = 'storage.k8s.io';
const withClaim = (name = 'data') =>
  storedPod('p', {
    spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }] },
  });
const claim = (spec) => object('PersistentVolumeClaim', 'data', { namespace: 'default', spec });
const classOf = (provisioner) => object('StorageClass', 'gp3', { group: storage, provisioner });

test('claims, their volumes and classes', () => {
  const pending = [withClaim()];
  assert.deepEqual(short([], { pending }), [['PersistentVolumeClaim', 'default/data', true]]);
  assert.deepEqual(short([claim({ volumeName: 'pv-1' })], { pending }), [
    ['PersistentVolume', 'pv-1', true],
  ]);
  assert.deepEqual(short([claim({ storageClassName: 'gp3' })], { pending }), [
    ['StorageClass', 'gp3', true],
  ]);
  assert.deepEqual(short([claim({})], { pending }), [['StorageClass', true]]);
  assert.deepEqual(short([claim({ storageClassName: '' })], { pending }), [
    ['PersistentVolume', true],
  ]);
  const local = classOf('kubernetes.io/no-provisioner');
  assert.deepEqual(short([claim({ storageClassName: 'gp3' }), local], { pending }), [
    ['PersistentVolume', true],
  ]);
  const ephemeral = storedPod('p', {
    spec: {
      volumes: [
        { name: 'v', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'x' } } } },
      ],
    },
  });
  assert.deepEqual(short([], { pending: [ephemeral] }), [['StorageClass', 'x', true]]);
});

test('kinds that hold limits and capacities of storage drivers', () => {
  const pending = [withClaim()];
  const unbound = [claim({ storageClassName: 'gp3' }), classOf('csi.example'), makeNode('a')];
  assert.deepEqual(short(unbound, { pending }), [
    ['CSIDriver', false],
    ['CSINode', true],
  ]);
  const node = (name, count) =>
    object('CSINode', name, {
      group: storage,
      spec: { drivers: [{ name: 'csi.example', allocatable: { count } }] },
    });
  const driver = object('CSIDriver', 'csi.example', {
    group: storage,
    spec: { storageCapacity: true },
  });
  assert.deepEqual(short([...unbound, makeNode('b'), node('a', 3), driver], { pending }), [
    ['CSINode', 'b', true],
    ['CSIStorageCapacity', true],
  ]);
  const holder = { ...withClaim('other'), metadata: { name: 'q', namespace: 'default' } };
  const limited = [...unbound, node('a', 3), object('CSIDriver', 'x', { group: storage })];
  const found = missing(limited, { pending, bound: [holder] });
  assert.deepEqual(
    found.map(({ kind, names, neededBy, pods, certain }) => [kind, names, neededBy, pods, certain]),
    [
      ['PersistentVolumeClaim', ['default/other'], ['NodeVolumeLimits'], ['default/p'], true],
      ['VolumeAttachment', [], ['NodeVolumeLimits'], ['default/p'], false],
    ],
  );
  const without = [claim({ volumeName: 'pv' }), makeNode('a')];
  const nfs = object('PersistentVolume', 'pv', { spec: { nfs: {} } });
  assert.deepEqual(short([...without, nfs], { pending, bound: [holder] }), []);
  const csi = object('PersistentVolume', 'pv', { spec: { csi: { driver: 'csi.example' } } });
  assert.deepEqual(short([...without, csi], { pending }), [['CSINode', true]]);
});

test('claims on devices', () => {
  const group = 'resource.k8s.io';
  const withDevices = (use, status) =>
    storedPod('p', { spec: { resourceClaims: [{ name: 'gpu', ...use }] }, status });
  const named = withDevices({ resourceClaimName: 'one' });
  assert.deepEqual(short([], { pending: [named] }), [
    ['ResourceClaim', 'default/one', true],
    ['ResourceSlice', true],
  ]);
  const spec = {
    devices: {
      requests: [
        { exactly: { deviceClassName: 'gpu' } },
        { firstAvailable: [{ deviceClassName: 'tpu' }] },
      ],
    },
  };
  const slice = object('ResourceSlice', 's', { group });
  const one = object('ResourceClaim', 'one', { group, namespace: 'default', spec });
  const gpu = object('DeviceClass', 'gpu', { group });
  assert.deepEqual(short([slice, one, gpu], { pending: [named] }), [['DeviceClass', 'tpu', true]]);
  const templated = withDevices({ resourceClaimTemplateName: 't' });
  assert.deepEqual(short([slice], { pending: [templated] }), [
    ['ResourceClaimTemplate', 'default/t', true],
  ]);
  const resourceClaimStatuses = [{ name: 'gpu', resourceClaimName: 'one' }];
  const generated = withDevices({ resourceClaimTemplateName: 't' }, { resourceClaimStatuses });
  assert.deepEqual(short([slice], { pending: [generated] }), [
    ['ResourceClaim', 'default/one', true],
  ]);
});

test('devices of a class, requested as a resource', () => {
  const requests = { cpu: '1', 'deviceclass.resource.kubernetes.io/gpu': '1' };
  const container = { name: 'c', resources: { requests } };
  const group = 'resource.k8s.io';
  const known = [object('ResourceSlice', 's', { group }), object('DeviceClass', 'gpu', { group })];
  const plain = [{ name: 'c' }];
  const specs = [
    { containers: [container] },
    { containers: plain, initContainers: [{ name: 'i' }, container] },
    { containers: plain, overhead: requests },
  ];
  for (const spec of specs) {
    const pod = storedPod('p', { spec });
    assert.deepEqual(short([], { pending: [pod] }), [
      ['DeviceClass', 'gpu', true],
      ['ResourceSlice', true],
    ]);
    assert.deepEqual(short(known, { pending: [pod] }), []);
  }
  // Pod-level resources cannot be of a class.
  const podLevel = storedPod('p', { spec: { containers: plain, resources: { requests } } });
  assert.deepEqual(short([], { pending: [podLevel] }), []);
});

test('the API server’s defaults are added to pods that are not stored yet', () => {
  const whole = { priority: 7, containers };
  const pod = (spec, metadata = made) => makePod('p', { metadata, spec: { ...whole, ...spec } });
  assert.deepEqual(short([], { pending: [pod({})] }), []);
  assert.deepEqual(short([], { pending: [pod({ runtimeClassName: 'kata' })] }), [
    ['RuntimeClass', 'kata', true],
  ]);
  assert.deepEqual(short([], { pending: [pod({ priority: 0 })] }), [['PriorityClass', false]]);
  const half = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
  for (const spec of [{ containers: half }, { initContainers: half }, { initContainers: [{}] }])
    assert.deepEqual(short([], { pending: [pod(spec)] }), [['LimitRange', false]]);
  const stored = { namespace: 'default', creationTimestamp: '2026-01-10T08:00:00Z' };
  const bare = pod({ runtimeClassName: 'kata', priority: 0, containers: half }, stored);
  assert.deepEqual(short([], { pending: [bare] }), [], 'it was added when it was stored');
});
