import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CREATED, meta, row, some } from '../../support/table_rows.js';

test('the rows of nodes have their status and roles', () => {
  const cells = row('Node', {
    metadata: meta({
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node-role.kubernetes.io/control-plane': '',
        'kubernetes.io/role': 'edge',
      },
    }),
    spec: { unschedulable: true },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.0.0.9' }],
      nodeInfo: { kubeletVersion: 'v1.36.0', osImage: 'Debian' },
    },
  });
  assert.deepEqual(cells, {
    Name: 'x',
    Status: 'Ready,SchedulingDisabled',
    Roles: 'control-plane,edge,worker',
    Age: '5m',
    Version: 'v1.36.0',
    'Internal-IP': '10.0.0.9',
    'External-IP': '<none>',
    'OS-Image': 'Debian',
    'Kernel-Version': '<unknown>',
    'Container-Runtime': '<unknown>',
  });
  const notReady = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
  assert.equal(row('Node', notReady).Status, 'NotReady');
  assert.equal(row('Node', {}).Status, 'Unknown');
});

test('workloads count their pods', () => {
  const template = {
    spec: {
      containers: [
        { name: 'a', image: 'i:1' },
        { name: 'b', image: 'j' },
      ],
    },
  };
  const selector = { matchLabels: { app: 'x' } };
  const deployment = row('Deployment', {
    spec: { replicas: 3, template, selector },
    status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
  });
  assert.deepEqual(Object.values(deployment), ['x', '2/3', 3, 1, '5m', 'a,b', 'i:1,j', 'app=x']);
  const expressions = {
    matchLabels: { b: '1' },
    matchExpressions: [
      { key: 'c', operator: 'In', values: ['y', 'x'] },
      { key: 'a', operator: 'NotIn', values: ['z'] },
      { key: 'd', operator: 'Exists' },
      { key: 'e', operator: 'DoesNotExist' },
    ],
  };
  const set = row('ReplicaSet', {
    spec: { replicas: 3, template, selector: expressions },
    status: { replicas: 2, readyReplicas: 1 },
  });
  const shown = ['x', 3, 2, 1, '5m', 'a,b', 'i:1,j', 'a notin (z),b=1,c in (x,y),d,!e'];
  assert.deepEqual(Object.values(set), shown);
  const rc = row('ReplicationController', { spec: { replicas: 1, selector: { b: '2', a: '1' } } });
  assert.equal(rc.Selector, 'a=1,b=2');
  assert.equal(row('StatefulSet', { spec: { replicas: 2 } }).Ready, '0/2');
  const daemons = row('DaemonSet', {
    spec: { selector, template: { spec: { nodeSelector: { disk: 'ssd' } } } },
    status: { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3 },
  });
  assert.deepEqual(some(daemons, 'Desired', 'Current', 'Ready', 'Node Selector'), [
    5,
    4,
    3,
    'disk=ssd',
  ]);
});

test('jobs say how far they are', () => {
  const condition = (/** @type {string} */ type) => ({ conditions: [{ type, status: 'True' }] });
  const cases = [
    { spec: { completions: 3 }, status: { succeeded: 1 }, want: ['Running', '1/3', ''] },
    { spec: { parallelism: 2 }, status: {}, want: ['Running', '0/1 of 2', ''] },
    { spec: {}, status: condition('Complete'), want: ['Complete', '0/1', ''] },
    { spec: {}, status: condition('Failed'), want: ['Failed', '0/1', ''] },
    { spec: {}, status: condition('Suspended'), want: ['Suspended', '0/1', ''] },
    { spec: {}, status: condition('FailureTarget'), want: ['FailureTarget', '0/1', ''] },
    {
      spec: { completions: 1 },
      status: { startTime: '2026-01-02T11:59:50Z' },
      want: ['Running', '0/1', '10s'],
    },
    {
      spec: { completions: 1 },
      status: {
        succeeded: 1,
        startTime: '2026-01-02T11:00:00Z',
        completionTime: '2026-01-02T11:00:42Z',
        ...condition('Complete'),
      },
      want: ['Complete', '1/1', '42s'],
    },
  ];
  for (const { spec, status, want } of cases) {
    assert.deepEqual(some(row('Job', { spec, status }), 'Status', 'Completions', 'Duration'), want);
  }
  const deleted = row('Job', { metadata: meta({ deletionTimestamp: CREATED }) });
  assert.equal(deleted.Status, 'Terminating');
  const cron = row('CronJob', {
    spec: { schedule: '* * * * *', suspend: false },
    status: { active: [{}], lastScheduleTime: '2026-01-02T11:59:00Z' },
  });
  const columns = ['Schedule', 'Timezone', 'Suspend', 'Active', 'Last Schedule'];
  assert.deepEqual(some(cron, ...columns), ['* * * * *', '<none>', 'False', 1, '60s']);
});

