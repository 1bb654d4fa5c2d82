// Goal: a watch over a WebSocket sends the same lines as messages and ends cleanly, and a refusal
// is a plain response. Method: handshakes and frames on real sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { createApiServer } from '../../../../js/apiserver/index.js';
import { listen } from '../../../../js/src/node.js';
import { sendMessages } from '../../../../js/src/runtimes/node/web_socket.js';
import { makeNode } from '../../support/objects.js';

/** The key and the answer of RFC 6455, section 1.3. */
const HANDSHAKE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../../../../js/src/node.js').FetchHandler} handler
 */
async function serve(t, handler) {
  /** @type {unknown[]} */
  const errors = [];
  const onError = (/** @type {unknown} */ error) => errors.push(error);
  const server = await listen(handler, { port: 0, webSockets: true, onError });
  t.after(() => server.close());
  return { ...server, errors };
}

/** @param {string} url @param {object} [headers] */
async function handshake(url, headers = HANDSHAKE) {
  const request = httpRequest(url, { headers: { ...headers } });
  request.end();
  return Promise.race([
    once(request, 'upgrade').then(([response, socket, head]) => {
      socket.unshift(head);
      return { response, socket };
    }),
    once(request, 'response').then(([response]) => ({ response, socket: undefined })),
  ]);
}

/** Yields the frames of a socket: opcode and payload. @param {any} socket */
async function* framesOf(socket) {
  let rest = Buffer.alloc(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < 2) break;
      const short = rest[1] & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (rest.length < head) break;
      const length =
        short === 127 ? Number(rest.readBigUInt64BE(2)) : head === 4 ? rest.readUInt16BE(2) : short;
      if (rest.length < head + length) break;
      yield { opcode: rest[0] & 0x0f, payload: rest.subarray(head, head + length) };
      rest = rest.subarray(head + length);
    }
  }
}

test('each line of a stream is a message, whatever its length, and then it is over', async (t) => {
  const lines = ['a', 'b'.repeat(200), 'c'.repeat(70_000)].map((text) => `${text}\n`);
  const text = lines.join('');
  const { url, errors } = await serve(t, () => {
    // Cut in the middle of a line.
    const parts = [text.slice(0, 100), text.slice(100)];
    return new Response(ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))));
  });
  const { response, socket } = await handshake(url);
  assert.deepEqual([response.statusCode, response.headers['sec-websocket-accept']], [101, ACCEPT]);
  const frames = [];
  for await (const frame of framesOf(socket)) frames.push(frame);
  assert.deepEqual(
    frames.map(({ opcode, payload }) => [opcode, payload.length]),
    [...lines.map(({ length }) => [1, length]), [8, 2]],
  );
  assert.deepEqual(errors, []);
});

test('a watch of the API server comes so, and ends when the other side goes', async (t) => {
  const server = createApiServer();
  t.after(() => server.dispose());
  let ended = /** @type {() => void} */ (() => {});
  const isOver = new Promise((resolve) => (ended = () => resolve(undefined)));
  const { url } = await serve(t, (request) => {
    request.signal.addEventListener('abort', ended);
    return server.fetch(request);
  });
  const { socket } = await handshake(`${url}/api/v1/nodes?watch=true`);
  server.store.load(makeNode('a'));
  for await (const { payload } of framesOf(socket)) {
    const { type, object } = JSON.parse(String(payload));
    assert.deepEqual([type, object.metadata.name], ['ADDED', 'a']);
    break;
  }
  await isOver;
});

test('a slow reader leaves no listeners behind, however often the socket is full', async () => {
  /** @type {Error[]} */
  const warnings = [];
  const warn = (/** @type {Error} */ warning) => void warnings.push(warning);
  process.on('warning', warn);
  const socket = new Duplex({
    highWaterMark: 1,
    read: () => {},
    write: (_chunk, _encoding, done) => void setImmediate(done),
  });
  const lines = Array.from({ length: 50 }, () => new TextEncoder().encode('a line\n'));
  const incoming = /** @type {any} */ ({ headers: HANDSHAKE });
  await sendMessages(incoming, socket, ReadableStream.from(lines));
  await new Promise((resolve) => void setImmediate(resolve));
  process.off('warning', warn);
  assert.deepEqual(warnings, []);
});

test('an upgrade request whose response is no stream gets a plain response', async (t) => {
  const server = createApiServer();
  t.after(() => server.dispose());
  const { url } = await serve(t, server.fetch);
  for (const [path, headers, status] of /** @type {const} */ ([
    ['/api/v1/wrong?watch=true', HANDSHAKE, 404],
    ['/version', HANDSHAKE, 200],
    ['/version', { Connection: 'Upgrade', Upgrade: 'h2c' }, 200],
  ])) {
    const { response, socket } = await handshake(url + path, headers);
    assert.equal(socket, undefined);
    assert.equal(response.statusCode, status);
    response.resume();
    await once(response, 'end');
  }
});

test('without the option upgrade requests get plain responses', async (t) => {
  const server = await listen(() => new Response('as ever'), { port: 0 });
  t.after(() => server.close());
  const { response, socket } = await handshake(server.url);
  assert.equal(socket, undefined);
  assert.equal(response.statusCode, 200);
  response.resume();
});
