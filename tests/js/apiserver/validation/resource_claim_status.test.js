/** Tests writes of the status of claims and taint rules: the refusals, and what is kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { allocated, claim, request, result, taintRule } from '../devices.js';
import { faultsOf } from './refusals.js';

const FINALIZER = 'resource.kubernetes.io/delete-protection';
const SHARE = '11111111-2222-3333-4444-555555555555';

/** A claim of a server, and writes of its status. */
class StoredClaim {
  store = new AskedServer().store;

  /** @param {object} [devices] of the spec */
  constructor(devices) {
    this.store.create('resourceclaims', claim(devices, { finalizers: [FINALIZER] }));
  }

  get object() {
    return /** @type {any} */ (this.store.get('resourceclaims', 'default', 'c'));
  }

  /** @param {object} status */
  write(status) {
    const next = { ...this.object, status };
    return this.store.update('resourceclaims', next, { subresource: 'status' });
  }

  /** @param {object} status */
  faults(status) {
    return faultsOf(() => this.write(status));
  }
}

const consumer = (/** @type {string} */ name) => ({ resource: 'pods', name, uid: `uid-${name}` });

test('results name requests of the claim, drivers, pools and devices', () => {
  const at = 'status.allocation.devices.results[0]';
  for (const [fields, want] of /** @type {[object, string[]][]} */ ([
    [{}, []],
    [{ shareID: SHARE, consumedCapacity: { memory: '1Gi' }, adminAccess: false }, []],
    [
      { request: 'other' },
      [
        `${at}.request: Invalid value: "other": must be the name of a request in the claim or ` +
          "the name of a request and a subrequest separated by '/'",
      ],
    ],
    [
      { driver: '', pool: '', shareID: 'x' },
      [
        `${at}.driver: Required value`,
        `${at}.pool: Required value`,
        `${at}.shareID: Invalid value: "x": uid must be in RFC 4122 normalized form, ` +
          '`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters',
      ],
    ],
    [
      { bindingConditions: ['ready'] },
      [
        `${at}.bindingFailureConditions: Invalid value: []: bindingFailureConditions are ` +
          'required to use bindingConditions',
      ],
    ],
    [
      { adminAccess: true },
      [
        `${at}.adminAccess: Forbidden: admin access to devices requires the ` +
          '`resource.kubernetes.io/admin-access: true` label on the containing namespace',
      ],
    ],
  ]))
    assert.deepEqual(new StoredClaim().faults(allocated(fields)), want);
  const subrequest = {
    requests: [{ name: 'a', firstAvailable: [{ name: 'b', deviceClassName: 'c' }] }],
  };
  assert.deepEqual(new StoredClaim(subrequest).faults(allocated({ request: 'a/b' })), []);
  const opaque = { driver: 'gpu.example.com', parameters: {} };
  const config = [{ source: 'FromClass', opaque }, { source: 'Else' }];
  const { devices } = allocated().allocation;
  assert.deepEqual(
    new StoredClaim().faults({
      allocation: { devices: { ...devices, config }, nodeSelector: { nodeSelectorTerms: [] } },
    }),
    [
      'status.allocation.devices.config[1].source: Unsupported value: "Else": supported values: ' +
        '"FromClaim", "FromClass"',
      'status.allocation.devices.config[1].opaque: Required value',
      'status.allocation.nodeSelector.nodeSelectorTerms: Required value: must have at least one ' +
        'node selector term',
    ],
  );
});

test('tolerations of results get their operator', () => {
  const stored = new StoredClaim().write(allocated({ tolerations: [{ key: 'a' }] }));
  const [{ tolerations }] = stored.status.allocation.devices.results;
  assert.deepEqual(tolerations, [{ key: 'a', operator: 'Equal' }]);
});

test('an allocation changes only by its removal', () => {
  const stored = new StoredClaim();
  stored.write(allocated());
  const [fault] = stored.faults(allocated({ device: 'gpu-1' }));
  assert.match(fault, /^status\.allocation: Invalid value: .*"gpu-1".*: field is immutable$/);
  assert.deepEqual(stored.write({}).status, {});
  assert.deepEqual(stored.faults(allocated({ device: 'gpu-1' })), []);
});

test('reservations are of allocated claims, and of different consumers', () => {
  const stored = new StoredClaim();
  const reservedFor = [consumer('a'), consumer('b')];
  assert.deepEqual(stored.faults({ reservedFor }), [
    'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
  ]);
  assert.deepEqual(
    stored.faults({ ...allocated(), reservedFor: [...reservedFor, reservedFor[0]] }),
    ['status.reservedFor[2]: Duplicate value: "uid-a"'],
  );
  assert.deepEqual(stored.faults({ ...allocated(), reservedFor: [{}] }), [
    'status.reservedFor[0].resource: Required value',
    'status.reservedFor[0].name: Required value',
    'status.reservedFor[0].uid: Required value',
  ]);
  const many = Array.from({ length: 257 }, (_, index) => consumer(`p${index}`));
  assert.deepEqual(stored.faults({ ...allocated(), reservedFor: many }), [
    'status.reservedFor: Too many: 257: must have at most 256 items',
  ]);
  stored.write({ ...allocated(), reservedFor: [reservedFor[0]] });
  stored.store.delete('resourceclaims', 'default', 'c');
  assert.deepEqual(stored.faults({ ...allocated(), reservedFor }), [
    'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` ' +
      'or `deletionTimestamp` are set',
  ]);
  assert.deepEqual(stored.faults(allocated()), []);
});

