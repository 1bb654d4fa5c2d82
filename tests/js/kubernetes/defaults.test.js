import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError, withDefaults } from '../../../js/src/index.js';
import { makePod } from '../support/objects.js';

/** @param {object} spec @param {object} [metadata] @param {object} [context] */
const specOf = (spec, metadata, context) =>
  withDefaults(makePod('p', { metadata, spec }), context).spec;

test('a pod that was stored is not touched', () => {
  const stored = makePod('p', { metadata: { uid: '1' } });
  assert.equal(withDefaults(stored), stored);
});

test('identity: uid, namespace, generated name', () => {
  const pod = makePod('p');
  const { metadata, status } = withDefaults(pod);
  assert.match(metadata.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual([metadata.namespace, status.phase], ['default', 'Pending']);
  assert.equal(withDefaults(pod).metadata.uid, metadata.uid, 'the same object, the same uid');
  assert.notEqual(withDefaults(pod, { seed: 1 }).metadata.uid, metadata.uid);
  assert.notEqual(withDefaults(makePod('q')).metadata.uid, metadata.uid);
  assert.notEqual(
    withDefaults(makePod('p', { metadata: { namespace: 'x' } })).metadata.uid,
    metadata.uid,
  );
  const generated = { kind: 'Pod', metadata: { generateName: 'job-' } };
  assert.match(withDefaults(generated).metadata.name, /^job-[a-z0-9]{5}$/);
  assert.notEqual(
    withDefaults(generated, { count: 1 }).metadata.name,
    withDefaults(generated, { count: 2 }).metadata.name,
  );
  assert.equal(
    withDefaults(pod, { creationTimestamp: '2026-01-01T00:00:00Z' }).metadata.creationTimestamp,
    '2026-01-01T00:00:00Z',
  );
});

test('a limit that is no quantity gives no request', () => {
  const limits = { cpu: '1x', memory: true, pods: '', 'example.com/gpu': null, storage: 2 };
  const { containers } = specOf({ containers: [{ name: 'c', resources: { limits } }] });
  assert.deepEqual(containers[0].resources, {
    limits,
    requests: { 'example.com/gpu': null, storage: 2 },
  });
  const ofPod = { limits: { cpu: '1x', memory: '1Gi' } };
  const { resources } = specOf({ containers: [{ name: 'c' }], resources: ofPod });
  assert.deepEqual(resources, { ...ofPod, requests: { memory: '1Gi' } });
});

test('other kinds', () => {
  const cases = [
    [
      { kind: 'Node', metadata: { name: 'n' }, status: { capacity: { cpu: '1' } } },
      (it) => [it.status.allocatable, it.metadata.namespace],
      [{ cpu: '1' }, undefined],
    ],
    [
      {
        kind: 'Node',
        metadata: { name: 'n' },
        status: { capacity: { cpu: '2' }, allocatable: { cpu: '1' } },
      },
      (it) => it.status.allocatable,
      { cpu: '1' },
    ],
    [
      { kind: 'Namespace', metadata: { name: 'n' } },
      (it) => it.metadata.labels,
      { 'kubernetes.io/metadata.name': 'n' },
    ],
    [{ kind: 'Service', metadata: { name: 's' } }, (it) => it.metadata.namespace, 'default'],
    [
      { kind: 'PersistentVolume', metadata: { name: 'v' }, spec: null },
      (it) => [it.spec.volumeMode, it.status.phase, it.metadata.namespace],
      ['Filesystem', 'Available', undefined],
    ],
    [
      {
        kind: 'PersistentVolume',
        metadata: { name: 'v' },
        spec: { volumeMode: 'Block' },
        status: { phase: 'Released' },
      },
      (it) => [it.spec.volumeMode, it.status.phase],
      ['Block', 'Released'],
    ],
    [
      { kind: 'StorageClass', metadata: { name: 's' }, provisioner: 'csi.example' },
      (it) => [it.volumeBindingMode, it.reclaimPolicy, it.provisioner, it.metadata.namespace],
      ['Immediate', 'Delete', 'csi.example', undefined],
    ],
    [
      {
        kind: 'StorageClass',
        metadata: { name: 's' },
        volumeBindingMode: 'WaitForFirstConsumer',
        reclaimPolicy: 'Retain',
      },
      (it) => [it.volumeBindingMode, it.reclaimPolicy],
      ['WaitForFirstConsumer', 'Retain'],
    ],
    [
      {
        kind: 'ReplicationController',
        metadata: { name: 'r' },
        spec: { template: { metadata: { labels: { a: 'b' } } } },
      },
      (it) => it.spec.selector,
      { a: 'b' },
    ],
  ];
  for (const [object, part, expected] of cases)
    assert.deepEqual(part(withDefaults(object)), expected, object.kind);
});

test('priority', () => {
  const priorityClasses = [
    { metadata: { name: 'gold' }, value: 100, preemptionPolicy: 'Never' },
    { metadata: { name: 'std' }, value: 7, globalDefault: true },
    { metadata: { name: 'std2' }, value: 8, globalDefault: true },
  ];
  const usual = { ...priorityClasses[0], globalDefault: true };
  const cases = [
    [{}, {}, [0, 'PreemptLowerPriority']],
    [{}, { priorityClasses }, [7, 'PreemptLowerPriority']],
    [{ priorityClassName: 'gold' }, { priorityClasses }, [100, 'Never']],
    [
      { priorityClassName: 'gold', preemptionPolicy: 'PreemptLowerPriority' },
      { priorityClasses },
      [100, 'PreemptLowerPriority'],
    ],
    [{ priority: 3 }, { priorityClasses }, [3, 'PreemptLowerPriority']],
    [{ priority: 100 }, { priorityClasses: [usual] }, [100, 'Never']],
    [{ priorityClassName: 'system-node-critical' }, {}, [2000001000, 'PreemptLowerPriority']],
    [{ priorityClassName: 'system-cluster-critical' }, {}, [2000000000, 'PreemptLowerPriority']],
  ];
  for (const [spec, context, expected] of cases) {
    const { priority, preemptionPolicy } = specOf(spec, {}, context);
    assert.deepEqual([priority, preemptionPolicy], expected, JSON.stringify(spec));
  }
  assert.throws(
    () => specOf({ priorityClassName: 'none' }),
    (error) =>
      error instanceof InputError &&
      error.message ===
        'Pod default/p: spec.priorityClassName: no PriorityClass with name none was found',
  );
});

test('claims: mode, phase, and the default class where they name none', () => {
  const mark = 'storageclass.kubernetes.io/is-default-class';
  const classOf = (name, annotations, creationTimestamp) => ({
    kind: 'StorageClass',
    metadata: { name, annotations, creationTimestamp },
  });
  const plain = classOf('plain', { [mark]: 'false' });
  const old = classOf('old', { [mark]: 'true' }, '2026-01-01T00:00:00Z');
  const recent = classOf('recent', { [mark]: 'true' }, '2026-02-01T00:00:00Z');
  const beta = classOf('beta', { 'storageclass.beta.kubernetes.io/is-default-class': 'true' });
  const annotated = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'slow' } };
  const cases = [
    ['no class at all', {}, {}, [], undefined],
    ['none that is marked', {}, {}, [plain, classOf('bare')], undefined],
    ['the one that is', {}, {}, [plain, old], 'old'],
    ['the newest', {}, {}, [old, recent], 'recent'],
    ['by hand is newer', {}, {}, [recent, beta, old], 'beta'],
    [
      'of equals the first by name',
      {},
      {},
      [{ ...beta, metadata: { ...beta.metadata, name: 'c' } }, beta],
      'beta',
    ],
    ['null is none', { storageClassName: null }, {}, [old], 'old'],
    ['its own', { storageClassName: 'fast' }, {}, [old], 'fast'],
    ['none is meant', { storageClassName: '' }, {}, [old], ''],
    ['its annotation', {}, annotated, [old], undefined],
  ];
  for (const [name, spec, metadata, storageClasses, expected] of cases) {
    const claim = { kind: 'PersistentVolumeClaim', metadata: { name: 'c', ...metadata }, spec };
    const stored = withDefaults(claim, { storageClasses });
    assert.equal(stored.spec.storageClassName, expected, name);
    assert.deepEqual([stored.spec.volumeMode, stored.status.phase], ['Filesystem', 'Pending']);
    assert.equal(claim.spec.volumeMode, undefined, 'the argument stays as it was');
  }
});

