import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, PODS, node, pod } from './asked_server.js';

/**
 * @param {AskedServer} server
 * @param {string} name
 * @param {object} [spec]
 * @param {object} [labels]
 */
function create(server, name, spec, labels) {
  return server.store.create('pods', pod(name, spec, { namespace: 'default', labels }));
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** Creates a pod of 1 MiB. @param {AskedServer} server @param {string} name */
function createLarge(server, name) {
  const data = { text: 'x'.repeat(1 << 20) };
  server.store.create('configmaps', { metadata: { name, namespace: 'default' }, data });
}

function bytesInUse() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Waits until a condition holds, while readers read. @param {() => boolean} is */
async function until(is) {
  for (let turn = 0; turn < 1000 && !is(); turn++)
    await new Promise((resolve) => void setImmediate(resolve));
  assert.ok(is());
}

test('a watch sends all later events of its namespace', async () => {
  const server = new AskedServer();
  server.store.create('namespaces', { metadata: { name: 'team' } });
  create(server, 'before');
  const { resourceVersion } = (await server.get(PODS)).metadata;
  create(server, 'a');
  const watch = await server.watch(`${PODS}?watch=1&resourceVersion=${resourceVersion}`);
  server.store.bind('default', 'a', { target: { name: 'n' } });
  server.store.create('pods', pod('elsewhere', {}, { namespace: 'team' }));
  server.store.delete('pods', 'default', 'before');
  await server.clock.advance(0);
  assert.deepEqual(watch.lines, ['ADDED a', 'MODIFIED a', 'MODIFIED before', 'DELETED before']);
  const versions = watch.events.map(({ object }) => Number(object.metadata.resourceVersion));
  assert.deepEqual(
    versions,
    [...versions].sort((a, b) => a - b),
  );
  await watch.cancel();
});

test('objects are ADDED and DELETED as they begin or cease to match a selector', async () => {
  const server = new AskedServer();
  create(server, 'a', {}, { app: 'x' });
  create(server, 'b', { nodeName: 'n' }, { app: 'x' });
  const pending = await server.watch(`${PODS}?watch=true&fieldSelector=spec.nodeName%3D`);
  const labelled = await server.watch(`${PODS}?watch=true&labelSelector=app%3Dx`);
  server.store.bind('default', 'a', { target: { name: 'n' } });
  const a = /** @type {any} */ (server.store.get('pods', 'default', 'a'));
  const withLabels = (/** @type {any} */ object, /** @type {object} */ labels) =>
    server.store.update('pods', { ...object, metadata: { ...object.metadata, labels } });
  const other = withLabels(a, { app: 'y' });
  withLabels(other, { app: 'x', more: '' });
  await server.clock.advance(0);
  assert.deepEqual(pending.lines, ['ADDED a', 'DELETED a']);
  assert.deepEqual(labelled.lines, ['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED a', 'ADDED a']);
  // The event has the last state that matched, at the version of the change.
  const { object } = pending.events[1];
  assert.equal(object.spec.nodeName, undefined);
  assert.equal(object.metadata.resourceVersion, a.metadata.resourceVersion);
  await Promise.all([pending.cancel(), labelled.cancel()]);
});

test('one object is watched by its name, in the path or in a selector', async () => {
  const server = new AskedServer();
  create(server, 'a');
  create(server, 'b');
  const paths = [
    `${PODS}?watch=true&fieldSelector=metadata.name%3Da`,
    '/api/v1/watch/namespaces/default/pods/a',
  ];
  for (const path of paths) {
    const watch = await server.watch(path);
    await server.clock.advance(0);
    assert.deepEqual(watch.lines, ['ADDED a'], path);
    await watch.cancel();
  }
});

test('bookmarks come each minute, and before the end of the watch', async () => {
  const server = new AskedServer();
  const version = (await server.get(PODS)).metadata.resourceVersion;
  const path = `${PODS}?watch=true&resourceVersion=${version}&timeoutSeconds=150`;
  const watch = await server.watch(`${path}&allowWatchBookmarks=true`);
  const silent = await server.watch(path);
  const counts = [];
  for (const seconds of [59, 1, 59, 1, 27, 1, 1, 1]) {
    await server.clock.advance(seconds * 1000);
    counts.push(watch.events.length);
  }
  assert.deepEqual(counts, [0, 1, 1, 2, 2, 3, 3, 3]);
  assert.ok(watch.isOver);
  assert.ok(silent.isOver);
  assert.deepEqual(silent.events, []);
  server.store.create('nodes', node('a'));
  const late = await server.watch(`${path}&allowWatchBookmarks=true`);
  await server.clock.advance(60_000);
  // Other resources count as well: a client that resumes from here has missed nothing.
  assert.equal(late.events[0].object.metadata.resourceVersion, '8');
  await late.cancel();
});

test('a watch without an end of its own ends between half an hour and an hour', async () => {
  const server = new AskedServer({ random: () => 0.5 });
  const watch = await server.watch(`${PODS}?watch=true&resourceVersion=1`);
  await server.clock.advance(45 * 60_000 - 1);
  assert.equal(watch.isOver, false);
  await server.clock.advance(1);
  assert.equal(watch.isOver, true);
});

test('initial events are sent on request, or without a version', async () => {
  const server = new AskedServer();
  create(server, 'a');
  const list = `${PODS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
  const cases = /** @type {[string, string[]][]} */ ([
    [`${PODS}?watch=true`, ['ADDED a']],
    [`${PODS}?watch=true&allowWatchBookmarks=true`, ['ADDED a', 'BOOKMARK']],
    [`${PODS}?watch=true&resourceVersion=0`, ['ADDED a']],
    [`${list}&resourceVersion=3&allowWatchBookmarks=true`, ['ADDED a', 'BOOKMARK']],
    [list, ['ADDED a']],
    [list.replace('Events=true', 'Events=false'), []],
  ]);
  for (const [path, wanted] of cases) {
    const watch = await server.watch(path);
    await server.clock.advance(0);
    assert.deepEqual(watch.lines, wanted, path);
    await watch.cancel();
  }
});

test('invalid watch options are refused; a version that is gone is a 410', async () => {
  const server = new AskedServer({ history: 1 });
  for (const name of ['a', 'b', 'c']) create(server, name);
  const initial = 'watch=true&sendInitialEvents=true';
  const refused = /** @type {[string, number, RegExp][]} */ ([
    [initial, 422, /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/],
    ['watch=true&resourceVersionMatch=NotOlderThan', 422, /forbidden for watch unless/],
    [`${initial}&resourceVersionMatch=NotOlderThan&resourceVersion=99`, 504, /Too large resource/],
  ]);
  for (const [query, status, message] of refused) {
    const answer = await server.ask('GET', `${PODS}?${query}`);
    assert.equal(answer.status, status, query);
    assert.match(answer.body.message, message);
  }
  const ended = [
    ['8', 'too old resource version: 8 (9)'],
    ['99', 'Too large resource version: 99, current: 10'],
  ];
  for (const [version, message] of ended) {
    const watch = await server.watch(`${PODS}?watch=true&resourceVersion=${version}`);
    await server.clock.advance(0);
    const [{ type, object }] = watch.events;
    assert.deepEqual([type, object.code, object.reason], ['ERROR', 410, 'Expired']);
    assert.equal(object.message, message);
    assert.ok(watch.isOver);
  }
});

test('a client that does not read is disconnected, and can resume without a gap', async () => {
  const server = new AskedServer({ history: 50_000 });
  const response = await server.request('GET', `${PODS}?watch=true&resourceVersion=7`);
  for (let number = 0; number < 10_100; number++) {
    server.store.create('configmaps', { metadata: { name: `c${number}`, namespace: 'default' } });
    create(server, `p${number}`);
  }
  const text = await response.text();
  const seen = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).object);
  assert.ok(seen.length < 10_000, String(seen.length));
  const { resourceVersion } = seen.at(-1)?.metadata ?? { resourceVersion: 7 };
  const rest = await server.watch(`${PODS}?watch=true&resourceVersion=${resourceVersion}`);
  await until(() => seen.length + rest.events.length === 10_100);
  const names = [...seen, ...rest.events.map(({ object }) => object)].map(
    ({ metadata }) => metadata.name,
  );
  assert.deepEqual(
    names,
    Array.from({ length: 10_100 }, (_, number) => `p${number}`),
  );
  await rest.cancel();
});

test('unread watches share their lines, and end at the limit', async () => {
  const server = new AskedServer();
  const watches = await Promise.all(
    Array.from({ length: 100 }, () => server.request('GET', `${CONFIG_MAPS}?watch=true`)),
  );
  const readers = watches.map(({ body }) => body?.getReader());
  const first = Promise.all(readers.map((reader) => reader?.read()));
  const before = bytesInUse();
  for (let number = 0; number < 15; number++) createLarge(server, `c${number}`);
  // Each of them holds 15 MiB, shared by all.
  assert.ok(bytesInUse() - before < 200 * 2 ** 20, `${(bytesInUse() - before) >> 20} MiB`);
  const chunks = new Set((await first).map((read) => read?.value));
  assert.equal(chunks.size, 1);
  const [line] = [...chunks].map((chunk) => JSON.parse(new TextDecoder().decode(chunk)));
  assert.equal(line.object.metadata.name, 'c0');

  for (let number = 15; number < 30; number++) createLarge(server, `c${number}`);
  for (const reader of readers) assert.equal((await reader?.read())?.done, true);
  const { resourceVersion } = line.object.metadata;
  const rest = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${resourceVersion}`);
  await until(() => rest.events.length === 29);
  assert.equal(rest.lines[0], 'ADDED c1');
  await rest.cancel();
});