test('the rows of volumes and claims name the object that they are bound to', () => {
  const volume = row('PersistentVolume', {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace: 'default', name: 'c' },
      storageClassName: 'fast',
      volumeMode: 'Filesystem',
    },
    status: { phase: 'Bound' },
  });
  assert.deepEqual(Object.values(volume), [
    ...['x', '1Gi', 'RWO,RWX', 'Retain', 'Bound', 'default/c', 'fast', '<unset>', '', '5m'],
    'Filesystem',
  ]);
  const spec = { storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } };
  const pending = row('PersistentVolumeClaim', { spec, status: { phase: 'Pending' } });
  assert.deepEqual(some(pending, 'Status', 'Volume', 'Capacity', 'Access Modes'), [
    'Pending',
    '',
    '',
    '',
  ]);
  const bound = row('PersistentVolumeClaim', {
    metadata: meta({ deletionTimestamp: CREATED }),
    spec: { ...spec, volumeName: 'v' },
    status: { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOncePod'] },
  });
  const shown = some(bound, 'Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass');
  assert.deepEqual(shown, ['Terminating', 'v', '2Gi', 'RWOP', 'fast']);
});

test('storage classes and drivers have their defaults', () => {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const fast = row('StorageClass', { metadata: meta({ annotations }), provisioner: 'p' });
  assert.deepEqual(Object.values(fast), ['x (default)', 'p', 'Delete', 'Immediate', false, '5m']);
  const driver = row('CSIDriver', {
    spec: { tokenRequests: [{ audience: 'a' }, { audience: 'b' }], storageCapacity: true },
  });
  assert.deepEqual(Object.values(driver), ['x', true, false, true, 'a,b', false, '<none>', '5m']);
  assert.equal(row('CSINode', { spec: { drivers: [{}, {}] } }).Drivers, 2);
  assert.equal(
    row('CSIStorageCapacity', { storageClassName: 'c', capacity: '5Gi' }).Capacity,
    '5Gi',
  );
  const attachment = row('VolumeAttachment', {
    spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    status: { attached: true },
  });
  assert.deepEqual(Object.values(attachment), ['x', 'a', 'v', 'n', true, '5m']);
});

test('events are printed from both groups alike', () => {
  const core = {
    involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec.containers{c}' },
    type: 'Warning',
    reason: 'Failed',
    message: ' no room \n',
    source: { component: 'kubelet', host: 'n1' },
    firstTimestamp: '2026-01-02T11:00:00Z',
    lastTimestamp: '2026-01-02T11:59:00Z',
    count: 3,
  };
  const want = [
    '60s',
    'Warning',
    'Failed',
    'pod/web',
    'spec.containers{c}',
    'kubelet, n1',
    'no room',
    '60m',
    3,
    'x',
  ];
  assert.deepEqual(Object.values(row('Event', core)), want);
  const events = {
    regarding: core.involvedObject,
    type: 'Warning',
    reason: 'Failed',
    note: 'no room',
    deprecatedSource: core.source,
    deprecatedFirstTimestamp: core.firstTimestamp,
    deprecatedLastTimestamp: core.lastTimestamp,
    deprecatedCount: 3,
  };
  assert.deepEqual(Object.values(row('Event', events)), want);
  const series = {
    eventTime: '2026-01-02T11:00:00.000000Z',
    series: { count: 7, lastObservedTime: '2026-01-02T11:59:30.000000Z' },
    regarding: { kind: 'Pod', name: 'web' },
    reportingController: 'default-scheduler',
    reportingInstance: 'h',
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
  };
  const cells = row('Event', series);
  assert.deepEqual(some(cells, 'Last Seen', 'First Seen', 'Count', 'Source'), [
    '30s',
    '60m',
    7,
    'default-scheduler, h',
  ]);
});

