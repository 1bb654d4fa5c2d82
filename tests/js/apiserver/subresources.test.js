import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, PODS, pod } from './asked_server.js';

const inDefault = { namespace: 'default' };
const POD = { spec: { containers: [{ name: 'c', image: 'i' }] } };

test('binding is refused for a terminating or gated pod, or another uid or version', async () => {
  const server = new AskedServer({ gracefulDeletion: true });
  const bind = (/** @type {string} */ name, metadata = {}, target = {}) =>
    server.ask('POST', `${PODS}/${name}/binding`, {
      metadata,
      target: { kind: 'Node', name: 'n', ...target },
    });
  server.store.create('pods', pod('gated', { schedulingGates: [{ name: 'a/b' }] }, inDefault));
  server.store.create('pods', pod('held', {}, { ...inDefault, finalizers: ['example.org/x'] }));
  server.store.delete('pods', 'default', 'held');
  server.store.create('pods', pod('free', {}, inDefault));
  const cases = /** @type {[Promise<any>, number, RegExp][]} */ ([
    [bind('gated'), 409, /pods\/binding "gated": pod gated has non-empty .spec.schedulingGates$/],
    [bind('held'), 409, /pod held is being deleted, cannot be assigned to a host$/],
    [bind('free', { resourceVersion: '1' }), 409, /ResourceVersion in precondition: 1/],
    [bind('free', { name: 'other' }), 400, /name in URL does not match name in Binding object/],
    [bind('free', {}, { kind: 'Pod' }), 422, /target.kind: Unsupported value: "Pod"/],
    [bind('free', {}, { name: '' }), 422, /target.name: Required value/],
  ]);
  for (const [asked, status, message] of cases) {
    const answer = await asked;
    assert.equal(answer.status, status, String(message));
    assert.match(answer.body.message, message);
  }
  const { uid } = /** @type {any} */ (server.store.get('pods', 'default', 'free')).metadata;
  server.store.update(
    'pods',
    {
      .../** @type {any} */ (server.store.get('pods', 'default', 'free')),
      status: { nominatedNodeName: 'n' },
    },
    { subresource: 'status' },
  );
  assert.equal(
    (await bind('free', { uid, annotations: { by: 'me' }, labels: { l: '1' } })).status,
    201,
  );
  const bound = await server.get(`${PODS}/free`);
  assert.equal(bound.spec.nodeName, 'n');
  assert.deepEqual([bound.metadata.annotations, bound.metadata.labels], [{ by: 'me' }, { l: '1' }]);
  assert.equal(bound.status.nominatedNodeName, undefined);
  assert.equal(bound.metadata.generation, 1);
});

test('bindings and evictions are refused in a namespace that is being deleted', async () => {
  const server = new AskedServer();
  const inTeam = { namespace: 'team' };
  server.store.create('namespaces', { metadata: { name: 'team' } });
  server.store.create('pods', pod('web', {}, inTeam));
  server.store.delete('namespaces', '', 'team');
  const path = '/api/v1/namespaces/team/pods/web';
  const evicted = { metadata: { name: 'web', ...inTeam } };
  const answers = [
    await server.ask('POST', `${path}/binding`, { target: { kind: 'Node', name: 'n' } }),
    await server.ask('POST', `${path}/eviction`, evicted),
  ];
  for (const { status, body } of answers) {
    assert.equal(status, 403);
    assert.equal(
      body.message,
      'pods "web" is forbidden: unable to create new content in namespace team because it is ' +
        'being terminated',
    );
    assert.equal(body.details.causes[0].reason, 'NamespaceTerminating');
  }
  assert.equal(server.store.get('pods', 'team', 'web')?.spec.nodeName, undefined);
});

/** @param {AskedServer} server @param {object} [status] */
function budget(server, status) {
  const created = server.store.create('poddisruptionbudgets', {
    metadata: { name: 'pdb', ...inDefault },
    spec: { selector: { matchLabels: { app: 'web' } }, minAvailable: 1 },
  });
  server.store.update('poddisruptionbudgets', { ...created, status }, { subresource: 'status' });
}

/** @param {AskedServer} server @param {string} name @param {string} [ready] */
function runningPod(server, name, ready = 'True') {
  const metadata = { ...inDefault, labels: { app: 'web' } };
  const created = server.store.create('pods', pod(name, { nodeName: 'n' }, metadata));
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
  server.store.update('pods', { ...created, status }, { subresource: 'status' });
}

