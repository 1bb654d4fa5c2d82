import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memorySnapshots } from '../../../js/src/edge.js';
import { makePod, storedPod } from '../support/objects.js';
import { AskedHandler, clusterOf, START } from './asked_handler.js';

const SECRET = 'correct-horse';
const EU = clusterOf({ a: '4', b: '8' }, storedPod('bound', { spec: { nodeName: 'a' } }));

/** @param {AskedHandler} asked @param {unknown} body */
function push(asked, body, { name = 'eu-1', token = SECRET, ...options } = {}) {
  return asked.ask('PUT', `/snapshots/${name}`, { body, token, ...options });
}

test('a snapshot that is pushed answers at once', async () => {
  const asked = new AskedHandler({ secret: SECRET });
  const before = await asked.preScore(makePod('web'));
  assert.equal(before.status, 503);
  assert.equal(before.body.message, 'there is no snapshot of cluster "eu-1" yet');
  const first = await push(asked, EU);
  assert.equal(first.status, 201);
  assert.deepEqual(first.body.counts, { nodes: 2, pods: 1, pending: 0, objects: 3 });
  assert.equal(first.body.bytes, JSON.stringify(EU).length);
  assert.match(first.body.etag, /^"[0-9a-f]{32}"$/);
  assert.equal(first.headers.get('ETag'), first.body.etag);
  await asked.clock.advance(7_000);
  const asking = await asked.preScore(makePod('web'));
  assert.deepEqual([asking.status, asking.body.node], [200, 'b']);
  assert.deepEqual(
    [asking.body.snapshot.etag, asking.body.snapshot.ageSeconds],
    [first.body.etag, 7],
  );
});

test('the next one takes its place, and the same one is only younger', async () => {
  const asked = new AskedHandler({ secret: SECRET });
  const { body: first } = await push(asked, EU);
  await asked.clock.advance(60_000);
  const same = await push(asked, EU);
  assert.deepEqual([same.status, same.body.etag, same.body.ageSeconds], [200, first.etag, 0]);
  assert.equal(same.body.time, new Date(START + 60_000).toISOString());
  assert.equal(asked.surface.calls.filter(([name]) => name === 'create').length, 1);
  const next = await push(asked, clusterOf({ a: '64' }));
  assert.equal(next.status, 200);
  assert.notEqual(next.body.etag, first.etag);
  assert.equal((await asked.preScore(makePod('web'))).body.node, 'a');
  assert.equal(asked.alive, 1);
});

test('a push needs the secret', async () => {
  const asked = new AskedHandler({ secret: SECRET });
  const cases = [
    undefined,
    'Bearer',
    'Bearer wrong',
    `Bearer ${SECRET}x`,
    `Bearer ${SECRET.slice(1)}`,
    `Bearer ${SECRET} ${SECRET}`,
    `Basic ${SECRET}`,
    SECRET,
  ];
  for (const authorization of cases) {
    const headers = authorization && { Authorization: authorization };
    const { status, body, headers: given } = await push(asked, EU, { token: null, headers });
    assert.deepEqual([status, body?.reason], [401, 'Unauthorized'], authorization);
    assert.equal(given.get('WWW-Authenticate'), 'Bearer realm="stowage"');
  }
  assert.equal((await asked.ask('GET', '/snapshots/eu-1')).status, 404);
  const lower = { Authorization: `bearer  ${SECRET}` };
  assert.equal((await push(asked, EU, { token: null, headers: lower })).status, 201);
});

test('an unauthorized push is refused before its body is read', async () => {
  const asked = new AskedHandler({ secret: SECRET });
  const raw = new ReadableStream({
    pull() {
      throw new Error('it was read');
    },
  });
  const { status } = await push(asked, undefined, { token: 'wrong', raw });
  assert.equal(status, 401);
});

test('a secret may be among the bindings of a request', async () => {
  const asked = new AskedHandler({ secret: (env) => env?.SECRET });
  assert.equal((await push(asked, EU, { env: { SECRET } })).status, 201);
  assert.equal((await push(asked, EU, { env: { SECRET: 'other' } })).status, 401);
  for (const env of [undefined, {}, { SECRET: '' }, { SECRET: 7 }]) {
    const { status, body } = await push(asked, EU, { env });
    assert.equal(status, 500);
    assert.doesNotMatch(body.message, /correct/);
  }
});

