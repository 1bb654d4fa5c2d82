import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymize } from '../../../js/src/snapshot/anonymize.js';
import { snapshotOf, strip } from '../../../js/src/snapshot/snapshot.js';

test('a snapshot’s pod lacks the fields that the scheduler does not read', () => {
  const metadata = {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    labels: { app: 'web' },
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const spec = {
    nodeName: 'a',
    priority: 7,
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  };
  const container = { name: 'c', image: 'web:1', resources: { requests: { cpu: '1' } } };
  const whole = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2' },
      managedFields: [{ manager: 'kubectl' }],
    },
    spec: {
      ...spec,
      serviceAccountName: 'web',
      volumes: [...spec.volumes, { name: 's', secret: { secretName: 'hunter2' } }],
      containers: [
        {
          ...container,
          env: [{ name: 'PASSWORD', value: 'hunter2' }],
          envFrom: [{ secretRef: { name: 'hunter2' } }],
          command: ['sh', '-c', 'hunter2'],
        },
      ],
    },
    status: { phase: 'Running', podIP: '10.0.0.1', hostIP: '10.0.0.2' },
  };
  assert.deepEqual(strip(whole), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { ...spec, volumes: [...spec.volumes, { name: 's' }], containers: [container] },
    status: { phase: 'Running' },
  });
});

test('annotations that decide stay, others go', () => {
  const claim = (/** @type {object} */ annotations) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', annotations },
  });
  const read = { 'pv.kubernetes.io/bind-completed': 'yes' };
  assert.deepEqual(strip(claim({ ...read, 'acme.io/owner': 'me' })), claim(read));
  assert.deepEqual(strip(claim({ 'acme.io/owner': 'me' }))?.metadata, { name: 'data' });
});

test('of the manifest that kubectl applied last, the read fields stay', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration';
  const stored = (/** @type {string} */ kind, /** @type {any} */ spec) => {
    const manifest = { kind, metadata: { name: 'x', annotations: { 'acme.io/x': 'y' } }, spec };
    const annotations = { [key]: JSON.stringify({ apiVersion: 'v1', ...manifest }) };
    return { apiVersion: 'v1', ...manifest, metadata: { name: 'x', annotations } };
  };
  const appliedTo = (/** @type {any} */ object) => JSON.parse(object.metadata.annotations[key]);
  const taints = [{ key: 'acme', effect: 'NoSchedule' }];
  const node = stored('Node', { taints, providerID: 'hunter2' });
  assert.deepEqual(appliedTo(strip(node)), { metadata: { name: 'x' }, spec: { taints } });
  const deployment = stored('Deployment', { replicas: 3, template: { spec: {} }, paused: true });
  assert.deepEqual(appliedTo(strip(deployment)), { spec: { replicas: 3 } });
  assert.equal(strip(stored('Pod', {}))?.metadata.annotations, undefined, 'it is replaced');
  const [{ metadata, spec }] = anonymize([node]).snapshot.items;
  assert.deepEqual(appliedTo({ metadata }), { metadata: { name: metadata.name }, spec });
});

test('fields of volumes that are only compared become digests, equal if the fields are', () => {
  const podOf = (/** @type {object[]} */ ...volumes) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { volumes },
  });
  const flex = (/** @type {string} */ password) => ({
    name: 'v',
    flexVolume: { driver: 'acme.io/cifs', options: { password } },
  });
  const csi = {
    driver: 'ebs.csi.aws.com',
    readOnly: true,
    volumeAttributes: { token: 'hunter2' },
  };
  const rbd = { monitors: ['10.0.0.1'], pool: 'p', image: 'i', keyring: 'hunter2' };
  const pods = [
    podOf(flex('hunter2'), { name: 'e', emptyDir: {} }),
    podOf(flex('hunter3'), { name: 'c', csi }),
    podOf(flex('hunter2'), { name: 'r', rbd }),
  ];
  const list = snapshotOf(pods);
  const same = { name: 'v', flexVolume: { digest: '1' } };
  assert.deepEqual(list.items, [
    podOf(same, { name: 'e', emptyDir: {} }),
    podOf(
      { name: 'v', flexVolume: { digest: '2' } },
      { name: 'c', csi: { driver: 'ebs.csi.aws.com', digest: '3' } },
    ),
    podOf(same, { name: 'r', rbd: { monitors: ['10.0.0.1'], pool: 'p', image: 'i', digest: '4' } }),
  ]);
  assert.deepEqual(snapshotOf(list.items), list, 'there is no less to read');
  assert.doesNotMatch(JSON.stringify(anonymize(pods).snapshot), /hunter|acme/);
});

test('a snapshot has no configuration of devices', () => {
  const opaque = { driver: 'gpu.acme.io', parameters: { token: 'hunter2' } };
  const request = { name: 'r', exactly: { deviceClassName: 'gpu', count: 1 } };
  const result = { request: 'r', driver: 'gpu.acme.io', pool: 'a', device: 'gpu-0' };
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c' },
    spec: { devices: { requests: [request], config: [{ opaque }] } },
    status: {
      allocation: { devices: { results: [result], config: [{ source: 'FromClaim', opaque }] } },
      devices: [{ driver: 'gpu.acme.io', pool: 'a', device: 'gpu-0', data: { key: 'hunter2' } }],
    },
  };
  const template = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 't' },
    spec: { spec: claim.spec },
  };
  const ofDevices = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression: 'true' } }], config: [{ opaque }] },
  };
  const read = { devices: { requests: [request] } };
  assert.deepEqual(snapshotOf([claim, template, ofDevices]).items, [
    {
      ...claim,
      spec: read,
      status: {
        allocation: { devices: { results: [result] } },
        devices: [{ driver: 'gpu.acme.io', pool: 'a', device: 'gpu-0' }],
      },
    },
    { ...template, spec: { spec: read } },
    { ...ofDevices, spec: { selectors: ofDevices.spec.selectors } },
  ]);
  assert.doesNotMatch(JSON.stringify(anonymize([claim, template, ofDevices]).snapshot), /hunter2/);
});

test('kinds of others, and secrets, are not in it; devices and their attributes are', () => {
  const slice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's' },
    spec: {
      driver: 'gpu.acme.io',
      devices: [{ name: 'gpu-0', attributes: { model: { string: 'x' } } }],
    },
  };
  const items = [
    slice,
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
    { apiVersion: 'acme.io/v1', kind: 'Node', metadata: { name: 'x' } },
    { kind: 'constructor' },
  ];
  assert.deepEqual(snapshotOf(items), {
    apiVersion: 'v1',
    kind: 'List',
    reduced: true,
    items: [slice],
  });
});

test('resources keep their names', () => {
  const names = ['nvidia.com/gpu', 'example.com/odd/', 'hugepages-2Mi', 'requests.a.io/b', 'plain'];
  const allocatable = Object.fromEntries(names.map((name) => [name, '1']));
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, status: { allocatable } };
  assert.deepEqual(snapshotOf([node]).items, [node]);
  const hard = { 'requests.nvidia.com/gpu': '1', 'count/jobs.batch': '1', 'limits.cpu': '1' };
  const metadata = { name: 'q', namespace: 'n' };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard } };
  assert.deepEqual(snapshotOf([quota]).items, [quota]);
});
