// Goal: requests to a server that is down, busy, silent or refuses are retried in time, and
// optional kinds do not delay the others. Method: scripted answers, a manual clock, no randomness.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError } from '../../../js/src/informer.js';
import { Stream } from '../support/scripted_client.js';
import {
  added,
  bookmark,
  deleted,
  error,
  initialEventsEnd,
  NODES,
  refusal,
  refused,
  start,
  synced,
  WATCH,
  WATCH_LIST,
} from '../support/scripted_reflector.js';
import { settle } from '../support/stepped_clock.js';

test('a half-open connection: the watch restarts half a minute after its timeout', async () => {
  const { client, clock, stream, errors, end } = await synced(new Stream(), new Stream());
  await clock.advance(100_000);
  stream.push(bookmark(9));
  await clock.advance(329_999);
  assert.equal(client.asked.length, 0);
  await clock.advance(1);
  assert.deepEqual(client.requests, [{ ...WATCH, resourceVersion: '9' }]);
  assert.deepEqual(errors, ['Timeout']);
  // On this one nothing comes at all.
  await clock.advance(330_000);
  assert.equal(client.asked.length, 1);
  await clock.advance(800);
  assert.equal(client.asked.length, 2);
  await end();
});

test('a server that is down: the watch goes on where it was, later and later', async () => {
  const downs = Array.from({ length: 8 }, refused);
  const { client, clock, stream, states, errors, sink, end } = await synced(
    ...downs,
    new Stream().push(deleted('a', 9)),
  );
  stream.end(new ConnectionError('ConnectionReset', 'cut'));
  const waits = [];
  for (let count = 0; count < 9; count += 1) {
    await settle();
    waits.push(clock.sleeping()[0]);
    assert.equal(states.at(-1), 'backoff');
    await clock.advanceToNext();
  }
  assert.deepEqual(waits, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
  assert.deepEqual(errors, ['ConnectionReset', ...downs.map(({ code }) => code)]);
  assert.ok(
    client.requests.every(({ verb, resourceVersion }) => verb === 'watch' && resourceVersion),
  );
  assert.deepEqual(sink.names('nodes'), ['b']);
  assert.equal(states.at(-1), 'watching');
  await end();
});

test('a connection that is lost between events is no reason to wait', async () => {
  const { client, stream, errors, end } = await synced(new Stream());
  stream.push(bookmark(9)).end(new ConnectionError('ConnectionReset', 'cut'));
  await settle();
  assert.deepEqual(client.requests, [{ ...WATCH, resourceVersion: '9' }]);
  assert.deepEqual(errors, ['ConnectionReset']);
  await end();
});

test('a server that is down at first gets a streaming list later', async () => {
  const { client, clock, states, end } = await start([refused(), new Stream()]);
  await clock.advance(800);
  assert.deepEqual(client.requests, [WATCH_LIST, WATCH_LIST]);
  assert.deepEqual(states, ['backoff', 'listing']);
  await end();
});

test('a 429 is retried at the server’s Retry-After', async () => {
  const busy = () => refusal(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } });
  const first = await start([busy(), new Stream()]);
  assert.deepEqual(first.clock.sleeping(), [7000]);
  await first.clock.advance(7000);
  assert.deepEqual(first.client.requests, [WATCH_LIST, WATCH_LIST]);
  await first.end();

  const { client, clock, stream, end } = await synced(
    busy(),
    new Stream().push(bookmark(11), error(429, 'TooManyRequests')).end(),
    new Stream(),
  );
  stream.push(bookmark(9)).end();
  await clock.advance(7000);
  await clock.advance(1600);
  assert.deepEqual(client.requests, [
    { ...WATCH, resourceVersion: '9' },
    { ...WATCH, resourceVersion: '9' },
    { ...WATCH, resourceVersion: '11' },
  ]);
  await end();
});

test('a server cannot put it off for ever', async () => {
  const busy = refusal(503, 'ServiceUnavailable', { details: { retryAfterSeconds: 86_400 } });
  const { clock, end } = await start([busy, busy]);
  assert.deepEqual(clock.sleeping(), [300_000]);
  await end();
});

test('refused credentials: no list is tried, and everything is retried later', async () => {
  const { client, clock, errors, end } = await start([refusal(401, 'Unauthorized'), new Stream()]);
  assert.deepEqual(errors, ['Unauthorized']);
  await clock.advance(800);
  assert.deepEqual(client.requests, [WATCH_LIST, WATCH_LIST]);
  await end();
});

test('a forbidden optional kind does not delay the others, and is retried', async () => {
  const forbidden = () => refusal(403, 'Forbidden');
  const { client, clock, sink, states, informers, end } = await start([
    ...[forbidden(), forbidden(), forbidden(), forbidden()],
    new Stream().push(added('a', 3), initialEventsEnd(4)),
  ]);
  await informers.synced();
  assert.deepEqual(sink.types, ['SYNC_BEGIN', 'SYNC_BEGIN', 'SYNC_END']);
  assert.equal(informers.status()[0].state, 'forbidden');
  await clock.advance(800);
  assert.equal(client.asked.length, 4);
  assert.deepEqual(states, ['listing', 'forbidden', 'forbidden', 'forbidden']);
  await clock.advance(1600);
  assert.equal(informers.status()[0].state, 'watching');
  assert.deepEqual(sink.names('nodes'), ['a']);
  assert.equal(informers.status()[0].relists, 0);
  await end();
});

test('the objects of a kind stay if the server stops serving it', async () => {
  for (const [fault, state] of [
    [refusal(403, 'Forbidden'), 'forbidden'],
    [refusal(404, 'NotFound'), 'absent'],
  ]) {
    const { clock, stream, sink, informers, end } = await synced(fault, fault, fault);
    stream.push(bookmark(9)).end();
    await settle();
    assert.equal(informers.status()[0].state, state);
    await clock.advance(800);
    assert.deepEqual(sink.names('nodes'), ['a', 'b']);
    assert.deepEqual(clock.sleeping(), [1600]);
    await end();
  }
});

test('a kind that is not served is absent, and retried rarely', async () => {
  const { client, clock, sink, states, informers, end } = await start([
    refusal(404, 'NotFound'),
    refusal(404, 'NotFound'),
    new Stream().push(initialEventsEnd(4)),
  ]);
  await informers.synced();
  assert.deepEqual(states, ['absent']);
  assert.deepEqual(sink.types, ['SYNC_BEGIN', 'SYNC_BEGIN', 'SYNC_END']);
  await clock.advance(299_999);
  assert.equal(client.asked.length, 1);
  await clock.advance(300_001);
  assert.equal(client.asked.length, 3);
  assert.equal(states.at(-1), 'watching');
  await end();
});

test('a required kind is awaited, whatever the server answers', async () => {
  for (const fault of [refusal(403, 'Forbidden'), refusal(404, 'NotFound')]) {
    const { clock, sink, informers, end } = await start([fault, fault], {
      kinds: [{ ...NODES, optional: false }],
    });
    let isSynced = false;
    informers.synced().then(
      () => (isSynced = true),
      () => {},
    );
    await settle();
    assert.deepEqual(sink.types, ['SYNC_BEGIN']);
    assert.equal(isSynced, false);
    assert.deepEqual(clock.sleeping(), [800]);
    await end();
  }
});

test('a line that is not JSON causes a relist', async () => {
  const { client, clock, stream, end } = await synced(new Stream());
  stream.push('{"type":"ADDED","object":{"metadata":\n');
  await settle();
  await clock.advance(800);
  assert.deepEqual(client.requests, [{ ...WATCH_LIST, resourceVersion: '7' }]);
  await end();
});
