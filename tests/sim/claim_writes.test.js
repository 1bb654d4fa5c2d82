/**
 * The simulated server's handling of claims, and its detection of wrong writes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answerClaim, claimWriteOf } from './claim_writes.js';
import { makeAllocation, makeDeviceClaim, reservedFor } from './device_objects.js';
import { EXTENDED, FINALIZER } from './devices.js';
import { makeWorld } from './volume_objects.js';

const PATH = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';

/**
 * @param {import('./world.js').World} world @param {string} verb @param {string} place
 * @param {object} [body]
 */
function ask(world, verb, place, body) {
  const text = body && JSON.stringify(body);
  const call = { id: 1, verb, path: `${PATH}${place}`, body: text, pod: 'default/p' };
  const request = claimWriteOf(call);
  assert.ok(request);
  return answerClaim(world, request);
}

/** @param {any} claim @param {object} status */
const withStatus = (claim, status) => ({ ...claim, status: { ...claim.status, ...status } });

const ALLOCATED = { allocation: makeAllocation('g0'), reservedFor: [reservedFor('p')] };

test('only requests about claims are recognized', () => {
  assert.equal(claimWriteOf({ id: 1, verb: 'bind', path: '/api/v1/namespaces/d/pods/p' }), null);
  const { namespace, name, subresource } = /** @type {any} */ (
    claimWriteOf({ id: 1, verb: 'update', path: `${PATH}/c/status`, body: '{}' })
  );
  assert.deepEqual([namespace, name, subresource], ['default', 'c', 'status']);
});

test('the server accepts what was read and refuses what has changed', () => {
  const { world } = makeWorld();
  const claim = world.put(makeDeviceClaim('c'));
  assert.equal(ask(world, 'get', '/d').status, 404);
  assert.deepEqual(ask(world, 'get', '/c').body, claim);
  const answer = ask(world, 'update', '/c/status', withStatus(claim, ALLOCATED));
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, world.get('ResourceClaim', 'default/c'));
  assert.equal(ask(world, 'update', '/c/status', withStatus(claim, ALLOCATED)).status, 409);
  const { metadata } = claim;
  const other = { ...claim, metadata: { ...metadata, uid: 'x' } };
  assert.equal(ask(world, 'update', '/c', other).status, 409);
});

test('a reservation is removed by its UID, and a finalizer delays the deletion', () => {
  const { world } = makeWorld();
  const finalizers = [FINALIZER];
  const { metadata, ...rest } = withStatus(makeDeviceClaim('c'), ALLOCATED);
  world.put({ ...rest, metadata: { ...metadata, finalizers } });
  const patch = (/** @type {string} */ uid) => ({
    metadata: { uid },
    status: { reservedFor: [{ $patch: 'delete', uid: 'u-p' }] },
  });
  assert.equal(ask(world, 'patch', '/c/status', patch('other')).status, 409);
  assert.equal(ask(world, 'patch', '/c/status', patch('u-c')).status, 200);
  const stored = world.get('ResourceClaim', 'default/c');
  assert.deepEqual(stored.status.reservedFor, []);
  ask(world, 'delete', '/c');
  const leaving = world.get('ResourceClaim', 'default/c');
  assert.ok(leaving.metadata.deletionTimestamp);
  const { finalizers: _, ...final } = leaving.metadata;
  assert.equal(ask(world, 'update', '/c', { ...leaving, metadata: final }).status, 200);
  assert.equal(world.get('ResourceClaim', 'default/c'), undefined);
});

test('a claim of extended resources gets a name', () => {
  const { world } = makeWorld();
  const { name: _, uid: __, ...metadata } = makeDeviceClaim('c').metadata;
  const body = {
    ...makeDeviceClaim('c'),
    metadata: {
      ...metadata,
      generateName: 'p-extended-resources-',
      annotations: { [EXTENDED]: 'true' },
      ownerReferences: [{ kind: 'Pod', name: 'p', uid: 'u-p', controller: true }],
    },
  };
  const answer = /** @type {any} */ (ask(world, 'create', '', body));
  assert.equal(answer.status, 201);
  assert.match(answer.body.metadata.name, /^p-extended-resources-/);
  assert.ok(answer.body.metadata.uid);
  for (const wrong of [withStatus(body, ALLOCATED), makeDeviceClaim('c')]) {
    assert.throws(() => ask(world, 'create', '', wrong), { invariant: 'writes what it read' });
  }
});

test('a scheduler that writes more than it may is found', () => {
  const { world } = makeWorld();
  const claim = world.put(makeDeviceClaim('c'));
  const used = world.put(withStatus(makeDeviceClaim('d'), ALLOCATED));
  const unversioned = { ...claim.metadata, resourceVersion: undefined };
  const both = [...ALLOCATED.reservedFor, reservedFor('q')];
  /** @type {[string, object][]} */
  const wrong = [
    ['/c', { ...claim, metadata: unversioned }],
    ['/c', { ...claim, metadata: { ...claim.metadata, labels: { a: 'b' } } }],
    ['/c', { ...claim, spec: {} }],
    ['/c', withStatus(claim, ALLOCATED)],
    ['/c/status', { ...withStatus(claim, ALLOCATED), spec: {} }],
    ['/c/status', withStatus(claim, { ...ALLOCATED, reservedFor: [] })],
    ['/c/status', withStatus(claim, { ...ALLOCATED, reservedFor: both })],
    ['/c/status', withStatus(claim, { ...ALLOCATED, devices: [{ driver: 'd' }] })],
    ['/d/status', withStatus(used, { allocation: makeAllocation('g1'), reservedFor: both })],
    ['/d/status', withStatus(used, { reservedFor: both.slice(1) })],
  ];
  for (const [place, body] of wrong) {
    assert.throws(() => ask(world, 'update', place, body), { invariant: 'writes what it read' });
  }
});

test('a scheduler that takes back what others use is found', () => {
  const { world } = makeWorld();
  const two = [reservedFor('p'), reservedFor('q')];
  const claim = world.put(withStatus(makeDeviceClaim('c'), { ...ALLOCATED, reservedFor: two }));
  assert.throws(() => ask(world, 'update', '/c/status', { ...claim, status: {} }), {
    invariant: 'takes back what is its own',
  });
});
