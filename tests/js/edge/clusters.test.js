import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePod } from '../support/objects.js';
import { eventually } from '../support/stepped_clock.js';
import { AskedHandler, clusterOf, countingStore, START, stored } from './asked_handler.js';

const POD = makePod('web');
const created = (asked) => asked.surface.calls.filter(([name]) => name === 'create').length;

/** A store whose answers come when the test lets them. */
function slowStore(snapshot) {
  /** @type {(() => void)[]} */
  const waiting = [];
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    answer: () => waiting.splice(0).forEach((go) => go()),
    get() {
      asked += 1;
      return new Promise((resolve) => {
        waiting.push(() => resolve(snapshot));
      });
    },
  };
}

test('a snapshot is loaded once per etag', async () => {
  const snapshots = countingStore({ 'eu-1': stored(clusterOf({ a: '4' }), 'one') });
  const asked = new AskedHandler({ snapshots });
  await asked.preScore(POD);
  await asked.preScore(POD);
  assert.deepEqual(snapshots.asked, [{ name: 'eu-1', etag: undefined }], 'it is asked once in 5 s');
  await asked.clock.advance(5_000);
  await asked.preScore(POD);
  assert.deepEqual(snapshots.asked[1], { name: 'eu-1', etag: 'one' });
  assert.equal(created(asked), 1);
  snapshots.snapshots['eu-1'] = stored(clusterOf({ b: '4' }), 'two');
  await asked.clock.advance(4_999);
  assert.equal((await asked.preScore(POD)).body.node, 'a');
  await asked.clock.advance(1);
  const { body } = await asked.preScore(POD);
  assert.deepEqual([body.node, body.snapshot.etag], ['b', '"two"']);
  assert.deepEqual([created(asked), asked.alive], [2, 1]);
});

test('a store may answer that nothing has changed', async () => {
  const list = clusterOf({ a: '4' });
  const get = ({ etag }) => (etag === 'one' ? { etag } : stored(list, 'one'));
  const asked = new AskedHandler({ snapshots: countingStore({ 'eu-1': get }) });
  await asked.preScore(POD);
  await asked.clock.advance(8_000);
  const { status, body } = await asked.preScore(POD);
  assert.deepEqual([status, body.snapshot.ageSeconds], [200, 8]);
  assert.equal(created(asked), 1);
});

test('without an etag the bytes tell; a stream that is known is not read', async () => {
  const text = JSON.stringify(clusterOf({ a: '4' }));
  const plain = new AskedHandler({ snapshots: { get: () => ({ body: text }) } });
  const { body } = await plain.preScore(POD);
  assert.match(body.snapshot.etag, /^"[0-9a-f]{32}"$/);
  await plain.clock.advance(6_000);
  await plain.preScore(POD);
  assert.equal(created(plain), 1);
  let cancelled = 0;
  const stream = () =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
      cancel: () => void (cancelled += 1),
    });
  const streamed = new AskedHandler({ snapshots: { get: () => ({ body: stream(), etag: 'x' }) } });
  assert.equal((await streamed.preScore(POD)).status, 200);
  await streamed.clock.advance(6_000);
  assert.equal((await streamed.preScore(POD)).status, 200);
  assert.deepEqual([created(streamed), cancelled], [1, 1]);
});

test('bytes come as text, buffers or views', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(clusterOf({ a: '4' })));
  for (const body of [new TextDecoder().decode(bytes), bytes, bytes.buffer]) {
    const asked = new AskedHandler({ snapshots: { get: () => ({ body }) } });
    assert.equal((await asked.preScore(POD)).status, 200);
  }
  const bad = [
    7,
    { body: 7 },
    { body: null },
    {},
    { body: '{}', etag: 7 },
    { body: '', time: 'x' },
  ];
  for (const found of bad) {
    const asked = new AskedHandler({ snapshots: { get: () => /** @type {any} */ (found) } });
    assert.equal((await asked.preScore(POD)).status, 503, JSON.stringify(found));
  }
});

test('questions that come together wait for the same snapshot', async () => {
  const store = slowStore(stored(clusterOf({ a: '4' })));
  const asked = new AskedHandler({ snapshots: store });
  /** @type {Promise<unknown>[]} */
  const kept = [];
  const ctx = { waitUntil: (work) => kept.push(work) };
  const body = { pod: POD, cluster: 'eu-1' };
  const answers = [1, 2, 3].map(() => asked.ask('POST', '/prescore', { body, ctx }));
  await eventually(() => kept.length > 0);
  assert.equal(store.asked, 1);
  store.answer();
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200);
  assert.equal(created(asked), 1);
  assert.equal(kept.length, 1, 'the earliest request is dropped');
});

