/**
 * Recorded exchanges with a real kube-apiserver v1.36, and a server that plays them back.
 * Source of the recordings: tests/js/recordings.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const folder = new URL('../recordings/', import.meta.url);

/** @import { TestContext } from 'node:test' */

/**
 * @typedef {object} Exchange
 * @property {{ method: string, path: string, contentType?: string, body?: any }} request
 * @property {{ status: number, headers?: Record<string, string>, body?: any }} response
 * @property {{ atMs: number, frame: any }[]} [frames]
 */

/** @param {string} name without `.json` @returns {Exchange} */
export function recorded(name) {
  return JSON.parse(readFileSync(new URL(`apiserver-v1.36/${name}.json`, folder), 'utf8'));
}

/** @param {RegExp} names @returns {string[]} */
export function recordedNames(names) {
  return readdirSync(new URL('apiserver-v1.36/', folder))
    .map((name) => name.replace('.json', ''))
    .filter((name) => names.test(name));
}

/** What the real kube-scheduler asked for, request by request. @returns {Exchange[]} */
export function schedulerExchanges() {
  const text = readFileSync(new URL('kube-scheduler-v1.36/requests.ndjson', folder), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ method, path, contentType, body, status, response }) => ({
      request: { method, path, contentType, body },
      response: { status, body: response },
    }));
}

/**
 * Answers each request with the first exchange that is left of its method and path, and keeps what
 * was asked.
 * @param {TestContext} test whose end is the server's
 * @param {Exchange[]} exchanges
 */
export async function playBack(test, exchanges) {
  /** @type {Exchange['request'][]} */
  const asked = [];
  const left = [...exchanges];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    const contentType = headers['content-type'];
    const body = text ? JSON.parse(text) : undefined;
    asked.push({ method, path: url, ...(contentType && { contentType }), ...(text && { body }) });
    const at = left.findIndex(
      ({ request: { method: wanted, path } }) => wanted === method && sorted(path) === sorted(url),
    );
    if (at < 0) return void response.writeHead(500).end('nothing of it was recorded');
    const [next] = left.splice(at, 1);
    const { status, headers: { 'retry-after': retryAfter } = {}, body: answer } = next.response;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      ...(retryAfter && { 'Retry-After': retryAfter }),
    });
    if (next.frames) for (const { frame } of next.frames) response.write(line(frame));
    response.end(next.frames ? undefined : line(answer));
  });
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    /** That all of them were asked for, word for word. */
    check: () =>
      assert.deepEqual(
        asked,
        exchanges.map(({ request }) => defined(request)),
      ),
  };
}

/** Whatever order its parameters have. @param {string} path */
function sorted(path) {
  const url = new URL(path, 'http://recorded');
  url.searchParams.sort();
  return url.href;
}

const line = (/** @type {any} */ value) => `${JSON.stringify(value)}\n`;

/** @param {object} fields */
function defined(fields) {
  return JSON.parse(JSON.stringify(fields));
}
