/** Proves that the invariants of the world's devices can fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  makeAllocation,
  makeClaimingPod,
  makeDeviceClaim,
  makePool,
  reservedFor,
} from './device_objects.js';
import { checkDevicesAtRest } from './device_rest.js';
import { slicesOf } from './device_steps.js';
import { checkNothingKept } from './device_verdicts.js';
import { FINALIZER } from './devices.js';
import { Doubled } from './doubled.js';
import { makeWorld } from './volume_objects.js';

const FINAL = { finalizers: [FINALIZER] };
const OWNED = { ownerReferences: [{ kind: 'Pod', name: 'gone', uid: 'u-gone', controller: true }] };
const USED = { allocation: makeAllocation('g0'), reservedFor: [reservedFor('p')] };

/** @param {object} status @param {object} [metadata] */
const claimWith = (status, metadata = FINAL) => ({ ...makeDeviceClaim('c', metadata), status });

/** A world with a pod that is bound, and these objects. @param {any[]} objects */
function worldWith(...objects) {
  const { world } = makeWorld();
  for (const object of [makeClaimingPod('p', { nodeName: 'n1' }), ...objects]) world.put(object);
  return world;
}

test('claims that pods use, and pools as drivers mean them, are settled', () => {
  const pool = makePool(['g0', 'g1', 'g2']);
  checkDevicesAtRest(worldWith(claimWith(USED), makeDeviceClaim('d'), pool, ...slicesOf(pool)));
});

test('a claim that keeps devices for nothing is found', () => {
  const cases = {
    'for no pod': claimWith({ allocation: USED.allocation }),
    'for a pod that is gone': claimWith({ ...USED, reservedFor: [reservedFor('gone')] }),
    'without a finalizer': claimWith(USED, {}),
    'without devices': claimWith({ ...USED, allocation: { devices: { results: [] } } }),
    'reserved, but not allocated': claimWith({ reservedFor: USED.reservedFor }),
    deleted: claimWith({}, { deletionTimestamp: '2026-02-02T03:00:00Z' }),
    'of a pod that is gone': claimWith({}, OWNED),
  };
  for (const [name, claim] of Object.entries(cases)) {
    assert.throws(
      () => checkDevicesAtRest(worldWith(claim)),
      { invariant: 'claims are settled' },
      name,
    );
  }
});

test('a driver that did not repair its pool is found', () => {
  const pool = makePool(['g0', 'g1', 'g2']);
  const [first] = slicesOf(pool);
  assert.throws(() => checkDevicesAtRest(worldWith(pool, first)), {
    invariant: 'drivers catch up',
  });
});

test('a pod that keeps its claim from itself is found', () => {
  const reasons = ['resourceclaim not available on the node'];
  const filter = [{ plugin: 'DynamicResources', reasons, nodes: ['n1'] }];
  const pod = makeClaimingPod('p', { resourceClaims: [{ name: 'e', resourceClaimName: 'c' }] });
  const check = (/** @type {object[]} */ reserved) => {
    const claim = claimWith({ ...USED, reservedFor: reserved });
    const devices = /** @type {any} */ ({ store: { get: () => claim } });
    checkNothingKept({ result: 'unschedulable', filter }, pod, devices);
  };
  check([reservedFor('p'), reservedFor('q')]);
  assert.throws(() => check([reservedFor('p')]), { invariant: 'claims are settled' });
});

test('a device that two claims have is found, unless the scheduler could not know', () => {
  const other = { ...makeDeviceClaim('d'), status: USED };
  const world = worldWith(claimWith(USED), other);
  const { results } = USED.allocation.devices;
  const twice = { invariant: 'no device is allocated twice' };
  assert.throws(() => new Doubled(world).check(), twice);

  const known = new Doubled(world);
  known.decide(results, () => true);
  assert.throws(() => known.check(), twice);

  const unknown = new Doubled(world);
  unknown.decide(results, ({ metadata }) => metadata.name !== 'd');
  unknown.check();
  assert.deepEqual(unknown.counts, { owned: 2, doubled: 1 });

  const lost = new Doubled(world);
  lost.lose(other);
  lost.check();
});

test('shares, and devices that administrators watch, may have several claims', () => {
  for (const rest of [{ shareID: 's' }, { adminAccess: true }]) {
    const status = { allocation: makeAllocation('g0', rest) };
    const doubled = new Doubled(worldWith(claimWith(status), { ...makeDeviceClaim('d'), status }));
    doubled.check();
    assert.equal(doubled.counts.owned, 0);
  }
});