test('containers: requests from limits, protocol, host ports', () => {
  const containers = [
    {
      name: 'a',
      resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } },
      ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', hostPort: 54 }],
    },
    { name: 'b' },
  ];
  const plain = specOf({ containers, initContainers: containers });
  assert.deepEqual(plain.containers[0].resources.requests, { cpu: '1', memory: '1Gi' });
  assert.deepEqual(plain.initContainers[0].ports, [
    { protocol: 'TCP', containerPort: 80 },
    { protocol: 'UDP', containerPort: 53, hostPort: 54 },
  ]);
  assert.deepEqual(
    specOf({ containers, hostNetwork: true }).containers[0].ports.map(({ hostPort }) => hostPort),
    [80, 54],
  );
});

test('pod-level requests: from the containers, else from the limits', () => {
  const container = (cpu, extra) => ({ name: cpu, resources: { requests: { cpu } }, ...extra });
  const cases = [
    [
      { limits: { cpu: '4', memory: '1Gi' } },
      [container('500m'), container('1')],
      [],
      { cpu: '1500m', memory: '1Gi' },
    ],
    [{ limits: { cpu: '4' }, requests: { cpu: '3' } }, [container('1')], [], { cpu: '3' }],
    [
      { limits: { cpu: '9' } },
      [container('1')],
      [container('2', { restartPolicy: 'Always' }), container('3')],
      { cpu: '5' },
    ],
    [{ limits: { cpu: '9' } }, [container('4')], [container('3')], { cpu: '4' }],
    [{ requests: { cpu: '1' } }, [container('1')], [], { cpu: '1' }],
  ];
  for (const [resources, containers, initContainers, expected] of cases) {
    assert.deepEqual(
      specOf({ resources, containers, initContainers }).resources.requests,
      expected,
      JSON.stringify(resources),
    );
  }
});