/** @param {AskedServer} server @param {string} name @param {object} [body] */
function evict(server, name, body = {}) {
  return server.ask('POST', `${PODS}/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...body,
  });
}

test('an eviction uses up one disruption, and is refused with 429 without one', async () => {
  const server = new AskedServer({ gracefulDeletion: true });
  for (const name of ['a', 'b', 'c']) runningPod(server, name);
  const status = { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 };
  budget(server, { ...status, observedGeneration: 1 });
  assert.equal(
    (await evict(server, 'a', { deleteOptions: { gracePeriodSeconds: 5 } })).status,
    201,
  );
  const evicted = await server.get(`${PODS}/a`);
  assert.equal(evicted.metadata.deletionGracePeriodSeconds, 5);
  assert.deepEqual(
    evicted.status.conditions.find((/** @type {any} */ { type }) => type === 'DisruptionTarget'),
    {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
      lastProbeTime: null,
      lastTransitionTime: '2026-11-21T03:28:30Z',
    },
  );
  const left = await server.get('/apis/policy/v1/namespaces/default/poddisruptionbudgets/pdb');
  assert.equal(left.status.disruptionsAllowed, 0);
  assert.deepEqual(left.status.disruptedPods, { a: '2026-11-21T03:28:30Z' });
  const refused = await evict(server, 'b');
  assert.equal(refused.status, 429);
  assert.equal(
    refused.body.message,
    "Cannot evict pod as it would violate the pod's disruption budget.",
  );
  assert.deepEqual(refused.body.details.causes, [
    {
      reason: 'DisruptionBudget',
      message: 'The disruption budget pdb does not allow evicting pods currently',
    },
  ]);
});

test('an eviction is for the version, and the pod, that it names', async () => {
  const server = new AskedServer({ gracefulDeletion: true });
  for (const name of ['a', 'b', 'c']) runningPod(server, name);
  const preconditions = (await server.get(`${PODS}/a`)).metadata;
  const { uid, resourceVersion } = preconditions;
  const evicted = await evict(server, 'a', {
    deleteOptions: { preconditions: { uid, resourceVersion } },
  });
  assert.equal(evicted.status, 201);
  const { metadata, status } = await server.get(`${PODS}/a`);
  assert.ok(metadata.deletionTimestamp);
  assert.equal(status.conditions.at(-1).type, 'DisruptionTarget');
  for (const [name, wrong] of /** @type {[string, object][]} */ ([
    ['b', { uid }],
    ['c', { resourceVersion }],
  ])) {
    const before = await server.get(`${PODS}/${name}`);
    const refused = await evict(server, name, { deleteOptions: { preconditions: wrong } });
    assert.equal(refused.status, 409);
    assert.deepEqual(await server.get(`${PODS}/${name}`), before);
  }
});

test('an eviction is refused for an unobserved budget, or for several', async () => {
  const server = new AskedServer();
  runningPod(server, 'a');
  budget(server, { disruptionsAllowed: 1 });
  const soon = await evict(server, 'a');
  assert.deepEqual([soon.status, soon.headers.get('retry-after')], [429, '10']);
  assert.match(soon.body.details.causes[0].message, /is still being processed by the server\.$/);
  server.store.create('poddisruptionbudgets', {
    metadata: { name: 'second', ...inDefault },
    spec: { selector: {} },
  });
  const many = await evict(server, 'a');
  assert.equal(many.status, 500);
  assert.match(many.body.message, /more than one PodDisruptionBudget/);
});

test('unhealthy, pending and ended pods are evicted without a budget', async () => {
  const server = new AskedServer();
  const healthy = { currentHealthy: 2, desiredHealthy: 2, observedGeneration: 1 };
  budget(server, { ...healthy, disruptionsAllowed: 0 });
  runningPod(server, 'unready', 'False');
  assert.equal((await evict(server, 'unready')).status, 201);
  server.store.create('pods', pod('pending', {}, { ...inDefault, labels: { app: 'web' } }));
  assert.equal((await evict(server, 'pending')).status, 201);
  assert.equal((await evict(server, 'absent')).status, 404);
  runningPod(server, 'ready');
  const mismatch = await evict(server, 'ready', { metadata: { name: 'other' } });
  assert.match(mismatch.body.message, /^name in URL does not match name in Eviction object: other/);
});

test('scale reads and writes only the replicas', async () => {
  const server = new AskedServer();
  const created = server.store.create('deployments', {
    metadata: { name: 'web', ...inDefault },
    spec: {
      replicas: 2,
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['a', 'b'] }],
      },
      template: { metadata: { labels: { app: 'web' } }, spec: pod('').spec },
    },
  });
  const path = '/apis/apps/v1/namespaces/default/deployments/web/scale';
  const { uid, resourceVersion, creationTimestamp } = created.metadata;
  assert.deepEqual(await server.get(path), {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'web', namespace: 'default', uid, resourceVersion, creationTimestamp },
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'app=web,tier notin (a,b)' },
  });
  const table = await server.get(path, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  const columns = table.columnDefinitions.map((/** @type {any} */ { name }) => name);
  assert.deepEqual(columns, ['Name', 'Desired', 'Available', 'Age']);
  assert.deepEqual(table.rows[0].cells, ['web', 2, 0, '0s']);
  const patched = await server.patch(path, { spec: { replicas: 5 } });
  assert.deepEqual(patched.body.spec, { replicas: 5 });
  const put = await server.ask('PUT', path, { metadata: { name: 'web' }, spec: { replicas: 0 } });
  assert.equal(put.status, 200);
  const after = /** @type {any} */ (server.store.get('deployments', 'default', 'web'));
  assert.deepEqual(after.spec, { ...created.spec, replicas: 0 });
  assert.equal(after.metadata.generation, 3);
  const stale = { metadata: { name: 'web', resourceVersion }, spec: { replicas: 1 } };
  assert.equal((await server.ask('PUT', path, stale)).status, 409);
  assert.equal((await server.patch(path, { spec: { replicas: -1 } })).status, 422);
});

test('a scale, a binding and an eviction are those of the object in the path', async () => {
  const server = new AskedServer();
  runningPod(server, 'a');
  server.store.create('replicationcontrollers', {
    metadata: { name: 'web', ...inDefault },
    spec: { selector: { app: 'x' }, template: { metadata: { labels: { app: 'x' } }, ...POD } },
  });
  const path = '/api/v1/namespaces/default/replicationcontrollers/web/scale';
  const scale = (/** @type {object} */ metadata) =>
    server.ask('PUT', path, { metadata, spec: { replicas: 9 } });
  const other = { name: 'web', namespace: 'other' };
  const cases = /** @type {[Promise<any>, number][]} */ ([
    [scale({ name: 'other' }), 400],
    [scale({}), 400],
    [scale(other), 400],
    [scale({ name: 'web', uid: 'other' }), 409],
    [evict(server, 'a', { metadata: { name: 'a', namespace: 'other' } }), 400],
    [
      server.ask('POST', `${PODS}/a/binding`, {
        metadata: { namespace: 'other' },
        target: { name: 'n' },
      }),
      400,
    ],
  ]);
  for (const [asked, status] of cases) assert.equal((await asked).status, status);
  assert.equal((await server.get(path)).spec.replicas, 1);
  assert.equal((await scale({ name: 'web' })).body.spec.replicas, 9);
});

test('the scale of a ReplicationController selects by its plain labels', async () => {
  const server = new AskedServer();
  const labels = { tier: 'a', app: 'web' };
  const template = { metadata: { labels }, spec: pod('').spec };
  const metadata = { name: 'web', ...inDefault };
  server.store.create('replicationcontrollers', { metadata, spec: { selector: labels, template } });
  const { status } = await server.get(
    '/api/v1/namespaces/default/replicationcontrollers/web/scale',
  );
  assert.deepEqual(status, { replicas: 0, selector: 'app=web,tier=a' });
});

test('the manager that scales owns the replicas; a later apply conflicts', async () => {
  const server = new AskedServer();
  const path = '/apis/apps/v1/namespaces/default/deployments/web';
  const applied = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: pod('').spec },
    },
  };
  const apply = () =>
    server.patch(`${path}?fieldManager=ci`, applied, 'application/apply-patch+yaml');
  assert.equal((await apply()).status, 201);
  const headers = {
    'Content-Type': 'application/merge-patch+json',
    'User-Agent': 'kubectl/v1.36.4',
  };
  await server.ask('PATCH', `${path}/scale`, { spec: { replicas: 5 } }, headers);
  const { metadata } = await server.get(path);
  const [ci, kubectl] = metadata.managedFields;
  assert.deepEqual([ci.manager, ci.fieldsV1['f:spec']['f:replicas']], ['ci', undefined]);
  assert.deepEqual(
    [kubectl.manager, kubectl.operation, kubectl.subresource, kubectl.fieldsV1],
    ['kubectl', 'Update', 'scale', { 'f:spec': { 'f:replicas': {} } }],
  );
  const { status, body } = await apply();
  assert.equal(status, 409);
  assert.equal(
    body.message,
    'Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using ' +
      'apps/v1: .spec.replicas',
  );
});

test('the manager that applies a scale owns the replicas', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments/web';
  const type = 'application/apply-patch+yaml';
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...inDefault },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, ...POD },
    },
  };
  const owners = (/** @type {any} */ { managedFields }) =>
    managedFields.map((/** @type {any} */ { manager, operation, subresource, fieldsV1 }) =>
      [manager, operation, subresource ?? '', 'f:replicas' in fieldsV1['f:spec']].join(' '),
    );
  for (const isApplied of [true, false]) {
    const server = new AskedServer();
    if (isApplied) await server.patch(`${path}?fieldManager=ci`, deployment, type);
    else server.store.create('deployments', deployment);
    const scale = (/** @type {number} */ replicas, query = '') =>
      server.patch(
        `${path}/scale?fieldManager=x${query}`,
        {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'web' },
          spec: { replicas },
        },
        type,
      );
    assert.equal((await scale(4)).status, 409);
    assert.equal((await scale(4, '&force=true')).status, 200);
    assert.equal((await scale(5)).body.spec.replicas, 5);
    const { metadata, spec } = await server.get(path);
    assert.equal(spec.replicas, 5);
    const first = isApplied ? 'ci Apply  false' : 'before-first-apply Update  false';
    assert.deepEqual(owners(metadata).sort(), [first, 'x Apply scale true']);
  }
});

test('the status of a pod is written with its labels, and its spec is not', async () => {
  const server = new AskedServer();
  server.store.create('pods', pod('a', {}, inDefault));
  const { body } = await server.patch(`${PODS}/a/status`, {
    metadata: { labels: { x: 'y' } },
    spec: { nodeName: 'n' },
    status: { phase: 'Running' },
  });
  assert.deepEqual([body.metadata.labels, body.spec.nodeName], [{ x: 'y' }, undefined]);
  assert.deepEqual(body.status, { phase: 'Running', qosClass: 'BestEffort' });
  assert.equal((await server.ask('GET', `${PODS}/a/status`)).body.status.phase, 'Running');
});

test('a pod is resized through its subresource alone', async () => {
  const server = new AskedServer();
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }];
  server.store.create('pods', pod('a', { containers }, inDefault));
  const patch = { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] } };
  const type = 'application/strategic-merge-patch+json';
  const refused = await server.patch(`${PODS}/a`, patch, type);
  assert.match(refused.body.message, /pod updates may not change fields other than/);
  const resized = await server.patch(`${PODS}/a/resize`, patch, type);
  assert.equal(resized.body.spec.containers[0].resources.requests.cpu, '2');
  assert.equal(resized.body.metadata.generation, 2);
});

test('a resize changes cpu and memory, and is refused where it changes more', async () => {
  const server = new AskedServer();
  const resources = { requests: { cpu: '1', 'example.org/gpu': '1' } };
  const limits = { 'example.org/gpu': '1' };
  const containers = [
    { name: 'c', image: 'i', resources: { ...resources, limits } },
    { name: 'd', image: 'i' },
  ];
  const initContainers = [
    { name: 'init', image: 'i', resources: { requests: { cpu: '1' } } },
    { name: 'sidecar', image: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
  ];
  const spec = { containers, initContainers, resources: { requests: { cpu: '3' } } };
  server.store.create('pods', pod('a', spec, inDefault));
  const whole = structuredClone((await server.ask('GET', `${PODS}/a`)).body);
  const put = (/** @type {(pod: any) => void} */ change) => {
    const sent = structuredClone(whole);
    change(sent);
    return server.ask('PUT', `${PODS}/a/resize`, sent);
  };
  const refusals = /** @type {[(pod: any) => void, string][]} */ ([
    [
      ({ spec }) => spec.containers.pop(),
      'spec.containers: Forbidden: containers may not be added',
    ],
    [({ spec }) => spec.containers.reverse(), 'spec.containers[0].name: Forbidden: containers may'],
    [
      ({ spec }) => delete spec.initContainers,
      'spec.initContainers: Forbidden: initContainers may',
    ],
    [
      ({ spec }) => (spec.initContainers[0].resources.requests.cpu = '2'),
      'spec.initContainers[0].resources: Forbidden: resources for non-sidecar init containers are',
    ],
    [
      ({ spec }) => {
        spec.containers[0].resources.requests['example.org/gpu'] = '2';
        spec.containers[0].resources.limits['example.org/gpu'] = '2';
      },
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
    [
      ({ spec }) =>
        (spec.containers[0].resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }]),
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
  ]);
  for (const [change, message] of refusals) {
    const { status, body } = await put(change);
    assert.equal(status, 422, message);
    assert.ok(body.message.includes(message), body.message);
  }
  const { status, body } = await put(({ metadata, spec }) => {
    metadata.labels = { not: 'written' };
    spec.nodeSelector = { not: 'written' };
    spec.containers[0].image = 'other';
    spec.containers[0].resources.requests.cpu = '2';
    spec.initContainers[1].resources.requests.cpu = '2';
    spec.resources.requests.cpu = '5';
  });
  assert.equal(status, 200, body.message);
  const { generation, resourceVersion } = body.metadata;
  const resized = structuredClone(whole);
  Object.assign(resized.metadata, { generation, resourceVersion });
  resized.spec.containers[0].resources.requests.cpu = '2';
  resized.spec.initContainers[1].resources.requests.cpu = '2';
  resized.spec.resources.requests.cpu = '5';
  assert.deepEqual(body, resized);
  assert.equal(generation, 2);
});
