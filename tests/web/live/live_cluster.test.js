// Goal: a page that follows a live cluster shows its state and its events, explains decisions, and
// changes nothing without permission. Method: the embedded API server, used like any other.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApiServer } from '../../../js/apiserver/index.js';
import { Inquiry } from '../../../web/src/worker/inquiry.js';
import { node, pod } from '../world/objects.js';
import { follow, serverOf } from './followed.js';

/** @param {import('../../../js/apiserver/index.js').ApiServer} server */
const binding = (server, /** @type {string} */ name, /** @type {string} */ target) =>
  server.store.bind('default', name, { metadata: {}, target: { name: target } });

/** @param {object} involvedObject @param {object} more */
const event = (involvedObject, more) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `e${JSON.stringify(involvedObject).length}`, namespace: 'default' },
  involvedObject,
  lastTimestamp: '2026-01-01T00:00:00Z',
  ...more,
});

test('the first update has the state, later ones the changes', async (t) => {
  const server = serverOf(t, [node('a'), node('b'), pod('web')]);
  const { live, told } = await follow(t, server.fetch);
  assert.match(live.met.version, /^v1\.36\.\d+$/);
  await told.until(({ status }) => status?.state === 'following');
  await told.until(({ cluster }) => cluster.nodes.size === 2 && cluster.pods.size === 1);
  assert.deepEqual(told.texts, [], 'nothing has happened yet');
  binding(server, 'web', 'b');
  server.store.load(pod('late'));
  server.store.delete('nodes', '', 'a');
  await told.until(({ rows }) => rows.length >= 3);
  assert.deepEqual(told.texts.sort(), [
    'Node a: is gone',
    'Pod default/late: created',
    'Pod default/web: bound to b',
  ]);
  assert.equal(told.cluster.pods.get('default/web')?.node, 'b');
  assert.deepEqual([...told.cluster.nodes.keys()], ['b']);
  assert.deepEqual(told.status?.missing, []);
  assert.match(told.status?.resourceVersion ?? '', /^\d+$/);
});

test('a pod that has ended is removed', async (t) => {
  const server = serverOf(t, [node('a'), pod('job')]);
  binding(server, 'job', 'a');
  const { told } = await follow(t, server.fetch);
  await told.until(({ cluster }) => cluster.pods.size === 1);
  await server.fetch(
    new Request('http://cluster/api/v1/namespaces/default/pods/job/status', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ status: { phase: 'Succeeded' } }),
    }),
  );
  await told.until(({ cluster }) => cluster.pods.size === 0);
  assert.deepEqual(told.texts, ['Pod default/job: is gone']);
});

