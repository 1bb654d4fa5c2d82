// Goal: what the scheduler writes arrives at an API server as the recordings have it, and its
// answers come back as they are. Method: recorded exchanges, played back over HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../../js/src/client/api_client.js';
import {
  playBack,
  recorded,
  recordedNames,
  schedulerExchanges,
} from '../support/playback_server.js';

const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value));
const valueOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../support/playback_server.js').Exchange[]} exchanges
 */
async function performAll(t, exchanges) {
  const server = await playBack(t, exchanges);
  const client = createApiClient({ baseUrl: server.url });
  for (const { request, response } of exchanges) {
    const { method, path, contentType = 'application/json', body } = request;
    const answer = body
      ? await client.perform({ method, path, contentType, body: bytesOf(body) })
      : await client.request(path, { method });
    const bytes = body ? answer.body : await answer.arrayBuffer();
    assert.equal(answer.status, response.status, `${method} ${path}`);
    assert.deepEqual(valueOf(bytes), response.body, `${method} ${path}`);
  }
  server.check();
}

test('the recorded writes, and the lease', async (t) => {
  const names = recordedNames(/^(?!list|watch)/);
  assert.equal(names.length, 19, names.join(', '));
  await performAll(t, names.map(recorded));
});

test('recorded writes: leases, bindings, conditions, events, claims', async (t) => {
  const writes = schedulerExchanges().filter(({ request }) => request.method !== 'GET');
  const kinds = new Set(writes.map(({ request }) => request.body.kind ?? 'patch'));
  assert.deepEqual([...kinds].sort(), [
    'Binding',
    'DeleteOptions',
    'Event',
    'Lease',
    'PersistentVolumeClaim',
    'ResourceClaim',
    'patch',
  ]);
  await performAll(t, writes);
});

test('refusals in the server’s own words', async (t) => {
  const cases = [
    ['bind-conflict-already-assigned', 'Conflict'],
    ['bind-uid-mismatch', 'Conflict'],
    ['bind-not-found', 'NotFound'],
    ['bind-forbidden-no-token', 'Unauthorized'],
    ['lease-update-conflict', 'Conflict'],
    ['list-podgroups', 'NotFound'],
    ['list-continue-expired-410', 'Expired'],
  ];
  for (const [name, code] of cases) {
    const exchange = recorded(name);
    const { request, response } = exchange;
    const server = await playBack(t, [exchange]);
    const client = createApiClient({ baseUrl: server.url });
    const { method, body } = request;
    const options = { method, body: body && JSON.stringify(body) };
    await assert.rejects(client.json(request.path, options), (error) => {
      assert.equal(error.name, 'ApiError');
      assert.equal(error.code, code, name);
      assert.equal(error.status, response.status, name);
      assert.equal(error.message, response.body.message, name);
      assert.deepEqual(error.details, response.body.details, name);
      assert.equal(error.continue, response.body.metadata.continue, name);
      assert.deepEqual(error.toStatus(), response.body, name);
      return true;
    });
  }
});

test('the recorded pages of a list', async (t) => {
  const pages = ['list-pods-page-1', 'list-pods-page-2', 'list-pods-page-3'].map(recorded);
  const server = await playBack(t, pages);
  const client = createApiClient({ baseUrl: server.url });
  let at = 0;
  for await (const { bytes, metadata } of client.list('/api/v1/pods', { limit: 20 })) {
    const { body } = pages[at++].response;
    assert.deepEqual(metadata, body.metadata);
    assert.deepEqual(valueOf(bytes), body);
    assert.ok(!bytes.includes(10));
  }
  assert.equal(at, 3);
  server.check();
});

test('a recorded watch', async (t) => {
  const exchange = recorded('watch-nodes');
  const server = await playBack(t, [exchange]);
  const client = createApiClient({ baseUrl: server.url });
  const query = { allowWatchBookmarks: true, resourceVersion: '737', timeoutSeconds: 300 };
  let text = '';
  for await (const bytes of client.watch('/api/v1/nodes', query)) {
    const lines = new TextDecoder().decode(bytes);
    assert.ok(lines.endsWith('\n'));
    text += lines;
  }
  const events = text.trim().split('\n');
  assert.deepEqual(
    events.map((line) => JSON.parse(line)),
    exchange.frames.map(({ frame }) => frame),
  );
});
