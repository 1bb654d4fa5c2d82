import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, node, pod } from './asked_server.js';

const inDefault = { namespace: 'default' };

/** @param {object} [options] */
const storeOf = (options) => new AskedServer(options).store;

test('create sets the fields of the server and drops those that clients may not set', () => {
  const store = storeOf();
  const created = store.create('pods', {
    ...pod('web', {}, { ...inDefault, uid: 'mine', generation: 7, creationTimestamp: null }),
    status: { phase: 'Running' },
  });
  const { uid, ...metadata } = created.metadata;
  assert.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(metadata, {
    name: 'web',
    namespace: 'default',
    generation: 1,
    creationTimestamp: '2026-11-21T03:28:30Z',
    resourceVersion: '8',
  });
  assert.deepEqual(created.status, { phase: 'Pending', qosClass: 'BestEffort' });
  assert.throws(() => store.create('pods', created), {
    status: 500,
    message: 'resourceVersion should not be set on objects to be created',
  });
  assert.throws(() => store.create('pods', pod('web', {}, inDefault)), {
    code: 'AlreadyExists',
    message: 'pods "web" already exists',
  });
});

test('generateName retries names in use', () => {
  let draws = 0;
  // Each character of a name is one draw; after the first name all draws of the second are equal.
  const random = () => (draws++ % 50 < 25 ? 0 : 0.5);
  const store = storeOf({ random });
  const names = [1, 2, 3].map(
    () =>
      store.create('pods', pod('', {}, { ...inDefault, name: '', generateName: 'web-' })).metadata,
  );
  assert.equal(new Set(names.map(({ name }) => name)).size, 3);
  for (const { name, generateName } of names) {
    assert.match(name, /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    assert.equal(generateName, 'web-');
  }
  const stuck = storeOf({ random: () => 0 });
  const generated = pod('', {}, { ...inDefault, name: '', generateName: 'web-' });
  stuck.create('pods', generated);
  assert.throws(() => stuck.create('pods', generated), {
    code: 'AlreadyExists',
    retryAfterSeconds: 1,
    message: /was not able to generate a unique name for the object$/,
  });
});

test('create is refused in a missing or terminating namespace', () => {
  const store = storeOf();
  assert.throws(() => store.create('pods', pod('web', {}, { namespace: 'team' })), {
    status: 404,
    message: 'namespaces "team" not found',
  });
  store.create('namespaces', { metadata: { name: 'team' } });
  store.delete('namespaces', '', 'team');
  const { metadata, status } = /** @type {any} */ (store.get('namespaces', '', 'team'));
  assert.equal(status.phase, 'Terminating');
  assert.equal(metadata.deletionTimestamp, '2026-11-21T03:28:30Z');
  assert.throws(() => store.create('pods', pod('web', {}, { namespace: 'team' })), {
    code: 'Forbidden',
    message:
      'pods "web" is forbidden: unable to create new content in namespace team because it is ' +
      'being terminated',
    details: {
      name: 'web',
      kind: 'pods',
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: 'namespace team is being terminated',
          field: 'metadata.namespace',
        },
      ],
    },
  });
  const namespace = /** @type {any} */ (store.get('namespaces', '', 'team'));
  store.update('namespaces', { ...namespace, spec: {} }, { subresource: 'finalize' });
  assert.equal(store.get('namespaces', '', 'team'), undefined);
});

test('update requires the stated resourceVersion, if there is one', () => {
  const store = storeOf();
  const first = store.create('nodes', node('a'));
  const second = store.update('nodes', { ...first, spec: { unschedulable: true } });
  assert.throws(() => store.update('nodes', { ...first, spec: {} }), {
    code: 'Conflict',
    message: /^Operation cannot be fulfilled on nodes "a": the object has been modified/,
  });
  const { resourceVersion: _, ...metadata } = second.metadata;
  const third = store.update('nodes', { ...second, metadata, spec: {} });
  assert.ok(Number(third.metadata.resourceVersion) > Number(second.metadata.resourceVersion));
  assert.equal(store.update('nodes', third), third);
  // Clients replace any version with `0`; an unchanged object keeps its version.
  const unversioned = { ...third, metadata: { ...third.metadata, resourceVersion: '0' } };
  assert.equal(store.update('nodes', unversioned), third);
  const status = { ...unversioned, status: { capacity: { cpu: '4' } } };
  const reported = store.update('nodes', status, { subresource: 'status' });
  assert.deepEqual(reported.status.capacity, { cpu: '4' });
  assert.notEqual(reported.metadata.resourceVersion, '0');
  assert.throws(
    () => store.update('nodes', { ...third, metadata: { ...metadata, uid: 'other' } }),
    {
      code: 'Conflict',
      message: /UID in precondition: other, UID in object meta: /,
    },
  );
  assert.throws(() => store.update('nodes', node('b')), { code: 'NotFound' });
});

