// Goal: kubectl reports an unknown kind. Before that it searches the custom resource definitions
// and OpenAPI v2 for the kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from './asked_server.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

test('the list of custom resource definitions is empty, and none can be created', async () => {
  const server = new AskedServer();
  const list = await server.get(DEFINITIONS);
  assert.equal(list.kind, 'CustomResourceDefinitionList');
  assert.deepEqual(list.items, []);
  const definition = { metadata: { name: 'widgets.example.com' } };
  const { status, body } = await server.ask('POST', DEFINITIONS, definition);
  assert.equal(status, 405);
  assert.equal(
    body.message,
    'create is not supported on resources of kind ' +
      '"customresourcedefinitions.apiextensions.k8s.io"',
  );
});

test('OpenAPI v2 is a document in protobuf that describes no kind', async () => {
  const response = await new AskedServer().request('GET', '/openapi/v2?timeout=32s');
  assert.equal(response.status, 200);
  // Go's parser of media types rejects the `@` in the requested type.
  assert.equal(
    response.headers.get('Content-Type'),
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  );
  const [field, length, ...version] = new Uint8Array(await response.arrayBuffer());
  assert.deepEqual([field >> 3, field & 7, length], [1, 2, version.length]);
  assert.equal(String.fromCharCode(...version), '2.0');
});
