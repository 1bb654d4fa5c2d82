// Goal: fields that Kubernetes never changes are not changed. Method: an object of each kind, an
// update of such a field, and the words of the refusal; an update of another field is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { inDefault } from '../workloads.js';
import { faultsOf } from './refusals.js';

const WHEN_SET = 'Forbidden: field is immutable when `immutable` is set';
const CIDR = 'Forbidden: node updates may not change podCIDR except from "" to valid';
const PROVIDER = 'Forbidden: node updates may not change providerID except from "" to valid';

/** @type {[string, object, object, string[]][]} */
const CASES = [
  [
    'configmaps',
    { immutable: true, data: { a: '1' } },
    { immutable: undefined, data: { a: '2' }, binaryData: { b: 'MQ==' } },
    [`immutable: ${WHEN_SET}`, `data: ${WHEN_SET}`, `binaryData: ${WHEN_SET}`],
  ],
  [
    'secrets',
    { immutable: true, type: 'a/b', data: { a: 'MQ==' } },
    { type: 'c/d', data: { a: 'Mg==' } },
    ['type: Invalid value: "c/d": field is immutable', `data: ${WHEN_SET}`],
  ],
  [
    'rolebindings',
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' } },
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'q' } },
    [
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role",' +
        '"Name":"q"}: cannot change roleRef',
    ],
  ],
  [
    'controllerrevisions',
    { revision: 1, data: { a: 1 } },
    { data: { a: 2 } },
    ['data: Invalid value: {"a":2}: field is immutable'],
  ],
  [
    'ingressclasses',
    { spec: { controller: 'a.b/c' } },
    { spec: { controller: 'd.e/f' } },
    ['spec.controller: Invalid value: "d.e/f": field is immutable'],
  ],
  [
    'nodes',
    { spec: { providerID: 'a', podCIDR: '10.1.0.0/24' } },
    { spec: { providerID: 'b', podCIDR: '10.2.0.0/24' } },
    [`spec.podCIDRs: ${CIDR}`, `spec.providerID: ${PROVIDER}`],
  ],
  [
    'services',
    { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.9' } },
    { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.8' } },
    ['spec.clusterIPs[0]: Invalid value: ["10.0.0.8"]: may not change once set'],
  ],
];

const CLUSTER_SCOPED = ['ingressclasses', 'nodes', 'volumeattachments'];

/** @param {string} resource @param {object} fields */
function stored(resource, fields) {
  const { store } = new AskedServer();
  const place = CLUSTER_SCOPED.includes(resource) ? {} : inDefault;
  return {
    store,
    object: store.create(resource, { metadata: { name: 'x', ...place }, ...fields }),
  };
}

for (const [resource, fields, change, faults] of CASES)
  test(`fields of ${resource} stay`, () => {
    const { store, object } = stored(resource, fields);
    assert.deepEqual(
      faultsOf(() => store.update(resource, { ...object, ...change })),
      faults,
    );
    const metadata = { ...object.metadata, labels: { a: 'b' } };
    assert.deepEqual(store.update(resource, { ...object, metadata }).metadata.labels, { a: 'b' });
  });

test('the spec of an attachment stays', () => {
  const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } };
  const { store, object } = stored('volumeattachments', { spec });
  const moved = { ...object, spec: { ...spec, nodeName: 'm' } };
  assert.match(
    faultsOf(() => store.update('volumeattachments', moved))[0],
    /^spec: .*: field is immutable$/,
  );
});

test('a bound claim asks for more than it has', () => {
  const requests = (/** @type {string} */ storage) => ({ requests: { storage } });
  const spec = { accessModes: ['ReadWriteOnce'], resources: requests('3Gi') };
  const { store, object } = stored('persistentvolumeclaims', { spec });
  const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
  const bound = store.update(
    'persistentvolumeclaims',
    { ...object, status },
    { subresource: 'status' },
  );
  const resize = (/** @type {string} */ size) => () =>
    store.update('persistentvolumeclaims', {
      ...bound,
      metadata: { ...bound.metadata, resourceVersion: undefined },
      spec: { ...bound.spec, resources: requests(size) },
    });
  assert.deepEqual(faultsOf(resize('1024Mi')), [
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ]);
  assert.deepEqual(faultsOf(resize('2Gi')), []);
  assert.deepEqual(faultsOf(resize('4Gi')), []);
});
