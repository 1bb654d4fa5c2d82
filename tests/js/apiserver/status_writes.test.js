/** Tests the metadata that a write of the status changes, by each kind's strategy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RESOURCES } from '../../../js/src/kubernetes/kinds.js';
import { AskedServer, node, pod } from './asked_server.js';
import { inDefault, workload } from './workloads.js';

const template = { metadata: { labels: { app: 'web' } }, spec: pod('').spec };
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** The spec of an object of each kind with a status. @type {Record<string, object>} */
const SPECS = {
  cronjobs: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } },
  daemonsets: workload({}).spec,
  deployments: workload({}).spec,
  devicetaintrules: { taint: { key: 'a', effect: 'NoSchedule' } },
  ingresses: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  jobs: { template: jobTemplate },
  namespaces: {},
  nodes: node('web', { unschedulable: true }).spec ?? {},
  persistentvolumeclaims: claim,
  persistentvolumes: {
    ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
    hostPath: { path: '/d' },
  },
  podgroups: { schedulingPolicy: { gang: { minCount: 1 } } },
  poddisruptionbudgets: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  pods: pod('').spec,
  replicasets: workload({}).spec,
  replicationcontrollers: { selector: { app: 'web' }, template },
  resourceclaims: {},
  resourcequotas: { hard: { pods: '1' } },
  services: { ports: [{ port: 80 }] },
  statefulsets: workload({}).spec,
  volumeattachments: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } },
};

const ALL = ['labels', 'annotations', 'ownerReferences', 'finalizers'];

/** The accepted metadata of kinds that do not accept all of it. @type {Record<string, string[]>} */
const TAKEN = {
  deployments: ['annotations', 'ownerReferences', 'finalizers'],
  devicetaintrules: [],
  podgroups: [],
  pods: ['labels', 'annotations', 'finalizers'],
  resourceclaims: [],
  volumeattachments: [],
};

const GIVEN = {
  labels: { given: 'yes' },
  annotations: { given: 'yes' },
  ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
  finalizers: ['example.org/given'],
};

const RESOURCES_WITH_STATUS = RESOURCES.filter(({ subresources }) =>
  subresources.some(({ name }) => name === 'status'),
);

/** @param {(typeof RESOURCES)[number]} resource */
function worldWith({ plural, group, apiVersion, namespaced }) {
  const server = new AskedServer();
  server.store.create(plural, {
    metadata: { name: 'web', ...(namespaced && inDefault), labels: { first: 'yes' } },
    spec: SPECS[plural],
  });
  const root = group === '' ? '/api/v1' : `/apis/${apiVersion}`;
  return { server, path: `${root}${namespaced ? '/namespaces/default' : ''}/${plural}/web` };
}

/** @param {any} metadata @param {string[]} names */
function picked(metadata, names) {
  return Object.fromEntries(names.map((name) => [name, metadata[name]]));
}

for (const resource of RESOURCES_WITH_STATUS) {
  const { plural } = resource;
  const taken = TAKEN[plural] ?? ALL;
  const left = ALL.filter((name) => !taken.includes(name));

  const what = taken.join(', ') || 'no metadata';

  test(`a write of the status of ${plural} takes ${what}`, async () => {
    const { server, path } = worldWith(resource);
    const before = await server.get(path);
    const patch = await server.patch(`${path}/status`, { metadata: GIVEN, spec: null });
    assert.equal(patch.status, 200, JSON.stringify(patch.body));
    const labels = { ...before.metadata.labels, ...GIVEN.labels };
    assert.deepEqual(picked(patch.body.metadata, taken), picked({ ...GIVEN, labels }, taken));
    assert.deepEqual(picked(patch.body.metadata, left), picked(before.metadata, left));
    assert.deepEqual(patch.body.spec, before.spec);
    assert.equal(patch.body.metadata.generation, before.metadata.generation);
    assert.deepEqual(await server.get(path), patch.body);

    const { annotations: _, ...metadata } = patch.body.metadata;
    const put = await server.ask('PUT', `${path}/status`, {
      ...patch.body,
      metadata: { ...metadata, labels: { put: 'yes' } },
    });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    assert.equal(put.body.metadata.labels?.put, taken.includes('labels') ? 'yes' : undefined);
    assert.equal('given' in (put.body.metadata.labels ?? {}), false);
    assert.equal(put.body.metadata.annotations, undefined);
  });

  test(`the writer of the status of ${plural} owns the metadata that it set`, async () => {
    const { server, path } = worldWith(resource);
    const { apiVersion, kind } = resource;
    const apply = { apiVersion, kind, metadata: { name: 'web', annotations: { applied: 'yes' } } };
    await server.patch(`${path}?fieldManager=first`, apply, 'application/apply-patch+yaml');
    const { labels, annotations } = GIVEN;
    const patch = { metadata: { labels, annotations } };
    const { body } = await server.patch(`${path}/status?fieldManager=status`, patch);
    const entries = body.metadata.managedFields.filter(
      (/** @type {any} */ { subresource }) => subresource === 'status',
    );
    const owned = Object.keys(entries[0]?.fieldsV1['f:metadata'] ?? {});
    const want = ['annotations', 'labels'].filter((name) => taken.includes(name));
    assert.deepEqual(
      owned.sort(),
      want.map((name) => `f:${name}`),
    );
  });
}

test('metadata in a write of the status is validated', async () => {
  const { server, path } = worldWith(RESOURCES_WITH_STATUS[0]);
  const { status, body } = await server.patch(`${path}/status`, {
    metadata: { labels: { 'not a label': '' } },
  });
  assert.equal(status, 422);
  assert.match(body.message, /metadata\.labels: Invalid value: "not a label"/);
});

test('a write of the status that drops the last finalizer ends a deletion', async () => {
  const resource = RESOURCES_WITH_STATUS.find(({ plural }) => plural === 'replicasets');
  assert.ok(resource);
  const { server, path } = worldWith(resource);
  await server.patch(path, { metadata: { finalizers: ['example.org/x'] } });
  await server.ask('DELETE', path);
  const { body } = await server.patch(`${path}/status`, { metadata: { finalizers: null } });
  assert.equal(body.metadata.finalizers, undefined);
  assert.equal((await server.ask('GET', path)).status, 404);
});

test('the finalize request of a namespace takes metadata too', async () => {
  const { server, path } = worldWith(
    /** @type {any} */ (RESOURCES.find(({ plural }) => plural === 'namespaces')),
  );
  const namespace = await server.get(path);
  const labels = { ...namespace.metadata.labels, given: 'yes' };
  const { body } = await server.ask('PUT', `${path}/finalize`, {
    ...namespace,
    metadata: { ...namespace.metadata, labels },
    status: { phase: 'Terminating' },
  });
  assert.deepEqual(body.metadata.labels, labels);
  assert.deepEqual(body.status, namespace.status);
});
