import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deepFreeze } from '../../../../js/apiserver/frozen.js';
import {
  applyConfiguration,
  withManagedFields,
} from '../../../../js/apiserver/managed_fields/field_manager.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };
const POD = { apiVersion: 'v1', kind: 'Pod' };

/** @param {object} spec @param {object} [metadata] */
const deployment = (spec, metadata) => ({
  ...DEPLOYMENT,
  metadata: { name: 'web', namespace: 'default', ...metadata },
  spec,
});

/** @param {any} live @param {any} config @param {string} fieldManager @param {object} [options] */
function applied(live, config, fieldManager, options) {
  const { apiVersion, kind } = config;
  const rest = {
    resource: { apiVersion, kind },
    fieldManager,
    force: false,
    now: NOON,
    ...options,
  };
  return applyConfiguration({ live: deepFreeze(live), config: deepFreeze(config), ...rest });
}

/** @param {any} live @param {any} object @param {string} fieldManager @param {object} [options] */
function updated(live, object, fieldManager, options) {
  const { apiVersion, kind } = object;
  const rest = { resource: { apiVersion, kind }, fieldManager, now: NOON, ...options };
  return withManagedFields({ live: deepFreeze(live), object: deepFreeze(object), ...rest });
}

/** @param {any} object @returns {Record<string, any>} sets by manager and operation */
function ownersOf({ metadata: { managedFields = [] } }) {
  return Object.fromEntries(
    managedFields.map((/** @type {any} */ entry) => [
      `${entry.manager} ${entry.operation}`,
      entry.fieldsV1,
    ]),
  );
}

/** @param {any} object */
function bare({ metadata: { managedFields: _, ...metadata }, ...object }) {
  return { ...object, metadata };
}

const replicas = (/** @type {number} */ count) => deployment({ replicas: count });

test('the creating manager owns all fields except those of the identity', () => {
  const object = deployment(
    { replicas: 1, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
    { labels: { app: 'web' }, uid: 'u', resourceVersion: '1' },
  );
  const { metadata } = updated(null, object, 'kubectl-create');
  assert.deepEqual(metadata.managedFields, [
    {
      manager: 'kubectl-create',
      operation: 'Update',
      apiVersion: 'apps/v1',
      time: '2026-01-01T12:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
        'f:spec': {
          'f:replicas': {},
          'f:template': {
            'f:spec': {
              'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
            },
          },
        },
      },
    },
  ]);
});

test('the updating manager owns changed fields, and removed fields have no owner', () => {
  const first = updated(null, deployment({ replicas: 1, paused: true, minReadySeconds: 1 }), 'one');
  const later = NOON + 60_000;
  const second = updated(first, deployment({ replicas: 2, minReadySeconds: 1 }), 'two', {
    now: later,
  });
  assert.deepEqual(ownersOf(second), {
    'one Update': { 'f:spec': { 'f:minReadySeconds': {} } },
    'two Update': { 'f:spec': { 'f:replicas': {} } },
  });
  const [one, two] = second.metadata.managedFields;
  assert.deepEqual([one.time, two.time], ['2026-01-01T12:00:00Z', '2026-01-01T12:01:00Z']);
});

test('an update that changes nothing changes no entry', () => {
  const first = updated(null, replicas(1), 'one');
  const again = updated(first, bare(first), 'two', { now: NOON + 60_000 });
  assert.deepEqual(again.metadata.managedFields, first.metadata.managedFields);
});

test('only a status request owns the status', () => {
  const object = { ...replicas(1), status: { replicas: 1 } };
  const first = updated(null, object, 'one');
  assert.deepEqual(ownersOf(first), { 'one Update': { 'f:spec': { 'f:replicas': {} } } });
  const next = { ...bare(first), status: { replicas: 2 }, spec: { replicas: 5 } };
  const second = updated(first, next, 'controller', { subresource: 'status' });
  const entry = second.metadata.managedFields.find(
    (/** @type {any} */ one) => one.manager === 'controller',
  );
  assert.equal(entry.subresource, 'status');
  assert.deepEqual(entry.fieldsV1, { 'f:status': { 'f:replicas': {} } });
  assert.deepEqual(ownersOf(second)['one Update'], { 'f:spec': { 'f:replicas': {} } });
});

test('managedFields can be reset, survive unaware clients, and do not begin later', () => {
  const first = updated(null, replicas(1), 'one');
  const reset = updated(first, deployment({ replicas: 1 }, { managedFields: [] }), 'two');
  assert.equal(reset.metadata.managedFields, undefined);
  const unknown = deployment(
    { replicas: 1 },
    { managedFields: [{ manager: 'x', operation: 'Other' }] },
  );
  assert.deepEqual(
    updated(first, unknown, 'two').metadata.managedFields,
    first.metadata.managedFields,
  );
  const untracked = updated(replicas(1), replicas(2), 'two');
  assert.equal(untracked.metadata.managedFields, undefined);
});

