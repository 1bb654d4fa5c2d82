// Goal: a Request handler serves HTTP: bodies flow both ways with backpressure, and disconnected
// clients are detected. Method: real sockets; the tests wait for events, never for time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { fetchOf, PlainResponse } from '../../../../js/src/io/plain_http.js';
import { virtualClock } from '../../../../js/src/io/clock.js';
import { createApiServer } from '../../../../js/apiserver/index.js';
import { createApiClient } from '../../../../js/src/client/api_client.js';
import { InputError } from '../../../../js/src/kubernetes/errors.js';
import { listen, loadKubeconfig } from '../../../../js/src/node.js';
import { readAll } from '../../../../js/src/io/read_all.js';
import { makeFolder } from '../../support/folder.js';
import { pem, pemData } from './tls_server.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {(request: Request) => Response | Promise<Response>} handler
 * @param {object} [options]
 */
async function serve(t, handler, options) {
  const errors = [];
  const onError = (error) => errors.push(error);
  const server = await listen(handler, { port: 0, onError, ...options });
  t.after(() => server.close());
  return { ...server, errors };
}

/** Returns a promise with its resolver. */
function gate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Returns a socket's response to a text. @param {number} port @param {string} text */
async function raw(port, text) {
  const socket = connect(port, '127.0.0.1');
  socket.end(text);
  const chunks = await socket.toArray();
  return Buffer.concat(chunks).toString();
}

test('plain values arrive as texts and bytes with their lengths', async (t) => {
  /** @type {Record<string, string | Uint8Array | null>} */
  const contents = { '/text': 'übung', '/bytes': Uint8Array.of(0xc3, 0, 255), '/none': null };
  const handler = fetchOf(async ({ url, headers }) => {
    const content = contents[new URL(url).pathname];
    return new PlainResponse(content, { status: 200, headers: { seen: headers.get('X-Two') } });
  });
  const { url } = await serve(t, handler);
  for (const [path, content] of Object.entries(contents)) {
    const answer = await fetch(url + path, {
      headers: [
        ['x-two', 'a'],
        ['x-two', 'b'],
      ],
    });
    const wanted = Buffer.from(content ?? '');
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), wanted, path);
    assert.equal(answer.headers.get('content-length'), String(wanted.length), path);
    assert.equal(answer.headers.get('seen'), 'a, b');
    const head = await fetch(url + path, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), String(wanted.length), path);
  }
});

test('a request, and its answer', async (t) => {
  const seen = [];
  const { url, port } = await serve(t, async (request) => {
    const { method, headers } = request;
    seen.push({
      method,
      url: request.url,
      body: await request.text(),
      kind: headers.get('x-kind'),
    });
    const answer = new Headers({ 'x-answer': 'yes' });
    answer.append('set-cookie', 'a=1');
    answer.append('set-cookie', 'b=2');
    if (method === 'DELETE') return new Response(null, { status: 204 });
    return new Response('übung', { status: 201, headers: answer });
  });
  assert.equal(url, `http://127.0.0.1:${port}`);
  const response = await fetch(`${url}/a/b?c=%20d`, {
    method: 'POST',
    headers: { 'X-Kind': 'odd' },
    body: 'grüße',
  });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('x-answer'), 'yes');
  assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
  assert.equal(await response.text(), 'übung');
  const head = await fetch(`${url}/`, { method: 'HEAD' });
  assert.equal(head.status, 201);
  assert.equal(await head.text(), '');
  const none = await fetch(`${url}/`, { method: 'DELETE' });
  assert.equal(none.status, 204);
  assert.deepEqual(seen, [
    { method: 'POST', url: `${url}/a/b?c=%20d`, body: 'grüße', kind: 'odd' },
    { method: 'HEAD', url: `${url}/`, body: '', kind: null },
    { method: 'DELETE', url: `${url}/`, body: '', kind: null },
  ]);
});

test('addresses are passed on as sent', async (t) => {
  const { port } = await serve(t, ({ url }) => new Response(url));
  const cases = [
    ['GET //evil/x HTTP/1.1\r\nHost: api', 'http://api//evil/x'],
    ['GET http://other/x HTTP/1.1\r\nHost: api', 'http://other/x'],
    ['GET /x HTTP/1.0', `http://127.0.0.1:${port}/x`],
    ['OPTIONS * HTTP/1.1\r\nHost: api', /^HTTP\/1.1 400 .*"reason":"BadRequest"/s],
    ['GET /x HTTP/1.1\r\nHost: a b', /^HTTP\/1.1 400 /],
    ['TRACE /x HTTP/1.1\r\nHost: api', /^HTTP\/1.1 400 /],
  ];
  for (const [text, want] of cases) {
    const answer = await raw(port, `${text}\r\nConnection: close\r\n\r\n`);
    if (typeof want === 'string') assert.ok(answer.includes(`\r\n${want}`), `${text}: ${answer}`);
    else assert.match(answer, want, text);
  }
});