test('services say how they are reached', () => {
  const ports = [
    { port: 80, protocol: 'TCP' },
    { port: 443, nodePort: 30443, protocol: 'TCP' },
  ];
  const spec = { type: 'NodePort', clusterIPs: ['10.1.1.1'], ports, selector: { app: 'x' } };
  assert.deepEqual(Object.values(row('Service', { spec })), [
    ...['x', 'NodePort', '10.1.1.1', '<none>', '80/TCP,443:30443/TCP', '5m', 'app=x'],
  ]);
  const external = (/** @type {object} */ service) => row('Service', service)['External-IP'];
  assert.equal(external({ spec: { type: 'LoadBalancer' } }), '<pending>');
  const ingress = [{ ip: '2.2.2.2' }, { hostname: 'a.example' }];
  const balanced = {
    spec: { type: 'LoadBalancer', externalIPs: ['3.3.3.3'] },
    status: { loadBalancer: { ingress } },
  };
  assert.equal(external(balanced), '2.2.2.2,a.example,3.3.3.3');
  assert.equal(
    external({ spec: { type: 'ExternalName', externalName: 'db.example' } }),
    'db.example',
  );
});

test('the rows of the other kinds that schedulers read', () => {
  assert.deepEqual(Object.values(row('Namespace', { status: { phase: 'Active' } })), [
    'x',
    'Active',
    '5m',
  ]);
  assert.deepEqual(Object.values(row('PriorityClass', { value: 9, preemptionPolicy: 'Never' })), [
    'x',
    9,
    false,
    '5m',
    'Never',
  ]);
  assert.deepEqual(Object.values(row('Lease', { spec: { holderIdentity: 'me' } })), [
    'x',
    'me',
    '5m',
  ]);
  const budget = row('PodDisruptionBudget', {
    spec: { minAvailable: '50%' },
    status: { disruptionsAllowed: 1 },
  });
  assert.deepEqual(Object.values(budget), ['x', '50%', 'N/A', 1, '5m']);
  const quota = row('ResourceQuota', {
    status: { hard: { pods: '9', 'limits.cpu': '4', cpu: '2' }, used: { pods: '1' } },
  });
  assert.deepEqual(Object.values(quota), ['x', 'cpu: 0/2, pods: 1/9', 'limits.cpu: 0/4', '5m']);
  const slice = row('ResourceSlice', { spec: { nodeName: 'n', driver: 'd', pool: { name: 'p' } } });
  assert.deepEqual(Object.values(slice), ['x', 'n', 'd', 'p', '5m']);
  const allocation = { devices: {} };
  const claims = [
    { status: {}, want: 'pending' },
    { status: { allocation }, want: 'allocated' },
    { status: { allocation, reservedFor: [{}] }, want: 'allocated,reserved' },
    {
      metadata: meta({ deletionTimestamp: CREATED }),
      status: { allocation, reservedFor: [{}] },
      want: 'deleted,allocated,reserved',
    },
    { metadata: meta({ deletionTimestamp: CREATED }), status: {}, want: 'deleted' },
  ];
  for (const { want, ...claim } of claims) assert.equal(row('ResourceClaim', claim).State, want);
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', controller: true };
  const revision = row('ControllerRevision', {
    metadata: meta({ ownerReferences: [owner] }),
    revision: 2,
  });
  assert.deepEqual(Object.values(revision), ['x', 'daemonset.apps/d', 2, '5m']);
});
