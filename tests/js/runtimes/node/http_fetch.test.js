// Goal: `fetch` over Node's HTTP clients is a complete `fetch`: bodies, faults, ends. Method:
// servers with fixed responses.
import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createApiClient } from '../../../../js/src/client/api_client.js';
import { addressOf } from '../../../../js/src/io/address.js';
import { PLAIN, PlainHeaders, PlainRequest } from '../../../../js/src/io/plain_http.js';
import { virtualClock } from '../../../../js/src/io/clock.js';
import { createHttpFetch } from '../../../../js/src/node.js';
import { Connections } from '../../../../js/src/runtimes/node/connections.js';
import { bunFetch, denoFetch } from '../../../../js/src/runtimes/node/other_runtimes.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {import('node:http').RequestListener} listener
 */
async function serve(t, listener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { fetch, close } = createHttpFetch();
  t.after(async () => {
    await close();
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${server.address().port}`;
  return { server, url, fetch, ask: (path, init) => fetch(new Request(url + path, init)) };
}

test('a request arrives with its method, headers and body', async (t) => {
  const { url, ask } = await serve(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method, url: path, headers } = request;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ method, path, headers, body }));
  });
  const cases = [
    ['GET', undefined, undefined],
    ['POST', 'übung', '6'],
    ['PUT', 'a', '1'],
    ['DELETE', '{"kind":"DeleteOptions"}', '24'],
    ['DELETE', undefined, undefined],
    ['POST', undefined, '0'],
    ['PATCH', new Uint8Array(100_000), '100000'],
  ];
  for (const [method, body, length] of cases) {
    const response = await ask('/a%20b?c=d#e', { method, body, headers: { 'X-Kind': 'odd' } });
    assert.equal(response.headers.get('content-type'), 'application/json');
    const { headers, ...asked } = await response.json();
    assert.deepEqual(asked, {
      method,
      path: '/a%20b?c=d',
      body: typeof body === 'object' ? '\0'.repeat(body.length) : (body ?? ''),
    });
    assert.equal(headers['content-length'], length, method);
    assert.equal(headers['transfer-encoding'], undefined);
    assert.equal(headers['x-kind'], 'odd');
    assert.equal(headers.host, url.replace('http://', ''));
    assert.equal(headers.connection, 'keep-alive');
  }
});

test('a response arrives with its status, headers and body', async (t) => {
  const large = 'x'.repeat(200_000);
  /** @type {Record<string, (response: import('node:http').ServerResponse) => void>} */
  const answers = {
    '/small': (response) => response.setHeader('Content-Length', 2).end('ok'),
    '/chunked': (response) => {
      response.write('o');
      response.end('k');
    },
    '/large': (response) => response.setHeader('Content-Length', large.length).end(large),
    '/gzip': (response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync(large)),
    '/small-gzip': (response) => {
      const bytes = gzipSync('ok');
      response.setHeader('Content-Encoding', 'gzip').setHeader('Content-Length', bytes.length);
      response.end(bytes);
    },
    '/none': (response) => response.writeHead(204).end(),
    '/cookies': (response) => response.setHeader('Set-Cookie', ['a=1', 'b=2']).end(),
    '/moved': (response) => response.writeHead(302, { Location: '/small' }).end(),
  };
  const { ask } = await serve(t, ({ url, headers }, response) => {
    assert.equal(headers['accept-encoding'], 'gzip');
    answers[url](response);
  });
  const cases = [
    ['/small', 200, 'ok'],
    ['/chunked', 200, 'ok'],
    ['/large', 200, large],
    ['/gzip', 200, large],
    ['/small-gzip', 200, 'ok'],
    ['/none', 204, ''],
    ['/moved', 302, ''],
  ];
  for (const [path, status, body] of cases) {
    const response = await ask(path);
    assert.equal(response.status, status, path);
    assert.equal(await response.text(), body, path);
    assert.equal(response.headers.get('content-encoding'), null);
  }
  const head = await ask('/large', { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), '200000');
  assert.equal(await head.text(), '');
  assert.deepEqual((await ask('/cookies')).headers.getSetCookie(), ['a=1', 'b=2']);
});

test('faults have the names that a client knows', async (t) => {
  const hangup = ({ url }, response) => {
    if (url === '/head') return void response.destroy();
    response.writeHead(200, url === '/small' ? { 'Content-Length': 9 } : {});
    response.write('{"a"', () => response.destroy());
  };
  const { server, url, ask } = await serve(t, hangup);
  await assert.rejects(ask('/head', { method: 'POST' }), { code: 'ECONNRESET' });
  await assert.rejects(ask('/small', { method: 'POST' }), { code: 'ECONNRESET' });
  const streamed = await ask('/streamed');
  await assert.rejects(streamed.text(), { code: 'ECONNRESET' });
  const client = createApiClient({ baseUrl: url, ...createHttpFetch(), clock: virtualClock(0) });
  t.after(() => client.close());
  for (const path of ['/head', '/small', '/streamed'])
    await assert.rejects(client.json(path), { code: 'ConnectionReset' }, path);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  await assert.rejects(client.json('/'), { code: 'ConnectionRefused' });
});

test('a kept connection that the server closes just then', async (t) => {
  let count = 0;
  const server = createSocketServer((socket) => {
    const at = count++;
    socket.on('error', () => {});
    let asked = 0;
    socket.on('data', () => {
      asked += 1;
      // The second request on a connection gets no response.
      if (asked > 1) socket.resetAndDestroy();
      else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${at}`);
    });
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { fetch, close } = createHttpFetch();
  t.after(close);
  const ask = async (method) => {
    const request = new Request(`http://127.0.0.1:${server.address().port}/`, { method });
    return (await fetch(request)).text();
  };
  // A connection becomes free a few turns after its response.
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  };
  assert.equal(await ask('GET'), '0');
  await turns();
  assert.equal(await ask('GET'), '1', 'what only reads is asked for again');
  await turns();
  await assert.rejects(ask('POST'), { code: 'ECONNRESET' });
});

