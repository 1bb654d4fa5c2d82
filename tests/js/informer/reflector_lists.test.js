// Goal: where objects do not come as a stream they are listed, as client-go does it, and nothing is
// taken away by what is no complete list. Method: scripted answers, a clock moved by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../../js/src/kubernetes/errors.js';
import { ConnectionError } from '../../../js/src/informer.js';
import { Stream } from '../support/scripted_client.js';
import {
  added,
  bookmark,
  error,
  EXPIRED,
  initialEventsEnd,
  LIST,
  modified,
  page,
  refusal,
  refused,
  start,
  synced,
  tooLarge,
  WATCH,
  WATCH_LIST,
} from '../support/scripted_reflector.js';

test('a server that refuses streaming lists gets plain lists', async () => {
  for (const fault of [
    refusal(400, 'BadRequest'),
    refusal(403, 'Forbidden'),
    refusal(422, 'Invalid'),
  ]) {
    const { client, sink, states, informers, end } = await start([
      fault,
      [page(5, ['a', 'b'], 'next'), page(5, ['c'])],
      new Stream().push(added('d', 6)),
    ]);
    assert.deepEqual(client.requests, [
      WATCH_LIST,
      { ...LIST, limit: 500, resourceVersion: '0' },
      { ...WATCH, resourceVersion: '5' },
    ]);
    assert.deepEqual(sink.types.slice(1), ['SYNC_BEGIN', 'LIST', 'LIST', 'SYNC_END', 'ADDED']);
    assert.deepEqual(sink.names('nodes'), ['a', 'b', 'c', 'd']);
    assert.equal(states.at(-1), 'watching');
    assert.equal(informers.status()[0].lastError.reason, fault.code);
    await end();
  }
});

test('a server that ignores the wish for initial events is found out by its silence', async () => {
  const { client, clock, sink, errors, end } = await start([
    new Stream().push(added('a', 3)),
    [page(5, ['a', 'b'])],
    new Stream().push(error(...EXPIRED)).end(),
    [page(9, ['b'])],
    new Stream(),
  ]);
  await clock.advance(29_999);
  assert.equal(client.asked.length, 1);
  await clock.advance(1);
  assert.deepEqual(errors.slice(0, 1), ['Timeout']);
  await clock.advance(800);
  assert.deepEqual(client.requests, [
    WATCH_LIST,
    { ...LIST, limit: 500 },
    { ...WATCH, resourceVersion: '5' },
    // It is not asked for again.
    { ...LIST, limit: 0, resourceVersion: '5' },
    { ...WATCH, resourceVersion: '9' },
  ]);
  assert.deepEqual(sink.names('nodes'), ['b']);
  await end();
});

test('a broken streaming list deletes nothing', async () => {
  const ends = [
    (stream) => stream.end(),
    (stream) => stream.end(new ConnectionError('ConnectionReset', 'cut')),
    (stream) => stream.push(error(500, 'InternalError')).end(),
    (stream) => stream.push('{"type":"ADDED","obj\n').end(),
    (stream) => stream.push(bookmark(9)).end(),
  ];
  for (const end of ends) {
    const broken = new Stream().push(added('c', 9));
    end(broken);
    const { client, clock, stream, sink, end: finish } = await synced(broken, new Stream());
    stream.push(error(500, 'InternalError')).end();
    await clock.advance(800);
    assert.deepEqual(client.requests, [
      { ...WATCH_LIST, resourceVersion: '7' },
      // The most recent: what came is newer than 7.
      { ...LIST, limit: 500 },
    ]);
    assert.deepEqual(sink.names('nodes'), ['a', 'b', 'c'], String(end));
    await finish();
  }
});

test('the token of a page that expired: the whole list at once', async () => {
  const { client, sink, end } = await start([
    refusal(422, 'Invalid'),
    [page(5, ['a', 'b'], 'next'), refusal(...EXPIRED)],
    [page(9, ['b', 'c'])],
    new Stream(),
  ]);
  assert.deepEqual(client.requests, [
    WATCH_LIST,
    { ...LIST, limit: 500, resourceVersion: '0' },
    { ...LIST, limit: 0 },
    { ...WATCH, resourceVersion: '9' },
  ]);
  assert.deepEqual(sink.names('nodes'), ['b', 'c']);
  await end();
});

test('after a list that broke off only the most recent one will do', async () => {
  const { client, clock, sink, end } = await start([
    refusal(422, 'Invalid'),
    [page(9, ['a', 'b'], 'next'), refusal(500, 'InternalError')],
    refusal(422, 'Invalid'),
    [page(9, ['b'])],
    new Stream(),
  ]);
  await clock.advance(800);
  assert.deepEqual(client.requests.slice(2), [
    WATCH_LIST,
    { ...LIST, limit: 500 },
    { ...WATCH, resourceVersion: '9' },
  ]);
  assert.deepEqual(sink.names('nodes'), ['b']);
  await end();
});

