// Goal: a sink gets all of it, in order, in pieces that are not too long, and others have their
// turn in between. Method: a recording sink, streams without an end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInformers } from '../../../js/src/informer.js';
import { FairTurns } from '../../../js/src/informer/fair_turns.js';
import { Feed } from '../../../js/src/informer/feed.js';
import { RecordingSink } from '../support/recording_sink.js';
import { ScriptedClient, Stream } from '../support/scripted_client.js';
import { eventually } from '../support/stepped_clock.js';

const { signal } = new AbortController();
const bytes = (text) => new TextEncoder().encode(text);
const node = (name) => ({
  metadata: { name, resourceVersion: String(name.slice(1)), note: 'x'.repeat(20_000) },
});
const names = Array.from({ length: 200 }, (_, index) => `n${index + 1000}`);

function prepare() {
  const sink = new RecordingSink();
  const errors = [];
  const feed = new Feed({
    ...{ sink, turns: new FairTurns({ now: () => 0 }), resource: 'nodes' },
    onErrors: (some) => errors.push(...some),
  });
  return { sink, feed, errors };
}

test('a long list and a long stretch of events come in pieces', async () => {
  const { sink, feed } = prepare();
  await feed.begin(signal);
  const list = { kind: 'NodeList', metadata: { resourceVersion: '5' }, items: names.map(node) };
  await feed.list(bytes(JSON.stringify(list)), signal);
  await feed.end('5', signal);
  assert.deepEqual(sink.names('nodes'), names);
  const events = names.map((name) => JSON.stringify({ type: 'DELETED', object: node(name) }));
  const taken = await feed.events(bytes(`${events.join('\n')}\n`), signal);
  assert.deepEqual(taken, { resourceVersion: '1199', status: undefined });
  assert.deepEqual(sink.names('nodes'), []);
  const sizes = sink.calls.map(([, size]) => size);
  assert.equal(sizes.length, 2 + 4 + 4);
  assert.ok(Math.max(...sizes) <= (1 << 20) + 1000, String(sizes));
});

test('each line has its line feed', async () => {
  const { sink, feed } = prepare();
  const texts = [];
  sink.apply = (lines) => void texts.push(new TextDecoder().decode(lines));
  const page = '{"kind":"NodeList","metadata":{},"items":[]}';
  await feed.begin(signal);
  await feed.list(bytes(page), signal);
  await feed.list(bytes(`${page} `), signal);
  await feed.end('', signal);
  assert.deepEqual(texts, [
    '{"type":"SYNC_BEGIN","resource":"nodes"}\n',
    `${page}\n`,
    `${page}\n`,
    '{"type":"SYNC_END","resource":"nodes"}\n',
  ]);
});

test('a list is incomplete from its first page to its end', async () => {
  const { feed } = prepare();
  const page = () => bytes('{"kind":"NodeList","metadata":{},"items":[]}');
  const event = () => bytes('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
  const seen = [feed.isIncomplete];
  const steps = [
    ...[() => feed.begin(signal), () => feed.list(page(), signal), () => feed.end('5', signal)],
    ...[() => feed.events(event(), signal), () => feed.begin(signal)],
    ...[() => feed.events(event(), signal), () => feed.begin(signal), () => feed.end('6', signal)],
  ];
  for (const step of steps) {
    await step();
    seen.push(feed.isIncomplete);
  }
  assert.deepEqual(seen, [false, false, true, false, false, false, true, true, false]);
});

test('an aborted feed takes no more data', async () => {
  const { sink, feed } = prepare();
  const reason = new Error('enough');
  await assert.rejects(feed.events(bytes('{}\n'), AbortSignal.abort(reason)), reason);
  assert.deepEqual(sink.calls, []);
});

test('a stream that never pauses starves neither the others nor the event loop', async () => {
  const end = {
    type: 'BOOKMARK',
    object: {
      metadata: { resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } },
    },
  };
  const quiet = new Stream().push(end);
  const flood = {
    async *read(/** @type {AbortSignal} */ stopped) {
      yield bytes(`${JSON.stringify(end)}\n`);
      const event = bytes(`${JSON.stringify({ type: 'MODIFIED', object: node('n1') })}\n`);
      while (!stopped.aborted) yield event;
    },
  };
  const kinds = ['nodes', 'pods'].map((resource) => ({ version: 'v1', resource }));
  const sink = new RecordingSink();
  const stop = new AbortController();
  const client = new ScriptedClient(flood, quiet);
  const informers = createInformers({ client, sink, kinds, signal: stop.signal });
  const run = informers.run();
  await informers.synced();
  for (let count = 1; count <= 5; count += 1) {
    quiet.push({ type: 'ADDED', object: node(`n${count}`) });
    await eventually(() => sink.names('pods').length === count);
  }
  assert.ok(sink.calls.length > 20);
  stop.abort();
  await run;
});
