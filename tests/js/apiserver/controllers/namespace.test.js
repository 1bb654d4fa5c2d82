// Goal: namespaces get their default contents, and are removed when they are empty.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubelet } from '../../../../js/apiserver/controllers/kubelet/kubelet.js';
import { namespace } from '../../../../js/apiserver/controllers/namespace.js';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { template, workload, World } from './world.js';

/** @param {import('node:test').TestContext} t */
async function prepare(t) {
  const world = new World(namespace, kubelet, workloads);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  await world.settle();
  return world;
}

const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const accounts = (world) =>
  world.list('serviceaccounts').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

test('the namespaces of every cluster are there, each with its ServiceAccount', async (t) => {
  const world = await prepare(t);
  assert.deepEqual(
    world.list('namespaces').map(({ metadata }) => metadata.name),
    ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
  );
  world.create(NAMESPACE);
  await world.settle();
  assert.ok(accounts(world).includes('shop/default'));
  world.store.delete('serviceaccounts', 'shop', 'default');
  await world.settle();
  assert.ok(accounts(world).includes('shop/default'));
});

test('a namespace that is deleted is emptied first', async (t) => {
  const world = await prepare(t);
  world.create(
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } },
    { ...NAMESPACE, spec: { finalizers: ['kubernetes'] } },
  );
  const inside = (object) =>
    world.create({ ...object, metadata: { ...object.metadata, namespace: 'shop' } });
  inside(workload('Deployment', 'web', { replicas: 2 }));
  inside({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'bound' },
    spec: { ...template({}).spec, nodeName: 'a' },
  });
  await world.advance(2000);
  assert.equal(world.store.list('pods', { namespace: 'shop' }).length, 3);
  world.delete('namespaces', 'shop');
  await world.settle();
  const { status } = world.get('namespaces', 'shop');
  assert.equal(status.phase, 'Terminating');
  const remaining = status.conditions.find(({ type }) => type === 'NamespaceContentRemaining');
  assert.deepEqual([remaining.status, remaining.reason], ['True', 'SomeResourcesRemain']);
  await world.advance(2000);
  assert.equal(world.get('namespaces', 'shop'), undefined);
  for (const resource of ['pods', 'deployments', 'replicasets', 'events', 'serviceaccounts'])
    assert.deepEqual(world.store.list(resource, { namespace: 'shop' }), [], resource);
});
