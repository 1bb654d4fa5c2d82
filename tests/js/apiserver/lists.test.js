import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, PODS, pod } from './asked_server.js';

/**
 * Creates a server with pods `p0`, `p1`… in two namespaces.
 * @param {number} count
 */
function withPods(count) {
  const server = new AskedServer();
  server.store.create('namespaces', { metadata: { name: 'team' } });
  for (let number = 0; number < count; number++) {
    const metadata = {
      namespace: number % 2 ? 'team' : 'default',
      labels: { even: String(number % 2 === 0), third: String(number % 3) },
    };
    server.store.create('pods', pod(`p${number}`, {}, metadata));
  }
  return server;
}

/** @param {any} list */
const names = ({ items }) => items.map((/** @type {any} */ { metadata }) => metadata.name);

test('pages are one list at one version, whatever happens in between', async () => {
  const server = withPods(7);
  const first = await server.get('/api/v1/pods?limit=3');
  assert.deepEqual(names(first), ['p0', 'p2', 'p4']);
  assert.equal(first.metadata.remainingItemCount, 4);
  server.store.delete('pods', 'default', 'p6');
  server.store.delete('pods', 'default', 'p0');
  server.store.create('pods', pod('p2b', {}, { namespace: 'default' }));
  const next = (/** @type {any} */ { metadata }) =>
    server.get(`/api/v1/pods?limit=3&continue=${metadata.continue}`);
  const second = await next(first);
  assert.deepEqual(names(second), ['p6', 'p1', 'p3']);
  const third = await next(second);
  assert.deepEqual(names(third), ['p5']);
  assert.equal(third.metadata.continue, undefined);
  for (const { metadata } of [second, third]) {
    assert.equal(metadata.resourceVersion, first.metadata.resourceVersion);
  }
});

test('after compaction, an inconsistent continue token lists the current objects', async () => {
  const server = withPods(6);
  const first = await server.get(`${PODS}?limit=2`);
  server.store.create('pods', pod('p3', {}, { namespace: 'default' }));
  server.server.compact();
  const path = `${PODS}?limit=2&continue=`;
  const refused = await server.ask('GET', path + first.metadata.continue);
  assert.equal(refused.status, 410);
  assert.equal(refused.body.reason, 'Expired');
  const rest = await server.get(path + refused.body.metadata.continue);
  assert.deepEqual(names(rest), ['p3', 'p4']);
});

test('selectors apply before paging, and then no remaining count is given', async () => {
  const server = withPods(9);
  const first = await server.get('/api/v1/pods?limit=2&labelSelector=third%3D0');
  assert.deepEqual(names(first), ['p0', 'p6']);
  assert.equal(first.metadata.remainingItemCount, undefined);
  const second = await server.get(
    `/api/v1/pods?limit=2&labelSelector=third%3D0&continue=${first.metadata.continue}`,
  );
  assert.deepEqual(names(second), ['p3']);
  const fields = 'metadata.name%21%3Dp1%2Cmetadata.namespace%3Dteam';
  assert.deepEqual(names(await server.get(`/api/v1/pods?fieldSelector=${fields}`)), [
    'p3',
    'p5',
    'p7',
  ]);
});

test('a version means at least, exactly, or any', async () => {
  const server = withPods(2);
  const before = (await server.get('/api/v1/pods')).metadata.resourceVersion;
  server.store.create('pods', pod('late', {}, { namespace: 'default' }));
  const cases = /** @type {[string, string[]][]} */ ([
    ['', ['late', 'p0', 'p1']],
    ['resourceVersion=0', ['late', 'p0', 'p1']],
    ['resourceVersion=0&limit=1', ['late', 'p0', 'p1']],
    [`resourceVersion=${before}`, ['late', 'p0', 'p1']],
    [`resourceVersion=${before}&resourceVersionMatch=NotOlderThan`, ['late', 'p0', 'p1']],
    [`resourceVersion=${before}&resourceVersionMatch=Exact`, ['p0', 'p1']],
    [`resourceVersion=${before}&limit=5`, ['p0', 'p1']],
  ]);
  for (const [query, wanted] of cases) {
    assert.deepEqual(names(await server.get(`/api/v1/pods?${query}`)), wanted, query);
  }
});

test('invalid list options are refused', async () => {
  const server = withPods(1);
  const token = (await withPods(4).get('/api/v1/pods?limit=1')).metadata.continue;
  const cases = /** @type {[string, number, RegExp][]} */ ([
    ['resourceVersionMatch=Exact', 422, /resourceVersionMatch is forbidden unless resourceVersion/],
    ['resourceVersion=1&resourceVersionMatch=Is', 422, /Unsupported value: "Is"/],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422, /"exact" is forbidden for/],
    ['sendInitialEvents=true', 422, /sendInitialEvents is forbidden for list/],
    ['resourceVersion=x', 422, /Invalid value: "x"/],
    ['limit=x', 400, /strconv.ParseInt: parsing "x": invalid syntax/],
    ['continue=nonsense', 400, /continue key is not valid/],
    [`continue=${token}&resourceVersion=5`, 400, /specifying resource version is not allowed/],
    ['labelSelector=a%20b', 400, /unable to parse requirement/],
    ['fieldSelector=a%3Db', 400, /field label not supported: a/],
  ]);
  for (const [query, status, message] of cases) {
    const { status: found, body } = await server.ask('GET', `/api/v1/pods?${query}`);
    assert.equal(found, status, query);
    assert.match(body.message, message, query);
    assert.equal(body.kind, 'Status');
  }
});
