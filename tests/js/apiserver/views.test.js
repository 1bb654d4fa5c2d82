/** Tests the forms that a client can request: rows of a Table, metadata, or whole objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { viewAccepted } from '../../../js/apiserver/negotiation.js';
import { AskedServer, PODS, pod } from './asked_server.js';

const VERSIONS = ['v1', 'v1beta1'];

/** @param {string} as @param {string} [version] */
const accepts = (as, version = 'v1') => ({
  Accept: `application/json;as=${as};v=${version};g=meta.k8s.io`,
});

/** Creates a server with one pod. */
function serverWithPod() {
  const server = new AskedServer();
  server.store.create('pods', pod('a', {}, { namespace: 'default' }));
  return server;
}

test('the first served media type is used', () => {
  const table = accepts('Table').Accept;
  const oldTable = accepts('Table', 'v1beta1').Accept;
  const cases = /** @type {[string | null, string][]} */ ([
    [null, ' '],
    ['*/*', ' '],
    ['application/json', ' '],
    ['application/vnd.kubernetes.protobuf,application/json', ' '],
    [`${table},application/json`, 'Table meta.k8s.io/v1'],
    [`${oldTable},${table}`, 'Table meta.k8s.io/v1beta1'],
    [`${oldTable},application/json`, 'Table meta.k8s.io/v1beta1'],
    [`${accepts('Table', 'v2').Accept},application/json`, ' '],
    [`${accepts('Chart').Accept},application/json`, ' '],
    ['application/json;as=Table;v=v1;g=example.org,application/json', ' '],
    [accepts('PartialObjectMetadataList').Accept, 'PartialObjectMetadataList meta.k8s.io/v1'],
  ]);
  for (const [accept, wanted] of cases) {
    const { kind, apiVersion } = viewAccepted(accept);
    assert.equal(`${kind} ${apiVersion}`, wanted, String(accept));
  }
  assert.throws(() => viewAccepted('application/cbor'), { status: 406, code: 'NotAcceptable' });
  assert.throws(() => viewAccepted(table, { hasTable: false }), { status: 406 });
  assert.equal(viewAccepted(`${table},application/json`, { hasTable: false }).kind, '');
});

for (const version of VERSIONS) {
  const apiVersion = `meta.k8s.io/${version}`;

  test(`rows and metadata are answered in ${apiVersion}`, async () => {
    const server = serverWithPod();
    const { metadata } = await server.get(`${PODS}/a`);
    const partial = { kind: 'PartialObjectMetadata', apiVersion, metadata };
    const list = await server.get(PODS, accepts('PartialObjectMetadataList', version));
    assert.deepEqual(list, {
      kind: 'PartialObjectMetadataList',
      apiVersion,
      metadata: list.metadata,
      items: [partial],
    });
    const one = await server.get(`${PODS}/a`, accepts('PartialObjectMetadata', version));
    assert.deepEqual(one, partial);
    for (const path of [PODS, `${PODS}/a`]) {
      const table = await server.get(path, accepts('Table', version));
      assert.deepEqual([table.kind, table.apiVersion], ['Table', apiVersion]);
      assert.deepEqual(
        table.rows.map((/** @type {any} */ { object }) => object),
        [partial],
      );
    }
    const whole = await server.get(`${PODS}?includeObject=Object`, accepts('Table', version));
    assert.deepEqual([whole.rows[0].object.kind, whole.rows[0].object.apiVersion], ['Pod', 'v1']);
  });

  test(`a watch sees rows and metadata in ${apiVersion}`, async () => {
    for (const kind of ['Table', 'PartialObjectMetadata']) {
      const server = serverWithPod();
      const watch = await server.watch(`${PODS}?watch=true`, accepts(kind, version));
      await server.clock.advance(0);
      const [{ type, object }] = watch.events;
      assert.deepEqual([type, object.kind, object.apiVersion], ['ADDED', kind, apiVersion]);
      await watch.cancel();
    }
  });
}

test('an object is not answered as a list, nor a list as an object', async () => {
  const server = serverWithPod();
  const deployments = '/apis/apps/v1/deployments';
  const cases = [
    [PODS, 'PartialObjectMetadata', 'a list (*core.PodList)'],
    [deployments, 'PartialObjectMetadata', 'a list (*apps.DeploymentList)'],
    [`${PODS}/a`, 'PartialObjectMetadataList', 'not a list (*core.Pod)'],
  ];
  for (const [path, kind, what] of cases) {
    const { status, body } = await server.ask('GET', path, undefined, accepts(kind));
    assert.equal(status, 406);
    assert.equal(body.message, `you requested ${kind}, but the requested object is ${what}`);
  }
});

const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' }, user: 'eve' } };
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

/** Requests whose response has no Table: path and body. @type {[string, object][]} */
const WITHOUT_TABLE = [
  [`${AUTHORIZATION}/selfsubjectaccessreviews`, review],
  [`${AUTHORIZATION}/subjectaccessreviews`, review],
  [`${AUTHORIZATION}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } }],
  ['/apis/authentication.k8s.io/v1/selfsubjectreviews', {}],
  [`${PODS}/a/binding`, { target: { kind: 'Node', name: 'n' } }],
  [`${PODS}/a/eviction`, { metadata: { name: 'a' } }],
];

test('requests without a Table form are refused with 406, and nothing is done', async () => {
  for (const [path, body] of WITHOUT_TABLE) {
    const server = serverWithPod();
    const before = await server.get(`${PODS}/a`);
    for (const version of VERSIONS) {
      const answer = await server.ask('POST', path, body, accepts('Table', version));
      assert.equal(answer.status, 406, path);
      assert.deepEqual(answer.body, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'only the following media types are accepted: application/json',
        reason: 'NotAcceptable',
        code: 406,
      });
    }
    assert.deepEqual(await server.get(`${PODS}/a`), before, path);
    const asKubectl = { Accept: `${accepts('Table').Accept},application/json` };
    assert.equal((await server.ask('POST', path, body, asKubectl)).status, 201, path);
  }
});

test('a review can be answered as its metadata', async () => {
  const server = new AskedServer();
  const path = `${AUTHORIZATION}/selfsubjectaccessreviews`;
  const { body } = await server.ask('POST', path, review, accepts('PartialObjectMetadata'));
  assert.deepEqual(body, {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {},
  });
});

test('a write with an unacceptable Accept is refused before it is done', async () => {
  const server = serverWithPod();
  const before = await server.get(`${PODS}/a`);
  const headers = { Accept: 'application/cbor' };
  const patch = { ...headers, 'Content-Type': 'application/merge-patch+json' };
  const writes = /** @type {[string, string, any, Record<string, string>][]} */ ([
    ['POST', PODS, pod('b'), headers],
    ['PUT', `${PODS}/a`, { ...before, metadata: { ...before.metadata, labels: {} } }, headers],
    ['PATCH', `${PODS}/a`, { metadata: { labels: { a: 'b' } } }, patch],
    ['DELETE', `${PODS}/a`, undefined, headers],
    ['DELETE', PODS, undefined, headers],
  ]);
  for (const [method, path, body, sent] of writes) {
    assert.equal((await server.ask(method, path, body, sent)).status, 406, `${method} ${path}`);
  }
  const { items } = await server.get(PODS);
  assert.deepEqual(
    items.map((/** @type {any} */ { metadata }) => metadata),
    [before.metadata],
  );
});
