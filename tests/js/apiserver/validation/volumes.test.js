/** Tests invalid volumes, claims and their classes: all faults. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { inDefault } from '../workloads.js';
import { container, faultsOf, podFaults } from './refusals.js';

/** @param {string} resource @param {object} object */
function faults(resource, object) {
  const { store } = new AskedServer();
  return faultsOf(() => store.create(resource, object));
}

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const VOLUME = {
  accessModes: ['ReadWriteOnce'],
  capacity: { storage: '1Gi' },
  hostPath: { path: '/a' },
};

/** @param {object} spec */
const ofClaim = (spec) =>
  faults('persistentvolumeclaims', {
    metadata: { name: 'c', ...inDefault },
    spec: { ...CLAIM, ...spec },
  });

/** @param {object} spec */
const ofVolume = (spec) =>
  faults('persistentvolumes', { metadata: { name: 'v' }, spec: { ...VOLUME, ...spec } });

/** @param {object} spec */
const ofEphemeral = (spec) => {
  const ephemeral = { volumeClaimTemplate: { spec: { ...CLAIM, ...spec } } };
  return podFaults({ containers: [container({})], volumes: [{ name: 'v', ephemeral }] });
};

const MODES = '"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"';
const AT_TEMPLATE = 'spec.volumes[0].ephemeral.volumeClaimTemplate.';

test('claims, volumes and templates of claims have known modes', () => {
  const cases = /** @type {[object, string[]][]} */ ([
    [{}, []],
    [
      { accessModes: ['Foo', 'ReadWriteOnce', 'Bar'] },
      ['Foo', 'Bar'].map(
        (mode) => `spec.accessModes: Unsupported value: "${mode}": supported values: ${MODES}`,
      ),
    ],
    [
      { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
      ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
    ],
    [{ accessModes: ['ReadWriteOncePod'] }, []],
    [
      { volumeMode: 'Foo' },
      ['spec.volumeMode: Unsupported value: "Foo": supported values: "Block", "Filesystem"'],
    ],
    [{ volumeMode: 'Block' }, []],
  ]);
  for (const [spec, expected] of cases) {
    const about = JSON.stringify(spec);
    assert.deepEqual(ofClaim(spec), expected, about);
    assert.deepEqual(ofVolume(spec), expected, about);
    const inTemplate = expected.map((fault) => `${AT_TEMPLATE}${fault}`);
    assert.deepEqual(ofEphemeral(spec), inTemplate, about);
  }
});

test('a claim selects volumes by valid labels, and asks for storage', () => {
  const selector = { matchExpressions: [{ key: 'a', operator: 'Foo' }] };
  const resources = (/** @type {string} */ storage) => ({ resources: { requests: { storage } } });
  const storage = 'spec.resources[storage]';
  const cases = /** @type {[object, string][]} */ ([
    [
      { selector },
      'spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector ' +
        'operator',
    ],
    [resources('-1'), `${storage}: Invalid value: "-1": must be greater than zero`],
    [resources('0'), `${storage}: Invalid value: "0": must be greater than zero`],
    [{ resources: {} }, `${storage}: Required value`],
  ]);
  for (const [spec, fault] of cases) {
    assert.deepEqual(ofClaim(spec), [fault]);
    assert.deepEqual(ofEphemeral(spec), [`${AT_TEMPLATE}${fault}`]);
  }
});

test('policies and modes of volumes and StorageClasses have known values', () => {
  const supported = (/** @type {string[]} */ ...values) =>
    `Unsupported value: "Foo": supported values: ${values.map((one) => `"${one}"`).join(', ')}`;
  assert.deepEqual(ofVolume({ persistentVolumeReclaimPolicy: 'Foo' }), [
    `spec.persistentVolumeReclaimPolicy: ${supported('Delete', 'Recycle', 'Retain')}`,
  ]);
  const ofClass = (/** @type {object} */ fields) =>
    faults('storageclasses', { metadata: { name: 's' }, provisioner: 'example.com/p', ...fields });
  assert.deepEqual(ofClass({ reclaimPolicy: 'Foo' }), [
    `reclaimPolicy: ${supported('Delete', 'Retain')}`,
  ]);
  assert.deepEqual(ofClass({ volumeBindingMode: 'Foo' }), [
    `volumeBindingMode: ${supported('Immediate', 'WaitForFirstConsumer')}`,
  ]);
  assert.deepEqual(ofClass({ reclaimPolicy: '' }), []);
});
