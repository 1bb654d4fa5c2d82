// Goal: credentials, retries, faults and refusals are as client-go has them. Method: tables over a
// `fetch` that answers from a list, and a clock that does not wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/io/clock.js';
import { ConfigurationError, InputError } from '../../../js/src/kubernetes/errors.js';
import { createApiClient } from '../../../js/src/client/api_client.js';

const BASE = 'http://api.example:8080/prefix';

/** @param {number} status @param {unknown} [body] @param {Record<string, string>} [headers] */
function answer(status, body = '', headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => new Response(text, { status, headers });
}

const OK = answer(200, {});
const wait = (status, seconds) => answer(status, 'busy', { 'Retry-After': String(seconds) });

/** What Node's fetch throws. @param {string} code */
function fault(code) {
  const cause = Object.assign(new Error(`socket: ${code}`), { code });
  return () => {
    throw new TypeError('fetch failed', { cause });
  };
}

/**
 * The last answer is given again and again.
 * @param {((request: Request) => Response)[]} answers
 * @param {object} [options]
 */
function prepare(answers, options) {
  const seen = [];
  const fetch = async (request) => {
    const body = await request.text();
    seen.push({ request, body });
    return answers[Math.min(seen.length, answers.length) - 1](request);
  };
  const clock = virtualClock(0);
  const client = createApiClient({ baseUrl: BASE, fetch, clock, ...options });
  return { client, seen, clock };
}

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

test('retries, their number and their delays', async () => {
  const cases = [
    // name, method, answers, status or fault at the end, attempts, seconds
    ['an answer', 'GET', [OK], 200, 1, 0],
    ['429', 'GET', [wait(429, 3), OK], 200, 2, 3],
    ['429 of a write', 'POST', [wait(429, 3), wait(429, 4), OK], 200, 3, 7],
    ['503', 'PUT', [wait(503, 1), OK], 200, 2, 1],
    ['504', 'GET', [wait(504, 1), OK], 200, 2, 1],
    ['at once', 'GET', [wait(429, 0), OK], 200, 2, 0],
    ['ten times at most', 'GET', [wait(429, 1)], 429, 11, 10],
    ['500 without a time', 'GET', [answer(500)], 500, 1, 0],
    ['a date is no time', 'GET', [wait(503, 'Fri, 31 Dec 1999 23:59:59 GMT')], 503, 1, 0],
    ['404 with a time', 'GET', [wait(404, 1)], 404, 1, 0],
    ['a lost connection', 'GET', [fault('ECONNRESET'), OK], 200, 2, 1],
    ['the other side closed', 'GET', [fault('UND_ERR_SOCKET'), OK], 200, 2, 1],
    ['lost ten times', 'GET', [fault('ECONNRESET')], 'ConnectionReset', 11, 10],
    ['a write whose outcome is unknown', 'POST', [fault('ECONNRESET')], 'ConnectionReset', 1, 0],
    ['no server', 'GET', [fault('ECONNREFUSED')], 'ConnectionRefused', 1, 0],
    ['no answer in time', 'GET', [fault('UND_ERR_HEADERS_TIMEOUT')], 'Timeout', 1, 0],
    ['anything else', 'GET', [fault('ENOTFOUND')], 'Network', 1, 0],
  ];
  for (const [name, method, answers, end, attempts, seconds] of cases) {
    const { client, seen, clock } = prepare(answers);
    const body = method === 'GET' ? undefined : '{"a":1}';
    const result = await client.request('/api/v1/pods', { method, body }).then(
      (response) => response.status,
      (error) => error.code,
    );
    assert.equal(result, end, name);
    assert.equal(seen.length, attempts, name);
    assert.equal(clock.now(), seconds * 1000, name);
    for (const { body: sent } of seen) assert.equal(sent, body ?? '', name);
  }
});

test('refused credentials are refreshed once per request, and only for one attempt', async () => {
  const cases = [
    ['accepted', [OK], 200, [false]],
    ['refreshed', [answer(401), OK], 200, [false, true]],
    ['refused again', [answer(401)], 401, [false, true]],
    ['busy afterwards', [answer(401), wait(429, 1), OK], 200, [false, true, false]],
    ['busy before', [wait(429, 1), answer(401), OK], 200, [false, false, true]],
  ];
  for (const [name, answers, status, refreshes] of cases) {
    const asked = [];
    const headers = async ({ refresh, refused }) => {
      const last = asked.length;
      assert.equal(refused?.Authorization, refresh ? `Bearer ${last}` : undefined, name);
      asked.push(refresh);
      return { Authorization: `Bearer ${last + 1}` };
    };
    const { client, seen } = prepare(answers, { headers });
    const response = await client.request('/api', { method: 'POST', body: '{}' });
    assert.equal(response.status, status, name);
    assert.deepEqual(asked, refreshes, name);
    const sent = seen.map(({ request }) => request.headers.get('Authorization'));
    assert.deepEqual(
      sent,
      asked.map((_, at) => `Bearer ${at + 1}`),
      name,
    );
  }
  const { client, seen } = prepare([answer(401)]);
  assert.equal((await client.request('/api')).status, 401);
  assert.equal(seen.length, 1, 'without credentials there are none to refresh');
});

