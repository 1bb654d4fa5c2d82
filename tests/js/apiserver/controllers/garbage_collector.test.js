// Goal: the propagationPolicy decides whether dependents are deleted afterwards, first, or not at
// all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingLinks } from '../../../../js/apiserver/controllers/garbagecollector/circles.js';
import { garbagecollector } from '../../../../js/apiserver/controllers/garbagecollector/garbage_collector.js';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { workload, World } from './world.js';

/** @param {import('node:test').TestContext} t @param {...object} objects */
async function prepare(t, ...objects) {
  const world = new World(garbagecollector, workloads);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(...objects);
  await world.settle();
  return world;
}

const counts = (world) =>
  ['deployments', 'replicasets', 'pods'].map((resource) => world.list(resource).length);
const owner = ({ apiVersion, kind, metadata }, fields = {}) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  ...fields,
});
const configMap = (name, ownerReferences = []) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ownerReferences },
});

test('background deletion removes dependents after the owner', async (t) => {
  const world = await prepare(t, workload('Deployment', 'web', { replicas: 2 }));
  assert.deepEqual(counts(world), [1, 1, 2]);
  world.delete('deployments', 'web', { propagationPolicy: 'Background' });
  await world.settle();
  assert.deepEqual(counts(world), [0, 0, 0]);
});

test('orphan deletion keeps dependents without an owner', async (t) => {
  const world = await prepare(t, workload('Deployment', 'web', { replicas: 2 }));
  world.delete('deployments', 'web', { propagationPolicy: 'Orphan' });
  await world.settle();
  assert.deepEqual(counts(world), [0, 1, 2]);
  const [set] = world.list('replicasets');
  assert.deepEqual(set.metadata.ownerReferences ?? [], []);
  world.create(workload('Deployment', 'web', { replicas: 2 }));
  await world.settle();
  assert.equal(world.get('replicasets', set.metadata.name).metadata.ownerReferences[0].name, 'web');
});

test('foreground deletion keeps the owner until blocking dependents are gone', async (t) => {
  const world = await prepare(t, workload('ReplicaSet', 'web', { replicas: 2 }));
  await world.runAll();
  world.delete('replicasets', 'web', { propagationPolicy: 'Foreground' });
  await world.settle();
  assert.ok(world.get('replicasets', 'web').metadata.deletionTimestamp);
  const [first, second] = world.list('pods');
  assert.ok(first.metadata.deletionTimestamp && second.metadata.deletionTimestamp);
  world.delete('pods', first.metadata.name, { gracePeriodSeconds: 0 });
  await world.settle();
  assert.ok(world.get('replicasets', 'web'));
  world.delete('pods', second.metadata.name, { gracePeriodSeconds: 0 });
  await world.settle();
  assert.equal(world.get('replicasets', 'web'), undefined);
});

test('an object with another owner stays, without the deleted one', async (t) => {
  const world = await prepare(t, configMap('one'), configMap('two'));
  const owners = ['one', 'two'].map((name) => owner(world.get('configmaps', name)));
  world.create(configMap('child', owners));
  await world.settle();
  world.delete('configmaps', 'one');
  await world.settle();
  const { ownerReferences } = world.get('configmaps', 'child').metadata;
  assert.deepEqual(
    ownerReferences.map(({ name }) => name),
    ['two'],
  );
  world.delete('configmaps', 'two');
  await world.settle();
  assert.equal(world.get('configmaps', 'child'), undefined);
});

test('an object whose owner does not exist, or has another uid, is deleted', async (t) => {
  const world = await prepare(t, configMap('one'));
  const real = owner(world.get('configmaps', 'one'));
  world.create(configMap('wrong', [{ ...real, uid: '00000000-0000-4000-8000-000000000000' }]));
  world.create(configMap('right', [real]));
  // The server cannot look up owners of such a kind.
  world.create(configMap('foreign', [{ ...real, apiVersion: 'example.org/v1', kind: 'Thing' }]));
  await world.settle();
  assert.deepEqual(
    world.list('configmaps').map(({ metadata }) => metadata.name),
    ['foreign', 'one', 'right'],
  );
});

test('initially missing owners are assumed to exist elsewhere', async (t) => {
  const world = new World();
  const missing = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'u-1' };
  world.create(configMap('child', [missing]));
  t.after(garbagecollector().start(world.store, world.clock));
  await world.settle();
  assert.ok(world.get('configmaps', 'child'));
  world.create(configMap('late', [{ ...missing, uid: 'u-2' }]));
  await world.settle();
  assert.equal(world.get('configmaps', 'late'), undefined);
});