test('a request for scores needs readSecret where it is set', async () => {
  const asked = new AskedHandler({ secret: SECRET, readSecret: 'reader' });
  assert.equal((await push(asked, EU)).status, 201);
  const body = { pod: makePod('web'), cluster: 'eu-1' };
  for (const [token, status] of [
    [undefined, 401],
    [SECRET, 401],
    ['reader', 200],
  ]) {
    assert.equal((await asked.ask('POST', '/prescore', { body, token })).status, status);
    assert.equal((await asked.ask('GET', '/snapshots/eu-1', { token })).status, status);
  }
  assert.equal((await push(asked, EU, { token: 'reader' })).status, 401);
  assert.equal((await asked.ask('GET', '/openapi.json')).status, 200);
});

test('an invalid snapshot is rejected, and the previous one stays', async () => {
  const asked = new AskedHandler({ secret: SECRET });
  await push(asked, EU);
  const cases = [
    ['{"items":[', 400],
    ['not JSON', 400],
    ['[]', 400],
    ['{}', 422],
    ['{"kind":"Status","message":"Forbidden"}', 422],
    ['{"apiVersion":"v1","kind":"List","items":{}}', 422],
    ['{"apiVersion":"v1","kind":"List","items":[]} {}', 400],
  ];
  for (const [raw, status] of cases) {
    const answer = await push(asked, undefined, { raw });
    assert.equal(answer.status, status, raw);
  }
  const { body } = await asked.ask('GET', '/snapshots/eu-1');
  assert.equal(body.counts.nodes, 2);
  assert.equal(asked.alive, 1);
});

test('a name requested before its push answers after it at once', async () => {
  const asked = new AskedHandler({ secret: SECRET });
  assert.equal((await asked.ask('GET', '/snapshots/eu-1')).status, 404);
  assert.equal((await push(asked, EU)).status, 201);
  assert.equal((await asked.ask('GET', '/snapshots/eu-1')).status, 200);
});

test('a limit of a store that is none is refused', () => {
  for (const maxBytes of /** @type {any[]} */ ([NaN, 0, -1, 1.5, Infinity, '5', null]))
    assert.throws(() => memorySnapshots({ maxBytes }), {
      name: 'ConfigurationError',
      message: 'maxBytes: must be an integer from 1',
    });
});

test('a store that fails to save reports it, and the previous snapshot stays', async () => {
  const snapshots = memorySnapshots({ maxBytes: JSON.stringify(EU).length });
  const asked = new AskedHandler({ secret: SECRET, snapshots });
  assert.equal((await push(asked, EU)).status, 201);
  assert.equal((await push(asked, EU)).status, 200, 'in place of itself');
  const full = await push(asked, EU, { name: 'us-2' });
  assert.deepEqual([full.status, full.body.reason], [507, 'InsufficientStorage']);
  assert.equal(asked.alive, 1);
  const put = () => Promise.reject(new Error('read-only'));
  const failing = new AskedHandler({ secret: SECRET, snapshots: { get: () => null, put } });
  const { status, body } = await push(failing, EU);
  assert.equal(status, 503);
  assert.equal(body.message, 'the snapshot of cluster "eu-1" cannot be kept: read-only');
  assert.equal(failing.alive, 0);
});

test('a pushed snapshot is served while the store still returns an older one', async () => {
  const old = { body: JSON.stringify(clusterOf({ old: '4' })), etag: 'old', time: START - 60_000 };
  let found = old;
  const snapshots = { get: () => found, put: () => {} };
  const asked = new AskedHandler({ secret: SECRET, snapshots });
  const { body: pushed } = await push(asked, EU);
  await asked.clock.advance(6_000);
  const still = await asked.preScore(makePod('web'));
  assert.equal(still.body.snapshot.etag, pushed.etag);
  found = { ...old, etag: 'new', time: START + 10_000 };
  await asked.clock.advance(6_000);
  assert.equal((await asked.preScore(makePod('web'))).body.snapshot.etag, '"new"');
});

test('a pushed snapshot is served while the store does not have it everywhere', async () => {
  const asked = new AskedHandler({ secret: SECRET, snapshots: { get: () => null, put: () => {} } });
  assert.equal((await asked.preScore(makePod('web'))).status, 503);
  const { body: pushed } = await push(asked, EU);
  for (let passed = 0; passed < 54_000; passed += 6_000) {
    await asked.clock.advance(6_000);
    assert.equal((await asked.preScore(makePod('web'))).body.snapshot.etag, pushed.etag);
  }
  await asked.clock.advance(6_000);
  assert.equal((await asked.preScore(makePod('web'))).status, 503, 'then it was deleted');
});
