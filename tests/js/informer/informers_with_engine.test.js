// Goal: after every recorded list and watch of a real kube-apiserver, whole, in pieces, slow, or
// broken off, the scheduler and a plain sink know what the recorded lists say. Method: an HTTP
// server that plays the recordings; the engine and a recording sink get the same bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/index.js';
import { createApiClient, createInformers, SCHEDULER_KINDS } from '../../../js/src/informer.js';
import { collectionPath } from '../../../js/src/kubernetes/watched_kinds.js';
import { recorded, recordedNames } from '../support/playback_server.js';
import { startNative, startWasm } from '../support/real_engine.js';
import {
  bodyOf,
  inPieces,
  serveRecorded,
  watchFrom,
  WITHOUT_WATCH_LIST,
} from '../support/recorded_apiserver.js';
import { RecordingSink } from '../support/recording_sink.js';
import { ScriptedClient, Stream } from '../support/scripted_client.js';
import { eventually, settle, steppedClock } from '../support/stepped_clock.js';

const { engine: wasm } = await startWasm();
const { engine: native } = await startNative();

const played = new Set();

/** @param {string} name */
function play(name) {
  played.add(name);
  return recorded(name);
}

const NODES = { version: 'v1', resource: 'nodes' };
const PODS = { version: 'v1', resource: 'pods' };
const NOT_SERVED = play('list-podgroups');
const PAGES = ['list-pods-page-1', 'list-pods-page-2', 'list-pods-page-3'].map(play);
const POD_ITEMS = PAGES.flatMap(({ response }) => response.body.items);
const NODE_ITEMS = play('list-nodes').response.body.items;

const keyOf = ({ metadata: { namespace, name } }) => (namespace ? `${namespace}/${name}` : name);
const versionsOf = (items) =>
  Object.fromEntries(items.map((item) => [keyOf(item), item.metadata.resourceVersion]));

/** What the lists say of nodes and pods, as `knownCluster` has it. */
function expectedCluster({ nodes = NODE_ITEMS, pods = POD_ITEMS }) {
  const names = nodes.map(keyOf);
  const on = (name) => pods.filter(({ spec }) => spec.nodeName === name).map(keyOf);
  const others = pods.map(({ spec }) => spec.nodeName).filter((name) => !names.includes(name));
  return sortedCluster({
    nodes: Object.fromEntries(names.map((name) => [name, on(name)])),
    ghostNodes: Object.fromEntries(others.filter(Boolean).map((name) => [name, on(name)])),
    pending: pods.filter(({ spec }) => !spec.nodeName).map(keyOf),
  });
}

/** @param {import('../../../js/src/index.js').Scheduler} scheduler */
function knownCluster(scheduler) {
  const { cache, queues } = scheduler.inspect({ cache: true });
  const { active, backoff, unschedulable } = queues;
  const waiting = [...backoff, ...unschedulable].map(({ pod }) => pod);
  const { nodes, ghostNodes } = cache;
  return sortedCluster({ nodes, ghostNodes, pending: [...active, ...waiting] });
}

function sortedCluster({ nodes, ghostNodes, pending }) {
  const sorted = (byNode) =>
    Object.fromEntries(Object.entries(byNode).map(([name, pods]) => [name, [...pods].sort()]));
  return { nodes: sorted(nodes), ghostNodes: sorted(ghostNodes), pending: [...pending].sort() };
}

/**
 * Informers of recordings, into both sinks.
 * @param {Parameters<typeof serveRecorded>[0]} answer
 * @param {{ kinds: any, engine?: any }} options
 */
async function follow(answer, { kinds, engine = wasm }) {
  const server = await serveRecorded(answer);
  const scheduler = engine.createScheduler({ api: 'host' });
  const plain = new RecordingSink();
  const clock = steppedClock(0);
  const stop = new AbortController();
  const errors = [];
  const informers = createInformers({
    client: createApiClient({ baseUrl: server.url, clock: virtualClock(0) }),
    sink: {
      apply(lines, options) {
        plain.apply(lines, options);
        return scheduler.apply(lines, options);
      },
    },
    ...{ kinds, clock, random: () => 0, signal: stop.signal },
    // Backoffs end at once.
    onStatus: ({ state }) => state === 'backoff' && setImmediate(() => clock.advanceToNext()),
    onError: (error) => errors.push(error.code),
  });
  const run = informers.run();
  const end = async () => {
    stop.abort();
    await run;
    server.close();
    scheduler.dispose();
  };
  return { server, scheduler, plain, informers, clock, errors, end };
}

