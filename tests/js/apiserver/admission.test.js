/** Tests the fields that admission fills in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, node, pod } from './asked_server.js';
import { inDefault, refusalOf, workload } from './workloads.js';

test('pods get priority, tolerations, requests and merged selectors', () => {
  const { store } = new AskedServer();
  store.create('priorityclasses', {
    metadata: { name: 'high' },
    value: 1000,
    preemptionPolicy: 'Never',
  });
  store.create('priorityclasses', { metadata: { name: 'usual' }, value: 5, globalDefault: true });
  const create = (/** @type {string} */ name, spec = {}, metadata = {}) =>
    store.create('pods', pod(name, spec, { ...inDefault, ...metadata })).spec;
  const usual = create('usual');
  assert.deepEqual(
    [usual.priorityClassName, usual.priority, usual.preemptionPolicy],
    ['usual', 5, 'PreemptLowerPriority'],
  );
  const high = create('high', { priorityClassName: 'high' });
  assert.deepEqual([high.priority, high.preemptionPolicy], [1000, 'Never']);
  assert.equal(
    create('system', { priorityClassName: 'system-node-critical' }).priority,
    2000001000,
  );
  const tolerant = create('tolerant', { tolerations: [{ operator: 'Exists' }] });
  assert.deepEqual(tolerant.tolerations, [{ operator: 'Exists' }]);
  const container = { name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] };
  const limited = create('limited', {
    hostNetwork: true,
    containers: [{ ...container, resources: { limits: { cpu: '0.5', memory: '1Gi' } } }],
  });
  assert.deepEqual(limited.containers[0].resources.requests, { cpu: '500m', memory: '1Gi' });
  assert.deepEqual(limited.containers[0].ports, [
    { hostPort: 80, containerPort: 80, protocol: 'TCP' },
  ]);
  assert.equal(limited.containers[0].imagePullPolicy, 'Always');
  assert.equal(store.get('pods', 'default', 'limited')?.status.qosClass, 'Guaranteed');
  const spread = create(
    'spread',
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'x' } },
          matchLabelKeys: ['rev'],
        },
      ],
    },
    { labels: { app: 'x', rev: '7' } },
  );
  assert.deepEqual(spread.topologySpreadConstraints[0].labelSelector.matchExpressions, [
    { key: 'rev', operator: 'In', values: ['7'] },
  ]);
  const gated = store.create('pods', pod('gated', { schedulingGates: [{ name: 'a' }] }, inDefault));
  assert.equal(gated.status.conditions[0].reason, 'SchedulingGated');
});

test('pods that contradict their class are forbidden, and there is one default', () => {
  const { store } = new AskedServer();
  store.create('priorityclasses', { metadata: { name: 'high' }, value: 10, globalDefault: true });
  const create = (/** @type {object} */ spec) =>
    refusalOf(() => store.create('pods', pod('a', spec, inDefault)));
  assert.equal(create({ priorityClassName: 'none' }), 'no PriorityClass with name none was found');
  assert.match(
    create({ priority: 3 }),
    /^the integer value of priority \(3\) must not be provided in pod spec; priority admission/,
  );
  assert.match(
    create({ preemptionPolicy: 'Never' }),
    /^the string value of PreemptionPolicy \(Never\) must not be provided/,
  );
  const second = { metadata: { name: 'second' }, value: 1, globalDefault: true };
  assert.equal(
    refusalOf(() => store.create('priorityclasses', second)),
    'PriorityClass high is already marked as default. Only one default can exist',
  );
});

test('claims get the default class and their other defaults', () => {
  const { store } = new AskedServer();
  store.create('storageclasses', {
    metadata: {
      name: 'fast',
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'p',
  });
  const claim = store.create('persistentvolumeclaims', {
    metadata: { name: 'c', ...inDefault },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  assert.deepEqual(
    [claim.spec.storageClassName, claim.spec.volumeMode, claim.status.phase],
    ['fast', 'Filesystem', 'Pending'],
  );
  const fast = /** @type {any} */ (store.get('storageclasses', '', 'fast'));
  assert.deepEqual([fast.reclaimPolicy, fast.volumeBindingMode], ['Delete', 'Immediate']);
});

test('workloads, services, nodes and namespaces get their defaults', () => {
  const { store } = new AskedServer();
  const deployment = store.create('deployments', workload({})).spec;
  assert.deepEqual(
    [deployment.replicas, deployment.strategy.rollingUpdate, deployment.revisionHistoryLimit],
    [1, { maxUnavailable: '25%', maxSurge: '25%' }, 10],
  );
  assert.equal(deployment.template.spec.restartPolicy, 'Always');
  const job = store.create('jobs', {
    metadata: { name: 'j', ...inDefault },
    spec: { template: { spec: { ...pod('').spec, restartPolicy: 'Never' } } },
  });
  const { uid } = job.metadata;
  assert.deepEqual(job.spec.selector.matchLabels, { 'batch.kubernetes.io/controller-uid': uid });
  assert.equal(job.spec.template.metadata.labels['job-name'], 'j');
  assert.deepEqual([job.spec.completions, job.spec.parallelism, job.spec.backoffLimit], [1, 1, 6]);
  const service = (/** @type {string} */ name, spec = {}) =>
    store.create('services', {
      metadata: { name, ...inDefault },
      spec: { ports: [{ port: 80 }], ...spec },
    });
  assert.deepEqual(service('one').spec.ports, [{ protocol: 'TCP', port: 80, targetPort: 80 }]);
  const outside = service('two', { type: 'NodePort' }).spec;
  assert.deepEqual([outside.clusterIP, outside.ports[0].nodePort], ['10.0.0.3', 30000]);
  assert.equal(service('three', { clusterIP: 'None' }).spec.clusterIP, 'None');
  const sticky = service('four', { sessionAffinity: 'ClientIP', externalIPs: ['1.2.3.4'] }).spec;
  assert.deepEqual(
    [sticky.sessionAffinityConfig, sticky.externalTrafficPolicy],
    [{ clientIP: { timeoutSeconds: 10800 } }, 'Cluster'],
  );
  const two = /** @type {any} */ (store.get('services', 'default', 'two'));
  const { clusterIP: _, clusterIPs: __, ...spec } = two.spec;
  assert.equal(store.update('services', { ...two, spec }).spec.clusterIP, '10.0.0.3');
  const status = { capacity: { cpu: '4' } };
  const made = store.create('nodes', { ...node('n'), status });
  assert.deepEqual(made.status.allocatable, { cpu: '4' });
  const namespace = store.create('namespaces', { metadata: { name: 'team' } });
  assert.deepEqual(namespace.metadata.labels, { 'kubernetes.io/metadata.name': 'team' });
  const secret = { metadata: { name: 's', ...inDefault }, stringData: { a: 'ü' } };
  assert.deepEqual(store.create('secrets', secret).data, { a: 'w7w=' });
});
