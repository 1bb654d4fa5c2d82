// Goal: the examples of prescoring answer in their runtimes, with snapshots that are pushed and
// kept in KV or in memory, or read over HTTP. Method: each is served unchanged, with the packed
// package.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';

import { assertDocument } from '../js/edge/edge_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../js/support/objects.js';
import { serveWithBun } from './launchers/bun.js';
import { serveWithDeno } from './launchers/deno.js';
import { serveWithWorkerd } from './launchers/workerd.js';
import { makeProject } from './packed.js';

const SECRET = 'correct-horse';
/** @type {Record<string, object>} */
const SNAPSHOTS = {
  'eu-1': makeList(makeNode('a'), makeNode('b', { cpu: '8' })),
  'us-2': makeList(
    makeNode('n', { cpu: '4' }),
    storedPod('low', { cpu: '3', spec: { nodeName: 'n', priority: 0 } }),
  ),
};
const POD = makePod('web', { cpu: '2', spec: { priority: 100, priorityClassName: '' } });

/** @param {string} runtime */
function projectOf(runtime) {
  const example = new URL(`../../examples/${runtime}-prescore/worker.js`, import.meta.url);
  const { folder, remove } = makeProject({ 'worker.js': example });
  after(remove);
  return folder;
}

/**
 * @typedef {(method: string, path: string, options?: { body?: object, token?: string }) =>
 *   Promise<{ status: number, headers: Headers, body: any }>} Ask
 */

/**
 * @param {import('./launchers/child.js').Server} server
 * @returns {Ask} checks every answer against the schema
 */
function askerOf({ url, stop }) {
  after(stop);
  return async (method, path, { body, token } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    assertDocument(answer);
    return { status: response.status, headers: response.headers, body: answer };
  };
}

/**
 * The same questions in every runtime.
 * @param {Ask} ask
 * @param {string} [token] the token of the client
 */
async function askAll(ask, token) {
  const ranking = { pod: POD, clusters: ['us-2', 'absent', 'eu-1'] };
  const ranked = await ask('POST', '/rank-clusters', { body: ranking, token });
  assert.equal(ranked.status, 200, JSON.stringify(ranked.body));
  assert.deepEqual(
    ranked.body.clusters.map((/** @type {any} */ { name, fits, node, victims }) => [
      ...[name, fits, node, victims],
    ]),
    [
      ['eu-1', 'Now', 'b', undefined],
      ['us-2', 'WithPreemption', null, ['default/low']],
    ],
  );
  assert.deepEqual(
    ranked.body.unranked.map((/** @type {any} */ { name, code }) => [name, code]),
    [['absent', 503]],
  );
  const question = { pod: POD, cluster: 'eu-1' };
  const scored = await ask('POST', '/prescore', { body: question, token });
  assert.deepEqual(
    scored.body.nodes.map((/** @type {any} */ { name }) => name),
    ['b', 'a'],
  );
  assert.ok(scored.body.nodes[0].scores.NodeResourcesFit > 0);
  assert.equal(scored.headers.get('ETag'), scored.body.snapshot.etag);
  return scored.body;
}

/** Only clients with the secret can push. @param {Ask} ask */
async function pushAll(ask) {
  for (const [name, body] of Object.entries(SNAPSHOTS)) {
    const path = `/snapshots/${name}`;
    assert.equal((await ask('PUT', path, { body, token: 'wrong' })).status, 401);
    assert.equal((await ask('PUT', path, { body, token: SECRET })).status, 201);
  }
}

test('workerd: pushed snapshots, kept in KV, within 128 MB', async () => {
  const cwd = projectOf('workerd');
  const env = { PUSH_SECRET: SECRET };
  const server = await serveWithWorkerd('worker.js', { cwd, env, kvNamespaces: ['SNAPSHOTS'] });
  const ask = askerOf(server);
  await pushAll(ask);
  const { snapshot } = await askAll(ask);
  const nodes = Array.from({ length: 1000 }, (_, at) => makeNode(`node-${at}`, { cpu: '64' }));
  for (let round = 0; round < 6; round += 1) {
    const pods = Array.from({ length: 9000 }, (_, at) =>
      storedPod(`pod-${at}`, {
        cpu: '100m',
        metadata: { uid: `${round}-${at}` },
        spec: { nodeName: `node-${at % 1000}`, priority: 0 },
      }),
    );
    const body = makeList(...nodes, ...pods);
    const { status } = await ask('PUT', `/snapshots/large-${round % 3}`, { body, token: SECRET });
    assert.equal(status, round < 3 ? 201 : 200);
  }
  const large = await ask('POST', '/prescore', { body: { pod: POD, cluster: 'large-1' } });
  assert.equal(large.body.snapshot.nodes, 1000);
  // The snapshot was evicted for the large ones, and is read from KV again.
  const again = await ask('POST', '/prescore', { body: { pod: POD, cluster: 'eu-1' } });
  assert.deepEqual([again.status, again.body.snapshot.etag], [200, snapshot.etag]);
});

test('Deno: snapshots by URL, read again after they have changed', async () => {
  /** @type {Record<string, string>} */
  const etags = { 'eu-1': '"1"', 'us-2': '"1"' };
  /** @type {unknown[]} */
  const requests = [];
  const files = createServer((request, response) => {
    const [, name = ''] = /^\/(.*)\.json$/.exec(String(request.url)) ?? [];
    const isSame = request.headers['if-none-match'] === etags[name];
    const status = !etags[name] ? 404 : isSame ? 304 : 200;
    requests.push([name, status]);
    response.writeHead(status, { ETag: etags[name] ?? '' });
    response.end(status === 200 ? JSON.stringify(SNAPSHOTS[name]) : undefined);
  }).listen(0, '127.0.0.1');
  after(() => files.close());
  await once(files, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (files.address());
  const server = await serveWithDeno('worker.js', {
    cwd: projectOf('deno'),
    options: ['--allow-env', '--allow-net'],
    env: {
      SNAPSHOTS_URL: `http://127.0.0.1:${port}/{name}.json`,
      READ_SECRET: SECRET,
      REFRESH_MS: '0',
    },
  });
  const ask = askerOf(server);
  assert.equal((await ask('GET', '/snapshots/eu-1')).status, 401);
  assert.equal((await ask('PUT', '/snapshots/eu-1', { body: {}, token: SECRET })).status, 405);
  const { snapshot } = await askAll(ask, SECRET);
  assert.equal(snapshot.etag, '"1"');
  assert.deepEqual(requests, [
    ['us-2', 200],
    ['absent', 404],
    ['eu-1', 200],
    ['eu-1', 304],
  ]);
  etags['eu-1'] = '"2"';
  const { body } = await ask('GET', '/snapshots/eu-1', { token: SECRET });
  assert.equal(body.etag, '"2"');
});

test('Bun: pushed snapshots, kept in memory', async () => {
  const env = { PUSH_SECRET: SECRET, PORT: '0' };
  const ask = askerOf(await serveWithBun('worker.js', { cwd: projectOf('bun'), env }));
  await pushAll(ask);
  await askAll(ask);
  const { status } = await ask('GET', '/snapshots/absent');
  assert.equal(status, 404);
});
