/** Tests the server without what only kubectl requests: it refuses that, and serves the rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApiServer, createJsonApiServer } from '../../../js/apiserver/index.js';
import { AskedServer, PODS, pod } from './asked_server.js';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Creates a server with one pod. */
function jsonServer() {
  const server = new AskedServer({ create: createJsonApiServer });
  server.store.create('pods', pod('a', {}, { namespace: 'default' }));
  return server;
}

test('a client that also accepts objects gets them instead of a table', async () => {
  const list = await jsonServer().get(PODS, { Accept: `${TABLE},application/json` });
  assert.equal(list.kind, 'PodList');
  assert.equal(list.items[0].metadata.name, 'a');
});

test('a client that accepts only tables is refused', async () => {
  const { status, body } = await jsonServer().ask('GET', PODS, undefined, { Accept: TABLE });
  assert.equal(status, 406);
  assert.equal(body.reason, 'NotAcceptable');
});

test('metadata is a view of this server too', async () => {
  const Accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  assert.equal((await jsonServer().get(`${PODS}/a`, { Accept })).kind, 'PartialObjectMetadata');
});

test('a body in protobuf is refused, one in YAML is read', async () => {
  const server = jsonServer();
  const send = (/** @type {string} */ type, /** @type {string | Uint8Array} */ body) =>
    server.ask('POST', PODS, body, { 'Content-Type': type });
  const refused = await send('application/vnd.kubernetes.protobuf', Uint8Array.of(0x6b, 0x38));
  assert.equal(refused.status, 415);
  assert.match(refused.body.message, /application\/json, application\/yaml$/);
  const yaml = JSON.stringify(pod('b'));
  assert.equal((await send('application/yaml', yaml)).status, 201);
  assert.equal((await send('application/json', JSON.stringify(pod('c')))).status, 201);
});

test('OpenAPI is served by the whole server alone', async () => {
  for (const [create, wanted] of /** @type {const} */ ([
    [createApiServer, 200],
    [createJsonApiServer, 404],
  ])) {
    const server = new AskedServer({ create });
    assert.equal((await server.ask('GET', '/openapi/v3')).status, wanted);
    assert.equal((await server.ask('GET', '/apis')).status, 200);
  }
});
