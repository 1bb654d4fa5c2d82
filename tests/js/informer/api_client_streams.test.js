// Goal: lists come in pages and watches in whole lines, however the bytes are cut and wherever they
// end. Method: bodies made by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/io/clock.js';
import { createApiClient } from '../../../js/src/client/api_client.js';
import { LineCutter, wholeLines } from '../../../js/src/io/byte_lines.js';
import { listMetaOf } from '../../../js/src/client/list_meta.js';

const bytes = (text) => new TextEncoder().encode(text);
const textOf = (chunk) => new TextDecoder().decode(chunk);

/** @param {(request: Request) => Response} answer */
function prepare(answer) {
  const urls = [];
  const fetch = async (request) => {
    urls.push(request.url.replace('http://api', ''));
    return answer(request);
  };
  const client = createApiClient({ baseUrl: 'http://api', fetch, clock: virtualClock(0) });
  return { client, urls };
}

/** @param {Uint8Array[]} chunks @param {{ error?: Error, onCancel?: () => void }} [options] */
function streamOf(chunks, { error, onCancel } = {}) {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk) controller.enqueue(chunk);
      else if (error) controller.error(error);
      else if (!onCancel) controller.close();
    },
    cancel: onCancel,
  });
}

/** @param {AsyncIterable<Uint8Array>} lines */
async function collect(lines) {
  const chunks = [];
  for await (const chunk of lines) chunks.push(textOf(chunk));
  return chunks;
}

test('a stream cut at every byte, in one, two and all pieces', async () => {
  const text = '{"a":"ü\\n"}\n\n{"b":2}\n{"c"';
  const whole = bytes(text);
  for (let first = 0; first <= whole.length; first += 1)
    for (const second of [first, Math.min(first + 3, whole.length)]) {
      const parts = [
        whole.subarray(0, first),
        whole.subarray(first, second),
        whole.subarray(second),
      ];
      const cutter = new LineCutter();
      const chunks = await collect(wholeLines(streamOf(parts), { cutter }));
      assert.equal(chunks.join(''), '{"a":"ü\\n"}\n\n{"b":2}\n', `cut at ${first} and ${second}`);
      assert.ok(chunks.every((chunk) => chunk.endsWith('\n')));
      assert.equal(cutter.rest, 4);
    }
  const single = Array.from(whole, (byte) => Uint8Array.of(byte));
  assert.deepEqual(await collect(wholeLines(streamOf(single))), [
    '{"a":"ü\\n"}\n',
    '\n',
    '{"b":2}\n',
  ]);
});

test('a line beyond the limit is refused, wherever its pieces end', () => {
  const cutter = new LineCutter(8);
  assert.equal(textOf(cutter.push(bytes('12345678\n1234'))), '12345678\n');
  assert.equal(cutter.push(bytes('5678')), undefined);
  assert.throws(() => cutter.push(bytes('9')), { code: 'TooLarge' });
});

test('a watch ends as its server ends it', async () => {
  const cases = [
    ['between events', { body: ['{"a":1}\n'] }, ['{"a":1}\n'], undefined],
    ['with nothing', { body: [] }, [], undefined],
    ['within an event', { body: ['{"a":1}\n{"b"'] }, ['{"a":1}\n'], 'ConnectionReset'],
    [
      'broken off',
      { body: ['{"a":1}\n'], error: Object.assign(new Error('x'), { code: 'ECONNRESET' }) },
      ['{"a":1}\n'],
      'ConnectionReset',
    ],
    ['somehow', { body: ['{"a":1}\n'], error: new Error('x') }, ['{"a":1}\n'], 'Network'],
  ];
  for (const [name, { body, error }, want, code] of cases) {
    const { client, urls } = prepare(() => new Response(streamOf(body.map(bytes), { error })));
    const seen = [];
    let ended;
    try {
      for await (const chunk of client.watch('/api', { resourceVersion: '5' }))
        seen.push(textOf(chunk));
    } catch (cause) {
      ended = cause;
    }
    assert.deepEqual(seen, want, name);
    assert.equal(ended?.code, code, name);
    assert.deepEqual(urls, ['/api?resourceVersion=5&watch=true']);
  }
});

