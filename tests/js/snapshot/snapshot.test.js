import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshotOf, strip } from '../../../js/src/snapshot/snapshot.js';

test('a pod without what no scheduler reads', () => {
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

test('kinds of others, and secrets, are not in it; devices are, whole', () => {
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
  assert.deepEqual(snapshotOf(items), { apiVersion: 'v1', kind: 'List', items: [slice] });
});