test('update creates a Lease, and changes it only with its resourceVersion', () => {
  const store = storeOf();
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'a', namespace: 'kube-system' },
    spec: { holderIdentity: 'x' },
  };
  const created = store.update('leases', lease);
  assert.equal(created.spec.holderIdentity, 'x');
  for (const resourceVersion of [undefined, '0']) {
    const metadata = { ...lease.metadata, resourceVersion };
    assert.throws(() => store.update('leases', { ...lease, metadata }), {
      code: 'Invalid',
      message:
        'Lease.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: ' +
        'must be specified for an update',
    });
  }
});

test('status and spec are written separately, and only the spec increases the generation', () => {
  const store = storeOf();
  const created = store.create('deployments', {
    metadata: { name: 'web', ...inDefault },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
    },
  });
  const changed = { ...created, spec: { ...created.spec, replicas: 3 }, status: { replicas: 9 } };
  const scaled = store.update('deployments', changed);
  assert.deepEqual([scaled.spec.replicas, scaled.status.replicas], [3, undefined]);
  assert.equal(scaled.metadata.generation, 2);
  const told = store.update(
    'deployments',
    { ...scaled, spec: { ...scaled.spec, replicas: 5 }, status: { replicas: 3 } },
    { subresource: 'status' },
  );
  assert.deepEqual([told.spec.replicas, told.status.replicas], [3, 3]);
  assert.equal(told.metadata.generation, 2);
});

test('a running pod is deleted after its grace period, another at once', () => {
  const store = storeOf({ gracefulDeletion: true });
  store.create('pods', pod('waits', {}, inDefault));
  store.create(
    'pods',
    pod('runs', { nodeName: 'n', terminationGracePeriodSeconds: 10 }, inDefault),
  );
  store.create('pods', pod('done', { nodeName: 'n' }, inDefault));
  const done = /** @type {any} */ (store.get('pods', 'default', 'done'));
  store.update('pods', { ...done, status: { phase: 'Succeeded' } }, { subresource: 'status' });
  assert.equal(store.delete('pods', 'default', 'waits').isDeleted, true);
  assert.equal(store.delete('pods', 'default', 'done').isDeleted, true);
  const { object, isDeleted } = store.delete('pods', 'default', 'runs');
  assert.equal(isDeleted, false);
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = object.metadata;
  assert.deepEqual(
    [deletionTimestamp, deletionGracePeriodSeconds, generation],
    ['2026-11-21T03:28:40Z', 10, 2],
  );
  // The grace period can only be shortened.
  assert.equal(store.delete('pods', 'default', 'runs', { gracePeriodSeconds: 60 }).object, object);
  const sooner = store.delete('pods', 'default', 'runs', { gracePeriodSeconds: 3 });
  assert.equal(sooner.object.metadata.deletionTimestamp, '2026-11-21T03:28:33Z');
  assert.equal(store.delete('pods', 'default', 'runs', { gracePeriodSeconds: 0 }).isDeleted, true);
  assert.throws(() => store.delete('pods', 'default', 'runs'), { code: 'NotFound' });
  const atOnce = storeOf();
  atOnce.create('pods', pod('runs', { nodeName: 'n' }, inDefault));
  assert.equal(atOnce.delete('pods', 'default', 'runs').isDeleted, true);
});

test('a deletion is shortened from its first request on, and lasts a second at least', async () => {
  const { store, clock } = new AskedServer({ gracefulDeletion: true });
  for (const name of ['a', 'b']) store.create('pods', pod(name, { nodeName: 'n' }, inDefault));
  store.delete('pods', 'default', 'a', { gracePeriodSeconds: 100 });
  await clock.advance(3000);
  const { object } = store.delete('pods', 'default', 'a', { gracePeriodSeconds: 50 });
  assert.equal(object.metadata.deletionTimestamp, '2026-11-21T03:29:20Z');
  for (const name of ['a', 'b']) {
    const last = store.delete('pods', 'default', name, { gracePeriodSeconds: -1 });
    assert.equal(last.isDeleted, false);
    assert.equal(last.object.metadata.deletionGracePeriodSeconds, 1);
  }
});