test('few clusters are held, and the others are disposed of', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const snapshots = countingStore(
    Object.fromEntries(names.map((name) => [name, stored(clusterOf({ [name]: '4' }))])),
  );
  const asked = new AskedHandler({ snapshots, limits: { clusters: 2 } });
  for (const name of ['a', 'b', 'a', 'c']) await asked.preScore(POD, name);
  assert.equal(asked.alive, 2);
  await asked.preScore(POD, 'a');
  assert.equal(created(asked), 3, 'the one that was used last is still there');
  await asked.preScore(POD, 'b');
  assert.deepEqual([created(asked), asked.alive], [4, 2]);
  const { body } = await asked.rank(POD, names);
  assert.equal(body.clusters.length, 4);
  assert.equal(asked.alive, 2);
  asked.handler.dispose();
  assert.equal(asked.alive, 0);
});

test('so are those that are too much together, but one', async () => {
  const list = clusterOf({ a: '4', b: '4' });
  const snapshots = countingStore({ a: stored(list), b: stored(list), c: stored(list) });
  const asked = new AskedHandler({ snapshots, limits: { objects: 4 } });
  for (const name of ['a', 'b', 'c']) await asked.preScore(POD, name);
  assert.equal(asked.alive, 2);
  const tight = new AskedHandler({ snapshots, limits: { objects: 1 } });
  for (const name of ['a', 'b']) assert.equal((await tight.preScore(POD, name)).status, 200);
  assert.equal(tight.alive, 1);
});

test('a snapshot that is too large is refused', async () => {
  const list = clusterOf({ a: '4' });
  const snapshotBytes = JSON.stringify(list).length - 1;
  const snapshots = countingStore({ 'eu-1': stored(list) });
  const asked = new AskedHandler({ snapshots, limits: { snapshotBytes } });
  const { status, body } = await asked.preScore(POD);
  assert.equal(status, 503);
  assert.match(body.message, new RegExp(`limit is ${snapshotBytes} bytes`));
});

test('the last snapshot answers while the store fails', async () => {
  const snapshots = countingStore({ 'eu-1': stored(clusterOf({ a: '4' })) });
  const asked = new AskedHandler({ snapshots });
  await asked.preScore(POD);
  snapshots.snapshots['eu-1'] = () => Promise.reject(new Error('no route'));
  await asked.clock.advance(9_000);
  const { status, body } = await asked.preScore(POD);
  assert.equal(status, 200);
  assert.deepEqual([body.snapshot.ageSeconds, body.snapshot.refreshFailure], [9, 'no route']);
  snapshots.snapshots['eu-1'] = { body: 'broken', etag: '"2"' };
  await asked.clock.advance(9_000);
  const broken = await asked.preScore(POD);
  assert.match(broken.body.snapshot.refreshFailure, /list/);
  assert.equal(asked.alive, 1);
  snapshots.snapshots['eu-1'] = stored(clusterOf({ b: '4' }), '"3"');
  await asked.clock.advance(9_000);
  const mended = await asked.preScore(POD);
  assert.equal(mended.body.snapshot.refreshFailure, undefined);
  assert.equal(mended.body.node, 'b');
});

test('a store that is too slow is not waited for', async () => {
  const store = slowStore(stored(clusterOf({ a: '4' })));
  const asked = new AskedHandler({ snapshots: store, limits: { timeoutMs: 3_000 } });
  const answer = asked.preScore(POD);
  await eventually(() => store.asked === 1);
  await asked.clock.advance(3_001);
  const { status, body } = await answer;
  assert.deepEqual([status, body.reason], [504, 'Timeout']);
  const next = asked.preScore(POD);
  await eventually(() => store.asked === 2);
  store.answer();
  assert.equal((await next).status, 200);
});

test('a name without a snapshot is cached until the store is read again', async () => {
  const snapshots = countingStore({});
  const asked = new AskedHandler({ snapshots });
  for (let times = 0; times < 3; times += 1) assert.equal((await asked.preScore(POD)).status, 503);
  assert.equal(snapshots.asked.length, 1);
  snapshots.snapshots['eu-1'] = stored(clusterOf({ a: '4' }));
  await asked.clock.advance(4_999);
  assert.equal((await asked.preScore(POD)).status, 503);
  await asked.clock.advance(1);
  assert.equal((await asked.preScore(POD)).status, 200);
});

test('of the names without a snapshot the latest 1,000 are remembered', async () => {
  const snapshots = countingStore({});
  const asked = new AskedHandler({ snapshots });
  for (let index = 0; index <= 1_000; index += 1) await asked.preScore(POD, `c${index}`);
  await asked.preScore(POD, 'c1');
  assert.equal(snapshots.asked.length, 1_001);
  await asked.preScore(POD, 'c0');
  assert.equal(snapshots.asked.length, 1_002);
});