test('addresses and headers', async () => {
  const { client, seen } = prepare([OK], { userAgent: 'example/1.0' });
  const query = {
    limit: 5,
    continue: undefined,
    fieldSelector: 'status.phase!=Failed',
    watch: true,
  };
  await client.json('/api/v1/pods?pretty=false', { query });
  await client.json('/api/v1/pods', { query: { continue: undefined } });
  const contentType = 'application/merge-patch+json';
  await client.perform({ method: 'PATCH', path: '/api/x', contentType, body: bytes('{}') });
  await client.perform({ method: 'DELETE', path: '/api/x', contentType, body: bytes('') });
  await client.json('/api/y', { method: 'POST', body: '{"ü":1}' });
  await client.json('/api/y', { headers: { accept: 'application/yaml' } });
  const shown = seen.map(({ request, body }) => [
    `${request.method} ${request.url.replace(BASE, '')}`,
    request.headers.get('content-type'),
    request.headers.get('accept'),
    body,
  ]);
  const json = 'application/json';
  const selector = 'status.phase%21%3DFailed';
  assert.deepEqual(shown, [
    [`GET /api/v1/pods?pretty=false&limit=5&fieldSelector=${selector}&watch=true`, null, json, ''],
    ['GET /api/v1/pods', null, json, ''],
    ['PATCH /api/x', contentType, json, '{}'],
    ['DELETE /api/x', contentType, json, ''],
    ['POST /api/y', json, json, '{"ü":1}'],
    ['GET /api/y', null, 'application/yaml', ''],
  ]);
  for (const { request } of seen) assert.equal(request.headers.get('user-agent'), 'example/1.0');
  await assert.rejects(client.request('@elsewhere/'), InputError);
  await assert.rejects(client.json('api'), /path: a path that begins with a slash/);
  assert.equal(seen.length, 6, 'nothing was sent there');
});

test('options that no client can have', () => {
  const bad = [
    [{ baseUrl: 'api.example' }, 'baseUrl'],
    [{ baseUrl: 'ftp://api.example' }, 'baseUrl'],
    [{ baseUrl: 'http://me:secret@api.example' }, 'baseUrl'],
    [{ baseUrl: 'http://api.example?a=b' }, 'baseUrl'],
    [{ baseUrl: undefined }, 'baseUrl'],
    [{ baseUrl: BASE, token: 'x' }, 'token'],
  ];
  for (const [options, field] of bad)
    assert.throws(
      () => createApiClient(options),
      (error) => error instanceof ConfigurationError && error.errors[0].field === field,
      JSON.stringify(options),
    );
});

test('the client has the namespace of its connection and closes it', async () => {
  let closed = 0;
  const { client } = prepare([OK], { namespace: 'team-a', close: () => void (closed += 1) });
  assert.equal(client.namespace, 'team-a');
  await client.close();
  assert.equal(closed, 1);
  const bare = prepare([OK]).client;
  assert.equal(bare.namespace, 'default');
  await bare.close();
});

test('a refusal without a Status has client-go’s message', async () => {
  const cases = [
    [404, 'GET', 'NotFound', 'the server could not find the requested resource (get /api/x)'],
    [409, 'POST', 'AlreadyExists', 'the server reported a conflict (post /api/x)'],
    [409, 'PUT', 'Conflict', 'the server reported a conflict (put /api/x)'],
    [403, 'GET', 'Forbidden', 'go away (get /api/x)'],
    [502, 'GET', 'InternalError', /an error on the server \("go away"\) has prevented/],
    [418, 'GET', 'Unknown', /the server responded with the status code 418 but/],
  ];
  for (const [status, method, code, message] of cases) {
    const { client } = prepare([answer(status, ' go away\n', { 'Retry-After': '7x' })]);
    const options = { method, body: method === 'GET' ? undefined : '{}' };
    const error = await client.json('/api/x', options).catch((cause) => cause);
    assert.equal(error.name, 'ApiError');
    assert.equal(error.code, code);
    assert.equal(error.status, status);
    assert.equal(error.retryAfterSeconds, undefined);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    const [cause] = error.details.causes;
    assert.deepEqual(cause, { reason: 'UnexpectedServerResponse', message: 'go away' });
    assert.equal(error.toStatus().kind, 'Status');
  }
});