test('label keys are merged into selectors', () => {
  const labelSelector = { matchLabels: { app: 'web' } };
  const term = {
    topologyKey: 'zone',
    labelSelector,
    matchLabelKeys: ['rev', 'absent'],
    mismatchLabelKeys: ['tenant'],
  };
  const merged = {
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'rev', operator: 'In', values: ['1'] },
      { key: 'tenant', operator: 'NotIn', values: ['t'] },
    ],
  };
  const spec = specOf(
    {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
        },
      },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', labelSelector, matchLabelKeys: ['rev'] },
        { maxSkew: 1, topologyKey: 'zone', matchLabelKeys: ['rev'] },
      ],
    },
    { labels: { rev: '1', tenant: 't' } },
  );
  assert.deepEqual(
    spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector,
    merged,
  );
  assert.deepEqual(
    spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm
      .labelSelector,
    merged,
  );
  const [first, second] = spec.topologySpreadConstraints;
  assert.deepEqual(first.labelSelector.matchExpressions, [
    { key: 'rev', operator: 'In', values: ['1'] },
  ]);
  assert.equal(second.labelSelector, undefined);
  assert.equal(labelSelector.matchExpressions, undefined, 'the argument stays as it was');
});

test('nonsense is left for the engine to refuse', () => {
  for (const object of [
    { kind: 'Pod', metadata: 5 },
    { kind: 'Pod', metadata: { name: 'p' }, spec: 'x' },
  ])
    assert.equal(withDefaults(object), object);
  assert.deepEqual(specOf({ containers: [null, 5] }).containers, [null, 5]);
  const selector = { labelSelector: { matchExpressions: 5 }, matchLabelKeys: ['a'] };
  const parts = [
    { initContainers: {}, resources: { limits: { cpu: '1' } } },
    { containers: 5, initContainers: [null], resources: { limits: { cpu: '1' } } },
    { resources: { limits: 'all' } },
    { containers: [{ ports: [null, 7] }] },
    { containers: [{ resources: { limits: { cpu: '1' }, requests: 'x' } }] },
    { topologySpreadConstraints: [selector, { labelSelector: {}, matchLabelKeys: 5 }] },
    { affinity: 5 },
    { affinity: { podAffinity: 'x' } },
    { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [null] } } },
  ];
  for (const part of parts) {
    const spec = specOf(part, { labels: { a: 'b' } });
    const kept = Object.keys(part).filter((field) => field !== 'resources');
    for (const field of kept) assert.deepEqual(spec[field], part[field], JSON.stringify(part));
  }
  assert.equal(specOf({ resources: { limits: 'all' } }).resources.limits, 'all');
  const namespace = { kind: 'Namespace', metadata: { name: 'n', labels: 'x' } };
  assert.equal(withDefaults(namespace).metadata.labels, 'x');
  assert.equal(
    withDefaults({ kind: 'Pod', metadata: { generateName: 5 } }).metadata.name,
    undefined,
  );
  const pod = { kind: 'Pod', metadata: { name: 'p' }, status: 'x' };
  assert.equal(withDefaults(pod), pod);
});

test('device claims and templates: modes, numbers and operators; odd values stay', () => {
  const requests = [
    { name: 'a', exactly: { deviceClassName: 'c', tolerations: [{ key: 'k' }, null] } },
    { name: 'b', firstAvailable: [{ name: 'x' }, { name: 'y', allocationMode: 'All' }, 'odd'] },
    { name: 'c', exactly: 'odd', firstAvailable: 'odd' },
    null,
  ];
  const whole = [
    {
      name: 'a',
      exactly: {
        deviceClassName: 'c',
        tolerations: [{ key: 'k', operator: 'Equal' }, null],
        allocationMode: 'ExactCount',
        count: 1,
      },
    },
    {
      name: 'b',
      firstAvailable: [
        { name: 'x', allocationMode: 'ExactCount', count: 1 },
        { name: 'y', allocationMode: 'All' },
        'odd',
      ],
    },
    { name: 'c', exactly: 'odd', firstAvailable: 'odd' },
    null,
  ];
  const metadata = { name: 'c' };
  const claim = (/** @type {any} */ devices) =>
    withDefaults({ kind: 'ResourceClaim', metadata, spec: { devices } }).spec;
  assert.deepEqual(claim({ requests }), { devices: { requests: whole } });
  assert.deepEqual(claim({ requests: 'odd' }), { devices: { requests: 'odd' } });
  assert.deepEqual(claim('odd'), { devices: 'odd' });
  const template = (/** @type {any} */ spec) =>
    withDefaults({ kind: 'ResourceClaimTemplate', metadata, spec }).spec;
  assert.deepEqual(template({ spec: { devices: { requests } } }), {
    spec: { devices: { requests: whole } },
  });
  assert.deepEqual(template({ spec: 'odd' }), { spec: 'odd' });
});