const answerOf = (exchange) => ({ exchange });

test('every recorded list: a cluster, pods by pages, and what is not served', async () => {
  const classes = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };
  const kinds = [...SCHEDULER_KINDS, classes];
  const lists = new Map(
    recordedNames(/^list-(?!pods|nodes-empty)/)
      .filter((name) => recorded(name).response.status === 200)
      .map((name) => [recorded(name).request.path, play(name)]),
  );
  const tokens = PAGES.map(({ response }) => response.body.metadata.continue);
  lists.set('/api/v1/pods', PAGES[0]);
  const answer = ({ path, query, isWatch }) => {
    if (!lists.has(path)) return answerOf(NOT_SERVED);
    if (query.sendInitialEvents) return answerOf(WITHOUT_WATCH_LIST);
    if (query.continue) return answerOf(PAGES[tokens.indexOf(query.continue) + 1]);
    return isWatch ? undefined : answerOf(lists.get(path));
  };
  for (const engine of [wasm, native]) {
    const { scheduler, plain, informers, errors, end } = await follow(answer, { kinds, engine });
    await informers.synced();
    assert.deepEqual(knownCluster(scheduler), expectedCluster({}));
    assert.equal(lists.size, 13);
    for (const [index, { resource, state }] of informers.status().entries()) {
      const list = lists.get(collectionPath(kinds[index]));
      assert.equal(state, list ? 'watching' : 'absent', resource);
      const items = list === PAGES[0] ? POD_ITEMS : (list?.response.body.items ?? []);
      assert.deepEqual(plain.versions(resource), versionsOf(items), resource);
    }
    // The scheduler reads no priority classes, and says so.
    assert.ok(errors.includes('UnknownKind'), String(errors));
    await end();
  }
});

test('a recorded list with a selector', async () => {
  const { request, response } = play('list-pods-unassigned');
  const kinds = [{ ...PODS, fieldSelector: 'spec.nodeName=' }];
  const answer = ({ query, isWatch }) => {
    if (query.sendInitialEvents) return answerOf(WITHOUT_WATCH_LIST);
    return isWatch ? undefined : answerOf({ request, response });
  };
  const { scheduler, server, informers, end } = await follow(answer, { kinds });
  await informers.synced();
  const want = Object.fromEntries(new URL(request.path, 'http://api').searchParams);
  assert.deepEqual(server.asked[1].query, { ...want, resourceVersion: '0' });
  const { pending } = expectedCluster({});
  assert.equal(pending.length, 18);
  assert.deepEqual(knownCluster(scheduler), { nodes: {}, ghostNodes: {}, pending });
  await end();
});

/** Recorded streams with objects: what was there at first, and what the lists say at the end. */
const STREAMS = [
  { name: 'watch-nodes', kind: NODES, before: 'list-nodes-empty', items: NODE_ITEMS },
  { name: 'watch-pods', kind: PODS, before: 'list-pods-empty', items: POD_ITEMS },
  { name: 'watchlist-pods-initial', kind: PODS, items: POD_ITEMS },
].map((stream) => ({ ...stream, whole: play(stream.name) }));

/**
 * Serves a stream: in the manner that is asked for the first time, whole from where the client is
 * afterwards.
 * @param {typeof STREAMS[number]} stream
 * @param {object} manner
 */
function serveStream({ whole, before }, manner) {
  let watches = 0;
  return ({ query, isWatch }) => {
    if (query.sendInitialEvents && before) return answerOf(WITHOUT_WATCH_LIST);
    if (!isWatch) return answerOf(play(before));
    watches += 1;
    const exchange = query.sendInitialEvents ? whole : watchFrom(whole, query.resourceVersion);
    return { exchange, ...(watches === 1 && manner) };
  };
}

/**
 * @param {typeof STREAMS[number]} stream
 * @param {object} manner
 * @param {object} [options]
 */
async function checkStream(stream, manner, options) {
  const { kind, items, whole } = stream;
  const lastVersion = whole.frames.at(-1).frame.object.metadata.resourceVersion;
  const followed = await follow(serveStream(stream, manner), { kinds: [kind], ...options });
  const { scheduler, plain, informers, end } = followed;
  await eventually(() => informers.status()[0].resourceVersion === lastVersion);
  const other = kind === PODS ? { nodes: [] } : { pods: [] };
  const known = { [kind.resource]: items };
  assert.deepEqual(knownCluster(scheduler), expectedCluster({ ...other, ...known }));
  assert.deepEqual(plain.versions(kind.resource), versionsOf(items));
  await end();
  return followed;
}