test('errors without a Status, and other forms of answers', async () => {
  const status = {
    kind: 'Status',
    status: 'Failure',
    reason: '',
    details: { retryAfterSeconds: 2 },
  };
  const bare = await prepare([answer(429, status)])
    .client.json('/api')
    .catch((cause) => cause);
  assert.deepEqual(
    [bare.code, bare.status, bare.message, bare.retryAfterSeconds],
    ['Unknown', 429, 'the server responded with the status code 429', 2],
  );
  const html = prepare([answer(200, '<html>')]).client;
  await assert.rejects(html.json('/api'), (error) => {
    assert.equal(error.code, 'MalformedJson');
    assert.match(error.message, /^the answer to GET \/api is no JSON: /);
    return true;
  });
  const success = await prepare([answer(404, { kind: 'Status', status: 'Success' })])
    .client.json('/api')
    .catch((cause) => cause);
  assert.equal(success.code, 'NotFound');
});

test('an error of a call is an answer, except the abort of its own signal', async () => {
  const call = { method: 'POST', path: '/api', contentType: 'application/json', body: bytes('{}') };
  const at = `POST ${BASE}/api`;
  const cases = [
    [[fault('ECONNREFUSED')], { error: 'network', message: `${at}: socket: ECONNREFUSED` }],
    [[fault('ETIMEDOUT')], { error: 'timeout', message: `${at}: socket: ETIMEDOUT` }],
    [[answer(500, 'no')], { status: 500, body: bytes('no') }],
    [[answer(201)], { status: 201, body: bytes('') }],
  ];
  for (const [answers, want] of cases)
    assert.deepEqual(await prepare(answers).client.perform(call), want);
  const headers = () => Promise.reject(new Error('exec: no such plugin'));
  const lost = await prepare([OK], { headers }).client.perform(call);
  assert.deepEqual(lost, { error: 'network', message: 'exec: no such plugin' });
  const end = new AbortController();
  const abort = () => {
    end.abort(new Error('enough'));
    throw end.signal.reason;
  };
  await assert.rejects(prepare([abort]).client.perform(call, end.signal), /enough/);
  await assert.rejects(prepare([OK]).client.perform(call, end.signal), /enough/);
});

test('a body that breaks off is a fault of the connection', async () => {
  const broken = () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes('{"kind":'));
        controller.error(Object.assign(new Error('terminated'), { code: 'UND_ERR_SOCKET' }));
      },
    });
    return new Response(body);
  };
  const { client } = prepare([broken]);
  await assert.rejects(client.json('/api'), { code: 'ConnectionReset' });
  await assert.rejects(client.list('/api').next(), { code: 'ConnectionReset' });
  const call = { method: 'GET', path: '/api', contentType: '', body: bytes('') };
  assert.equal((await client.perform(call)).error, 'network');
});

// Goal: who may not ask any more when the time before another attempt is over does not.
test('before each attempt the caller has a say, with the credentials at hand', async () => {
  const call = {
    method: 'POST',
    path: '/api/x',
    contentType: 'application/json',
    body: bytes('1'),
  };
  const said = /** @type {string[]} */ ([]);
  const headers = async () => {
    said.push('credentials');
    return {};
  };
  const { client, seen, clock } = prepare([answer(401), wait(429, 3), OK], { headers });
  const beforeAttempt = () => {
    said.push('attempt');
    if (clock.now() > 0) throw new Error('not any more');
  };
  assert.deepEqual(await client.perform(call, undefined, { beforeAttempt }), {
    error: 'network',
    message: 'not any more',
  });
  assert.equal(seen.length, 2);
  assert.deepEqual(said, Array(3).fill(['credentials', 'attempt']).flat());
  await assert.rejects(client.request('/api/x', { beforeAttempt }), /not any more/);
  assert.equal(seen.length, 2);
});

test('the signal ends the time before another attempt', async () => {
  const end = new AbortController();
  const clock = {
    now: () => 0,
    sleep: (until, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        end.abort(new Error(`not for ${until} ms`));
      }),
  };
  const { client, seen } = prepare([wait(429, 1_000_000)], { clock });
  await assert.rejects(client.request('/api', { signal: end.signal }), /not for 1000000000 ms/);
  assert.equal(seen.length, 1);
});
