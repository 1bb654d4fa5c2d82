/**
 * The simulation's volume controllers do their work, and repair their mistakes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { VolumeController } from './volume_controller.js';
import { inZone, makeClaim, makeClass, makeNode, makeVolume, makeWorld } from './volume_objects.js';
import { checkVolumesAtRest } from './volume_rest.js';
import { BOUND_BY_CONTROLLER, isFullyBound, SELECTED_NODE } from './volumes.js';

function makeControlled() {
  /** @type {any} */
  let controller;
  const made = makeWorld((type, object) => controller.notice(type, object));
  const { world, draw, later } = made;
  /** @type {Record<string, number>} */
  const faults = {};
  const odds = (/** @type {string} */ fault) => faults[fault] ?? 0;
  controller = new VolumeController({ world, draw, later, odds });
  const claim = (name = 'c') => world.get('PersistentVolumeClaim', `default/${name}`);
  const volume = (name = 'v') => world.get('PersistentVolume', name);
  return { ...made, controller, faults, claim, volume };
}

const NOW = { volumeBindingMode: 'Immediate' };
const SELECTED = { annotations: { [SELECTED_NODE]: 'n1' } };

test('an unclaimed volume becomes available', () => {
  const { world, pass, volume } = makeControlled();
  world.put(makeVolume('v', { status: { phase: 'Pending' } }));
  pass();
  assert.equal(volume().status.phase, 'Available');
});

test('a claim gets the smallest volume at once, or the one that is reserved for it', () => {
  const { world, pass, claim, volume } = makeControlled();
  world.put(makeClass('wait', NOW));
  const large = { spec: { capacity: { storage: '9Gi' } } };
  world.put(makeVolume('a', large));
  world.put(makeVolume('b'));
  const claimRef = { namespace: 'default', name: 'd' };
  world.put(makeVolume('e', { spec: { claimRef } }));
  world.put(makeClaim('c'));
  world.put(makeClaim('d'));
  pass();
  assert.equal(claim('c').spec.volumeName, 'b');
  assert.equal(claim('d').spec.volumeName, 'e');
  assert.equal(volume('e').spec.claimRef.uid, 'u-d');
  assert.ok(isFullyBound(claim('c')) && isFullyBound(claim('d')));
  assert.equal(volume('b').status.phase, 'Bound');
  assert.equal(volume('a').spec.claimRef, undefined);
  checkVolumesAtRest(world);
});

test('a claim that waits for a pod waits until a volume is reserved or a node selected', () => {
  const { world, pass, claim, volume } = makeControlled();
  world.put(makeClass('wait'));
  world.put(makeNode('n1', 'z1'));
  const waiting = world.put(makeClaim('c'));
  world.put(makeClaim('d', SELECTED));
  const free = world.put(makeVolume('v'));
  pass();
  assert.equal(claim('c').spec.volumeName, undefined);
  assert.deepEqual(volume('pvc-u-d').spec.nodeAffinity, inZone('z1'));
  assert.equal(claim('d').spec.volumeName, 'pvc-u-d');
  const { namespace, name, uid } = waiting.metadata;
  world.put({ ...free, spec: { ...free.spec, claimRef: { namespace, name, uid } } });
  pass();
  assert.equal(claim('c').spec.volumeName, 'v');
});

test('a claim loses its node if provisioning fails, and waits without a provisioner', () => {
  const { world, pass, claim } = makeControlled();
  const matchLabelExpressions = [{ key: 'topology.kubernetes.io/zone', values: ['z2'] }];
  world.put(makeClass('wait', { allowedTopologies: [{ matchLabelExpressions }] }));
  world.put(makeClass('local', { provisioner: 'kubernetes.io/no-provisioner' }));
  world.put(makeNode('n1', 'z1'));
  world.put(makeClaim('c', SELECTED));
  world.put(makeClaim('d', { ...SELECTED, spec: { storageClassName: 'local' } }));
  pass();
  assert.equal(claim('c').metadata.annotations, undefined);
  assert.deepEqual([...world.values('PersistentVolume')], []);
});