test('a version that a list cannot have: the most recent one', async () => {
  for (const fault of [refusal(...EXPIRED), tooLarge()]) {
    const { client, clock, sink, stream, end } = await synced(
      refusal(422, 'Invalid'),
      fault,
      [page(30, ['x'])],
      new Stream(),
    );
    stream.push(error(...EXPIRED)).end();
    await clock.advance(800);
    assert.deepEqual(client.requests, [
      { ...WATCH_LIST, resourceVersion: '7' },
      { ...LIST, limit: 0, resourceVersion: '7' },
      { ...LIST, limit: 500 },
      { ...WATCH, resourceVersion: '30' },
    ]);
    assert.deepEqual(sink.names('nodes'), ['x']);
    await end();
  }
});

test('a server without a watch cache gets paged lists from then on', async () => {
  const { client, clock, end } = await start([
    refusal(422, 'Invalid'),
    [page(5, ['a'], 'next'), page(5, ['b'])],
    new Stream().push(error(...EXPIRED)).end(),
    refusal(422, 'Invalid'),
    [page(9, ['a'])],
    new Stream(),
  ]);
  await clock.advance(800);
  assert.deepEqual(client.requests.at(-2), { ...LIST, limit: 500, resourceVersion: '5' });
  await end();
});

test('a body that only resembles a list deletes nothing', async () => {
  const lists = [
    [{ kind: 'NodeList', apiVersion: 'v1', metadata: {}, items: [] }],
    [{ kind: 'NodeList', apiVersion: 'v1', metadata: { resourceVersion: '0' }, items: [] }],
    [{ ...page(9, []), kind: 'PodList' }],
    [{ ...page(9, []), kind: 'FooList' }],
    [{ ...page(9, []), kind: 'Node' }],
    [{ ...page(9, []), kind: 'Table', apiVersion: 'meta.k8s.io/v1' }],
    [{ ...page(9, []), apiVersion: 'v2' }],
    [{ ...page(9, []), kind: undefined }],
    [page(9, ['a'], 'next'), { ...page(9, []), kind: 'PodList' }],
    [page(9, ['a'], 'next'), { ...page(9, []), metadata: {} }],
    [page(9, ['a'], 'next'), refused()],
    [page(9, ['a'], 'next'), refusal(500, 'InternalError')],
  ];
  for (const list of lists) {
    const { clock, sink, stream, states, end } = await synced(refusal(422, 'Invalid'), list);
    stream.push(error(...EXPIRED)).end();
    await clock.advance(800);
    assert.deepEqual(sink.names('nodes'), ['a', 'b'], JSON.stringify(list));
    assert.equal(states.at(-1), 'backoff');
    await end();
  }
});

// Goal: what a watch says against what was known is another history, of which all is read.
test('an event that moves a bound pod to another node causes a relist', async () => {
  const { client, clock, sink, stream, errors, informers, end } = await synced(
    new Stream().push(added('a', 2), initialEventsEnd(3)),
  );
  const { apply } = sink;
  const contradiction = new InputError({ code: 'FieldValueInvalid', field: 'spec.nodeName' });
  sink.apply = (lines, options) => {
    if (new TextDecoder().decode(lines).includes('MODIFIED')) options.onError(contradiction);
    return apply.call(sink, lines, options);
  };
  stream.push(modified('b', 9));
  await clock.advance(800);
  assert.deepEqual(client.requests, [WATCH_LIST]);
  assert.deepEqual(errors, ['FieldValueInvalid', 'FieldValueInvalid']);
  assert.deepEqual(sink.names('nodes'), ['a']);
  assert.deepEqual(
    [informers.status()[0].resourceVersion, informers.status()[0].relists],
    ['3', 1],
  );
  await end();
});

test('a line that is not an event ends the watch, and deletes nothing', async () => {
  for (const line of [page(9, []), { kind: 'Status', status: 'Success' }, {}]) {
    const { clock, sink, stream, errors, end } = await synced(new Stream());
    stream.push(line);
    await clock.advance(800);
    assert.deepEqual(sink.names('nodes'), ['a', 'b'], JSON.stringify(line));
    assert.deepEqual(errors, ['MalformedJson']);
    await end();
  }
});

test('a page that never comes is given up', async () => {
  const { client, clock, errors, states, end } = await start([
    refusal(422, 'Invalid'),
    new Stream(),
  ]);
  await clock.advance(299_999);
  assert.deepEqual(errors, ['Invalid']);
  await clock.advance(1);
  assert.deepEqual(errors, ['Invalid', 'Timeout']);
  assert.equal(states.at(-1), 'backoff');
  assert.equal(client.asked[1].signal.aborted, true);
  await end();
});
