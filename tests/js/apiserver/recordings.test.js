/** The embedded API server gives the responses of a real one, v1.36. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from './asked_server.js';
import { comparable, exchange, framesOf, stateBefore } from './recorded_exchanges.js';

/**
 * Repeats a request, and compares the responses.
 * @param {AskedServer} server
 * @param {string} name
 * @param {string[]} [without] fields of the metadata
 */
async function replay(server, name, without) {
  const { request, response } = exchange(name);
  const { method, path, contentType, body } = request;
  const headers = contentType ? { 'Content-Type': contentType } : {};
  const answer = await server.ask(method, path, body, headers);
  assert.equal(answer.status, response.status, name);
  assert.deepEqual(comparable(answer.body, without), comparable(response.body, without), name);
  const wanted = response.headers['content-type'];
  assert.equal(answer.headers.get('content-type'), wanted, name);
  assert.equal(answer.headers.get('retry-after'), response.headers['retry-after'] ?? null, name);
  return answer;
}

/**
 * Creates a server whose clock stands at a recorded time.
 * @param {string} time
 * @param {object} [options]
 */
function serverAt(time, options) {
  return new AskedServer({ now: Date.parse(time), ...options });
}

/** Loads the recorded lists. @param {AskedServer} server @param {...string} names */
function loadLists(server, ...names) {
  for (const name of names) {
    const { kind, apiVersion, items } = exchange(name).response.body;
    for (const item of items) {
      server.store.load({ kind: kind.replace(/List$/, ''), apiVersion, ...item });
    }
  }
}

test('created objects get the recorded defaults', async () => {
  for (const name of ['create-pod', 'create-pod-other-scheduler', 'create-node', 'create-event']) {
    const { body } = exchange(name).response;
    const server = serverAt(body.metadata.creationTimestamp, { taintNodesByCondition: true });
    await replay(server, name, ['uid']);
  }
});

test('bindings are answered as recorded: done, not found, too late, another pod', async () => {
  const server = new AskedServer();
  await replay(server, 'bind-not-found');
  const [manual] = framesOf('watch-pods').filter(
    ({ object }) => object.metadata.name === 'manual-0',
  );
  server.store.load(manual.object);
  await replay(server, 'bind-success');
  await replay(server, 'bind-conflict-already-assigned');
  server.store.load(stateBefore('watch-pods', 'big-0', 990));
  await replay(server, 'bind-uid-mismatch');
});

test('a binding leaves the pod as recorded, with the zone of its node', async () => {
  const bound = framesOf('watch-pods').filter(
    ({ type, object }) => type === 'MODIFIED' && object.metadata.name === 'web-0',
  )[0].object;
  const server = serverAt(bound.status.conditions[0].lastTransitionTime);
  loadLists(server, 'list-nodes');
  server.store.load(stateBefore('watch-pods', 'web-0', Number(bound.metadata.resourceVersion)));
  await server.ask('POST', '/api/v1/namespaces/default/pods/web-0/binding', {
    target: { kind: 'Node', name: 'node-0' },
  });
  const pod = await server.get('/api/v1/namespaces/default/pods/web-0');
  assert.deepEqual(comparable(pod), comparable(bound));
});

test('lists are those recorded, in pages and by field', async () => {
  const server = new AskedServer();
  for (const name of ['list-nodes-empty', 'list-pods-empty', 'list-csinodes', 'list-podgroups']) {
    await replay(server, name);
  }
  for (const name of ['list-deviceclasses', 'list-resourceclaims', 'list-resourceslices']) {
    await replay(server, name);
  }
  for (const name of ['list-pdbs', 'list-pvcs', 'list-pvs', 'list-storageclasses']) {
    await replay(server, name);
  }
  const pages = ['list-pods-page-1', 'list-pods-page-2', 'list-pods-page-3'];
  loadLists(server, 'list-nodes', ...pages, 'list-namespaces', 'list-services');
  loadLists(server, 'list-priorityclasses');
  for (const name of ['list-nodes', 'list-namespaces', 'list-services', 'list-priorityclasses']) {
    await replay(server, name);
  }
  await replay(server, 'list-pods-unassigned');
  const first = await replay(server, pages[0]);
  const second = await server.get(`/api/v1/pods?limit=20&continue=${first.body.metadata.continue}`);
  const third = await server.get(`/api/v1/pods?limit=20&continue=${second.metadata.continue}`);
  for (const [page, body] of [second, third].entries()) {
    const { response } = exchange(pages[page + 1]);
    assert.deepEqual(comparable(body), comparable(response.body));
  }
});

test('a continue token of a real server continues at the same place', async () => {
  const server = new AskedServer({ resourceVersion: 900 });
  loadLists(server, 'list-pods-page-1', 'list-pods-page-2', 'list-pods-page-3');
  // The token contains version 992.
  while (Number((await server.get('/api/v1/pods?limit=1')).metadata.resourceVersion) < 992) {
    server.store.create('configmaps', {
      metadata: { generateName: 'tick-', namespace: 'default' },
    });
  }
  await replay(server, 'list-pods-page-2');
});

