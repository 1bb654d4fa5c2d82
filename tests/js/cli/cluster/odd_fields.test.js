// Goal: no value of a wrong type in any field breaks a command: it is an error of the input, or
// ignored. Method: a cluster and manifests of each kind that `check` reads; in turn each field gets
// null and one of several other values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../../support/workloads.js';

const { file } = await makeFolder();
const VALUES = [[null], {}, 'x', -1, true, [{}], { a: null }];

/** A crash; 0 to 2 are answers and faults of the input. */
const BUG = 3;

const STATUS = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-10T08:30:00Z' }],
  containerStatuses: [{ name: 'main', restartCount: 1, ready: true }],
  initContainerStatuses: [{ name: 'first', restartCount: 0 }],
};

/** @param {any} pod */
const running = (pod) => ({ ...pod, status: STATUS });

/** @param {string} kind @param {object} spec */
const plain = (kind, spec) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: kind.toLowerCase(), namespace: 'default', uid: kind },
  ...spec,
});

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/**
 * Workloads as written, with the fields of their kinds that rollouts read.
 * @param {string} image
 */
const workloads = (image) => {
  const rolling = (/** @type {object} */ rollingUpdate) => ({
    type: 'RollingUpdate',
    rollingUpdate,
  });
  return [
    makeWorkload('Deployment', 'web', {
      image,
      spec: { replicas: 2, strategy: rolling({ maxSurge: 1, maxUnavailable: 0 }) },
    }),
    makeWorkload('StatefulSet', 'db', {
      image,
      spec: {
        ordinals: { start: 0 },
        replicas: 2,
        updateStrategy: rolling({ partition: 1 }),
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: CLAIM }],
      },
    }),
    makeWorkload('DaemonSet', 'log', {
      image,
      spec: { updateStrategy: rolling({ maxSurge: 0, maxUnavailable: 1 }) },
    }),
    {
      ...makeWorkload('Job', 'once', { spec: { completions: 2, completionMode: 'Indexed' } }),
      status: { succeeded: 1, completedIndexes: '0' },
    },
  ];
};

const [web, db, log] = workloads('app:v1').map((each) => owned(each));
web.metadata.annotations = {
  'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(workloads('app:v1')[0]),
};
const set = replicaSetOf(web, '7d4b', { replicas: 2 });
const node = 'a';
const hard = { pods: '9', 'requests.cpu': '90', 'requests.storage': '9Gi' };
const CLUSTER = [
  makeNode(node, { cpu: '9' }),
  web,
  set,
  db,
  log,
  ...['web-7d4b-0', 'web-7d4b-1'].map((name) => running(podOf(name, set, { node }))),
  ...['db-0', 'db-1'].map((name) => running(podOf(name, db, { node }))),
  running(podOf('log-a', log, { node, labels: { 'controller-revision-hash': '5f' } })),
  plain('HorizontalPodAutoscaler', {
    apiVersion: 'autoscaling/v2',
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 3,
    },
  }),
  plain('LimitRange', {
    spec: {
      limits: [
        { type: 'Container', default: { cpu: '1' }, max: { cpu: '4' } },
        { type: 'PersistentVolumeClaim', max: { storage: '4Gi' } },
      ],
    },
  }),
  plain('ResourceQuota', {
    spec: {
      hard,
      scopes: ['NotTerminating'],
      scopeSelector: {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['low'] }],
      },
    },
    status: { hard, used: { pods: '5' } },
  }),
];
const MANIFESTS = [
  ...workloads('app:v2'),
  makePod('alone', {
    spec: {
      containers: [{ name: 'c', image: 'a', resources: { limits: { cpu: '1' } } }],
      volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: CLAIM } } }],
    },
  }),
  plain('PersistentVolumeClaim', { spec: CLAIM }),
];

/**
 * Returns the objects once for each field and value, with that value in that field.
 * @param {object[]} objects
 */
function* oddOnes(objects) {
  let turn = 0;
  for (const [index, object] of objects.entries())
    for (const path of pathsIn(object))
      for (const value of [null, VALUES[(turn += 1) % VALUES.length]])
        yield {
          what: `${object.kind} ${path.join('.')}: ${JSON.stringify(value)}`,
          objects: objects.with(index, withValue(object, path, value)),
        };
}

/** @param {any} value @param {string[]} [path] @returns {Generator<string[]>} */
function* pathsIn(value, path = []) {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsIn(inner, [...path, name]);
}

/** @param {any} object @param {string[]} path @param {unknown} value */
function withValue(object, path, value) {
  const copy = structuredClone(object);
  const last = path.slice(0, -1).reduce((inner, name) => inner[name], copy);
  last[path.at(-1)] = value;
  return copy;
}

/** The words of an exception, and where it was thrown. @param {string} stderr */
function crashIn(stderr) {
  return /^error: \w*Error: .*\n.*/m.exec(stderr)?.[0] ?? stderr;
}

const cluster = await file('cluster.json', makeList(...CLUSTER));
const manifests = await file('manifests.json', makeList(...MANIFESTS));

test('odd values in the cluster', async () => {
  const bugs = [];
  for (const { what, objects } of oddOnes(CLUSTER)) {
    const path = await file('odd-cluster.json', makeList(...objects));
    for (const argv of [
      ['check', '-f', manifests, '--cluster', path],
      ['simulate', path],
    ]) {
      const { code, stderr } = await runCli([...argv, '-q']);
      if (code === BUG) bugs.push(`${argv[0]}: ${what}: ${crashIn(stderr)}`);
    }
  }
  assert.deepEqual(bugs, []);
});

test('odd values in manifests', async () => {
  const bugs = [];
  for (const { what, objects } of oddOnes(MANIFESTS)) {
    const path = await file('odd-manifests.json', makeList(...objects));
    for (const mode of ['warn', 'strict']) {
      const argv = ['check', '-f', path, '--cluster', cluster, '--validate', mode];
      const { code, stderr } = await runCli([...argv, '-q']);
      if (code === BUG) bugs.push(`${mode}: ${what}: ${crashIn(stderr)}`);
    }
  }
  assert.deepEqual(bugs, []);
});
