import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CONTROLLERS, createApiServer } from '../../../js/apiserver/index.js';
import { AskedServer, PODS, lottery, node, pod } from './asked_server.js';

/** @param {Uint8Array} bytes */
const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

test('a new server has the objects of every new cluster', async () => {
  const server = new AskedServer();
  const names = async (/** @type {string} */ path) =>
    (await server.get(path)).items.map((/** @type {any} */ { metadata }) => metadata.name);
  assert.deepEqual(await names('/api/v1/namespaces'), [
    'default',
    'kube-node-lease',
    'kube-public',
    'kube-system',
  ]);
  assert.deepEqual(await names('/apis/scheduling.k8s.io/v1/priorityclasses'), [
    'system-cluster-critical',
    'system-node-critical',
  ]);
  assert.deepEqual(await names('/api/v1/services'), ['kubernetes']);
});

test('equal seeds and clocks make equal servers', () => {
  const make = () => {
    const server = new AskedServer({ random: lottery(3) });
    server.store.create(
      'pods',
      pod('', {}, { generateName: 'a-', namespace: 'default', name: '' }),
    );
    return new TextDecoder().decode(server.server.exportList());
  };
  assert.equal(make(), make());
});

test('objects with a uid are stored unchanged, others are completed', () => {
  const uid = '2f5c0d3e-0000-4000-8000-000000000001';
  const dumped = {
    ...pod('dumped', { nodeName: 'gone' }, { namespace: 'shop', uid, resourceVersion: '77' }),
    status: { phase: 'Running', podIP: '10.0.0.1' },
  };
  const written = { ...pod('written', { nodeName: 'n' }), status: { phase: 'Running' } };
  const server = new AskedServer({ objects: [dumped, written, node('n')] });
  const first = /** @type {any} */ (server.store.get('pods', 'shop', 'dumped'));
  assert.equal(first.metadata.uid, uid);
  assert.deepEqual(first.status, dumped.status);
  assert.equal(first.spec.priority, undefined);
  assert.ok(server.store.get('namespaces', '', 'shop'));
  const second = /** @type {any} */ (server.store.get('pods', 'default', 'written'));
  assert.deepEqual([second.status.phase, second.spec.priority], ['Running', 0]);
  assert.ok(second.metadata.uid);
  assert.throws(() => server.store.load({ apiVersion: 'x/v1', kind: 'Thing' }), {
    code: 'UnknownKind',
  });
});

test('importList restores an export and continues its versions', async () => {
  const first = new AskedServer({ resourceVersion: 500 });
  first.store.create('nodes', node('n', { unschedulable: true }));
  first.store.create('pods', pod('p', {}, { namespace: 'default' }));
  await first.ask('POST', '/apis/events.k8s.io/v1/namespaces/default/events', {
    metadata: { name: 'e' },
    note: 'hello',
    regarding: { namespace: 'default', name: 'p' },
  });
  const exported = first.server.exportList();
  const { metadata, items } = parsed(exported);
  assert.equal(metadata.resourceVersion, '510');
  const second = new AskedServer();
  second.server.importList(exported);
  const withoutVersions = (/** @type {any} */ list) =>
    list.items.map((/** @type {any} */ { metadata: { resourceVersion: _, ...rest }, ...item }) => ({
      ...item,
      metadata: rest,
    }));
  assert.deepEqual(withoutVersions(parsed(second.server.exportList())), withoutVersions({ items }));
  // A client that is up to date continues, one that is behind starts again.
  const at = await second.watch(`${PODS}?watch=true&resourceVersion=510`);
  const behind = await second.watch(`${PODS}?watch=true&resourceVersion=509`);
  await second.clock.advance(0);
  assert.deepEqual(at.lines, ['ADDED p']);
  assert.deepEqual(behind.lines, ['ERROR']);
  await at.cancel();
});

test('controllers run by name; those that deletions need run by default', async () => {
  const server = new AskedServer({ controllers: undefined });
  const owner = server.store.create('configmaps', {
    metadata: { name: 'owner', namespace: 'default' },
  });
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid },
  ];
  server.store.create('configmaps', {
    metadata: { name: 'owned', namespace: 'default', ownerReferences },
  });
  await server.ask('DELETE', '/api/v1/namespaces/default/configmaps/owner');
  server.store.create('namespaces', { metadata: { name: 'team' } });
  server.store.create('pods', pod('p', {}, { namespace: 'team' }));
  await server.ask('DELETE', '/api/v1/namespaces/team');
  await server.clock.advance(60_000);
  assert.equal(server.store.get('configmaps', 'default', 'owned'), undefined);
  assert.equal(server.store.get('namespaces', '', 'team'), undefined);
  server.server.dispose();
  assert.deepEqual(server.clock.sleeping(), []);
  assert.ok(CONTROLLERS.includes('workloads'));
  assert.throws(
    () => createApiServer({ controllers: /** @type {any} */ (['missing']) }),
    RangeError,
  );
});

test('invalid options are refused', () => {
  for (const name of ['history', 'resourceVersion', 'eventTtl']) {
    for (const value of [-1, 0.5, NaN]) {
      assert.throws(() => createApiServer({ [name]: value }), { message: `${name}: ${value}` });
    }
  }
});

test('events are deleted after an hour', async () => {
  const server = new AskedServer();
  const create = (/** @type {string} */ name) =>
    server.store.create('events', { metadata: { name, namespace: 'default' } });
  const names = () => server.store.list('events').map(({ metadata }) => metadata.name);
  create('old');
  create('renewed');
  await server.clock.advance(3_599_000);
  server.store.update('events', {
    .../** @type {any} */ (server.store.get('events', 'default', 'renewed')),
    count: 2,
  });
  assert.deepEqual(names(), ['old', 'renewed']);
  await server.clock.advance(1000);
  create('new');
  assert.deepEqual(names(), ['new', 'renewed']);
});

test('an internal error is answered with 500, and the server keeps running', async () => {
  const server = new AskedServer();
  server.store.subscribe('pods', () => {
    throw new Error('a listener broke');
  });
  const { status, body } = await server.ask('POST', PODS, pod('a'));
  assert.equal(status, 500);
  assert.equal(body.message, 'Internal error occurred: a listener broke');
  assert.equal((await server.ask('GET', `${PODS}/a`)).status, 200);
});
