// Goal: a reflector asks as client-go’s does, follows one watch after the other, and its sink has
// the server’s state. Method: scripted answers, a clock moved by hand, no chance.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stream } from '../support/scripted_client.js';
import {
  added,
  bookmark,
  deleted,
  error,
  EXPIRED,
  initialEventsEnd,
  LIST,
  modified,
  NODES,
  page,
  refusal,
  start,
  synced,
  tooLarge,
  WATCH,
  WATCH_LIST,
} from '../support/scripted_reflector.js';
import { settle } from '../support/stepped_clock.js';

test('objects come as a stream that goes on as a watch', async () => {
  const stream = new Stream();
  const { client, sink, informers, states, errors, end } = await start([stream]);
  assert.deepEqual(client.requests, [WATCH_LIST]);
  assert.deepEqual(sink.types, ['SYNC_BEGIN']);
  stream.push(added('a', 3)).push(added('b', 2), bookmark(4));
  await settle();
  assert.deepEqual(states, []);
  stream.push(initialEventsEnd(7), modified('a', 8)).push(deleted('b', 9));
  await settle();
  assert.deepEqual(states, ['watching']);
  assert.deepEqual(sink.types.slice(1), [
    ...['SYNC_BEGIN', 'ADDED', 'ADDED', 'BOOKMARK', 'BOOKMARK', 'SYNC_END'],
    ...['MODIFIED', 'DELETED'],
  ]);
  assert.deepEqual(JSON.parse(sink.lines[6]), {
    ...{ type: 'SYNC_END', resource: 'nodes', resourceVersion: '7' },
  });
  assert.deepEqual(sink.versions('nodes'), { a: '8' });
  assert.deepEqual(informers.status(), [
    { resource: 'nodes', state: 'watching', resourceVersion: '9', relists: 0, lastError: null },
  ]);
  assert.deepEqual(errors, []);
  await end();
});

test('selectors go with every request', async () => {
  const kind = { ...NODES, fieldSelector: 'a!=b', labelSelector: 'c=d' };
  const selectors = { fieldSelector: 'a!=b', labelSelector: 'c=d' };
  const answers = [refusal(422, 'Invalid'), [page(5, ['a'])], new Stream()];
  const { client, end } = await start(answers, { kinds: [kind] });
  assert.deepEqual(client.requests, [
    { ...WATCH_LIST, ...selectors },
    { ...LIST, limit: 500, resourceVersion: '0', ...selectors },
    { ...WATCH, ...selectors, resourceVersion: '5' },
  ]);
  await end();
});

test('a watch that ends restarts at once, from the last version', async () => {
  const { client, clock, stream, sink, errors, end } = await synced(
    new Stream().push(bookmark(12)),
    new Stream(),
  );
  stream.push(added('c', 10)).end();
  await settle();
  assert.deepEqual(client.requests, [{ ...WATCH, resourceVersion: '10' }]);
  await clock.advance(1000);
  await settle();
  assert.equal(client.asked.length, 1);
  assert.deepEqual(sink.names('nodes'), ['a', 'b', 'c']);
  assert.deepEqual(errors, []);
  await end();
});

test('a watch with nothing new may end after a second', async () => {
  const quiet = new Stream();
  const { client, clock, stream, end } = await synced(quiet, new Stream());
  stream.push(bookmark(9)).end();
  await clock.advance(1000);
  quiet.end();
  await settle();
  const again = { ...WATCH, resourceVersion: '9' };
  assert.deepEqual(client.requests, [again, again]);
  await end();
});

test('a watch that ends within a second without events causes a relist', async () => {
  const { client, clock, stream, states, errors, informers, end } = await synced(
    new Stream().push(added('a', 3), initialEventsEnd(20)),
  );
  stream.end();
  await settle();
  assert.deepEqual(errors, ['VeryShortWatch']);
  assert.equal(states.at(-1), 'backoff');
  assert.deepEqual(clock.sleeping(), [800]);
  await clock.advance(800);
  assert.deepEqual(client.requests, [{ ...WATCH_LIST, resourceVersion: '7' }]);
  const [{ relists, lastError, resourceVersion }] = informers.status();
  assert.deepEqual([relists, resourceVersion], [1, '20']);
  assert.deepEqual(lastError, {
    ...{ at: 1_000_000, reason: 'VeryShortWatch' },
    message: 'the watch ended within a second, with nothing new',
  });
  await end();
});

for (const [name, end] of [
  ['in an event', (stream) => stream.push(error(...EXPIRED))],
  ['in an event, as Gone', (stream) => stream.push(error(410, 'Gone'))],
  ['with other events', (stream) => stream.push(added('c', 8), error(...EXPIRED))],
])
  test(`a version that expired, told ${name}: what is gone is known after a relist`, async () => {
    const again = new Stream().push(added('b', 2), added('d', 15), initialEventsEnd(20));
    const { client, clock, stream, sink, states, end: finish } = await synced(again);
    end(stream).end();
    await settle();
    assert.equal(states.at(-1), 'backoff');
    await clock.advance(800);
    const [request] = client.requests;
    assert.deepEqual(
      { ...request, resourceVersion: undefined },
      {
        ...{ ...WATCH_LIST, resourceVersion: undefined },
      },
    );
    assert.match(request.resourceVersion, /^[78]$/);
    assert.deepEqual(sink.names('nodes'), ['b', 'd']);
    assert.deepEqual(states.slice(-2), ['listing', 'watching']);
    await finish();
  });

test('an expired version, as the HTTP status of a watch', async () => {
  const { client, clock, stream, sink, end } = await synced(
    refusal(...EXPIRED),
    refusal(...EXPIRED),
    new Stream().push(added('e', 30), initialEventsEnd(31)),
  );
  stream.push(bookmark(9)).end();
  await clock.advance(800);
  assert.deepEqual(client.requests, [
    { ...WATCH, resourceVersion: '9' },
    // Not older than what is known; as that is gone, the most recent.
    { ...WATCH_LIST, resourceVersion: '9' },
    WATCH_LIST,
  ]);
  assert.deepEqual(sink.names('nodes'), ['e']);
  await end();
});

test('a version that is too large: the most recent one is asked for', async () => {
  const cases = [
    ['a cause', tooLarge()],
    ['words', refusal(504, 'Timeout', { message: 'Timeout: Too large resource version: 9' })],
    [
      'words of a cause',
      refusal(504, 'Timeout', { details: { causes: [{ message: 'Too large resource version' }] } }),
    ],
  ];
  for (const [name, fault] of cases) {
    const { client, clock, stream, end } = await synced(
      fault,
      new Stream().push(initialEventsEnd(5)),
    );
    stream.push(error(500, 'InternalError')).end();
    await clock.advance(800);
    assert.deepEqual(client.requests, [{ ...WATCH_LIST, resourceVersion: '7' }, WATCH_LIST], name);
    await end();
  }
});

test('the timeout of a watch is random', async () => {
  for (const [random, timeoutSeconds] of [
    [0.5, 450],
    [0.999, 599],
  ]) {
    const { client, end } = await start([], { random: () => random });
    assert.deepEqual(client.requests, [{ ...WATCH_LIST, timeoutSeconds }]);
    await end();
  }
});
