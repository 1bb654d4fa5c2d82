// Goal: a list is taken for one of the kind that was asked for only if it says so; API servers name
// all kinds that a scheduler watches as it is guessed here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkListKind } from '../../../js/src/informer/list_kind.js';
import { SCHEDULER_KINDS } from '../../../js/src/kubernetes/watched_kinds.js';

const bytesOf = (/** @type {unknown} */ list) => new TextEncoder().encode(JSON.stringify(list));
const check = (/** @type {unknown} */ list, /** @type {any} */ kind) =>
  checkListKind(bytesOf(list), kind);

const NAMES = {
  nodes: 'Node',
  pods: 'Pod',
  namespaces: 'Namespace',
  services: 'Service',
  replicationcontrollers: 'ReplicationController',
  replicasets: 'ReplicaSet',
  statefulsets: 'StatefulSet',
  poddisruptionbudgets: 'PodDisruptionBudget',
  persistentvolumes: 'PersistentVolume',
  persistentvolumeclaims: 'PersistentVolumeClaim',
  storageclasses: 'StorageClass',
  csinodes: 'CSINode',
  csidrivers: 'CSIDriver',
  csistoragecapacities: 'CSIStorageCapacity',
  volumeattachments: 'VolumeAttachment',
  resourceclaims: 'ResourceClaim',
  resourceslices: 'ResourceSlice',
  deviceclasses: 'DeviceClass',
};

test('takes the lists of all kinds that a scheduler watches, and none of another', () => {
  for (const kind of SCHEDULER_KINDS) {
    const { group, version, resource } = kind;
    const apiVersion = group ? `${group}/${version}` : version;
    for (const [other, name] of Object.entries(NAMES)) {
      const list = { kind: `${name}List`, apiVersion };
      if (other === resource) check(list, kind);
      else assert.throws(() => check(list, kind), { code: 'FieldValueInvalid', field: 'kind' });
    }
  }
});

test('accepts lists that name their kind, and kinds with irregular plurals', () => {
  const mice = { group: 'example.com', version: 'v1', resource: 'mice' };
  check({ kind: 'List', apiVersion: 'v1' }, mice);
  check({ kind: 'MouseList', apiVersion: 'example.com/v1' }, mice);
  check({ items: [{ kind: 'x' }], apiVersion: 'v1', kind: 'PodList' }, SCHEDULER_KINDS[1]);
});

test('rejects bodies that are not lists, or of another version', () => {
  const [nodes] = SCHEDULER_KINDS;
  for (const [list, field] of /** @type {[any, string][]} */ ([
    [{}, 'kind'],
    [{ kind: null, apiVersion: 'v1' }, 'kind'],
    [{ kind: 7, apiVersion: 'v1' }, 'kind'],
    [{ kind: 'Status', apiVersion: 'v1' }, 'kind'],
    [{ kind: 'NodeList' }, 'apiVersion'],
    [{ kind: 'NodeList', apiVersion: 'metrics.k8s.io/v1' }, 'apiVersion'],
  ]))
    assert.throws(() => check(list, nodes), { code: 'FieldValueInvalid', field });
});