for (const stream of STREAMS) {
  test(`${stream.name}: whole, and in pieces`, async () => {
    for (const engine of [wasm, native])
      for (const cut of [undefined, ...[65_536, 4096, 1009].map(inPieces)])
        await checkStream(stream, { cut }, { engine });
  });

  test(`${stream.name}: broken off anywhere, each event comes once`, async () => {
    const lines = bodyOf(stream.whole).toString().match(/.+/g) ?? [];
    const step = Math.ceil(lines.length / 12);
    for (let index = 0, offset = 0; index < lines.length - 1; index += 1) {
      offset += Buffer.byteLength(lines[index]) + 1;
      if (index % step > 0) continue;
      for (const breakAt of [offset - 1, offset, offset + 1, offset + 100]) {
        const { plain, errors } = await checkStream(stream, { breakAt });
        assert.ok(errors.includes('ConnectionReset'), `${breakAt}: ${errors}`);
        const events = plain.lines.filter((line) => !/^{"(type":"SYNC_|kind)/.test(line));
        assert.deepEqual(events, lines, `broken off at ${breakAt}`);
      }
    }
  });
}

test('a kind that the caller chose: events', async () => {
  const kinds = [{ group: 'events.k8s.io', version: 'v1', resource: 'events' }];
  const whole = play('watch-events');
  const answer = ({ query, isWatch }) => {
    if (query.sendInitialEvents) return answerOf(WITHOUT_WATCH_LIST);
    const body = { ...NOT_SERVED.response.body, kind: 'EventList', apiVersion: 'events.k8s.io/v1' };
    const empty = { ...body, metadata: { resourceVersion: '219' }, items: [] };
    if (!isWatch) return answerOf({ ...NOT_SERVED, response: { status: 200, body: empty } });
    return answerOf(watchFrom(whole, query.resourceVersion));
  };
  const { plain, informers, errors, end } = await follow(answer, { kinds });
  const last = whole.frames.at(-1).frame.object.metadata.resourceVersion;
  await eventually(() => informers.status()[0].resourceVersion === last);
  const want = new Map();
  for (const { frame } of whole.frames) want.set(keyOf(frame.object), frame.object);
  assert.deepEqual(plain.versions('events.v1.events.k8s.io'), versionsOf([...want.values()]));
  assert.equal(errors.filter((code) => code === 'UnknownKind').length, 1);
  await end();
});

test('a watch that the server ends in time resumes from its last version', async () => {
  const kinds = [{ version: 'v1', resource: 'configmaps' }];
  const { request, response } = play('watch-timeout-2s');
  const exchange = { request, response, frames: [{ atMs: 0, frame: response.body }] };
  let isOver = () => {};
  const ends = new Promise((resolve) => (isOver = resolve));
  const answer = ({ query }) => (query.sendInitialEvents ? { exchange, ends } : undefined);
  const { server, informers, errors, clock, end } = await follow(answer, { kinds });
  await informers.synced();
  await clock.advance(2000);
  isOver();
  await eventually(() => server.asked.length === 2);
  assert.equal(server.asked[1].query.resourceVersion, '993');
  // The scheduler does not read them.
  assert.deepEqual(new Set(errors), new Set(['FieldValueNotSupported']));
  await end();
});

for (const name of ['watch-rv-expired-410', 'watch-rv-too-old'])
  test(`${name}: a relist reports deleted objects`, async () => {
    const { request, response } = play(name);
    const expired = { request, response, frames: [{ atMs: 0, frame: response.body }] };
    const [first, ...others] = [POD_ITEMS.slice(0, 30), POD_ITEMS.slice(5)];
    const listOf = (items) => {
      const body = { ...PAGES[0].response.body, metadata: { resourceVersion: '150' }, items };
      return answerOf({ request, response: { status: 200, body } });
    };
    const lists = [first, ...others];
    const answer = ({ query, isWatch }) => {
      if (query.sendInitialEvents) return answerOf(WITHOUT_WATCH_LIST);
      if (!isWatch) return listOf(lists.shift());
      return lists.length > 0 ? { exchange: expired, ends: Promise.resolve() } : undefined;
    };
    const { scheduler, informers, errors, end } = await follow(answer, { kinds: [PODS] });
    await eventually(() => informers.status()[0].relists === 1);
    const pods = POD_ITEMS.slice(5);
    assert.deepEqual(knownCluster(scheduler), expectedCluster({ nodes: [], pods }));
    assert.deepEqual(errors, ['Invalid', 'Expired', 'Invalid']);
    await end();
  });

test('a page whose token expired: the whole list at once', async () => {
  const refusal = play('list-continue-expired-410');
  const answer = ({ query, isWatch }) => {
    if (query.sendInitialEvents) return answerOf(WITHOUT_WATCH_LIST);
    if (isWatch) return undefined;
    if (query.continue) return answerOf(refusal);
    if (query.limit) return answerOf(PAGES[0]);
    const metadata = { resourceVersion: '992' };
    const body = { ...PAGES[0].response.body, metadata, items: POD_ITEMS.slice(3) };
    return answerOf({ ...PAGES[0], response: { status: 200, body } });
  };
  const { scheduler, server, informers, end } = await follow(answer, { kinds: [PODS] });
  await informers.synced();
  const lists = server.asked.filter(({ isWatch }) => !isWatch).map(({ query }) => query);
  const token = PAGES[0].response.body.metadata.continue;
  assert.deepEqual(lists, [
    ...[
      { limit: '500', resourceVersion: '0' },
      { limit: '500', continue: token },
    ],
    {},
  ]);
  const pods = POD_ITEMS.slice(3);
  assert.deepEqual(knownCluster(scheduler), expectedCluster({ nodes: [], pods }));
  await end();
});

for (const name of ['list-exact-rv-expired-410', 'list-rv-in-future'])
  test(`${name}: the list asks for the most recent version`, async () => {
    const refusal = play(name);
    const expired = play('watch-rv-expired-410');
    const { response } = expired;
    const ended = { ...expired, frames: [{ atMs: 0, frame: response.body }] };
    let isOver = false;
    const answer = ({ query, isWatch }) => {
      if (query.sendInitialEvents) return answerOf(WITHOUT_WATCH_LIST);
      if (isWatch) return isOver ? undefined : { exchange: ended, ends: Promise.resolve() };
      if (query.resourceVersion === '0') return answerOf(PAGES[2]);
      if (query.resourceVersion) return answerOf(refusal);
      isOver = true;
      return answerOf(play('list-pods-empty'));
    };
    const { scheduler, server, informers, end } = await follow(answer, { kinds: [PODS] });
    await eventually(() => informers.status()[0].relists === 1);
    const lists = server.asked.filter(({ isWatch }) => !isWatch).map(({ query }) => query);
    assert.deepEqual(lists[0], { limit: '500', resourceVersion: '0' });
    assert.deepEqual(lists[1], { resourceVersion: '992' });
    assert.deepEqual(lists.at(-1), { limit: '500' });
    // The client asks again where the server says when, ten times at most.
    assert.equal(lists.length, refusal.response.status === 504 ? 13 : 3);
    assert.deepEqual(knownCluster(scheduler).pending, []);
    await end();
  });

test('nothing is decided before all first lists are complete', async () => {
  const end = {
    ...{ kind: 'Node', apiVersion: 'v1' },
    metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } },
  };
  const streamOf = (items, kind) => {
    const events = items.map((item) => ({
      ...{ type: 'ADDED', object: { kind, apiVersion: 'v1', ...item } },
    }));
    return new Stream().push(...events, { type: 'BOOKMARK', object: end });
  };
  const services = new Stream();
  const streams = [streamOf(NODE_ITEMS, 'Node'), streamOf(POD_ITEMS, 'Pod'), services];
  const scheduler = native.createScheduler({ api: 'host' });
  const stop = new AbortController();
  const informers = createInformers({
    client: new ScriptedClient(...streams),
    sink: scheduler,
    kinds: [NODES, PODS, { version: 'v1', resource: 'services' }],
    signal: stop.signal,
  });
  const run = informers.run();
  await settle();
  assert.deepEqual(
    informers.status().map(({ state }) => state),
    ['watching', 'watching', 'listing'],
  );
  const decisions = () => scheduler.run().records.filter(({ kind }) => kind === 'Decision').length;
  assert.equal(decisions(), 0);
  services.push({ type: 'BOOKMARK', object: end });
  await informers.synced();
  assert.equal(decisions(), 18);
  stop.abort();
  await run;
  scheduler.dispose();
});

test('no recorded list or watch was left out', () => {
  assert.deepEqual([...played].sort(), recordedNames(/^(list|watch)/).sort());
});
