// Goal: Deployments create and change ReplicaSets as upstream's controller does, so that kubectl's
// rollout and wait commands work. The test decides when pods run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../../js/src/kubernetes/api_error.js';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { template, workload, World } from './world.js';

const REVISION = 'deployment.kubernetes.io/revision';

/** @param {import('node:test').TestContext} t @param {object} spec */
async function rollout(t, spec) {
  const world = new World(workloads);
  t.after(() => world.stop());
  world.create(workload('Deployment', 'web', spec));
  await world.settle();
  return world;
}

/** Returns a changed template. @param {string} image */
const withImage = (image) => ({
  template: template({ app: 'web' }, { containers: [{ name: 'main', image }] }),
});

const sizes = (world) =>
  Object.fromEntries(
    world
      .list('replicasets')
      .map(({ metadata, spec }) => [metadata.annotations[REVISION], spec.replicas]),
  );

const condition = (world, type) => {
  const found = world.get('deployments', 'web').status.conditions.find((one) => one.type === type);
  return found && `${found.status} ${found.reason}`;
};

test('a Deployment creates a ReplicaSet, which creates the pods', async (t) => {
  const world = await rollout(t, { replicas: 3 });
  const deployment = world.get('deployments', 'web');
  const [set, ...others] = world.list('replicasets');
  assert.deepEqual(others, []);
  const hash = set.metadata.labels['pod-template-hash'];
  assert.match(hash, /^[bcdfghjklmnpqrstvwxz2456789]{5,10}$/);
  assert.equal(set.metadata.name, `web-${hash}`);
  assert.deepEqual(set.spec.selector.matchLabels, { app: 'web', 'pod-template-hash': hash });
  assert.deepEqual(set.metadata.annotations, {
    [REVISION]: '1',
    'deployment.kubernetes.io/desired-replicas': '3',
    'deployment.kubernetes.io/max-replicas': '4',
  });
  assert.equal(deployment.metadata.annotations[REVISION], '1');
  assert.equal(deployment.metadata.generation, 1);
  const pods = world.list('pods');
  assert.equal(pods.length, 3);
  for (const { metadata } of pods) {
    assert.match(metadata.name, new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
    assert.deepEqual(metadata.labels, { app: 'web', 'pod-template-hash': hash });
    assert.deepEqual(metadata.ownerReferences, [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: set.metadata.name,
        uid: set.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  }
  assert.deepEqual(world.events('web'), [
    `ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 3`,
  ]);
  assert.deepEqual(world.errors, []);
});

test('the status reports availability and completion', async (t) => {
  const world = await rollout(t, { replicas: 4 });
  assert.equal(condition(world, 'Available'), 'False MinimumReplicasUnavailable');
  assert.equal(condition(world, 'Progressing'), 'True ReplicaSetUpdated');
  const names = world.list('pods').map(({ metadata }) => metadata.name);
  world.run(...names.slice(0, 3));
  await world.settle();
  assert.equal(condition(world, 'Available'), 'True MinimumReplicasAvailable');
  assert.equal(condition(world, 'Progressing'), 'True ReplicaSetUpdated');
  world.run(names[3]);
  await world.settle();
  const { conditions, ...counts } = world.get('deployments', 'web').status;
  assert.deepEqual(counts, {
    observedGeneration: 1,
    replicas: 4,
    updatedReplicas: 4,
    readyReplicas: 4,
    availableReplicas: 4,
    terminatingReplicas: 0,
  });
  assert.equal(conditions.length, 2);
  assert.equal(condition(world, 'Progressing'), 'True NewReplicaSetAvailable');
});

test('nothing is written when nothing changes', async (t) => {
  const world = await rollout(t, { replicas: 3 });
  await world.runAll();
  const version = world.storage.resourceVersion;
  await world.advance(600_000);
  assert.equal(world.storage.resourceVersion, version);
});

test('a rollout respects maxSurge and maxUnavailable', async (t) => {
  const world = await rollout(t, {
    replicas: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
  });
  await world.runAll();
  world.patchSpec('deployments', 'web', withImage('app:v2'));
  await world.settle();
  assert.deepEqual(sizes(world), { 1: 8, 2: 5 });
  const steps = [sizes(world)];
  for (let step = 0; step < 20; step += 1) {
    const waiting = world
      .list('pods')
      .filter(({ status, metadata }) => status?.phase !== 'Running' && !metadata.deletionTimestamp);
    if (waiting.length === 0) break;
    world.run(waiting[0].metadata.name);
    await world.settle();
    const pods = world.list('pods').filter(({ metadata }) => !metadata.deletionTimestamp);
    const available = pods.filter(({ status }) => status?.phase === 'Running').length;
    assert.ok(pods.length <= 13, `${pods.length} pods`);
    assert.ok(available >= 8, `${available} available`);
    steps.push(sizes(world));
  }
  assert.deepEqual(sizes(world), { 1: 0, 2: 10 });
  assert.ok(steps.length > 5);
  assert.equal(condition(world, 'Progressing'), 'True NewReplicaSetAvailable');
  assert.equal(world.get('deployments', 'web').metadata.annotations[REVISION], '2');
});

test('going back to an old template makes its ReplicaSet the newest revision', async (t) => {
  const world = await rollout(t, { replicas: 1 });
  await world.runAll();
  world.patchSpec('deployments', 'web', withImage('app:v2'));
  await world.settle();
  await world.runAll();
  assert.deepEqual(sizes(world), { 1: 0, 2: 1 });
  world.patchSpec('deployments', 'web', withImage('app:v1'));
  await world.settle();
  await world.runAll();
  assert.deepEqual(sizes(world), { 2: 0, 3: 1 });
  const newest = world.list('replicasets').find(({ spec }) => spec.replicas === 1);
  assert.equal(newest.metadata.annotations['deployment.kubernetes.io/revision-history'], '1');
});

test('Recreate lets the last old pod go before the first new one comes', async (t) => {
  const world = await rollout(t, { replicas: 2, strategy: { type: 'Recreate' } });
  await world.runAll();
  const old = world.list('pods').map(({ metadata }) => metadata.name);
  world.patchSpec('deployments', 'web', withImage('app:v2'));
  await world.settle();
  assert.deepEqual(sizes(world), { 1: 0 });
  world.delete('pods', old[0], { gracePeriodSeconds: 0 });
  await world.settle();
  assert.deepEqual(sizes(world), { 1: 0 });
  world.delete('pods', old[1], { gracePeriodSeconds: 0 });
  await world.settle();
  assert.deepEqual(sizes(world), { 1: 0, 2: 2 });
});

test('scaling in the middle of a rollout is shared by size', async (t) => {
  const world = await rollout(t, {
    replicas: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
  });
  await world.runAll();
  world.patchSpec('deployments', 'web', withImage('app:v2'));
  await world.settle();
  assert.deepEqual(sizes(world), { 1: 8, 2: 5 });
  world.patchSpec('deployments', 'web', { replicas: 15 });
  await world.settle();
  // The example of the documentation: 5 more pods, 3 for the larger set and 2 for the other.
  assert.deepEqual(sizes(world), { 1: 11, 2: 7 });
});

test('a paused Deployment is scaled, but not rolled out', async (t) => {
  const world = await rollout(t, { replicas: 2 });
  await world.runAll();
  world.patchSpec('deployments', 'web', { paused: true, ...withImage('app:v2') });
  await world.settle();
  assert.deepEqual(sizes(world), { 1: 2 });
  assert.equal(condition(world, 'Progressing'), 'Unknown DeploymentPaused');
  world.patchSpec('deployments', 'web', { replicas: 3 });
  await world.settle();
  assert.deepEqual(sizes(world), { 1: 3 });
  world.patchSpec('deployments', 'web', { paused: false });
  await world.settle();
  assert.equal(Object.keys(sizes(world)).length, 2);
});

test('a stalled rollout is reported after its progress deadline', async (t) => {
  const world = await rollout(t, { replicas: 1, progressDeadlineSeconds: 60 });
  await world.advance(59_000);
  assert.equal(condition(world, 'Progressing'), 'True ReplicaSetUpdated');
  await world.advance(3000);
  assert.equal(condition(world, 'Progressing'), 'False ProgressDeadlineExceeded');
  await world.runAll();
  assert.equal(condition(world, 'Progressing'), 'True NewReplicaSetAvailable');
});

test('a rollout that is synced exactly at its deadline is synced again', async (t) => {
  const world = await rollout(t, { replicas: 2, progressDeadlineSeconds: 60 });
  await world.advance(1000);
  world.run(world.list('pods')[0].metadata.name);
  await world.advance(60_000);
  assert.equal(condition(world, 'Progressing'), 'True ReplicaSetUpdated');
  await world.advance(1000);
  assert.equal(condition(world, 'Progressing'), 'False ProgressDeadlineExceeded');
});

test('revisionHistoryLimit deletes old ReplicaSets', async (t) => {
  const world = await rollout(t, { replicas: 1, revisionHistoryLimit: 2 });
  await world.runAll();
  for (const image of ['app:v2', 'app:v3', 'app:v4', 'app:v5']) {
    world.patchSpec('deployments', 'web', withImage(image));
    await world.settle();
    await world.runAll();
  }
  assert.deepEqual(sizes(world), { 3: 0, 4: 0, 5: 1 });
});

test('a hash collision leads to another hash', async (t) => {
  const first = await rollout(t, { replicas: 1 });
  const [{ metadata }] = first.list('replicasets');
  const world = new World(workloads);
  t.after(() => world.stop());
  world.create({
    ...workload('ReplicaSet', 'other', { replicas: 0 }),
    metadata: { name: metadata.name },
  });
  world.create(workload('Deployment', 'web', { replicas: 1 }));
  await world.advance(100);
  const own = world.list('replicasets').filter((set) => set.metadata.ownerReferences);
  assert.equal(own.length, 1);
  assert.notEqual(own[0].metadata.name, metadata.name);
  assert.equal(world.get('deployments', 'web').status.collisionCount, 1);
});

test('refused pods set ReplicaFailure until they are created', async (t) => {
  const world = new World(workloads);
  t.after(() => world.stop());
  const create = world.store.create.bind(world.store);
  let isOpen = false;
  world.store.create = (resource, object, options) => {
    if (resource !== 'pods' || isOpen) return create(resource, object, options);
    throw new ApiError({
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message: 'pods "web" is forbidden: exceeded quota',
      reason: 'Forbidden',
      code: 403,
    });
  };
  world.create(workload('Deployment', 'web', { replicas: 2 }));
  await world.settle();
  assert.equal(condition(world, 'ReplicaFailure'), 'True FailedCreate');
  isOpen = true;
  await world.advance(60_000);
  assert.equal(condition(world, 'ReplicaFailure'), undefined);
  assert.equal(world.list('pods').length, 2);
  assert.deepEqual(world.errors, []);
});

test('a matching ReplicaSet is adopted, one that matches no more is released', async (t) => {
  const world = new World(workloads);
  t.after(() => world.stop());
  world.create({
    ...workload('ReplicaSet', 'web', { replicas: 2 }),
    metadata: { name: 'older', labels: { app: 'web' } },
  });
  await world.settle();
  world.create(workload('Deployment', 'web', { replicas: 2 }));
  await world.settle();
  const adopted = world.get('replicasets', 'older');
  assert.equal(adopted.metadata.ownerReferences[0].name, 'web');
  assert.equal(world.list('replicasets').length, 1);
  world.change('replicasets', 'older', (set) => ({
    ...set,
    metadata: { ...set.metadata, labels: { app: 'other' } },
  }));
  await world.settle();
  assert.equal(world.get('replicasets', 'older').metadata.ownerReferences?.length ?? 0, 0);
  assert.equal(world.list('replicasets').length, 2);
});