test('a volume whose claim is deleted is released or deleted', () => {
  const { world, pass, claim, volume } = makeControlled();
  world.put(makeClass('wait', NOW));
  world.put(makeVolume('v'));
  world.put(makeClaim('c'));
  pass();
  world.put(makeClaim('d'));
  pass();
  world.remove('PersistentVolumeClaim', 'default/c');
  world.remove('PersistentVolumeClaim', 'default/d');
  pass();
  assert.equal(volume().status.phase, 'Released');
  assert.equal(volume('pvc-u-d'), undefined);
  world.put(makeClaim('e', { spec: { volumeName: 'v' } }));
  pass();
  assert.ok(!isFullyBound(claim('e')), 'it is not for others');
});

test('a pod gets its ephemeral claims, which are deleted with it', () => {
  const { world, pass, claim } = makeControlled();
  const { spec } = makeClaim('template');
  const volumes = [{ name: 'v0', ephemeral: { volumeClaimTemplate: { spec } } }];
  const metadata = { namespace: 'default', name: 'p', uid: 'u-p' };
  world.put({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { volumes }, status: {} });
  pass();
  assert.equal(claim('p-v0').metadata.ownerReferences[0].uid, 'u-p');
  assert.deepEqual(claim('p-v0').spec, spec);
  world.remove('Pod', 'default/p');
  pass();
  assert.equal(claim('p-v0'), undefined);
});

test('every mistake is repaired in the end', () => {
  const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
  const { world, controller, faults, pass, claim } = makeControlled();
  faults.wrongController = 0.4;
  faults.eagerController = 0.3;
  faults.slowController = 0.3;
  faults.idleController = 0.2;
  world.put(makeClass('wait'));
  world.put(makeNode('n1', 'z1'));
  for (const name of names) {
    world.put(makeVolume(`v-${name}`));
    world.put(makeClaim(name, SELECTED));
  }
  pass(5000);
  assert.ok(controller.counts.mistakes > 20);
  for (const fault of Object.keys(faults)) faults[fault] = 0;
  controller.catchUp();
  pass();
  for (const name of names) {
    const isAsked = claim(name).metadata.annotations?.[SELECTED_NODE] !== undefined;
    assert.ok(isFullyBound(claim(name)) || !isAsked, name);
  }
  checkVolumesAtRest(world);
});

test('volumes that stay reserved for nothing, and claims without a volume, are found', () => {
  const annotations = { [BOUND_BY_CONTROLLER]: 'yes' };
  const claimRef = { namespace: 'default', name: 'c', uid: 'u-c' };
  const bound = {
    spec: { volumeName: 'v' },
    annotations: { 'pv.kubernetes.io/bind-completed': '' },
  };
  const cases = [
    { name: 'its claim is gone', objects: [makeVolume('v', { annotations, spec: { claimRef } })] },
    {
      name: 'its claim has none',
      objects: [makeVolume('v', { annotations, spec: { claimRef } }), makeClaim('c')],
    },
    { name: 'there is no volume', objects: [makeClaim('c', bound)] },
    { name: 'the volume has no claim', objects: [makeClaim('c', bound), makeVolume('v')] },
    {
      name: 'the volume has another',
      objects: [
        makeClaim('c', bound),
        makeClaim('d', bound),
        makeVolume('v', { spec: { claimRef } }),
      ],
    },
  ];
  for (const { name, objects } of cases) {
    const { world } = makeWorld();
    for (const object of objects) world.put(object);
    assert.throws(() => checkVolumesAtRest(world), { invariant: 'volumes are settled' }, name);
  }
  const { world } = makeWorld();
  world.put(makeVolume('v', { spec: { claimRef } }));
  world.put(makeClaim('c', bound));
  checkVolumesAtRest(world);
});
