// Goal: a manifest changes a stored object as `kubectl apply` does. Method: cases of what stays,
// what is replaced, and what is removed; the objects that went in are unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appliedManifest } from '../../../js/src/kubernetes/applied_manifest.js';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** @param {object} spec @param {object} [more] */
const claim = (spec, { metadata = {}, ...more } = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'shop', ...metadata },
  spec,
  ...more,
});

test('fields that the manifest does not have stay, and the server’s metadata', () => {
  const stored = claim(
    { volumeName: 'pv-1', resources: { requests: { storage: '1Gi' } }, accessModes: ['A', 'B'] },
    {
      metadata: { uid: 'u', resourceVersion: '7', annotations: { bound: 'yes' } },
      status: { phase: 'Bound' },
    },
  );
  const manifest = claim(
    { resources: { requests: { storage: '2Gi' } }, accessModes: ['A'] },
    { metadata: { uid: 'other', creationTimestamp: null, labels: { a: 'b' } }, status: {} },
  );
  const before = structuredClone([manifest, stored]);
  assert.deepEqual(
    appliedManifest(manifest, stored),
    claim(
      { volumeName: 'pv-1', resources: { requests: { storage: '2Gi' } }, accessModes: ['A'] },
      {
        metadata: {
          uid: 'u',
          resourceVersion: '7',
          annotations: { bound: 'yes' },
          labels: { a: 'b' },
        },
        status: { phase: 'Bound' },
      },
    ),
  );
  assert.deepEqual([manifest, stored], before);
});

test('fields that only the last applied manifest had are removed, others’ fields are not', () => {
  const node = (/** @type {object} */ metadata, /** @type {object} */ more) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a', ...metadata },
    ...more,
  });
  const before = node({ labels: { disk: 'ssd', old: '1' } }, { spec: { taints: [{ key: 'a' }] } });
  const stored = node(
    {
      labels: { disk: 'ssd', old: '1', zone: 'z' },
      annotations: { [LAST_APPLIED]: JSON.stringify(before) },
    },
    { spec: { taints: [{ key: 'a' }], podCIDR: '10.0.0.0/24' } },
  );
  const applied = appliedManifest(node({ labels: { disk: 'hdd' } }, {}), stored);
  assert.deepEqual(applied.metadata.labels, { disk: 'hdd', zone: 'z' });
  assert.equal(applied.spec, undefined, 'the spec as a whole was in the manifest before');
  const kept = appliedManifest(node({}, { spec: {} }), stored);
  assert.deepEqual(kept.spec, { podCIDR: '10.0.0.0/24' });
  for (const text of ['{', '[]', 'null', 7]) {
    const odd = node({ annotations: { [LAST_APPLIED]: text }, labels: { a: 'b' } }, {});
    assert.deepEqual(appliedManifest(node({}, {}), odd).metadata.labels, { a: 'b' });
  }
});

test('a status in the manifest replaces the stored one', () => {
  const stored = claim({}, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } });
  const { status } = appliedManifest(claim({}, { status: { phase: 'Lost' } }), stored);
  assert.deepEqual(status, { phase: 'Lost' });
});

test('of another version only the status and the server’s metadata stay', () => {
  const stored = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', namespace: 'shop', uid: 'u' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
    status: { allocation: {} },
  };
  const manifest = {
    apiVersion: 'resource.k8s.io/v1beta1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', namespace: 'shop' },
    spec: { devices: { requests: [{ name: 'r', deviceClassName: 'gpu' }] } },
  };
  assert.deepEqual(appliedManifest(manifest, stored), {
    ...manifest,
    metadata: { ...manifest.metadata, uid: 'u' },
    status: { allocation: {} },
  });
});

test('names that every object inherits are fields like others', () => {
  const manifest = claim({}, { metadata: { labels: JSON.parse('{"__proto__":"a"}') } });
  const stored = claim({}, { metadata: { labels: { constructor: 'b' } } });
  const { labels } = appliedManifest(manifest, stored).metadata;
  assert.deepEqual(Object.entries(labels), [
    ['constructor', 'b'],
    ['__proto__', 'a'],
  ]);
});
