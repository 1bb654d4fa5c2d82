import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePod } from '../support/objects.js';
import { eventually } from '../support/stepped_clock.js';
import { AskedHandler, clusterOf, countingStore, stored } from './asked_handler.js';

const QUESTION = JSON.stringify({ pod: makePod('web'), cluster: 'eu-1' });

function makeHandler(limits = {}) {
  const snapshots = countingStore({ 'eu-1': stored(clusterOf({ a: '4' })) });
  return new AskedHandler({ snapshots, limits });
}

/** @param {AskedHandler} asked */
function send(asked, raw, headers = {}) {
  return asked.ask('POST', '/prescore', { raw, headers });
}

/** @param {string} text in pieces of a few bytes */
function streamOf(text, onCancel = () => {}) {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 7));
      at += 7;
    },
    cancel: onCancel,
  });
}

test('only JSON is accepted, and it need not have a length', async () => {
  const asked = makeHandler();
  for (const type of ['application/json', 'Application/JSON; charset=UTF-8']) {
    const { status } = await send(asked, QUESTION, { 'Content-Type': type });
    assert.equal(status, 200, type);
  }
  assert.equal((await send(asked, streamOf(QUESTION))).status, 200);
  for (const type of [
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
  ]) {
    const { status, body } = await send(asked, QUESTION, { 'Content-Type': type });
    assert.deepEqual([status, body.reason], [415, 'UnsupportedMediaType'], type);
  }
  const packed = await send(asked, QUESTION, { 'Content-Encoding': 'gzip' });
  assert.equal(packed.status, 415);
  const none = await asked.ask('POST', '/prescore');
  assert.equal(none.status, 415);
});

test('a body that is not JSON is rejected', async () => {
  const asked = makeHandler();
  const cases = ['', '{', 'null', '"text"', '[1]', new Uint8Array([0x22, 0xff, 0x22])];
  for (const raw of cases) {
    const { status, body } = await send(asked, raw);
    assert.deepEqual([status, body.reason], [400, 'BadRequest'], String(raw));
  }
  const empty = await asked.ask('POST', '/prescore', {
    headers: { 'Content-Type': 'application/json' },
  });
  assert.equal(empty.status, 400);
});

test('bodies are bounded, whatever they say of themselves', async () => {
  const asked = makeHandler({ bodyBytes: QUESTION.length });
  assert.equal((await send(asked, QUESTION)).status, 200);
  const large = await send(asked, `${QUESTION} `);
  assert.deepEqual([large.status, large.body.reason], [413, 'RequestEntityTooLarge']);
  let cancelled = 0;
  const endless = streamOf(' '.repeat(1 << 20), () => (cancelled += 1));
  assert.equal((await send(asked, endless)).status, 413);
  assert.equal(cancelled, 1);
  const said = await send(asked, streamOf(QUESTION), { 'Content-Length': '4294967296' });
  assert.equal(said.status, 413);
  const nonsense = await send(asked, streamOf(QUESTION), { 'Content-Length': 'many' });
  assert.equal(nonsense.status, 400);
  const less = await send(asked, streamOf(QUESTION), { 'Content-Length': '3' });
  assert.equal(less.status, 200);
});

test('bodies that come too slowly are not waited for', async () => {
  const asked = makeHandler({ timeoutMs: 2_000 });
  let cancelled = 0;
  const raw = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"pod":')),
    cancel: () => void (cancelled += 1),
  });
  const answer = send(asked, raw);
  await eventually(() => asked.clock.sleeping().length > 0);
  await asked.clock.advance(2_001);
  const { status, body } = await answer;
  assert.deepEqual([status, body.reason], [408, 'Timeout']);
  assert.equal(body.message, 'the body of the request took more than 2000 ms');
  assert.equal(cancelled, 1);
  assert.deepEqual(asked.clock.sleeping(), []);
});

test('a body that breaks off is a client error', async () => {
  const asked = makeHandler();
  const raw = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  const { status } = await send(asked, raw);
  assert.equal(status, 400);
});