test('a consumer is removed by its uid, with a strategic merge patch', async () => {
  const server = new AskedServer();
  server.store.create('resourceclaims', claim());
  const stored = /** @type {any} */ (server.store.get('resourceclaims', 'default', 'c'));
  const reservedFor = [consumer('a'), consumer('b')];
  const next = { ...stored, status: { ...allocated(), reservedFor } };
  server.store.update('resourceclaims', next, { subresource: 'status' });
  const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status';
  /** @param {string} uid */
  const unreserve = (uid) =>
    server.patch(
      path,
      { metadata: { uid }, status: { reservedFor: [{ $patch: 'delete', uid: 'uid-a' }] } },
      'application/strategic-merge-patch+json',
    );
  const refused = await unreserve('of-another');
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /metadata\.uid: Invalid value: "of-another": field is immut/);
  const { status, body } = await unreserve(stored.metadata.uid);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.status, { ...allocated(), reservedFor: [consumer('b')] });
});

test('the state of devices goes with their allocation', () => {
  const state = { driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' };
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'Done',
    message: '',
    lastTransitionTime: '2026-11-21T03:28:30Z',
  };
  const stored = new StoredClaim();
  stored.write({ ...allocated(), devices: [{ ...state, conditions: [condition] }] });
  assert.deepEqual(stored.faults({ ...allocated(), devices: [{ ...state, device: 'gpu-9' }] }), [
    'status.devices[0]: Invalid value: "gpu.example.com/n1/gpu-9": must be an allocated device ' +
      'in the claim',
  ]);
  const conditions = [condition, { ...condition, status: 'Maybe' }, {}];
  assert.deepEqual(
    stored.faults({
      ...allocated(),
      devices: [{ ...state, conditions, data: [], networkData: { ips: ['a', 'a'] } }],
    }),
    [
      'status.devices[0].conditions[1].type: Duplicate value: "Ready"',
      'status.devices[0].conditions[1].status: Unsupported value: "Maybe": supported values: ' +
        '"False", "True", "Unknown"',
      'status.devices[0].conditions[2].type: Required value: must be set',
      'status.devices[0].conditions[2].status: Unsupported value: "": supported values: "False", ' +
        '"True", "Unknown"',
      'status.devices[0].conditions[2].lastTransitionTime: Required value: must be set',
      'status.devices[0].conditions[2].reason: Required value: must be set',
      'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
      'status.devices[0].networkData.ips[1]: Duplicate value: "a"',
    ],
  );
  const { devices } = stored.object.status;
  assert.deepEqual(stored.write({ devices }).status, {}, 'freed with the allocation');
});

test('only new allocations are checked for admin access', () => {
  const stored = new StoredClaim({ requests: [request()] });
  const { store } = stored;
  const namespace = /** @type {any} */ (store.get('namespaces', '', 'default'));
  const labelled = (/** @type {string} */ value) => {
    const labels = { 'resource.kubernetes.io/admin-access': value };
    const now = /** @type {any} */ (store.get('namespaces', '', 'default'));
    store.update('namespaces', {
      ...now,
      metadata: { ...namespace.metadata, labels, resourceVersion: '' },
    });
  };
  labelled('true');
  const { allocation } = stored.write(allocated({ adminAccess: true })).status;
  labelled('false');
  assert.deepEqual(stored.faults({ allocation, reservedFor: [consumer('a')] }), []);
  assert.equal(result().device, 'gpu-0');
});

test('the status of a taint rule has up to eight conditions', () => {
  const { store } = new AskedServer();
  const stored = store.create('devicetaintrules', taintRule());
  const conditions = Array.from({ length: 9 }, (_, index) => ({
    type: `T${index}`,
    status: 'True',
    reason: 'Done',
    message: '',
    lastTransitionTime: '2026-11-21T03:28:30Z',
  }));
  /** @param {object} status */
  const write = (status) =>
    store.update('devicetaintrules', { ...stored, status }, { subresource: 'status' });
  assert.deepEqual(
    faultsOf(() => write({ conditions })),
    ['status.conditions: Too many: 9: must have at most 8 items'],
  );
  assert.equal(write({ conditions: conditions.slice(1) }).status.conditions.length, 8);
});