test('versions that are forgotten or not reached are refused as recorded', async () => {
  // The versions of the recorded messages: seven objects exist from the start.
  const server = new AskedServer({ resourceVersion: 1065 });
  server.server.compact();
  await replay(server, 'watch-rv-expired-410');
  await replay(server, 'list-continue-expired-410');
  await replay(server, 'list-exact-rv-expired-410');
  const early = new AskedServer({ resourceVersion: 545 });
  early.server.compact();
  await replay(early, 'watch-rv-too-old');
  const young = new AskedServer({ resourceVersion: 986 });
  await replay(young, 'list-rv-in-future');
});

test('patches make the recorded objects', async () => {
  const cases = [
    ['patch-node-cordon', 'watch-nodes', 'node-1'],
    ['patch-node-taint', 'watch-nodes', 'node-2'],
    ['patch-node-untaint', 'watch-nodes', 'node-0'],
    ['patch-remove-gate', 'watch-pods', 'gated-0'],
    ['patch-pod-status-condition', 'watch-pods', 'big-0'],
    ['patch-pod-nominated', 'watch-pods', 'big-0'],
  ];
  for (const [name, watch, object] of cases) {
    const { resourceVersion } = exchange(name).response.body.metadata;
    const server = new AskedServer();
    server.store.load(stateBefore(watch, object, Number(resourceVersion)));
    await replay(server, name);
  }
});

test('deletions are answered as recorded, and seen as recorded', async () => {
  const nodes = new AskedServer();
  nodes.store.load(stateBefore('watch-nodes', 'node-5', 949));
  await replay(nodes, 'delete-node');
  const server = serverAt('2026-11-21T03:28:41Z', { gracefulDeletion: true });
  server.store.load(stateBefore('watch-pods', 'web-3', 944));
  const watch = await server.watch(
    '/api/v1/pods?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
  );
  await replay(server, 'delete-pod');
  await watch.cancel();
  assert.deepEqual(watch.lines, ['MODIFIED web-3', 'DELETED web-3']);
});

test('a lease is read as recorded, and an old one is not written', async () => {
  const server = new AskedServer();
  server.store.load(exchange('lease').response.body);
  await replay(server, 'lease');
  await replay(server, 'lease-update-conflict');
});

test('a watch that ends after two seconds has had the recorded bookmark', async () => {
  const server = new AskedServer();
  const { request, response } = exchange('watch-timeout-2s');
  const watch = await server.watch(request.path);
  await server.clock.advance(1999);
  assert.equal(watch.isOver, false);
  await server.clock.advance(1);
  assert.equal(watch.isOver, true);
  assert.equal(watch.events.length, 1);
  const [{ type, object }] = watch.events;
  assert.equal(type, response.body.type);
  assert.deepEqual(comparable(object), comparable(response.body.object));
});

test('bookmarks are the recorded empty objects', async () => {
  const cases = [
    ['watch-pods', '/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion='],
    ['watch-nodes', '/api/v1/nodes?watch=true&allowWatchBookmarks=true&resourceVersion='],
  ];
  for (const [name, path] of cases) {
    const server = new AskedServer();
    const { resourceVersion } = (await server.get('/api/v1/pods')).metadata;
    const watch = await server.watch(`${path}${resourceVersion}&timeoutSeconds=300`);
    await server.clock.advance(60_000);
    const recorded = framesOf(name).find(({ type }) => type === 'BOOKMARK');
    assert.deepEqual(
      watch.events.map(({ type, object }) => [type, comparable(object)]),
      [['BOOKMARK', comparable(recorded?.object)]],
    );
    await watch.cancel();
  }
});

test('a streamed list begins as recorded: all objects, then a bookmark', async () => {
  const server = new AskedServer();
  const { request } = exchange('watchlist-pods-initial');
  loadLists(server, 'list-pods-page-3');
  const watch = await server.watch(request.path);
  await server.clock.advance(0);
  const end = watch.events.at(-1);
  const { object } = framesOf('watchlist-pods-initial')[0];
  assert.deepEqual(comparable(end.object), comparable(object));
  const items = exchange('list-pods-page-3').response.body.items;
  assert.deepEqual(
    watch.events.slice(0, -1).map((event) => comparable(event.object)),
    items.map((/** @type {any} */ item) => comparable({ kind: 'Pod', apiVersion: 'v1', ...item })),
  );
  await watch.cancel();
});

test('events of both groups are the same objects, in the recorded forms', async () => {
  const server = new AskedServer();
  const seen = framesOf('watch-events').map(({ object }) => object);
  for (const event of seen) server.store.load(event);
  const watch = await server.watch('/apis/events.k8s.io/v1/events?watch=true');
  await server.clock.advance(0);
  const byName = new Map(watch.events.map(({ object }) => [object.metadata.name, object]));
  for (const event of seen) {
    assert.deepEqual(comparable(byName.get(event.metadata.name)), comparable(event));
  }
  await watch.cancel();
  const { items } = await server.get('/api/v1/events?fieldSelector=involvedObject.name%3Dweb-1');
  assert.deepEqual(
    items.map((/** @type {any} */ { message }) => message),
    ['Successfully assigned default/web-1 to node-1'],
  );
});