test('a connection is given up when it is not in use for long, not when it is silent', () => {
  const connections = new Connections();
  const address = addressOf('http://127.0.0.1:1/');
  const { agent, options } = connections.to(address, { insecure: false });
  assert.equal(agent.options.timeout, 90_000);
  assert.equal(options.timeout, 0);
  connections.close();
});

test('so many connections at most', async (t) => {
  const waiting = [];
  let open = () => {};
  const { server, ask } = await serve(t, (request, response) => {
    waiting.push(response);
    if (waiting.length === 250) open();
  });
  const isFull = new Promise((resolve) => {
    open = resolve;
  });
  const asked = Array.from({ length: 260 }, () => ask('/'));
  await isFull;
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  assert.equal(waiting.length, 250);
  assert.equal(await promisify(server.getConnections.bind(server))(), 250);
  open = () => {};
  for (let at = 0; at < 260; at += 1) {
    while (!waiting[at]) await setImmediate();
    waiting[at].end('ok');
  }
  for (const response of await Promise.all(asked)) assert.equal(await response.text(), 'ok');
});

test('a lease waits neither behind others nor for a connection', { timeout: 20_000 }, async (t) => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler';
  const waiting = [];
  const ports = new Set();
  const { ask } = await serve(t, (request, response) => {
    if (request.url !== lease) return waiting.push(response);
    ports.add(request.socket.remotePort);
    response.end('renewed');
  });
  const renew = async () => assert.equal(await (await ask(lease)).text(), 'renewed');
  await renew();
  const asked = Array.from({ length: 260 }, () => ask('/'));
  while (waiting.length < 250) await setImmediate();
  await renew();
  assert.equal(ports.size, 1);
  for (let at = 0; at < 260; at += 1) {
    while (!waiting[at]) await setImmediate();
    waiting[at].end('ok');
  }
  for (const response of await Promise.all(asked)) await response.text();
});

test('the signal ends it, before the head and in the middle', async (t) => {
  let closed = 0;
  const { ask } = await serve(t, ({ url }, response) => {
    response.on('close', () => (closed += 1));
    if (url === '/never') return;
    response.write('begun');
  });
  const end = new AbortController();
  const waiting = ask('/never', { signal: end.signal });
  const response = await ask('/watch', { signal: end.signal });
  const reader = response.body.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), 'begun');
  const reading = reader.read();
  end.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await assert.rejects(reading);
  const other = await ask('/watch');
  await other.body.cancel();
  while (closed < 3) await setImmediate();
  await assert.rejects(ask('/never', { signal: end.signal }), { name: 'AbortError' });
});

