// Goal: StatefulSets number their pods, wait for one before the next, and keep their claims.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { featureGatesOf } from '../../../../js/apiserver/feature_gates.js';
import { template, workload, World } from './world.js';

const CLAIM = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

/**
 * @param {import('node:test').TestContext} t
 * @param {object} spec
 * @param {ReturnType<typeof featureGatesOf>} [gates]
 */
async function prepare(t, spec, gates = featureGatesOf()) {
  const world = new World((options) => workloads({ ...options, gates }));
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(workload('StatefulSet', 'db', { serviceName: 'db', ...spec }));
  await world.settle();
  return world;
}

const names = (world) =>
  world
    .list('pods')
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.name);
const withImage = (image) => ({
  template: template({ app: 'db' }, { containers: [{ name: 'main', image }] }),
});
const images = (world) =>
  world.list('pods').map(({ metadata, spec }) => `${metadata.name} ${spec.containers[0].image}`);

/** Ends terminating pods, and runs new ones, until nothing changes. @param {World} world */
async function bringOn(world) {
  for (let step = 0; step < 30; step += 1) {
    for (const { metadata } of world.list('pods'))
      if (metadata.deletionTimestamp)
        world.delete('pods', metadata.name, { gracePeriodSeconds: 0 });
    await world.settle();
    await world.runAll();
  }
}

test('pods come one after the other, each with its name, labels and claims', async (t) => {
  const world = await prepare(t, { replicas: 3, volumeClaimTemplates: [CLAIM] });
  assert.deepEqual(names(world), ['db-0']);
  const { metadata, spec } = world.get('pods', 'db-0');
  const [revision] = world.list('controllerrevisions');
  assert.deepEqual(metadata.labels, {
    app: 'db',
    'apps.kubernetes.io/pod-index': '0',
    'controller-revision-hash': revision.metadata.name,
    'statefulset.kubernetes.io/pod-name': 'db-0',
  });
  assert.deepEqual([spec.hostname, spec.subdomain], ['db-0', 'db']);
  assert.deepEqual(spec.volumes, [
    { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
  ]);
  world.run('db-0');
  await world.settle();
  assert.deepEqual(names(world), ['db-0', 'db-1']);
  world.run('db-1');
  await world.settle();
  world.run('db-2');
  await world.settle();
  assert.deepEqual(
    world.list('persistentvolumeclaims').map((claim) => claim.metadata.name),
    ['data-db-0', 'data-db-1', 'data-db-2'],
  );
  const { status } = world.get('statefulsets', 'db');
  assert.deepEqual(status, {
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 3,
    currentReplicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    currentRevision: revision.metadata.name,
    updateRevision: revision.metadata.name,
    collisionCount: 0,
  });
});

test('a set that is made smaller loses the highest first, one after the other', async (t) => {
  const world = await prepare(t, { replicas: 3, volumeClaimTemplates: [CLAIM] });
  await bringOn(world);
  world.patchSpec('statefulsets', 'db', { replicas: 1 });
  await world.settle();
  assert.deepEqual(names(world), ['db-0', 'db-1']);
  await bringOn(world);
  assert.deepEqual(names(world), ['db-0']);
  assert.equal(world.list('persistentvolumeclaims').length, 3);
});

test('Parallel creates all pods at once', async (t) => {
  const world = await prepare(t, {
    replicas: 3,
    podManagementPolicy: 'Parallel',
    ordinals: { start: 5 },
  });
  assert.deepEqual(names(world), ['db-5', 'db-6', 'db-7']);
  world.patchSpec('statefulsets', 'db', { replicas: 0 });
  await world.settle();
  assert.deepEqual(names(world), []);
});

test('a pod that fails or is deleted comes back under its name', async (t) => {
  const world = await prepare(t, { replicas: 2 });
  await bringOn(world);
  const { uid } = world.get('pods', 'db-0').metadata;
  world.patchStatus('pods', 'db-0', { phase: 'Failed' });
  await world.settle();
  assert.notEqual(world.get('pods', 'db-0').metadata.uid, uid);
});

test('a new template goes from the highest pod down', async (t) => {
  const world = await prepare(t, { replicas: 3 });
  await bringOn(world);
  world.patchSpec('statefulsets', 'db', withImage('app:v2'));
  await world.settle();
  assert.deepEqual(names(world), ['db-0', 'db-1']);
  await bringOn(world);
  assert.deepEqual(images(world), ['db-0 app:v2', 'db-1 app:v2', 'db-2 app:v2']);
  const { currentRevision, updateRevision, updatedReplicas } = world.get(
    'statefulsets',
    'db',
  ).status;
  assert.equal(currentRevision, updateRevision);
  assert.equal(updatedReplicas, 3);
  assert.deepEqual(
    world
      .list('controllerrevisions')
      .map(({ revision }) => revision)
      .sort(),
    [1, 2],
  );
});

test('one pod is updated at a time, also old ones that do not run', async (t) => {
  const world = await prepare(t, {
    replicas: 3,
    podManagementPolicy: 'Parallel',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } },
  });
  const old = ['db-0 app:v1', 'db-1 app:v1', 'db-2 app:v1'];
  assert.deepEqual(images(world), old);
  world.patchSpec('statefulsets', 'db', withImage('app:v2'));
  await world.settle();
  assert.deepEqual(images(world), [...old.slice(0, 2), 'db-2 app:v2'], 'none runs');
  world.run('db-2');
  await world.settle();
  assert.deepEqual(images(world), [...old.slice(0, 1), 'db-1 app:v2', 'db-2 app:v2']);
});