test('the eleventh updating manager merges the oldest two', () => {
  let object = updated(null, deployment({}, { labels: { l0: '0' } }), 'm0');
  for (let at = 1; at <= 11; at += 1) {
    const labels = { ...object.metadata.labels, [`l${at}`]: 'x' };
    object = updated(object, deployment({}, { labels }), `m${at}`, { now: NOON + at * 1000 });
  }
  const owners = ownersOf(object);
  assert.equal(Object.keys(owners).length, 10);
  assert.deepEqual(owners['ancient-changes Update'], {
    'f:metadata': { 'f:labels': { '.': {}, 'f:l0': {}, 'f:l1': {}, 'f:l2': {} } },
  });
});

test('applying creates, changes, and removes what is no longer applied', () => {
  const first = applied(null, deployment({ replicas: 1, paused: true }), 'ci');
  assert.deepEqual(bare(first), deployment({ replicas: 1, paused: true }));
  assert.deepEqual(ownersOf(first), {
    'ci Apply': { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } },
  });
  const second = applied(first, replicas(2), 'ci', { now: NOON + 1000 });
  assert.deepEqual(bare(second), replicas(2));
  assert.deepEqual(ownersOf(second), { 'ci Apply': { 'f:spec': { 'f:replicas': {} } } });
  assert.equal(second.metadata.managedFields[0].time, '2026-01-01T12:00:01Z');
});

test('applying an unchanged configuration changes nothing, not even the time', () => {
  const first = applied(null, replicas(1), 'ci');
  assert.deepEqual(applied(first, replicas(1), 'ci', { now: NOON + 1000 }), first);
});

test('fields that another manager applies or has set stay', () => {
  const labels = (/** @type {Record<string, string>} */ map) => deployment({}, { labels: map });
  const one = applied(null, labels({ a: '1', b: '1' }), 'one');
  const two = applied(one, labels({ b: '1', c: '1' }), 'two');
  const less = applied(two, labels({ a: '1' }), 'one');
  assert.deepEqual(less.metadata.labels, { a: '1', b: '1', c: '1' });
  assert.deepEqual(applied(less, labels({}), 'one').metadata.labels, { b: '1', c: '1' });
  const patched = {
    ...bare(one),
    metadata: { ...bare(one).metadata, labels: { a: '1', b: '1', d: '1' } },
  };
  const updatedByOther = updated(one, patched, 'other');
  assert.deepEqual(applied(updatedByOther, labels({ a: '1' }), 'one').metadata.labels, {
    a: '1',
    d: '1',
  });
});

test('elements of lists are applied by their keys', () => {
  const containers = (/** @type {object[]} */ ...list) => ({
    ...POD,
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: list },
  });
  const web = (/** @type {object} */ fields) => ({ name: 'web', ...fields });
  const first = applied(
    null,
    containers(web({ image: '1', ports: [{ containerPort: 80 }] })),
    'one',
  );
  assert.deepEqual(ownersOf(first)['one Apply']['f:spec']['f:containers'], {
    'k:{"name":"web"}': {
      '.': {},
      'f:image': {},
      'f:name': {},
      'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
    },
  });
  const sidecar = applied(first, containers({ name: 'side', image: '2' }), 'two');
  assert.deepEqual(
    sidecar.spec.containers.map((/** @type {any} */ c) => c.name),
    ['web', 'side'],
  );
  const defaulted = structuredClone(sidecar);
  defaulted.spec.containers[0].ports[0].protocol = 'TCP';
  const more = applied(
    defaulted,
    containers(web({ image: '1', ports: [{ containerPort: 443 }] })),
    'one',
  );
  assert.deepEqual(more.spec.containers[0].ports, [{ containerPort: 443 }]);
  const gone = applied(more, containers(), 'two');
  assert.deepEqual(
    gone.spec.containers.map((/** @type {any} */ c) => c.name),
    ['web'],
  );
});

test('applied lists take the applied order; other elements keep their place', () => {
  const pod = (/** @type {string[]} */ ...names) => ({
    ...POD,
    metadata: { name: 'p' },
    spec: { containers: names.map((name) => ({ name })) },
  });
  const cases = [
    { live: ['a', 'b'], config: ['b', 'a'], want: ['b', 'a'] },
    { live: ['x', 'a', 'b'], config: ['a', 'n', 'b'], want: ['x', 'a', 'n', 'b'] },
    { live: ['a', 'x', 'b'], config: ['b', 'a'], want: ['x', 'b', 'a'] },
    { live: ['a', 'x'], config: ['n', 'a'], want: ['n', 'a', 'x'] },
    { live: [], config: ['a'], want: ['a'] },
  ];
  for (const { live, config, want } of cases) {
    const first = updated(null, pod(...live), 'other');
    const { spec } = applied(first, pod(...config), 'one');
    const got = spec.containers.map((/** @type {any} */ container) => container.name);
    assert.deepEqual(got, want, JSON.stringify([live, config]));
  }
});

