import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RESOURCES } from '../../../js/src/kubernetes/kinds.js';
import { AskedServer } from './asked_server.js';

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

test('both forms of discovery name every resource, with its verbs and subresources', async () => {
  const server = new AskedServer();
  const { groups } = await server.get('/apis');
  const versions = groups.flatMap((/** @type {any} */ group) =>
    group.versions.map((/** @type {any} */ { groupVersion }) => groupVersion),
  );
  const paths = ['/api/v1', ...versions.map((/** @type {string} */ version) => `/apis/${version}`)];
  const legacy = (await Promise.all(paths.map((path) => server.get(path)))).flatMap((list) =>
    list.resources.map(
      (/** @type {any} */ { name, kind }) => `${list.groupVersion}/${name} ${kind}`,
    ),
  );
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) => server.get(path, { Accept: AGGREGATED })),
  );
  const aggregated = lists.flatMap(({ items }) =>
    items.flatMap((/** @type {any} */ { metadata, versions: served }) =>
      served.flatMap((/** @type {any} */ { version, resources }) =>
        resources.flatMap((/** @type {any} */ { resource, responseKind, subresources = [] }) => {
          const prefix = `${metadata.name ? `${metadata.name}/` : ''}${version}/${resource}`;
          return [
            `${prefix} ${responseKind.kind}`,
            ...subresources.map(
              (/** @type {any} */ one) => `${prefix}/${one.subresource} ${one.responseKind.kind}`,
            ),
          ];
        }),
      ),
    ),
  );
  assert.deepEqual(legacy.sort(), aggregated.sort());
  const expected = RESOURCES.flatMap(({ apiVersion, plural, kind, subresources }) => [
    `${apiVersion}/${plural} ${kind}`,
    ...subresources.map((one) => `${apiVersion}/${plural}/${one.name} ${one.kind}`),
  ]);
  assert.deepEqual(legacy, expected.sort());
});

test('discovery names its form and serves single groups; unknown groups are 404', async () => {
  const server = new AskedServer();
  const { headers } = await server.ask('GET', '/apis', undefined, { Accept: AGGREGATED });
  assert.equal(
    headers.get('content-type'),
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  );
  assert.deepEqual((await server.get('/apis/apps')).preferredVersion, {
    groupVersion: 'apps/v1',
    version: 'v1',
  });
  assert.deepEqual((await server.get('/api')).versions, ['v1']);
  for (const path of [
    '/apis/metrics.k8s.io',
    '/apis/apps/v2',
    '/apis/scheduling.k8s.io/v1alpha1',
  ]) {
    assert.equal((await server.ask('GET', path)).status, 404, path);
  }
});

test('the server is alive, ready, and of a version', async () => {
  const server = new AskedServer();
  for (const path of ['/healthz', '/readyz', '/livez', '/readyz/ping']) {
    const { status, body } = await server.ask('GET', path);
    assert.deepEqual([status, body], [200, 'ok']);
  }
  assert.equal((await server.get('/version')).gitVersion, 'v1.36.0');
});

test('OpenAPI tells clients that fields are checked here, and how lists are patched', async () => {
  const server = new AskedServer();
  const { paths } = await server.get('/openapi/v3');
  for (const { serverRelativeURL } of Object.values(paths)) {
    const { paths: operations, components } = await server.get(serverRelativeURL);
    for (const { patch } of Object.values(operations)) {
      const names = patch.parameters.map((/** @type {any} */ { name }) => name);
      assert.ok(names.includes('fieldValidation'));
    }
    const text = JSON.stringify(components);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(Object.hasOwn(components.schemas, name), name);
    }
  }
  const { components } = await server.get('/openapi/v3/api/v1');
  const { containers, tolerations } = components.schemas['io.k8s.api.core.v1.PodSpec'].properties;
  assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
  assert.equal(tolerations['x-kubernetes-patch-strategy'], undefined);
  const [gvk] = components.schemas['io.k8s.api.core.v1.Pod']['x-kubernetes-group-version-kind'];
  assert.deepEqual(gvk, { group: '', version: 'v1', kind: 'Pod' });
  assert.equal((await server.ask('GET', '/openapi/v3/apis/nothing/v1')).status, 404);
  const second = await server.request('GET', '/openapi/v2');
  assert.match(second.headers.get('content-type') ?? '', /spec\.v2.*protobuf$/);
});
