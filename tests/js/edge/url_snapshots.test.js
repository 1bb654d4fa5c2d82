import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlSnapshots } from '../../../js/src/edge.js';
import { ConfigurationError } from '../../../js/src/index.js';
import { makePod } from '../support/objects.js';
import { AskedHandler, clusterOf, START } from './asked_handler.js';

const POD = makePod('web');
const URL_TEXT = 'https://snapshots.example/{name}.json';

/** A server that knows one snapshot, and conditional requests. */
function makeServer() {
  const server = {
    text: JSON.stringify(clusterOf({ a: '4' })),
    etag: '"1"',
    status: 200,
    /** @type {Request[]} */
    requests: [],
    /** @param {Request} request */
    async fetch(request) {
      server.requests.push(request);
      const { etag, status, text } = server;
      const headers = { ETag: etag, 'Last-Modified': new Date(START - 30_000).toUTCString() };
      if (status !== 200) return new Response('no', { status });
      if (request.headers.get('If-None-Match') === etag)
        return new Response(null, { status: 304, headers });
      return new Response(text, { headers });
    },
  };
  return server;
}

test('snapshots are read over HTTP, and again only when they have changed', async () => {
  const server = makeServer();
  const headers = { Authorization: 'Bearer x' };
  const asked = new AskedHandler({
    snapshots: urlSnapshots(URL_TEXT, { fetch: server.fetch, headers }),
  });
  const { body } = await asked.preScore(POD, 'eu.1_a');
  assert.deepEqual([body.node, body.snapshot.ageSeconds], ['a', 30]);
  const [first] = server.requests;
  assert.equal(first.url, 'https://snapshots.example/eu.1_a.json');
  assert.equal(first.headers.get('Authorization'), 'Bearer x');
  assert.equal(first.headers.get('If-None-Match'), null);
  await asked.clock.advance(6_000);
  const again = await asked.preScore(POD, 'eu.1_a');
  assert.equal(again.body.snapshot.ageSeconds, 36);
  assert.equal(server.requests[1].headers.get('If-None-Match'), '"1"');
  Object.assign(server, { text: JSON.stringify(clusterOf({ b: '4' })), etag: '"2"' });
  await asked.clock.advance(6_000);
  assert.equal((await asked.preScore(POD, 'eu.1_a')).body.node, 'b');
  assert.equal(asked.alive, 1);
});

test('a missing snapshot and an error of the server are reported', async () => {
  const server = makeServer();
  const asked = new AskedHandler({
    snapshots: urlSnapshots((name) => new URL(`https://x/${name}`), { fetch: server.fetch }),
  });
  server.status = 404;
  assert.match((await asked.preScore(POD)).body.message, /no snapshot of cluster "eu-1" yet/);
  await asked.clock.advance(5_000);
  server.status = 502;
  const { status, body } = await asked.preScore(POD);
  assert.equal(status, 503);
  assert.match(body.message, /the snapshot's server answered 502/);
  server.status = 200;
  assert.equal((await asked.preScore(POD)).status, 200);
  server.status = 500;
  await asked.clock.advance(6_000);
  const stale = await asked.preScore(POD);
  assert.equal(stale.body.snapshot.refreshFailure, "the snapshot's server answered 500");
});

test('a URL has a place for the name', () => {
  assert.throws(() => urlSnapshots('https://snapshots.example/all.json'), ConfigurationError);
});