test('a different value is a conflict, in the server’s words; force takes it', () => {
  const first = updated(null, replicas(3), 'kubectl-scale');
  assert.throws(
    () => applied(first, replicas(1), 'ci'),
    (/** @type {any} */ error) => {
      assert.deepEqual(error.toStatus(), {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'Apply failed with 1 conflict: conflict with "kubectl-scale" using apps/v1: ' +
          '.spec.replicas',
        reason: 'Conflict',
        details: {
          causes: [
            {
              reason: 'FieldManagerConflict',
              message: 'conflict with "kubectl-scale" using apps/v1',
              field: '.spec.replicas',
            },
          ],
        },
        code: 409,
      });
      return true;
    },
  );
  const forced = applied(first, replicas(1), 'ci', { force: true });
  assert.equal(forced.spec.replicas, 1);
  assert.deepEqual(ownersOf(forced), { 'ci Apply': { 'f:spec': { 'f:replicas': {} } } });
  const shared = applied(first, replicas(3), 'ci');
  assert.deepEqual(Object.keys(ownersOf(shared)), ['ci Apply', 'kubectl-scale Update']);
});

test('several conflicts are listed by manager', () => {
  const one = applied(null, deployment({ replicas: 1, paused: true }), 'one');
  const status = { ...bare(one), status: { replicas: 1 } };
  const two = updated(one, status, 'two', { subresource: 'status' });
  const config = { ...deployment({ replicas: 2, paused: false }) };
  assert.throws(() => applied(two, config, 'three'), {
    status: 409,
    message:
      'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.paused\n- .spec.replicas',
  });
  const own = { ...deployment({}), status: { replicas: 7 } };
  assert.throws(() => applied(two, own, 'three', { subresource: 'status' }), {
    message:
      'Apply failed with 1 conflict: conflict with "two" with subresource "status" using ' +
      'apps/v1: .status.replicas',
  });
});

test('fields without a known owner belong to "before-first-apply"', () => {
  const live = deployment({ replicas: 3 }, { uid: 'u' });
  assert.throws(() => applied(live, replicas(1), 'ci'), {
    message:
      'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: ' +
      '.spec.replicas',
  });
});

test('kubectl takes over fields of client-side apply, and keeps its annotation up to date', () => {
  const name = 'kubectl.kubernetes.io/last-applied-configuration';
  const last = JSON.stringify(deployment({ replicas: 1 }));
  const metadata = { annotations: { [name]: last } };
  const first = updated(
    null,
    deployment({ replicas: 1, paused: true }, metadata),
    'kubectl-client-side-apply',
  );
  const taken = applied(first, replicas(2), 'kubectl');
  assert.equal(taken.spec.replicas, 2);
  assert.deepEqual(JSON.parse(taken.metadata.annotations[name]), replicas(2));
  assert.throws(() => applied(first, deployment({ replicas: 2, paused: false }), 'kubectl'), {
    message: /^Apply failed with 1 conflict: .*: \.spec\.paused$/,
  });
  assert.throws(() => applied(first, replicas(2), 'other'), { status: 409 });
});

test('a configuration that is not of its type is refused', () => {
  const cases = [
    {
      config: deployment({ replicas: '1' }),
      status: 500,
      message:
        'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ' +
        '.spec.replicas: expected numeric (int or float), got string',
    },
    {
      config: deployment({ replica: 1 }),
      status: 500,
      message:
        'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ' +
        '.spec.replica: field not declared in schema',
    },
    {
      config: deployment({ template: { spec: { containers: [{ name: 'a' }, { name: 'a' }] } } }),
      status: 500,
      message:
        'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ' +
        '.spec.template.spec.containers: duplicate entries for key [name="a"]',
    },
    {
      config: deployment({ template: { spec: { containers: [{ image: 'a' }] } } }),
      status: 500,
      message: /containers: element 0: associative list .* omits all key fields \["name"\]/,
    },
    {
      config: deployment({ paused: 'yes', replicas: true }),
      status: 500,
      message:
        /: errors:\n {2}\.spec\.paused: expected boolean, got &\{yes\}\n {2}\.spec\.replicas: /,
    },
    {
      config: deployment({}, { managedFields: [] }),
      status: 400,
      message: 'metadata.managedFields must be nil',
    },
  ];
  for (const { config, status, message } of cases) {
    assert.throws(() => applied(null, config, 'ci'), { status, message }, JSON.stringify(config));
  }
  const options = { fieldManager: 'ci', force: false, now: NOON };
  const other = { live: null, config: { ...POD, metadata: {} }, resource: DEPLOYMENT, ...options };
  assert.throws(() => applyConfiguration(other), {
    status: 400,
    message: 'invalid object type: /v1, Kind=Pod',
  });
});

test('every list of a kind without a type is one value', () => {
  const crd = (/** @type {object} */ spec) => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 't' },
    spec,
  });
  const first = applied(null, crd({ list: [{ name: 'a' }], map: { x: 1, y: { z: 1 } } }), 'one');
  assert.deepEqual(ownersOf(first)['one Apply']['f:spec'], {
    '.': {},
    'f:list': {},
    'f:map': { '.': {}, 'f:x': {}, 'f:y': { '.': {}, 'f:z': {} } },
  });
  const second = applied(first, crd({ list: [{ name: 'b' }] }), 'one');
  assert.deepEqual(second.spec, { list: [{ name: 'b' }] });
});