test('an answer in pieces, each when it is there', async (t) => {
  const steps = [gate(), gate(), gate()];
  let at = 0;
  const { url } = await serve(t, () => {
    const body = new ReadableStream({
      async pull(controller) {
        const step = steps[at++];
        if (!step) return controller.close();
        await step.opened;
        controller.enqueue(new TextEncoder().encode(`${at}`));
      },
    });
    return new Response(body);
  });
  const response = await fetch(url);
  assert.equal(response.status, 200, 'the head comes before any of the body');
  const reader = response.body.getReader();
  for (const [index, step] of steps.entries()) {
    step.open();
    const { value } = await reader.read();
    assert.equal(new TextDecoder().decode(value), String(index + 1));
  }
  assert.equal((await reader.read()).done, true);
});

test('a request in pieces, read before its end has come', async (t) => {
  const first = gate();
  const { url } = await serve(t, async ({ body }) => {
    const reader = body.getReader();
    const { value } = await reader.read();
    first.open(new TextDecoder().decode(value));
    let rest = 0;
    for (;;) {
      const { done, value: more } = await reader.read();
      if (done) return new Response(String(rest));
      rest += more.length;
    }
  });
  const sending = httpRequest(url, { method: 'POST' });
  sending.write('one');
  assert.equal(await first.opened, 'one');
  sending.end('x'.repeat(1_000_000));
  const [response] = await once(sending, 'response');
  assert.equal(String(await response.toArray()), '1000000');
});

test('a response is sent no faster than the client reads it', async (t) => {
  const CHUNK = new Uint8Array(1 << 20);
  let pulled = 0;
  const cancelled = gate();
  const { port } = await serve(t, () => {
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(CHUNK);
        },
        cancel: () => cancelled.open(),
      },
      { highWaterMark: 0 },
    );
    return new Response(body);
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: api\r\n\r\n');
  await once(socket, 'readable');
  for (let before = -1; before !== pulled;) {
    before = pulled;
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }
  assert.ok(pulled < 64, `${pulled} MiB are under way`);
  socket.destroy();
  await cancelled.opened;
});

test('a handler that does not read is not sent everything', async (t) => {
  const asked = gate();
  const answer = gate();
  const { port } = await serve(t, async () => {
    asked.open();
    await answer.opened;
    return new Response('enough', { status: 413 });
  });
  const socket = connect(port, '127.0.0.1');
  const size = 512 << 20;
  socket.write(`POST / HTTP/1.1\r\nHost: api\r\nContent-Length: ${size}\r\n\r\n`);
  await asked.opened;
  let isFull = false;
  for (let sent = 0; sent < size && !isFull; sent += 1 << 20) {
    socket.write(new Uint8Array(1 << 20));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    isFull = socket.writableLength > 16 << 20;
  }
  assert.ok(isFull, 'the sender keeps it');
  const [chunk] = await Promise.all([once(socket, 'data'), answer.open()]);
  assert.match(String(chunk), /^HTTP\/1.1 413 /);
  socket.destroy();
});

test('a body beyond the limit is refused while it comes, and the connection goes on', async (t) => {
  const apiServer = createApiServer({ controllers: [] });
  const reads = async (/** @type {Request} */ { body }) => {
    await assert.rejects(readAll(body, { limit: 100_000 }), InputError);
    return new Response('too large', { status: 413 });
  };
  const path = '/api/v1/namespaces/default/pods';
  const piece = Buffer.alloc(1 << 16, ' ');
  const headers = ['Content-Length: 4194304', 'Transfer-Encoding: chunked'];
  for (const [handler, header] of [apiServer.fetch, reads].flatMap((handler) =>
    headers.map((header) => /** @type {const} */ ([handler, header])),
  )) {
    const { port } = await serve(t, handler);
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => void (text += chunk));
    const type = 'Content-Type: application/json';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: api\r\n${type}\r\n${header}\r\n\r\n`);
    const isChunked = header.endsWith('chunked');
    for (let sent = 0; sent < 4 << 20; sent += piece.length)
      socket.write(isChunked ? `10000\r\n${piece}\r\n` : piece);
    if (isChunked) socket.write('0\r\n\r\n');
    socket.end('POST /next HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n\r\n');
    await once(socket, 'close');
    const statuses = text.match(/HTTP\/1.1 \d+/g);
    assert.equal(statuses?.[0], 'HTTP/1.1 413', header);
    assert.equal(statuses.length, 2, header);
  }
});

test('a body that never ends is not read for ever', async (t) => {
  const apiServer = createApiServer({ controllers: [] });
  const { port } = await serve(t, apiServer.fetch);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => void (text += chunk));
  const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked';
  socket.write(`POST /api/v1/nodes HTTP/1.1\r\nHost: api\r\n${type}\r\n\r\n`);
  const piece = `10000\r\n${' '.repeat(1 << 16)}\r\n`;
  const closed = gate();
  socket.on('close', () => closed.open());
  let sent = 0;
  for (; !socket.destroyed && sent < 256 << 20; sent += piece.length) {
    const drained = new Promise((resolve) => void socket.once('drain', resolve));
    if (!socket.write(piece)) await Promise.race([drained, closed.opened]);
    socket.removeAllListeners('drain');
  }
  await closed.opened;
  assert.match(text, /^HTTP\/1.1 413 /);
  assert.ok(sent < 64 << 20, `${sent >> 20} MiB`);
});

test('a disconnected client aborts the request’s signal, without an error', async (t) => {
  const states = [];
  const began = [gate(), gate(), gate()];
  const ended = [gate(), gate(), gate()];
  let count = 0;
  const { port, errors } = await serve(t, async (request) => {
    const at = count++;
    request.signal.addEventListener('abort', () => {
      states.push(request.signal.reason.message);
      ended[at].open();
    });
    began[at].open();
    if (at === 0) {
      await ended[at].opened;
      throw request.signal.reason;
    }
    if (at === 1) await request.text();
    return new Response(new ReadableStream({ start: () => {} }));
  });
  const heads = ['GET / HTTP/1.1', 'POST / HTTP/1.1\r\nContent-Length: 99999', 'GET / HTTP/1.1'];
  for (const [at, head] of heads.entries()) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head}\r\nHost: api\r\n\r\n`);
    await began[at].opened;
    socket.destroy();
    await ended[at].opened;
  }
  assert.deepEqual(states, Array(3).fill('the other side has gone'));
  assert.deepEqual(errors, []);
});

