// Goal: one pod, or one node, may contain many of one thing. Method: each on the WebAssembly
// module, within limits of time, memory and stack.
import assert from 'node:assert/strict';

import { node, pod, settle, testMany, times } from './many.js';

/** The result and the node of the first decision. @param {any[]} records */
function decided(records) {
  const { result, node: chosen } = records.find(({ kind }) => kind === 'Decision');
  return [result, chosen];
}

const CLAIMS = 2000;
const PROVISIONER = 'example.com/disks';

/** @param {string} bindingMode */
const storageClass = (bindingMode, provisioner = PROVISIONER) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'disks', uid: 'class' },
  provisioner,
  volumeBindingMode: bindingMode,
});

/** @param {number} index */
const claim = (index) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: `claim-${index}`, namespace: 'default', uid: `claim-${index}` },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'disks',
    resources: { requests: { storage: '1Gi' } },
  },
  status: { phase: 'Pending' },
});

/** @param {number} index */
const volume = (index) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `volume-${index}`, uid: `volume-${index}` },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'disks',
    capacity: { storage: '1Gi' },
    hostPath: { path: `/disks/${index}` },
  },
  status: { phase: 'Available' },
});

const podWithClaims = () =>
  pod('p', {
    spec: {
      volumes: times(CLAIMS, (index) => ({
        name: `v${index}`,
        persistentVolumeClaim: { claimName: `claim-${index}` },
      })),
    },
  });

for (const { name, objects } of [
  { name: 'that a controller provisions', objects: [storageClass('WaitForFirstConsumer')] },
  {
    name: 'for volumes that are there',
    objects: [
      storageClass('WaitForFirstConsumer', 'kubernetes.io/no-provisioner'),
      ...times(CLAIMS, volume),
    ],
  },
  { name: 'bound at once', objects: [storageClass('Immediate')] },
]) {
  testMany(`a pod with ${CLAIMS} claims ${name}`, { ms: 4000, mib: 64 }, async (engine) => {
    const scheduler = engine.createScheduler();
    scheduler.apply([node('a'), node('b'), ...objects, ...times(CLAIMS, claim), podWithClaims()]);
    const decisions = await scheduler.schedule({ until: 600_000 });
    assert.equal(decisions.at(-1)?.result, 'scheduled');
    assert.deepEqual(scheduler.inspect().assumed, []);
  });
}

const TERMS = 5000;

/** @param {number} index */
const term = (index) => ({
  labelSelector: { matchLabels: { app: `app-${index}` } },
  topologyKey: 'kubernetes.io/hostname',
});

/** @param {string} kind @param {string} when @param {any} terms */
const podWithTerms = (kind, when, terms) =>
  pod('p', { labels: { app: 'app-0' }, spec: { affinity: { [kind]: { [when]: terms } } } });

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** @param {number} index */
const preferredNodes = (index) => ({
  weight: 1,
  preference: {
    matchExpressions: [
      { key: 'kubernetes.io/hostname', operator: 'In', values: ['node-8', `other-${index}`] },
    ],
  },
});