test('initial events are encoded when they are read', async () => {
  const server = new AskedServer();
  for (let number = 0; number < 20; number++) createLarge(server, `c${number}`);
  const initial =
    `${CONFIG_MAPS}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true` +
    '&resourceVersionMatch=NotOlderThan';
  const before = bytesInUse();
  const unread = await Promise.all(
    Array.from({ length: 100 }, () => server.request('GET', initial)),
  );
  assert.ok(bytesInUse() - before < 50 * 2 ** 20, `${(bytesInUse() - before) >> 20} MiB`);
  const read = await server.watch(initial);
  server.store.create('configmaps', { metadata: { name: 'later', namespace: 'default' } });
  await until(() => read.events.length === 22);
  assert.deepEqual(read.lines.slice(-2), ['BOOKMARK', 'ADDED later']);
  await Promise.all([read.cancel(), ...unread.map(({ body }) => body?.cancel())]);
});

test('watches end with their reader, with their request, and with the server', async () => {
  const server = new AskedServer();
  const first = await server.watch(`${PODS}?watch=true`);
  await first.cancel();
  const ending = new AbortController();
  const request = new Request(`http://embedded${PODS}?watch=true`, { signal: ending.signal });
  const second = await server.server.fetch(request);
  const third = await server.watch(`${PODS}?watch=true`);
  assert.equal(server.clock.sleeping().length, 2);
  ending.abort();
  assert.equal(await second.text(), '');
  server.server.dispose();
  await server.clock.advance(0);
  assert.ok(third.isOver);
  assert.deepEqual(server.clock.sleeping(), []);
});

test('a watch of tables sends the columns once', async () => {
  const server = new AskedServer();
  create(server, 'a');
  const watch = await server.watch(`${PODS}?watch=true`, {
    Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  });
  create(server, 'b');
  await server.clock.advance(0);
  assert.deepEqual(
    watch.events.map(({ object }) => [
      object.kind,
      object.columnDefinitions === null,
      object.rows.map((/** @type {any} */ { cells }) => cells[0]),
    ]),
    [
      ['Table', false, ['a']],
      ['Table', true, ['b']],
    ],
  );
  await watch.cancel();
});
