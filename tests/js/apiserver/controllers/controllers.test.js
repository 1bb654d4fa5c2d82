// Goal: all controllers together bring a cluster to its desired state: the same in each run, also
// if writes are refused, and nothing runs after they are stopped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../../js/src/kubernetes/api_error.js';
import { CONTROLLERS, controllersNamed } from '../../../../js/apiserver/controllers/controllers.js';
import { template, workload, World } from './world.js';

const all = CONTROLLERS.map(
  (name) => (/** @type {object} */ options) => controllersNamed([name], options)[0],
);

const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work' },
  spec: {
    completions: 3,
    parallelism: 2,
    template: template({}, { restartPolicy: 'Never' }),
  },
};
const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'csi.example.org',
};
const claims = [
  {
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      resources: { requests: { storage: '1Gi' } },
    },
  },
];
const node = (/** @type {string} */ name) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
});

/** Binds waiting pods from time to time. @param {World} world @param {number} seconds */
async function play(world, seconds) {
  for (let second = 0; second < seconds; second += 1) {
    const waiting = world
      .list('pods')
      .filter(({ metadata, spec }) => !spec.nodeName && !metadata.deletionTimestamp);
    for (const [index, { metadata }] of waiting.entries())
      world.bind(metadata.name, index % 2 === 0 ? 'a' : 'b');
    await world.advance(1000);
  }
}

/** Creates a cluster, changes it, and waits until it settles. @param {World} world */
async function story(world) {
  world.create(
    node('a'),
    node('b'),
    storageClass,
    workload('Deployment', 'web', { replicas: 4 }),
    workload('StatefulSet', 'db', { replicas: 2, volumeClaimTemplates: claims }),
    workload('DaemonSet', 'agent'),
    job,
  );
  await play(world, 40);
  world.patchSpec('deployments', 'web', {
    replicas: 6,
    template: template({ app: 'web' }, { containers: [{ name: 'main', image: 'app:v2' }] }),
  });
  world.patchSpec('statefulsets', 'db', { replicas: 1 });
  await play(world, 60);
}

/** Returns the statuses of the workloads. @param {World} world */
function outcome(world) {
  const { status: web } = world.get('deployments', 'web');
  const { status: db } = world.get('statefulsets', 'db');
  const { status: agent } = world.get('daemonsets', 'agent');
  const { status: work } = world.get('jobs', 'work');
  return {
    web: [web.replicas, web.updatedReplicas, web.availableReplicas, web.conditions.length],
    db: [db.replicas, db.availableReplicas],
    agent: [agent.desiredNumberScheduled, agent.numberAvailable],
    work: [work.succeeded, work.failed, work.conditions.at(-1).type],
    pods: world.list('pods').length,
    sets: world
      .list('replicasets')
      .map(({ spec }) => spec.replicas)
      .sort(),
    volumes: world.list('persistentvolumeclaims').map(({ status }) => status.phase),
  };
}

const OUTCOME = {
  web: [6, 6, 6, 2],
  db: [1, 1],
  agent: [2, 2],
  work: [3, undefined, 'Complete'],
  pods: 6 + 1 + 2 + 3,
  sets: [0, 6],
  volumes: ['Bound', 'Bound'],
};

test('a cluster converges to the expected state, byte-identical in each run', async (t) => {
  const texts = [];
  for (let run = 0; run < 2; run += 1) {
    const world = new World(...all);
    t.after(() => world.stop());
    await story(world);
    assert.deepEqual(outcome(world), OUTCOME);
    assert.deepEqual(world.errors, []);
    const resources = ['pods', 'replicasets', 'jobs', 'persistentvolumes', 'events', 'leases'];
    texts.push(JSON.stringify(resources.map((resource) => world.list(resource))));
  }
  assert.equal(texts[0], texts[1]);
});

/** @param {'Conflict' | 'InternalError'} reason */
const refusal = (reason) =>
  new ApiError({
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: 'not this time',
    reason,
    code: reason === 'Conflict' ? 409 : 500,
  });

test('refused writes are retried until the cluster has converged', async (t) => {
  const world = new World(...all);
  t.after(() => world.stop());
  const { store } = world;
  let writes = 0;
  let refused = 0;
  for (const verb of /** @type {const} */ (['create', 'update', 'delete'])) {
    const write = /** @type {any} */ (store)[verb].bind(store);
    /** @type {any} */ (store)[verb] = (/** @type {any[]} */ ...args) => {
      writes += 1;
      // A refused deletion means that the object has changed, so deletions are never refused here.
      const isRefused = writes % 5 === 0 && verb !== 'delete' && isByController();
      if (!isRefused) return write(...args);
      refused += 1;
      throw refusal(writes % 2 === 0 ? 'Conflict' : 'InternalError');
    };
  }
  await story(world);
  await play(world, 120);
  assert.ok(refused > 30, `${refused} of ${writes} writes were refused`);
  assert.deepEqual(outcome(world), OUTCOME);
  assert.deepEqual(world.errors, []);
});

/** Whether a controller writes, and not this test. */
function isByController() {
  return /reconciler\.js/.test(new Error('who writes').stack ?? '');
}

test('controllers that are stopped do nothing any more', async () => {
  const world = new World(...all);
  world.create(node('a'), workload('Deployment', 'web', { replicas: 2 }));
  await world.advance(5000);
  world.stop();
  const version = world.storage.resourceVersion;
  world.create(workload('Deployment', 'other', { replicas: 2 }));
  await world.advance(100_000);
  assert.equal(world.storage.resourceVersion, version + 1);
  assert.equal(world.clock.sleepers, 0);
});

test('controllers are selected by name, and start in a fixed order', () => {
  const names = controllersNamed(['kubelet', 'workloads']).map(({ name }) => name);
  assert.deepEqual(names, ['workloads', 'kubelet']);
  assert.throws(() => controllersNamed(/** @type {any} */ (['magic'])), RangeError);
});