for (const [name, asked, result] of /** @type {[string, any, any[]][]} */ ([
  [
    'required affinity, met by one pod',
    podWithTerms(
      'podAffinity',
      REQUIRED,
      times(TERMS, (index) => ({
        labelSelector: { matchLabels: { [`l${index}`]: 'y' } },
        topologyKey: 'kubernetes.io/hostname',
      })),
    ),
    ['scheduled', 'node-7'],
  ],
  [
    'required anti-affinity',
    podWithTerms(
      'podAntiAffinity',
      REQUIRED,
      times(TERMS, (index) => term(index)),
    ),
    ['scheduled', 'node-8'],
  ],
  [
    'preferred affinity',
    podWithTerms(
      'podAffinity',
      PREFERRED,
      times(TERMS, (index) => ({ weight: 1, podAffinityTerm: term(index) })),
    ),
    ['scheduled', 'node-7'],
  ],
  [
    'node affinity',
    podWithTerms('nodeAffinity', REQUIRED, {
      nodeSelectorTerms: [
        ...times(TERMS - 1, (index) => ({
          matchExpressions: [{ key: `k${index}`, operator: 'Exists' }],
        })),
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-5'] }] },
      ],
    }),
    ['scheduled', 'node-5'],
  ],
  [
    'preferred node affinity',
    podWithTerms('nodeAffinity', PREFERRED, times(TERMS, preferredNodes)),
    ['scheduled', 'node-8'],
  ],
])) {
  testMany(`${TERMS} terms of ${name}`, { ms: 2000, mib: 128 }, (engine) => {
    const scheduler = engine.createScheduler();
    const labels = Object.fromEntries(times(TERMS, (index) => [`l${index}`, 'y']));
    scheduler.apply([
      ...[8, 5, 7].map((index) => node(`node-${index}`)),
      pod('all', { cpu: '1m', labels, spec: { nodeName: 'node-7' } }),
      ...times(TERMS, (index) =>
        pod(`placed-${index}`, {
          cpu: '1m',
          labels: { app: `app-${index}` },
          spec: { nodeName: 'node-7' },
        }),
      ),
      // Other pods on both nodes keep the scores different.
      pod('heavy', { cpu: '9000', spec: { nodeName: 'node-5' } }),
      asked,
    ]);
    assert.deepEqual(decided(settle(scheduler)), result);
  });
}

testMany(`${TERMS} terms of placed pods`, { ms: 2000, mib: 128 }, (engine) => {
  const scheduler = engine.createScheduler();
  scheduler.apply([
    node('a'),
    node('b'),
    ...times(TERMS, (index) =>
      pod(`placed-${index}`, {
        spec: { nodeName: 'a', affinity: { podAntiAffinity: { [REQUIRED]: [term(index)] } } },
      }),
    ),
    pod('p', { labels: { app: `app-${TERMS - 1}` } }),
  ]);
  assert.deepEqual(decided(settle(scheduler)), ['scheduled', 'b']);
});

const CONTAINERS = 2000;

testMany(`${CONTAINERS} containers of a pod`, { ms: 1000, mib: 32 }, (engine) => {
  const scheduler = engine.createScheduler();
  const containers = times(CONTAINERS, (index) => ({
    name: `c${index}`,
    image: `image-${index}`,
    ports: [{ containerPort: 80, hostPort: 10_000 + index }],
    resources: { requests: { cpu: '1', memory: '1Mi', [`example.com/r${index}`]: '1' } },
  }));
  const resources = Object.fromEntries(
    times(CONTAINERS, (index) => [`example.com/r${index}`, '1']),
  );
  scheduler.apply([
    node('a', { allocatable: { ...resources, cpu: String(CONTAINERS) } }),
    node('b', { allocatable: { ...resources, cpu: String(CONTAINERS - 1) } }),
    pod('p', { spec: { containers } }),
    pod('q', { spec: { containers } }),
  ]);
  const decisions = settle(scheduler).filter(({ kind }) => kind === 'Decision');
  assert.deepEqual(
    decisions.map(({ result, node: chosen }) => [result, chosen]),
    [
      ['scheduled', 'a'],
      ['unschedulable', null],
    ],
  );
});

const TAINTS = 5000;

testMany(`${TAINTS} taints of a node, and as many tolerations`, { ms: 2000, mib: 64 }, (engine) => {
  const scheduler = engine.createScheduler();
  const taints = times(TAINTS, (index) => ({ key: `t${index}`, value: 'v', effect: 'NoSchedule' }));
  const tolerations = taints.map((taint) => ({ ...taint, operator: 'Equal' }));
  scheduler.apply([
    node('a', { spec: { taints } }),
    pod('p', { spec: { tolerations } }),
    pod('q', { spec: { tolerations: tolerations.slice(0, -1) } }),
  ]);
  const decisions = settle(scheduler).filter(({ kind }) => kind === 'Decision');
  assert.deepEqual(
    decisions.map(({ pod: name, result }) => [name, result]),
    [
      ['default/p', 'scheduled'],
      ['default/q', 'unschedulable'],
    ],
  );
});