test('an object is removed with its last finalizer', () => {
  const store = storeOf();
  const held = store.create('configmaps', {
    metadata: { name: 'held', ...inDefault, finalizers: ['example.org/a', 'example.org/b'] },
  });
  assert.equal(store.delete('configmaps', 'default', 'held').isDeleted, false);
  const marked = /** @type {any} */ (store.get('configmaps', 'default', 'held'));
  assert.equal(marked.metadata.deletionGracePeriodSeconds, 0);
  const withFinalizers = (/** @type {any} */ object, /** @type {string[]} */ ...finalizers) => ({
    ...object,
    metadata: { ...object.metadata, finalizers },
  });
  assert.throws(() => store.update('configmaps', withFinalizers(marked, 'example.org/c')), {
    code: 'Invalid',
    message:
      /metadata.finalizers: Forbidden: no new finalizers can be added if the object is being/,
  });
  const half = store.update('configmaps', withFinalizers(marked, 'example.org/b'));
  assert.deepEqual(half.metadata.finalizers, ['example.org/b']);
  const last = store.update('configmaps', withFinalizers(half));
  assert.equal(store.get('configmaps', 'default', 'held'), undefined);
  assert.equal(last.metadata.uid, held.metadata.uid);
});

test('propagationPolicy becomes a finalizer for the garbage collector', () => {
  const finalizersOf = (/** @type {any} */ options) => {
    const store = storeOf();
    store.create('configmaps', { metadata: { name: 'a', ...inDefault } });
    return store.delete('configmaps', 'default', 'a', options).object.metadata.finalizers;
  };
  assert.deepEqual(finalizersOf({ propagationPolicy: 'Orphan' }), ['orphan']);
  assert.deepEqual(finalizersOf({ propagationPolicy: 'Foreground' }), ['foregroundDeletion']);
  assert.equal(finalizersOf({}), undefined);
  const store = storeOf();
  store.create('replicationcontrollers', {
    metadata: { name: 'a', ...inDefault },
    spec: {
      template: { metadata: { labels: { app: 'a' } }, spec: pod('').spec },
    },
  });
  const { object } = store.delete('replicationcontrollers', 'default', 'a');
  assert.deepEqual(object.metadata.finalizers, ['orphan']);
});

test('preconditions are checked', () => {
  const store = storeOf();
  const { metadata } = store.create('configmaps', { metadata: { name: 'a', ...inDefault } });
  const remove = (/** @type {object} */ preconditions) =>
    store.delete('configmaps', 'default', 'a', { preconditions });
  assert.throws(() => remove({ uid: 'other' }), { code: 'Conflict' });
  assert.throws(() => remove({ resourceVersion: '1' }), {
    message: /ResourceVersion in precondition: 1, ResourceVersion in object meta: 8$/,
  });
  const { uid, resourceVersion } = metadata;
  assert.equal(remove({ uid, resourceVersion }).isDeleted, true);
});

test('a dry run returns the result and stores nothing', () => {
  const store = storeOf();
  const dryRun = { dryRun: true };
  assert.equal(store.create('nodes', node('a'), dryRun).metadata.name, 'a');
  assert.equal(store.get('nodes', '', 'a'), undefined);
  const real = store.create('nodes', node('a'));
  const next = store.update('nodes', { ...real, spec: { unschedulable: true } }, dryRun);
  assert.equal(next.spec.unschedulable, true);
  store.delete('nodes', '', 'a', dryRun);
  store.create('pods', pod('p', {}, inDefault));
  store.bind('default', 'p', { target: { name: 'a' } }, dryRun);
  assert.equal(store.get('nodes', '', 'a'), real);
  assert.equal(store.get('pods', 'default', 'p')?.spec.nodeName, undefined);
});

test('a listener may write while a pod is deleted', () => {
  const store = storeOf();
  store.create('pods', pod('p', {}, inDefault));
  store.subscribe('pods', ({ type }) => {
    if (type === 'MODIFIED') store.delete('pods', 'default', 'p');
  });
  assert.equal(store.delete('pods', 'default', 'p').isDeleted, true);
  assert.equal(store.get('pods', 'default', 'p'), undefined);
});
