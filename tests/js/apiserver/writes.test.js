/** Writes over HTTP: bodies, names, patches, dry runs, unknown fields. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, PODS, node, pod } from './asked_server.js';

test('an unreadable body is refused with the reason', async () => {
  const server = new AskedServer();
  const cases = /** @type {[unknown, Record<string, string>, number, RegExp][]} */ ([
    ['{', {}, 400, /^couldn't get version\/kind; json parse error: /],
    ['[]', {}, 400, /Object 'Kind' is missing/],
    ['x: [', { 'Content-Type': 'application/yaml' }, 400, /^error converting YAML to JSON: /],
    ['x', { 'Content-Type': 'text/plain' }, 415, /^the body of the request was in an unknown form/],
    [{ kind: 'Node' }, {}, 400, /^Node in version "v1" cannot be handled as a Pod: /],
    [{ apiVersion: 'v2' }, {}, 400, /^the API version in the data \(v2\) does not match/],
    [
      pod('a', { nodeName: 5 }),
      {},
      400,
      /^Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go/,
    ],
    [
      pod('a', { overhead: { cpu: '1x' } }),
      {},
      400,
      /cannot be handled as a Pod: quantities must match the regular expression/,
    ],
    [
      pod('a', {}, { namespace: 'other' }),
      {},
      400,
      /^the namespace of the provided object does not/,
    ],
    [' '.repeat(3 * 1024 * 1024 + 1), {}, 413, /^Request entity too large: limit is 3145728/],
    [pod('a'), { Accept: 'application/vnd.kubernetes.protobuf' }, 406, /^only the following media/],
  ]);
  for (const [body, headers, status, message] of cases) {
    const answer = await server.ask('POST', PODS, body, headers);
    assert.equal(answer.status, status, String(message));
    assert.match(answer.body.message, message);
    assert.equal(answer.body.kind, 'Status');
  }
  const made = await server.ask(
    'POST',
    PODS,
    'metadata: {name: web}\nspec: {containers: [{name: c, image: i}]}',
    {
      'Content-Type': 'application/yaml',
    },
  );
  assert.equal(made.status, 201);
});

test('unknown fields are dropped, reported or refused, by fieldValidation', async () => {
  const server = new AskedServer();
  const body = pod('a', { containerz: 1, containers: [{ name: 'c', image: 'i', imag: 'x' }] });
  const post = (/** @type {string} */ query) =>
    server.ask('POST', `${PODS}?dryRun=All${query}`, body);
  const ignored = await post('&fieldValidation=Ignore');
  assert.equal(ignored.headers.get('warning'), null);
  assert.deepEqual(ignored.body.spec.containerz, undefined);
  const warned = await post('');
  assert.equal(
    warned.headers.get('warning'),
    '299 - "unknown field \\"spec.containers[0].imag\\"", 299 - "unknown field ' +
      '\\"spec.containerz\\""',
  );
  const refused = await post('&fieldValidation=Strict');
  assert.equal(refused.status, 400);
  assert.equal(
    refused.body.message,
    'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field ' +
      '"spec.containers[0].imag", unknown field "spec.containerz"',
  );
  assert.equal((await post('&fieldValidation=Maybe')).status, 422);
  server.store.create('pods', pod('a', {}, { namespace: 'default' }));
  const path = `${PODS}/a?fieldValidation=Strict`;
  const patched = await server.patch(path, { spec: { containerz: 1 } });
  assert.equal(patched.status, 422);
  assert.match(
    patched.body.message,
    /patch: Invalid value: .*strict decoding error: unknown field/,
  );
});

test('a PUT must match the object in its path', async () => {
  const server = new AskedServer();
  const first = server.store.create('nodes', node('a'));
  const put = (/** @type {string} */ name, /** @type {unknown} */ body) =>
    server.ask('PUT', `/api/v1/nodes/${name}`, body);
  const changed = await put('a', { ...first, spec: { unschedulable: true } });
  assert.deepEqual([changed.status, changed.body.spec], [200, { unschedulable: true }]);
  assert.equal((await put('a', first)).status, 409);
  assert.equal((await put('b', { ...first, metadata: { name: 'b' } })).status, 404);
  const other = await put('b', first);
  assert.equal(
    other.body.message,
    'the name of the object (a) does not match the name on the URL (b)',
  );
  const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } };
  const path = '/api/v1/namespaces/default/events/e';
  assert.equal((await server.ask('PUT', path, event)).status, 201);
  assert.equal((await server.ask('PUT', path, { ...event, reason: 'x' })).status, 200);
});