test('a signal keeps nothing of the requests that are over', async (t) => {
  const { url, fetch } = await serve(t, (request, response) => {
    if (request.url === '/stream') response.write('begun');
    response.end('done');
  });
  const { signal } = new AbortController();
  const parts = { method: 'GET', headers: new PlainHeaders({}), content: () => new Uint8Array() };
  for (const path of ['/', '/stream']) {
    const request = new PlainRequest({ ...parts, url: url + path, signal });
    const response = await fetch[PLAIN](request);
    assert.equal(getEventListeners(signal, 'abort').length, response.body ? 1 : 0, path);
    await response.arrayBuffer();
    await setImmediate();
    assert.equal(getEventListeners(signal, 'abort').length, 0, path);
  }
});

test('a body arrives as it was sent, whatever its bytes, short or long', async (t) => {
  const { ask } = await serve(t, (request, response) => request.pipe(response));
  for (const length of [1, 256, (64 << 10) + 1]) {
    const body = Uint8Array.from({ length }, (_, at) => at);
    const answer = await ask('/', { method: 'POST', body });
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), body);
  }
});

test('a stream is taken no faster than it is read', async (t) => {
  let written = 0;
  const { ask } = await serve(t, async (request, response) => {
    response.on('error', () => {});
    for (; !response.destroyed && written < 1 << 30; written += 1 << 20)
      if (!response.write(new Uint8Array(1 << 20)))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
  });
  const response = await ask('/');
  const reader = response.body.getReader();
  await reader.read();
  for (let before = -1; before !== written;) {
    before = written;
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  }
  assert.ok(written < 64 << 20, `${written} bytes are under way`);
  await reader.cancel();
});

test('over http, a proxy gets the whole URL', async (t) => {
  const { url } = await serve(t, ({ url: path, headers }, response) => {
    response.end(JSON.stringify([path, headers.host, headers['proxy-authorization']]));
  });
  const proxyUrl = url.replace('http://', 'http://me:secret@');
  const { fetch, close } = createHttpFetch({ proxyUrl });
  t.after(close);
  const response = await fetch(new Request('http://api.example:8080/api?x=1'));
  assert.deepEqual(await response.json(), [
    'http://api.example:8080/api?x=1',
    'api.example:8080',
    `Basic ${Buffer.from('me:secret').toString('base64')}`,
  ]);
});

test('Bun and Deno get the certificates in their own ways', async () => {
  const request = new Request('https://api.example');
  const seen = [];
  const fetch = async (_, init) => {
    seen.push(init);
    return new Response();
  };
  let current = { ca: 'CA', cert: 'CERT', key: 'KEY', insecure: false };
  const tls = async () => current;
  const bun = bunFetch({ tls, proxyUrl: 'http://proxy' }, fetch);
  await bun.fetch(request);
  await bun.close();
  assert.deepEqual(seen.pop(), {
    tls: { ca: 'CA', cert: 'CERT', key: 'KEY', serverName: undefined, rejectUnauthorized: true },
    proxy: 'http://proxy',
  });
  const clients = [];
  const createHttpClient = (options) => {
    const client = { options, isClosed: false, close: () => void (client.isClosed = true) };
    clients.push(client);
    return client;
  };
  const deno = denoFetch({ tls, proxyUrl: 'http://proxy' }, fetch, createHttpClient);
  await deno.fetch(request);
  await deno.fetch(request);
  current = { ca: 'NEW', insecure: false };
  await deno.fetch(request);
  assert.deepEqual(
    seen.map(({ client }) => clients.indexOf(client)),
    [0, 0, 1],
  );
  assert.deepEqual(
    clients.map(({ options }) => options),
    [
      { caCerts: ['CA'], cert: 'CERT', key: 'KEY', proxy: { url: 'http://proxy' } },
      { caCerts: ['NEW'], proxy: { url: 'http://proxy' } },
    ],
  );
  await deno.close();
  assert.ok(clients.every(({ isClosed }) => isClosed));
  current = { insecure: true };
  await assert.rejects(deno.fetch(request), {
    code: 'NotSupported',
    message: 'Deno cannot set insecure-skip-tls-verify for a single server',
  });
});