const GATE = { MaxUnavailableStatefulSet: true };
const MANY = { type: 'RollingUpdate', rollingUpdate: { partition: 1, maxUnavailable: '50%' } };

test('with its gate an update deletes as many pods as may be unavailable', async (t) => {
  const spec = { replicas: 5, updateStrategy: MANY };
  for (const gates of [featureGatesOf(GATE), featureGatesOf({}, '1.37-preview')]) {
    const world = await prepare(t, spec, gates);
    await bringOn(world);
    world.patchSpec('statefulsets', 'db', withImage('app:v2'));
    await world.settle();
    assert.deepEqual(names(world), ['db-0', 'db-1', 'db-2']);
    await bringOn(world);
    const fresh = ['db-1 app:v2', 'db-2 app:v2', 'db-3 app:v2', 'db-4 app:v2'];
    assert.deepEqual(images(world), ['db-0 app:v1', ...fresh]);
  }
});

test('with its gate since v1.37, old pods that do not run go first', async (t) => {
  const spec = { replicas: 4, podManagementPolicy: 'Parallel', updateStrategy: MANY };
  const updated = async (gates) => {
    const world = await prepare(t, spec, gates);
    for (const name of ['db-0', 'db-2', 'db-3']) world.run(name);
    await world.settle();
    world.patchSpec('statefulsets', 'db', withImage('app:v2'));
    await world.settle();
    return images(world).filter((one) => one.endsWith('v2'));
  };
  assert.deepEqual(await updated(featureGatesOf(GATE)), []);
  assert.deepEqual(await updated(featureGatesOf({}, '1.37-preview')), ['db-1 app:v2']);
});

test('pods below the partition keep the old template, also when they are made anew', async (t) => {
  const world = await prepare(t, {
    replicas: 3,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
  });
  await bringOn(world);
  world.patchSpec('statefulsets', 'db', withImage('app:v2'));
  await bringOn(world);
  world.delete('pods', 'db-0', { gracePeriodSeconds: 0 });
  await bringOn(world);
  assert.deepEqual(images(world), ['db-0 app:v1', 'db-1 app:v1', 'db-2 app:v2']);
  const { status } = world.get('statefulsets', 'db');
  assert.deepEqual([status.currentReplicas, status.updatedReplicas], [2, 1]);
});

test('OnDelete updates a pod only after it is deleted', async (t) => {
  const world = await prepare(t, { replicas: 2, updateStrategy: { type: 'OnDelete' } });
  await bringOn(world);
  world.patchSpec('statefulsets', 'db', withImage('app:v2'));
  await bringOn(world);
  assert.deepEqual(images(world), ['db-0 app:v1', 'db-1 app:v1']);
  world.delete('pods', 'db-1', { gracePeriodSeconds: 0 });
  await bringOn(world);
  assert.deepEqual(images(world), ['db-0 app:v1', 'db-1 app:v2']);
});

test('a pod name in use is reported, and retried', async (t) => {
  const world = new World(workloads);
  t.after(() => world.stop());
  const { spec } = template({});
  world.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db-0' }, spec });
  world.create(workload('StatefulSet', 'db', { replicas: 1 }));
  await world.settle();
  assert.match(
    world.events('db').join('\n'),
    /FailedCreate: create Pod db-0 in StatefulSet db failed error: pods "db-0" already exists/,
  );
  world.delete('pods', 'db-0');
  await world.advance(60_000);
  assert.equal(world.get('pods', 'db-0').metadata.ownerReferences[0].name, 'db');
});

// Goal: a cluster from a file rarely has ControllerRevisions; its pods stay all the same.
test('pods of a StatefulSet without ControllerRevisions stay', async (t) => {
  const first = await prepare(t, { replicas: 2 });
  await bringOn(first);
  const world = new World();
  for (const resource of ['statefulsets', 'pods'])
    for (const object of first.list(resource)) world.store.load(object);
  const stop = workloads().start(world.store, world.clock);
  t.after(stop);
  const before = world.list('pods').map(({ metadata }) => metadata.resourceVersion);
  await world.settle();
  assert.deepEqual(
    world.list('pods').map(({ metadata }) => metadata.resourceVersion),
    before,
  );
  assert.deepEqual(
    world.list('controllerrevisions').map(({ metadata }) => metadata.name),
    first.list('controllerrevisions').map(({ metadata }) => metadata.name),
  );
});