test('patches of all types are applied', async () => {
  const server = new AskedServer();
  server.store.create('nodes', node('a', { taints: [{ key: 'x', effect: 'NoSchedule' }] }));
  const path = '/api/v1/nodes/a';
  const taint = { key: 'y', effect: 'NoSchedule' };
  const merged = await server.patch(path, { metadata: { labels: { l: '1' } } });
  assert.deepEqual(merged.body.metadata.labels, { l: '1' });
  const strategic = 'application/strategic-merge-patch+json';
  const both = await server.patch(path, { metadata: { labels: { m: '2' } } }, strategic);
  assert.deepEqual(both.body.metadata.labels, { l: '1', m: '2' });
  const json = await server.patch(
    path,
    [{ op: 'add', path: '/spec/taints/-', value: taint }],
    'application/json-patch+json',
  );
  assert.deepEqual(json.body.spec.taints.at(-1), taint);
  const stale = await server.patch(path, { metadata: { resourceVersion: '1' } });
  assert.equal(stale.status, 409);
  assert.equal((await server.patch('/api/v1/nodes/b', {})).status, 404);
  assert.equal((await server.patch(path, {}, 'application/json')).status, 415);
  const renamed = await server.patch(path, { metadata: { name: 'b' } });
  assert.equal(renamed.status, 400);
  const same = await server.patch(path, {});
  assert.equal(same.body.metadata.resourceVersion, json.body.metadata.resourceVersion);
});

test('server-side apply creates, changes, and reports conflicts', async () => {
  const server = new AskedServer();
  const path = '/apis/apps/v1/namespaces/default/deployments/web';
  const deployment = (/** @type {object} */ spec) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
      ...spec,
    },
  });
  const apply = (/** @type {string} */ manager, /** @type {object} */ spec, force = '') =>
    server.patch(
      `${path}?fieldManager=${manager}${force}`,
      deployment(spec),
      'application/apply-patch+yaml',
    );
  const made = await apply('one', { replicas: 2 });
  assert.equal(made.status, 201);
  assert.equal(made.body.metadata.managedFields[0].manager, 'one');
  const quarrel = await apply('two', { replicas: 3 });
  assert.equal(quarrel.status, 409);
  assert.match(quarrel.body.message, /conflict with "one": \.spec\.replicas/);
  const forced = await apply('two', { replicas: 3 }, '&force=true');
  assert.deepEqual([forced.status, forced.body.spec.replicas], [200, 3]);
  // Other writers are tracked from then on.
  await server.patch(`${path}?fieldManager=three`, { spec: { replicas: 4 } });
  const again = await apply('two', { replicas: 3 });
  assert.match(again.body.message, /conflict with "three"/);
  assert.equal((await apply('', {})).status, 422);
});

test('a dry run is answered and not stored', async () => {
  const server = new AskedServer();
  const made = await server.ask('POST', `${PODS}?dryRun=All`, pod('a'));
  assert.equal(made.status, 201);
  assert.equal((await server.ask('GET', `${PODS}/a`)).status, 404);
  server.store.create('pods', pod('a', {}, { namespace: 'default' }));
  const patched = await server.patch(`${PODS}/a?dryRun=All`, { metadata: { labels: { x: 'y' } } });
  assert.deepEqual(patched.body.metadata.labels, { x: 'y' });
  await server.ask('DELETE', `${PODS}/a?dryRun=All`);
  assert.equal((await server.get(`${PODS}/a`)).metadata.labels, undefined);
  const unknown = await server.ask('POST', `${PODS}?dryRun=Some`, pod('b'));
  assert.match(unknown.body.message, /dryRun: Unsupported value: "Some": supported values: "All"/);
});

test('deletions read their options from the body, or else from the query', async () => {
  const server = new AskedServer({ gracefulDeletion: true });
  const running = (/** @type {string} */ name) =>
    server.store.create('pods', pod(name, { nodeName: 'n' }, { namespace: 'default' }));
  for (const name of ['a', 'b', 'c']) running(name);
  const byBody = await server.ask('DELETE', `${PODS}/a?gracePeriodSeconds=1`, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds: 7,
  });
  assert.equal(byBody.body.metadata.deletionGracePeriodSeconds, 7);
  const byQuery = await server.ask('DELETE', `${PODS}/b?gracePeriodSeconds=8`);
  assert.equal(byQuery.body.metadata.deletionGracePeriodSeconds, 8);
  const wrong = await server.ask('DELETE', `${PODS}/c?propagationPolicy=Never`);
  assert.match(wrong.body.message, /propagationPolicy: Unsupported value: "Never"/);
  const orphan = await server.ask('DELETE', `${PODS}/c`, { orphanDependents: true });
  assert.deepEqual(orphan.body.metadata.finalizers, ['orphan']);
  const immortal = await server.ask('DELETE', '/api/v1/namespaces/kube-system');
  assert.equal(immortal.status, 403);
  assert.match(immortal.body.message, /this namespace may not be deleted$/);
});

