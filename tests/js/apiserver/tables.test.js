import assert from 'node:assert/strict';
import { test } from 'node:test';

import { humanDuration } from '../../../js/apiserver/tables/cells.js';
import { tableOf } from '../../../js/apiserver/tables.js';
import { NOW, meta, row } from '../support/table_rows.js';

test('durations have the significant units only', () => {
  const [s, m, h, d] = [1000, 60_000, 3_600_000, 86_400_000];
  const cases = [
    [-5 * s, '<invalid>'],
    [-1 * s, '0s'],
    [0, '0s'],
    [119 * s, '119s'],
    [2 * m, '2m'],
    [9 * m + 59 * s, '9m59s'],
    [10 * m + 5 * s, '10m'],
    [179 * m, '179m'],
    [3 * h, '3h'],
    [7 * h + 59 * m, '7h59m'],
    [8 * h + 30 * m, '8h'],
    [47 * h, '47h'],
    [2 * d, '2d'],
    [7 * d + 23 * h, '7d23h'],
    [8 * d + 5 * h, '8d'],
    [729 * d, '729d'],
    [730 * d, '2y'],
    [731 * d, '2y1d'],
    [3000 * d, '8y'],
  ];
  for (const [milliseconds, want] of cases) assert.equal(humanDuration(Number(milliseconds)), want);
});

test('a table has the form that kubectl requests', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: meta(), status: { phase: 'Succeeded' } };
  const metadata = { resourceVersion: '7', continue: 'abc' };
  const table = tableOf({ kind: 'Pod' }, [pod], { now: NOW, metadata });
  assert.deepEqual([table.kind, table.apiVersion], ['Table', 'meta.k8s.io/v1']);
  assert.deepEqual(table.metadata, metadata);
  const shown = table.columnDefinitions.map(
    (/** @type {any} */ column) => `${column.name} ${column.priority}`,
  );
  assert.deepEqual(shown, [
    'Name 0',
    'Ready 0',
    'Status 0',
    'Restarts 0',
    'Age 0',
    'IP 1',
    'Node 1',
    'Nominated Node 1',
    'Readiness Gates 1',
  ]);
  for (const column of table.columnDefinitions) {
    assert.deepEqual(Object.keys(column), ['name', 'type', 'format', 'description', 'priority']);
  }
  assert.equal(table.columnDefinitions[0].format, 'name');
  assert.deepEqual(table.rows[0].conditions, [
    {
      type: 'Completed',
      status: 'True',
      reason: 'Succeeded',
      message: 'The pod has completed successfully.',
    },
  ]);
  assert.deepEqual(table.rows[0].object, {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: pod.metadata,
  });
  const object = (/** @type {string} */ includeObject) =>
    tableOf({ kind: 'Pod' }, [pod], { now: NOW, includeObject }).rows[0].object;
  assert.deepEqual([object('None'), object('Object')], [null, pod]);
  assert.throws(() => object('Some'), { status: 400, code: 'BadRequest' });
  const later = tableOf({ kind: 'Pod' }, [pod], { now: NOW, noHeaders: true });
  assert.equal(later.columnDefinitions, null);
});

test('an empty object of every kind fills its row', () => {
  const kinds = [
    ...['ConfigMap', 'Endpoints', 'Event', 'LimitRange', 'Namespace', 'Node', 'PersistentVolume'],
    ...['PersistentVolumeClaim', 'Pod', 'PodTemplate', 'ReplicationController', 'ResourceQuota'],
    ...['Secret', 'Service', 'ServiceAccount', 'ControllerRevision', 'DaemonSet', 'Deployment'],
    ...['ReplicaSet', 'StatefulSet', 'CronJob', 'Job', 'Ingress', 'IngressClass', 'NetworkPolicy'],
    ...['PodDisruptionBudget', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
    ...['CSIDriver', 'CSINode', 'CSIStorageCapacity', 'StorageClass', 'VolumeAttachment'],
    ...['VolumeAttributesClass', 'PriorityClass', 'Lease', 'RuntimeClass', 'EndpointSlice'],
    ...['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice', 'Thing'],
  ];
  for (const kind of kinds) {
    const { columnDefinitions, rows } = tableOf({ kind }, [{ metadata: { name: 'x' } }], {
      now: NOW,
    });
    assert.equal(rows[0].cells.length, columnDefinitions.length, kind);
    for (const cell of rows[0].cells) assert.match(typeof cell, /^(string|number|boolean)$/, kind);
    assert.ok(rows[0].cells.includes('x'), kind);
  }
});

test('kinds without columns of their own have a name and an age', () => {
  assert.deepEqual(row('Role', {}), { Name: 'x', Age: '5m' });
  assert.deepEqual(row('ConfigMap', { data: { a: '1' } }), { Name: 'x', Age: '5m' });
  assert.deepEqual(row('DeviceClass', {}), { Name: 'x', Age: '5m' });
});