test('a store that fails is read again at each request', async () => {
  const snapshots = countingStore({ 'eu-1': () => Promise.reject(new Error('no route')) });
  const asked = new AskedHandler({ snapshots });
  for (let times = 0; times < 2; times += 1) await asked.preScore(POD);
  assert.equal(snapshots.asked.length, 2);
});

test('a snapshot that is gone is forgotten', async () => {
  const snapshots = countingStore({ 'eu-1': stored(clusterOf({ a: '4' })) });
  const asked = new AskedHandler({ snapshots });
  await asked.preScore(POD);
  snapshots.snapshots['eu-1'] = null;
  await asked.clock.advance(6_000);
  assert.equal((await asked.preScore(POD)).status, 503);
  assert.equal(asked.alive, 0);
});

test('a snapshot that is being loaded while another is pushed does not win', async () => {
  const store = slowStore({ ...stored(clusterOf({ old: '4' }), 'old'), time: START - 1_000 });
  const asked = new AskedHandler({ snapshots: { get: store.get, put: () => {} }, secret: 's' });
  const early = asked.preScore(POD);
  await eventually(() => store.asked === 1);
  await asked.ask('PUT', '/snapshots/eu-1', { body: clusterOf({ new: '4' }), token: 's' });
  store.answer();
  assert.equal((await early).body.node, 'new');
  assert.equal(asked.alive, 1);
});

test('the one before goes first where there is no room for both', async () => {
  const list = clusterOf({ a: '4', b: '4' });
  for (const [objects, most] of [
    [3, 1],
    [4, 2],
  ]) {
    const asked = new AskedHandler({ secret: 's', limits: { objects } });
    let alive = 0;
    const { create } = asked.surface;
    asked.surface.create = (...values) => {
      const handle = create(...values);
      alive = Math.max(alive, asked.alive);
      return handle;
    };
    for (const nodes of [list, clusterOf({ c: '4', d: '4' })])
      await asked.ask('PUT', '/snapshots/eu-1', { body: nodes, token: 's' });
    assert.deepEqual([alive, asked.alive], [most, 1], `room for ${objects}`);
    const { body } = await asked.ask('GET', '/snapshots/eu-1');
    assert.equal(body.counts.nodes, 2);
  }
});

test('a cluster that is evicted during a read of the store is read again', async () => {
  const list = clusterOf({ a: '4' });
  /** @type {(() => void) | undefined} */
  let answer;
  const get = ({ etag }) =>
    etag === undefined
      ? stored(list, 'one')
      : new Promise((resolve) => {
          answer = () => resolve({ etag });
        });
  const snapshots = countingStore({ a: get, b: stored(list) });
  const asked = new AskedHandler({ snapshots, limits: { clusters: 1 } });
  await asked.preScore(POD, 'a');
  await asked.clock.advance(6_000);
  const late = asked.preScore(POD, 'a');
  await eventually(() => answer);
  await asked.preScore(POD, 'b');
  answer?.();
  const { status, body } = await late;
  assert.deepEqual([status, body.snapshot.name], [200, 'a']);
  assert.deepEqual(
    snapshots.asked.map(({ name, etag }) => [name, etag]),
    [
      ['a', undefined],
      ['a', 'one'],
      ['b', undefined],
      ['a', undefined],
    ],
  );
  assert.equal(asked.alive, 1);
});

test('pushes at the same time leave one, that is alive', async () => {
  const lists = [clusterOf({ a: '4' }), clusterOf({ b: '4' })];
  /** @type {(() => void)[]} */
  const waiting = [];
  const put = () => new Promise((resolve) => void waiting.push(() => resolve(undefined)));
  const asked = new AskedHandler({ secret: 's', snapshots: { get: () => null, put } });
  const push = (list) => asked.ask('PUT', '/snapshots/eu-1', { body: list, token: 's' });
  const first = push(lists[0]);
  await eventually(() => waiting.length === 1);
  waiting.shift()?.();
  await first;
  const same = push(lists[0]);
  await eventually(() => waiting.length === 1);
  const other = push(lists[1]);
  await eventually(() => waiting.length === 2);
  const [keepSame, keepOther] = waiting;
  keepOther();
  assert.equal((await other).status, 200);
  keepSame();
  assert.equal((await same).status, 200);
  assert.equal(asked.alive, 1);
  assert.equal((await asked.preScore(POD)).body.node, 'a', 'the one that was kept last');
});