test('a collection is deleted by selector, in one namespace', async () => {
  const server = new AskedServer();
  for (const name of ['a', 'b', 'c']) {
    const labels = { old: String(name !== 'b') };
    server.store.create('configmaps', { metadata: { name, namespace: 'default', labels } });
  }
  const path = '/api/v1/namespaces/default/configmaps';
  const { body } = await server.ask('DELETE', `${path}?labelSelector=old%3Dtrue`);
  const names = (/** @type {any} */ { items }) =>
    items.map((/** @type {any} */ { metadata }) => metadata.name);
  assert.deepEqual([body.kind, names(body)], ['ConfigMapList', ['a', 'c']]);
  assert.deepEqual(names(await server.get(path)), ['b']);
  assert.equal((await server.ask('DELETE', '/api/v1/configmaps')).status, 405);
});

test('bad paths and methods are answered with their HTTP code and a Status', async () => {
  const server = new AskedServer();
  const cases = /** @type {[string, string, number][]} */ ([
    ['GET', '/nowhere', 404],
    ['GET', '/api/v1/nodes/%zz', 400],
    ['GET', '/api/v1/things', 404],
    ['GET', '/apis/apps/v1beta1/deployments', 404],
    ['GET', '/api/v1/namespaces/default/nodes/a', 404],
    ['GET', '/api/v1/pods/a', 404],
    ['GET', '/apis/metrics.k8s.io/v1beta1/nodes', 404],
    ['GET', `${PODS}/a/nothing`, 404],
    ['PUT', PODS, 405],
    ['PATCH', '/api/v1/nodes', 405],
    ['POST', '/api/v1/nodes/a', 405],
    ['DELETE', '/api/v1/namespaces', 405],
    ['GET', `${PODS}/a/binding`, 405],
    ['GET', `${PODS}/a/log`, 501],
    ['POST', `${PODS}/a/exec`, 501],
  ]);
  for (const [method, path, status] of cases) {
    const answer = await server.ask(method, path);
    assert.equal(answer.status, status, `${method} ${path}`);
    assert.equal(answer.body.kind, 'Status');
    assert.equal(answer.body.code, status);
  }
});

const MAPS = '/api/v1/namespaces/default/configmaps';

test('a deletion has one policy, and a body of its own kind', async () => {
  const server = new AskedServer();
  await server.ask('POST', MAPS, { metadata: { name: 'm' } });
  const remove = (/** @type {object} */ body) => server.ask('DELETE', `${MAPS}/m`, body);
  const both = await remove({ propagationPolicy: 'Orphan', orphanDependents: true });
  assert.equal(both.status, 422);
  assert.match(both.body.message, /orphanDependents and deletionPropagation cannot be both set$/);
  assert.equal((await remove({ kind: 'Pod', apiVersion: 'v1' })).status, 400);
  assert.equal((await server.ask('GET', `${MAPS}/m`)).status, 200);
  assert.equal((await remove({ kind: 'DeleteOptions', apiVersion: 'v1' })).status, 200);
});

test('the PriorityClasses of the system are not deleted', async () => {
  const server = new AskedServer();
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const refused = await server.ask('DELETE', `${path}/system-node-critical`);
  assert.equal(refused.status, 403);
  assert.equal(
    refused.body.message,
    'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system ' +
      'priority class and cannot be deleted',
  );
  await server.ask('POST', path, { metadata: { name: 'mine' }, value: 1 });
  assert.equal((await server.ask('DELETE', `${path}/mine`)).status, 200);
});

test('a write of an object that was deleted since creates no other', async () => {
  const server = new AskedServer();
  const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
  for (const version of [{}, { resourceVersion: '3' }]) {
    const put = await server.ask('PUT', lease, { metadata: { name: 'l', uid: 'u', ...version } });
    assert.equal(put.status, 409);
    assert.match(put.body.message, /Precondition failed: UID in precondition: u, UID in object/);
  }
  const applied = await server.patch(
    `${MAPS}/m?fieldManager=a`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', uid: 'u' } },
    'application/apply-patch+yaml',
  );
  assert.equal(applied.status, 409);
  assert.match(applied.body.message, /specified uid u, and no existing object was found$/);
});

test('the options of all writes are checked', async () => {
  const server = new AskedServer();
  const body = { metadata: { name: 'm' } };
  const long = `fieldManager=${'x'.repeat(129)}`;
  const answers = [
    await server.ask('POST', `${MAPS}?${long}`, body),
    await server.ask('PUT', `${MAPS}/m?${long}`, body),
    await server.patch(`${MAPS}/m?fieldValidation=Bad`, {}),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 422, 422],
  );
});