test('an exception of the handler becomes a 500, and onError gets it', async (t) => {
  const thrown = [
    new Error('on fire'),
    new InputError({ code: 'TooLarge', detail: 'a lot' }),
    new TypeError('late'),
  ];
  const { url, errors } = await serve(t, ({ url: address }) => {
    const error = thrown[Number(address.at(-1))];
    if (error !== thrown[2]) throw error;
    return new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(3));
          controller.error(error);
        },
      }),
    );
  });
  const plain = await fetch(`${url}/0`);
  assert.equal(plain.status, 500);
  const { reason, message } = await plain.json();
  assert.deepEqual([reason, message], ['InternalError', 'on fire']);
  const typed = await fetch(`${url}/1`);
  assert.equal(typed.status, 413);
  assert.equal((await typed.json()).reason, 'RequestEntityTooLarge');
  const broken = await fetch(`${url}/2`)
    .then((response) => response.arrayBuffer())
    .catch(String);
  assert.equal(typeof broken, 'string', 'an answer that was begun breaks off');
  assert.deepEqual(errors, thrown);
});

test('closing ends open streams, and waits for responses in progress', async (t) => {
  const began = [gate(), gate()];
  const { url, close, errors } = await serve(t, async (request) => {
    const { signal } = request;
    if (!request.url.endsWith('/watch')) {
      const { promise } = ending(signal);
      began[request.url.endsWith('/write') ? 0 : 1].open();
      await promise;
      if (request.url.endsWith('/wait')) throw signal.reason;
      return new Response('written');
    }
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('begun\n'));
        signal.addEventListener('abort', () => controller.close());
      },
    });
    return new Response(body);
  });
  const watching = await fetch(`${url}/watch`);
  const writing = fetch(`${url}/write`);
  const waiting = fetch(`${url}/wait`);
  await Promise.all(began.map(({ opened }) => opened));
  await Promise.all([
    close(),
    waiting.then((response) => assert.equal(response.status, 503)),
    watching.text().then((text) => assert.equal(text, 'begun\n')),
    writing.then(async (response) => assert.equal(await response.text(), 'written')),
  ]);
  await assert.rejects(fetch(url), /fetch failed/);
  assert.deepEqual(errors, []);
});

/** @param {AbortSignal} signal */
function ending(signal) {
  const { open, opened } = gate();
  signal.addEventListener('abort', open);
  return { promise: opened };
}

test('closing does not wait for ever', async (t) => {
  const clock = virtualClock(0);
  const endless = () => new Response(new ReadableStream({ start: () => {} }));
  const { url, close } = await serve(t, endless, { clock });
  const watching = await fetch(url);
  await close();
  assert.equal(clock.now(), 1_000);
  await assert.rejects(watching.text(), /terminated/);
});

test('a port that is not to be had', async (t) => {
  const { port } = await serve(t, () => new Response());
  await assert.rejects(
    listen(() => new Response(), { port }),
    { code: 'ListenFailed', message: /EADDRINUSE/ },
  );
});

test('listen serves TLS for clients with a kubeconfig', async (t) => {
  const tls = { key: pem('server.key'), cert: pem('server.crt') };
  const { url } = await serve(t, ({ url: address }) => Response.json({ address }), { tls });
  assert.match(url, /^https:\/\/127\.0\.0\.1:/);
  const { file } = await makeFolder();
  const path = await file('config', {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [
      { name: 'c', cluster: { server: url, 'certificate-authority-data': pemData('ca.crt') } },
    ],
    users: [{ name: 'u', user: {} }],
  });
  const client = createApiClient(await loadKubeconfig(path, { env: {} }));
  t.after(() => client.close());
  assert.deepEqual(await client.json('/api'), { address: `${url}/api` });
});