test('owners in other namespaces do not count, and an event says so', async (t) => {
  const world = await prepare(t, configMap('one'));
  const real = owner(world.get('configmaps', 'one'));
  world.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  const elsewhere = configMap('away', [real]);
  world.create({ ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'other' } });
  await world.settle();
  assert.equal(world.store.get('configmaps', 'other', 'away'), undefined);
  assert.deepEqual(world.events('away'), [invalidNamespace(real, 'other')]);
});

test('an object without a namespace that has an owner in one is never collected', async (t) => {
  const world = await prepare(t, configMap('one'));
  const real = owner(world.get('configmaps', 'one'));
  const missing = { ...real, uid: '00000000-0000-4000-8000-000000000000' };
  world.create(priorityClass('bad', [real]), priorityClass('lost', [missing]));
  await world.settle();
  world.delete('configmaps', 'one');
  await world.settle();
  assert.ok(world.store.get('priorityclasses', '', 'bad'));
  assert.ok(world.store.get('priorityclasses', '', 'lost'));
  assert.deepEqual(world.events('bad'), [invalidNamespace(real, '')]);
  assert.deepEqual(world.events('lost'), []);
});

test('a reference that cannot be valid says nothing about its owner', async (t) => {
  const world = new World();
  world.create(configMap('one'));
  const real = owner(world.get('configmaps', 'one'));
  world.create(configMap('child', [real]), priorityClass('bad', [real]));
  t.after(garbagecollector().start(world.store, world.clock));
  world.delete('configmaps', 'one');
  await world.settle();
  assert.equal(world.get('configmaps', 'child'), undefined);
});

/** @param {ReturnType<typeof owner>} owner @param {string} namespace of the dependent */
function invalidNamespace({ apiVersion, kind, name, uid }, namespace) {
  const where = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
  return `OwnerRefInvalidNamespace: ownerRef ${where} does not exist in namespace "${namespace}"`;
}

/** @param {string} name @param {object[]} ownerReferences */
function priorityClass(name, ownerReferences) {
  const type = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
  return { ...type, metadata: { name, ownerReferences }, value: 1 };
}

/**
 * Makes each ConfigMap the owner of the next, and the last one of the first.
 * @param {any} world
 * @param {string[]} names
 */
function ownInCircle(world, names) {
  for (const [index, name] of names.entries()) {
    const next = names[(index + 1) % names.length];
    const owners = [owner(world.get('configmaps', name), { blockOwnerDeletion: true })];
    world.change('configmaps', next, (object) => ({
      ...object,
      metadata: { ...object.metadata, ownerReferences: owners },
    }));
  }
}

test('owners in a circle do not block each other', async (t) => {
  const cases = /** @type {[string[], string[]][]} */ ([
    [['a', 'b', 'c'], ['a']],
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ],
    [['a', 'b'], ['b']],
    [['a'], ['a']],
  ]);
  for (const [names, deleted] of cases) {
    const world = await prepare(t, ...names.map((name) => configMap(name)));
    ownInCircle(world, names);
    await world.settle();
    for (const name of deleted)
      world.delete('configmaps', name, { propagationPolicy: 'Foreground' });
    await world.settle();
    assert.deepEqual(world.list('configmaps'), [], `${names} by ${deleted}`);
  }
});

test('links that close a cycle of any length are found', () => {
  const last = 200_000;
  const next = (/** @type {number} */ node) => (node === last ? [0] : [node + 1]);
  assert.deepEqual(closingLinks([0], next), [[last, 0]]);
  const branches = new Map([
    [1, [2, 3]],
    [2, [4]],
    [3, [4, 1]],
    [4, [4]],
  ]);
  const links = closingLinks([1], (node) => branches.get(node) ?? []);
  assert.deepEqual(links, [
    [4, 4],
    [3, 1],
  ]);
});

test('a circle beside a dependent that blocks keeps its owner waiting', async (t) => {
  const world = await prepare(t, configMap('a'), configMap('b'));
  ownInCircle(world, ['a', 'b']);
  const blocking = owner(world.get('configmaps', 'a'), { blockOwnerDeletion: true });
  const child = configMap('held', [blocking]);
  child.metadata.finalizers = ['example.org/hold'];
  world.create(child);
  await world.settle();
  world.delete('configmaps', 'a', { propagationPolicy: 'Foreground' });
  await world.settle();
  assert.deepEqual(
    world.list('configmaps').map(({ metadata }) => metadata.name),
    ['a', 'b', 'held'],
  );
  world.change('configmaps', 'held', (object) => ({
    ...object,
    metadata: { ...object.metadata, finalizers: [] },
  }));
  await world.settle();
  assert.deepEqual(world.list('configmaps'), []);
});