test('a watch that cannot begin', async () => {
  const gone = {
    kind: 'Status',
    status: 'Failure',
    reason: 'Expired',
    message: 'too old',
    code: 410,
  };
  const refused = prepare(() => Response.json(gone, { status: 410 })).client;
  await assert.rejects(refused.watch('/api').next(), { code: 'Expired', status: 410 });
  let attempts = 0;
  const late = prepare(() => {
    attempts += 1;
    if (attempts < 3) throw new DOMException('late', 'TimeoutError');
    return new Response('{}\n');
  }).client;
  assert.deepEqual(await collect(late.watch('/api')), ['{}\n']);
  assert.equal(attempts, 3, 'what only listens can begin again');
});

test('a watch is cancelled when its reader stops, or its signal aborts', async () => {
  let cancelled = 0;
  const endless = () =>
    new Response(streamOf([bytes('{}\n')], { onCancel: () => void (cancelled += 1) }));
  const { client } = prepare(endless);
  for await (const chunk of client.watch('/api')) {
    assert.equal(textOf(chunk), '{}\n');
    break;
  }
  assert.equal(cancelled, 1);
  const end = new AbortController();
  const reading = collect(client.watch('/api', {}, end.signal));
  await new Promise(setImmediate);
  end.abort(new Error('enough'));
  await assert.rejects(reading, /enough/);
  assert.equal(cancelled, 2);
});

test('pages are requested in order, each with the token of the last', async () => {
  const pages = [
    { metadata: { resourceVersion: '7', continue: 'two', remainingItemCount: 3 }, items: [{}] },
    { metadata: { resourceVersion: '7', continue: 'three' }, items: [{}, {}] },
    { metadata: { resourceVersion: '7', continue: '' }, items: [{}] },
  ];
  let at = 0;
  // As an API server writes it for a browser.
  const { client, urls } = prepare(() => new Response(`${JSON.stringify(pages[at++], null, 2)}\n`));
  const query = {
    resourceVersion: '0',
    resourceVersionMatch: 'NotOlderThan',
    fieldSelector: 'a=b',
  };
  const seen = [];
  for await (const { bytes: page, metadata } of client.list('/api/v1/pods', { query })) {
    assert.ok(!page.includes(10), 'on one line');
    assert.deepEqual(JSON.parse(textOf(page)).metadata, metadata);
    seen.push(metadata);
  }
  assert.deepEqual(
    seen,
    pages.map(({ metadata }) => metadata),
  );
  const asked = '/api/v1/pods?fieldSelector=a%3Db&limit=500';
  assert.deepEqual(urls, [
    `${asked}&resourceVersion=0&resourceVersionMatch=NotOlderThan`,
    `${asked}&continue=two`,
    `${asked}&continue=three`,
  ]);
  at = 2;
  for await (const { metadata } of client.list('/api', { limit: 0 }))
    assert.equal(metadata.resourceVersion, '7');
  assert.equal(urls.at(-1), '/api');
});

test('a list’s metadata is found in any order, and without reading its items', () => {
  const meta = { resourceVersion: '5', continue: 'a"}\\' };
  const json = JSON.stringify(meta);
  const good = [
    `{"metadata":${json}}`,
    `{"kind":"PodList","apiVersion":"v1","metadata":${json},"items":[`,
    ` \n{ "items" : [{"a":"]}\\"\\\\"}, [[]], 1.5e3, null] , "metadata" : ${json} }`,
    `{"n":1,"t":true,"items":{"metadata":{"resourceVersion":"no"}},"metadata":${json}}`,
  ];
  for (const text of good) assert.deepEqual(listMetaOf(bytes(text)), meta, text);
  const bad = [
    ['', 'a list is expected'],
    ['[]', 'a list is expected'],
    ['<html>', 'a list is expected'],
    ['{}', 'a list without metadata'],
    ['{"items":[]}', 'a list without metadata'],
    ['{"items":[', 'a list that does not end'],
    ['{"items', 'a string that does not end'],
    ['{"items"', 'a list without metadata'],
    ['{"metadata":[]}', 'metadata that is no object'],
    ['{"metadata":null}', 'metadata that is no object'],
    ['{"metadata":{"a":nope}}', /JSON/],
  ];
  for (const [text, message] of bad)
    assert.throws(() => listMetaOf(bytes(text)), { code: 'MalformedJson', message }, text);
});
