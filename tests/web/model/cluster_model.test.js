import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createJsonApiServer } from '../../../js/apiserver/index.js';
import { ClusterModel } from '../../../web/src/model/cluster_model.js';
import { node, pod } from '../world/objects.js';

/** @param {import('node:test').TestContext} t @param {object[]} objects */
function modelOf(t, objects) {
  const server = createJsonApiServer({ objects });
  const model = new ClusterModel(server.store);
  t.after(() => {
    model.dispose();
    server.dispose();
  });
  return { model, store: server.store };
}

test('ClusterModel.take returns the full state first, then deltas', (t) => {
  const { model, store } = modelOf(t, [node('a'), node('b'), pod('web', '500m')]);
  const first = model.take();
  assert.deepEqual(
    [first.isWhole, first.nodes.map(({ name }) => name), first.pods.map(({ key }) => key)],
    [true, ['a', 'b'], ['default/web']],
  );
  assert.deepEqual(model.take(), {
    isWhole: false,
    nodes: [],
    pods: [],
    workloads: [],
    goneNodes: [],
    gonePods: [],
    goneWorkloads: [],
    slices: [],
    goneSlices: [],
    claims: [],
    goneClaims: [],
  });
  store.bind('default', 'web', { metadata: {}, target: { name: 'b' } });
  store.delete('nodes', '', 'a');
  const { nodes, pods, goneNodes } = model.take();
  assert.deepEqual([nodes, pods.map((row) => row.node), goneNodes], [[], ['b'], ['a']]);
});

test('a row of a node has what the page draws of it', (t) => {
  const whole = {
    ...node('a', '1500m'),
    metadata: { name: 'a', labels: { 'topology.kubernetes.io/zone': 'z1' } },
    spec: { unschedulable: true, taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
  };
  const { model } = modelOf(t, [whole]);
  assert.deepEqual(model.take().nodes, [
    {
      name: 'a',
      zone: 'z1',
      isUnschedulable: true,
      taints: ['gpu=yes:NoSchedule'],
      labels: { 'topology.kubernetes.io/zone': 'z1' },
      allocatable: { cpu: 1.5, memory: 4 * 2 ** 30, pods: 10 },
    },
  ]);
});

test('a row of a pod has what the page draws of it', (t) => {
  const { spec } = pod('web', '250m');
  const owned = {
    ...pod('web'),
    metadata: {
      name: 'web',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: '1', controller: true },
      ],
    },
    spec: {
      ...spec,
      overhead: { cpu: '50m' },
      initContainers: [{ name: 'i', image: 'x', resources: { requests: { memory: '1Gi' } } }],
      schedulingGates: [{ name: 'wait' }],
      schedulingGroup: { podGroupName: 'training' },
    },
  };
  const { model } = modelOf(t, [owned]);
  assert.deepEqual(model.take().pods, [
    {
      key: 'default/web',
      node: '',
      nominatedNode: '',
      phase: 'Pending',
      priority: 0,
      workload: 'ReplicaSet/web-1',
      podGroup: 'default/training',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
      isTerminating: false,
      requests: { cpu: 0.3, memory: 2 ** 30 },
    },
  ]);
});

test('rows of workloads have wanted and ready pods', (t) => {
  const metadata = { name: 'web', namespace: 'shop' };
  const selector = { matchLabels: { app: 'web' } };
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'x' }] },
  };
  const apps = { apiVersion: 'apps/v1', metadata, spec: { replicas: 3, selector, template } };
  const { model, store } = modelOf(t, [
    { ...apps, kind: 'Deployment', status: { replicas: 3, readyReplicas: 2 } },
    {
      ...apps,
      kind: 'DaemonSet',
      spec: { selector, template },
      status: { desiredNumberScheduled: 5, numberReady: 4 },
    },
    {
      ...{ apiVersion: 'batch/v1', kind: 'Job', metadata, status: { succeeded: 1 } },
      spec: {
        completions: 2,
        template: { spec: { ...template.spec, restartPolicy: 'Never' } },
      },
    },
  ]);
  assert.deepEqual(
    model
      .take()
      .workloads.map(({ key, wanted, ready, isScalable }) => [...[key, wanted, ready, isScalable]]),
    [
      ['DaemonSet/shop/web', 5, 4, false],
      ['Deployment/shop/web', 3, 2, true],
      ['Job/shop/web', 2, 1, false],
    ],
  );
  store.delete('daemonsets', 'shop', 'web');
  const { workloads, goneWorkloads } = model.take();
  assert.deepEqual([workloads, goneWorkloads], [[], ['DaemonSet/shop/web']]);
});

test('rows of slices and claims have the devices of nodes, and who has them', (t) => {
  const device = {
    name: 'gpu-0',
    attributes: { type: { string: 'gpu' }, index: { int: 0 } },
    capacity: { memory: { value: '40Gi' } },
    taints: [
      { key: 'k', value: 'v', effect: 'NoSchedule' },
      { key: 'l', effect: 'NoExecute' },
    ],
  };
  const slice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'a-gpus' },
    spec: {
      driver: 'd',
      nodeName: 'a',
      pool: { name: 'a', generation: 2, resourceSliceCount: 1 },
      devices: [device],
    },
  };
  const results = [{ request: 'gpu', driver: 'd', pool: 'a', device: 'gpu-0' }];
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', namespace: 'default' },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } },
    status: {
      allocation: { devices: { results } },
      reservedFor: [
        { resource: 'pods', name: 'web', uid: '1' },
        { apiGroup: 'x', resource: 'others', name: 'o', uid: '2' },
      ],
    },
  };
  const { model, store } = modelOf(t, [slice, claim]);
  const { slices, claims } = model.take();
  const taints = ['k=v:NoSchedule', 'l:NoExecute'];
  const devices = [{ name: 'gpu-0', taints, facts: 'type=gpu, index=0, memory=40Gi' }];
  assert.deepEqual(slices, [{ name: 'a-gpus', node: 'a', pool: 'd/a', generation: 2, devices }]);
  assert.deepEqual(claims, [{ key: 'default/c', devices: ['d/a/gpu-0'], pods: ['default/web'] }]);
  store.delete('resourceslices', '', 'a-gpus');
  assert.deepEqual(model.take().goneSlices, ['a-gpus']);
});
