import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOriginCheck, isLoopback } from '../../../../js/src/cli/up/origin_check.js';
import { fetchOf, PlainResponse } from '../../../../js/src/io/plain_http.js';

const inner = fetchOf(async () => new PlainResponse('yes', { status: 200, headers: {} }));

/** @param {string} host @param {string} url @param {string} [origin] */
async function statusOf(host, url, origin) {
  const headers = origin === undefined ? undefined : { Origin: origin };
  const request = new Request(url, { method: 'POST', headers, body: '{}' });
  return (await withOriginCheck(inner, { host })(request)).status;
}

test('pages from elsewhere are refused, kubectl and pages of this machine are not', async () => {
  const own = 'http://127.0.0.1:8001';
  for (const [origin, want] of /** @type {[string | undefined, number][]} */ ([
    [undefined, 200],
    [own, 200],
    ['http://localhost:5173', 200],
    ['http://[::1]:8001', 200],
    ['https://example.org', 403],
    ['http://127.0.0.1.example.org', 403],
    ['null', 403],
  ]))
    assert.equal(await statusOf('127.0.0.1', `${own}/api/v1/nodes`, origin), want, String(origin));
});

test('a name that leads here by a trick is refused at a loopback address', async () => {
  const url = 'http://example.org:8001/api/v1/nodes';
  assert.equal(await statusOf('127.0.0.1', url), 403);
  assert.equal(await statusOf('127.0.0.1', url, 'http://example.org:8001'), 403);
  assert.equal(await statusOf('127.0.0.1', 'http://10.0.0.1:8001/'), 403);
});

test('elsewhere the server has its addresses, and the name that it was given', async () => {
  for (const [host, authority, want] of /** @type {const} */ ([
    ['0.0.0.0', 'example.org:8001', 403],
    ['0.0.0.0', '10.0.0.1.example.org', 403],
    ['0.0.0.0', 'devbox', 403],
    ['0.0.0.0', '10.0.0.1:8001', 200],
    ['::', '[fd00::1]:8001', 200],
    ['0.0.0.0', 'localhost:8001', 200],
    ['DevBox', 'devbox:8001', 200],
    ['DevBox', '10.0.0.1:8001', 200],
    ['DevBox', 'other:8001', 403],
  ])) {
    const url = `http://${authority}/api/v1/nodes`;
    assert.equal(await statusOf(host, url), want, `${host} ${authority}`);
    assert.equal(await statusOf(host, url, new URL(url).origin), want, `${host} ${authority}`);
    assert.equal(await statusOf(host, url, 'http://example.com'), 403);
  }
});

test('a refusal is a Status', async () => {
  const request = new Request('http://localhost:8001/', { headers: { Origin: 'null' } });
  const { kind, reason, message } = await (
    await withOriginCheck(inner, { host: 'localhost' })(request)
  ).json();
  assert.deepEqual([kind, reason], ['Status', 'Forbidden']);
  assert.equal(message, 'pages of null may not ask this server');
});

test('loopback addresses are recognized', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', '[::1]', 'localhost', 'a.localhost'])
    assert.ok(isLoopback(host), host);
  for (const host of ['0.0.0.0', '10.0.0.1', 'localhost.example.org', '::', '127.example.org'])
    assert.ok(!isLoopback(host), host);
});