test('any pod can be evaluated, with the given configuration', async (t) => {
  const server = serverOf(t, [node('a', '1'), pod('one'), pod('big', '8')]);
  const { live, told } = await follow(t, server.fetch);
  await told.until(({ cluster }) => cluster.pods.size === 2 && cluster.nodes.size === 1);
  assert.equal(live.moment.scheduler.evaluate('default/one').node, 'a');
  assert.match(
    live.moment.scheduler.evaluate('default/big').message ?? '',
    /^0\/1 nodes are available/,
  );
  const configuration = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - plugins: { filter: { disabled: [{ name: NodeResourcesFit }] } }
`;
  const other = await follow(t, server.fetch, { configuration });
  await other.told.until(({ cluster }) => cluster.pods.size === 2 && cluster.nodes.size === 1);
  assert.equal(other.live.moment.scheduler.evaluate('default/big').node, 'a');
});

test('a score is explained by its formula', async (t) => {
  const server = serverOf(t, [node('a', '4'), node('b', '8'), pod('one')]);
  const { live, told } = await follow(t, server.fetch);
  await told.until(({ cluster }) => cluster.pods.size === 1 && cluster.nodes.size === 2);
  const inquiry = new Inquiry(live.moment, 'default/one');
  const explained = inquiry.explainScore('NodeResourcesFit', 'b');
  assert.ok(explained);
  assert.match(JSON.stringify(explained), /8000/);
});

test('Events of the cluster about pods and nodes have their own times', async (t) => {
  const server = serverOf(t, [node('a'), pod('web')]);
  const about = { kind: 'Pod', namespace: 'default', name: 'web' };
  const message = '0/1 nodes are available: 1 Insufficient cpu.';
  server.store.load(event(about, { type: 'Warning', reason: 'FailedScheduling', message }));
  server.store.load(
    event({ kind: 'ReplicaSet', namespace: 'default', name: 'web' }, { reason: 'Nothing' }),
  );
  const { told } = await follow(t, server.fetch);
  await told.until(({ rows }) => rows.length > 0);
  assert.deepEqual(told.rows, [
    {
      at: '2026-01-01T00:00:00.000Z',
      kind: 'Event',
      text: `FailedScheduling: ${message}`,
      isWarning: true,
      pod: 'default/web',
    },
  ]);
});

test('only reads leave the page unless changes are allowed', async (t) => {
  const server = serverOf(t, [node('a')]);
  /** @type {string[]} */
  const methods = [];
  const fetch = (/** @type {Request} */ request) => {
    methods.push(request.method);
    return server.fetch(request);
  };
  const { live, told } = await follow(t, fetch);
  await told.until(({ cluster }) => cluster.nodes.size === 1);
  const object = { apiVersion: 'v1', kind: 'Node', name: 'a' };
  for (const action of /** @type {const} */ ([
    { do: 'apply', objects: [pod('web')] },
    { do: 'apply', objects: [{ ...pod('web'), metadata: { generateName: 'web-' } }] },
    { do: 'delete', objects: [object] },
    { do: 'patch', object, patch: { spec: { unschedulable: true } } },
  ])) {
    const { errors } = await live.do(/** @type {any} */ (action));
    assert.match(
      String(errors),
      /^this cluster is read-only; to make changes, choose “Allow changes”/,
    );
  }
  assert.deepEqual([...new Set(methods)], ['GET']);
  assert.equal(server.store.list('pods').length, 0);
});

test('allowed changes are made, and errors are in the server’s words', async (t) => {
  const server = serverOf(t, [node('a')]);
  const { live, told } = await follow(t, server.fetch, { allowsChanges: true });
  await told.until(({ cluster }) => cluster.nodes.size === 1);
  const object = { apiVersion: 'v1', kind: 'Node', name: 'a' };
  const patch = { spec: { unschedulable: true } };
  const done = [
    await live.do({ do: 'patch', object, patch }),
    await live.do({ do: 'apply', objects: [pod('web'), node('b', '7')] }),
    await live.do({
      do: 'apply',
      objects: [{ ...pod('x'), metadata: { generateName: 'web-', namespace: 'default' } }],
    }),
  ];
  assert.deepEqual(
    done.flatMap(({ errors }) => errors),
    [],
  );
  await told.until(({ cluster }) => cluster.nodes.size === 2 && cluster.pods.size === 2);
  assert.ok(told.cluster.nodes.get('a')?.isUnschedulable);
  await told.until(({ cluster }) => cluster.nodes.get('b')?.allocatable.cpu === 7);
  assert.ok(told.texts.includes('Node a: cordoned'));
  const gone = await live.do({ do: 'delete', objects: [{ ...object, name: 'z' }] });
  assert.deepEqual(gone.errors, ['nodes "z" not found']);
  await assert.rejects(live.do({ do: 'step' }), { name: 'StowageError', code: 'LiveCluster' });
});

test('a cluster of stowage up may be changed as long as it is one', async (t) => {
  const server = serverOf(t, [node('a')]);
  let isSandbox = true;
  const fetch = async (/** @type {Request} */ request) =>
    isSandbox || new URL(request.url).pathname !== '/version'
      ? server.fetch(request)
      : Response.json({ gitVersion: 'v1.36.0', platform: 'linux/amd64' });
  const { live } = await follow(t, fetch, { allowsChanges: 'sandbox' });
  assert.ok(live.met.allowsChanges);
  const made = await live.do({ do: 'apply', objects: [pod('one')] });
  assert.deepEqual(made.errors, []);
  isSandbox = false;
  const refused = await live.do({ do: 'apply', objects: [pod('two')] });
  assert.match(String(refused.errors), /^this cluster is read-only/);
  assert.equal(server.store.list('pods').length, 1);
  assert.ok(!(await follow(t, fetch, { allowsChanges: 'sandbox' })).live.met.allowsChanges);
});

test('an object is read as the server returns it', async (t) => {
  const server = serverOf(t, [node('a')]);
  const { live } = await follow(t, server.fetch);
  const reference = { apiVersion: 'v1', kind: 'Node', name: 'a' };
  assert.equal((await live.object(reference))?.metadata.name, 'a');
  assert.equal(await live.object({ ...reference, name: 'z' }), undefined);
});

test('kinds that the server refuses are reported, and all others are followed', async (t) => {
  const server = serverOf(t, [node('a'), pod('web')]);
  const message = 'services is forbidden: User "me" cannot list resource "services"';
  const status = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'Forbidden' };
  const fetch = async (/** @type {Request} */ request) =>
    new URL(request.url).pathname === '/api/v1/services'
      ? Response.json({ ...status, message, code: 403 }, { status: 403 })
      : server.fetch(request);
  const { live, told } = await follow(t, fetch);
  await told.until(({ status: now }) => now?.state === 'following' && now.missing.length > 0);
  assert.deepEqual(told.status?.missing, [{ resource: 'services', state: 'forbidden', message }]);
  assert.equal(live.moment.scheduler.evaluate('default/web').node, 'a');
});

test('another server in its place is followed anew, and missing objects are removed', async (t) => {
  let server = serverOf(t, [node('a'), pod('old')]);
  let isDown = false;
  const fetch = async (/** @type {Request} */ request) => {
    if (isDown) throw new TypeError('Failed to fetch');
    return server.fetch(request);
  };
  const { told } = await follow(t, fetch);
  await told.until(({ cluster }) => cluster.pods.has('default/old') && cluster.nodes.size === 1);
  isDown = true;
  server.dispose();
  await told.until(({ status }) => status?.reason.endsWith('Failed to fetch'));
  assert.equal(told.status?.state, 'waiting');
  server = createApiServer({ objects: [node('b'), pod('new')], resourceVersion: 1_000_000 });
  t.after(() => server.dispose());
  isDown = false;
  await told.until(({ cluster }) => cluster.pods.has('default/new') && cluster.nodes.has('b'));
  await told.until(({ cluster }) => cluster.pods.size === 1 && cluster.nodes.size === 1);
  await told.until(({ status }) => status?.state === 'following');
  assert.equal(told.status?.reason, '');
});

test('a missing API server and an invalid configuration are reported at once', async (t) => {
  const server = serverOf(t);
  const page = async () => new Response('<!doctype html>', { status: 200 });
  await assert.rejects(follow(t, page), /JSON/);
  const other = async () => Response.json({ version: 1 });
  await assert.rejects(follow(t, other), { code: 'NotKubernetes' });
  const down = async () => Promise.reject(new TypeError('Failed to fetch'));
  await assert.rejects(follow(t, down), { name: 'ConnectionError', code: 'Network' });
  await assert.rejects(follow(t, server.fetch, { baseUrl: 'cluster' }), /baseUrl/);
  await assert.rejects(follow(t, server.fetch, { configuration: 'kind: [' }), {
    name: 'InputError',
  });
  await assert.rejects(follow(t, server.fetch, { configuration: 'kind: Pod' }), {
    name: 'ConfigurationError',
  });
});
