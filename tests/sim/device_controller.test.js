/** The simulated drivers and the controller of claims, and that their mistakes are repaired. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DeviceController } from './device_controller.js';
import {
  makeAllocation,
  makeClaimingPod,
  makeDeviceClaim,
  makePool,
  reservedFor,
} from './device_objects.js';
import { slicesOf } from './device_steps.js';
import { FINALIZER, poolsOn, readinessOf } from './devices.js';
import { makeNode, makeWorld } from './volume_objects.js';

/** @param {Record<string, number>} [odds]  of the faults */
function makeDevices(odds = {}) {
  /** @type {DeviceController | undefined} */
  let controller;
  let isCalm = false;
  const made = makeWorld((type, object) => controller?.notice(type, object));
  const { world, later, draw } = made;
  const oddsOf = (/** @type {string} */ fault) => (isCalm ? 0 : (odds[fault] ?? 0));
  controller = new DeviceController({ world, later, draw, odds: oddsOf });
  const calmDown = () => {
    isCalm = true;
    controller?.catchUp();
    made.pass();
  };
  return { ...made, controller, calmDown };
}

/** @param {any} world */
const claimIn = (world) => world.get('ResourceClaim', 'default/c');

/** @param {any} world */
const poolIn = (world) => poolsOn(makeNode('n1', 'z0'), world.list('ResourceSlice'))[0];

const CONDITIONS = { bindingConditions: ['Prepared'], bindingFailureConditions: ['PrepareFailed'] };

test('a driver publishes its pool slice by slice, and anew when it changes', () => {
  const { world, pass } = makeDevices();
  const pool = makePool(['g0', 'g1', 'g2']);
  world.apply({ op: 'putPool', object: pool });
  assert.equal(poolIn(world), undefined);
  pass();
  assert.equal(poolIn(world).devices.length, 3);
  world.apply({ op: 'loseDevice', pool: 'gpu-n1', at: 0 });
  assert.equal(poolIn(world).devices.length, 3);
  pass();
  assert.deepEqual(
    poolIn(world).devices.map(({ device }) => device.name),
    ['g1', 'g2'],
  );
  assert.deepEqual([...world.list('ResourceSlice')].length, 1);
  const taints = [{ key: 'broken', effect: 'NoSchedule' }];
  world.apply({ op: 'taintDevice', pool: 'gpu-n1', at: 1, taints });
  pass();
  assert.deepEqual(poolIn(world).devices[1].device.taints, taints);
  world.apply({ op: 'dropPool', pool: 'gpu-n1' });
  pass();
  assert.equal(poolIn(world), undefined);
});

test('a pool is incomplete until its last slice is there', () => {
  const [first, second] = slicesOf(makePool(['g0', 'g1', 'g2']));
  const { world } = makeWorld();
  world.put(first);
  assert.deepEqual([poolIn(world).isIncomplete, poolIn(world).devices], [true, []]);
  world.put(second);
  assert.deepEqual([poolIn(world).isIncomplete, poolIn(world).devices.length], [false, 3]);
  world.put({ ...second, spec: { ...second.spec, devices: first.spec.devices } });
  assert.deepEqual([poolIn(world).isInvalid, poolIn(world).devices], [true, []]);
});

test('every lie of a driver is repaired', () => {
  const { world, pass, calmDown, controller } = makeDevices({ wrongDriver: 0.6 });
  world.apply({ op: 'putPool', object: makePool(['g0', 'g1', 'g2', 'g3', 'g4']) });
  pass();
  for (let change = 0; change < 20; change += 1) {
    world.apply({ op: 'putPool', object: makePool(['g0', 'g1', 'g2', 'g3', 'g4']) });
    pass();
  }
  calmDown();
  assert.ok(controller.counts.lies > 5);
  const must = slicesOf(world.get('DevicePool', 'gpu-n1'));
  assert.deepEqual(
    world.list('ResourceSlice').map(({ spec }) => spec),
    must.map(({ spec }) => spec),
  );
});

test('a pod gets the claims of its templates, which end with it', () => {
  const { world, pass } = makeDevices();
  const entry = { name: 'e', resourceClaimTemplateName: 't' };
  world.put(makeClaimingPod('p', { resourceClaims: [entry] }));
  pass();
  assert.equal([...world.list('ResourceClaim')].length, 0);
  const spec = { spec: makeDeviceClaim('t').spec };
  const metadata = { namespace: 'default', name: 't' };
  world.put({ kind: 'ResourceClaimTemplate', metadata, spec });
  pass();
  const [claim] = world.list('ResourceClaim');
  const { resourceClaimStatuses } = world.get('Pod', 'default/p').status;
  assert.deepEqual(resourceClaimStatuses, [{ name: 'e', resourceClaimName: claim.metadata.name }]);
  assert.deepEqual(claim.spec, spec.spec);
  world.remove('Pod', 'default/p');
  pass();
  assert.equal([...world.list('ResourceClaim')].length, 0);
});

test('a claim is released by its last pod, and only then deleted', () => {
  const { world, pass } = makeDevices();
  const status = {
    allocation: makeAllocation('g0'),
    reservedFor: [reservedFor('p'), reservedFor('q')],
  };
  for (const name of ['p', 'q']) world.put(makeClaimingPod(name));
  const { metadata, ...rest } = makeDeviceClaim('c', { finalizers: [FINALIZER] });
  world.put({ ...rest, metadata, status });
  world.apply({ op: 'deleteDeviceClaim', claim: 'default/c' });
  world.changePod(world.get('Pod', 'default/p'), { status: { phase: 'Succeeded' } });
  pass();
  assert.deepEqual(claimIn(world).status.reservedFor, [reservedFor('q')]);
  assert.ok(claimIn(world).metadata.deletionTimestamp);
  world.remove('Pod', 'default/q');
  pass();
  assert.equal(claimIn(world), undefined);
});

test('a claim that is allocated for no pod is released after a while', () => {
  const { world, pass } = makeDevices();
  const claim = makeDeviceClaim('c', { finalizers: [FINALIZER] });
  world.put({ ...claim, status: { allocation: makeAllocation('g0'), reservedFor: [] } });
  pass();
  assert.deepEqual(claimIn(world).status, {});
  assert.equal(claimIn(world).metadata.finalizers, undefined);
});

test('devices become ready, or fail', () => {
  for (const [odds, readiness] of /** @type {const} */ ([
    [0, 'ready'],
    [1, 'fails'],
  ])) {
    const { world, pass } = makeDevices({ failingDevice: odds });
    world.put(makeClaimingPod('p'));
    const status = {
      allocation: makeAllocation('g0', CONDITIONS),
      reservedFor: [reservedFor('p')],
    };
    const claim = world.put({ ...makeDeviceClaim('c'), status });
    assert.equal(readinessOf(claim), 'waits');
    pass();
    assert.equal(readinessOf(claimIn(world)), readiness);
  }
});
