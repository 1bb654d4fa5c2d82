/** What the books of devices accept, for a decision at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DeviceBooks } from './device_books.js';
import {
  makeAllocation,
  makeClaimingPod,
  makeDeviceClaim,
  makePool,
  reservedFor,
} from './device_objects.js';
import { checkNothingInFlight } from './device_rest.js';
import { slicesOf } from './device_steps.js';
import { FINALIZER } from './devices.js';
import { ExpectedCache } from './expected_cache.js';
import { BASE_KINDS, DEVICE_KINDS } from './kinds.js';
import { makeNode, makeWorld } from './volume_objects.js';

const PATH = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status';
const ENTRY = { resourceClaims: [{ name: 'e', resourceClaimName: 'c' }] };

/** Books that know a node with two devices, a claim, and two pods that share it. */
function makeBooks() {
  const { world } = makeWorld();
  const told = new ExpectedCache(['default-scheduler'], [...BASE_KINDS, ...DEVICE_KINDS]);
  const books = new DeviceBooks(told, 60_000_000, world);
  const tell = (/** @type {any} */ object) => {
    const line = { type: 'ADDED', object: world.put(object) };
    told.take(line);
    books.take(line);
  };
  const pods = ['p', 'q'].map((name) => makeClaimingPod(name, ENTRY));
  const gpu = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu' } };
  tell({ ...gpu, spec: {} });
  for (const object of [makeNode('n1', 'z0'), ...slicesOf(makePool(['g0', 'g1'])), ...pods]) {
    tell(object);
  }
  tell(makeDeviceClaim('c', { finalizers: [FINALIZER] }));
  return { books, told, tell, pods };
}

/** @param {number} seq @param {string} device */
const decisionOf = (seq, device) => ({ seq, node: 'n1', claims: { c: makeAllocation(device) } });

/** @param {any} pod @param {string} device */
function writeOf({ metadata }, device) {
  const status = { allocation: makeAllocation(device), reservedFor: [reservedFor(metadata.name)] };
  const body = { ...makeDeviceClaim('c'), status };
  const { namespace, name } = metadata;
  const pod = `${namespace}/${name}`;
  return { id: 7, verb: 'update', path: PATH, pod, body: JSON.stringify(body) };
}

test('an allocation is in flight until it is written, or given up', () => {
  for (const result of ['written', 'bindFailed']) {
    const { books, pods } = makeBooks();
    books.decide(decisionOf(1, 'g0'), pods[0]);
    assert.throws(() => checkNothingInFlight(books), {
      invariant: 'no claim in flight in the end',
    });
    assert.equal(books.store.use.isDedicated('gpu.example.com/gpu-n1/g0'), true);
    if (result === 'written') {
      const call = writeOf(pods[0], 'g0');
      books.call(call);
      books.answered({ call: call.id, status: 200, body: call.body }, 0);
    } else {
      books.end({ decision: 1, result }, 0);
    }
    checkNothingInFlight(books);
  }
});

test('a claim is allocated once at a time', () => {
  const { books, pods } = makeBooks();
  books.decide(decisionOf(1, 'g0'), pods[0]);
  assert.throws(() => books.decide(decisionOf(2, 'g1'), pods[1]), {
    invariant: 'one allocation per claim',
  });
});

test('a device is given to one claim', () => {
  const { books, tell, pods } = makeBooks();
  const status = { allocation: makeAllocation('g0'), reservedFor: [reservedFor('x')] };
  tell({ ...makeDeviceClaim('d'), status });
  assert.throws(() => books.decide(decisionOf(1, 'g0'), pods[0]), {
    invariant: 'one claim per device',
  });
  books.decide(decisionOf(2, 'g1'), pods[0]);
});

test('a pod writes the devices of its decision', () => {
  const { books, pods } = makeBooks();
  books.decide(decisionOf(1, 'g0'), pods[0]);
  assert.throws(() => books.call(writeOf(pods[0], 'g1')), { invariant: 'writes what it decided' });
  assert.throws(() => books.call(writeOf(pods[1], 'g0')), { invariant: 'writes what it decided' });
  books.call(writeOf(pods[0], 'g0'));
});

test('of two claims with one device, the first that loses it frees it', () => {
  const { books, tell } = makeBooks();
  const status = { allocation: makeAllocation('g0') };
  for (const name of ['d', 'e']) tell({ ...makeDeviceClaim(name), status });
  assert.ok(books.hasDoubled());
  tell({ ...makeDeviceClaim('d'), status: {} });
  assert.equal(books.store.use.isDedicated('gpu.example.com/gpu-n1/g0'), false);
  assert.ok(books.hasDoubled());
  tell({ ...makeDeviceClaim('e'), status: {} });
  assert.equal(books.hasDoubled(), false);
});
