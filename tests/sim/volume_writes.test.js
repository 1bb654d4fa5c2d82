/**
 * The simulated server's handling of volumes and claims, and its detection of wrong writes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeClaim, makeVolume, makeWorld } from './volume_objects.js';
import { BOUND_BY_CONTROLLER, SELECTED_NODE } from './volumes.js';

/** @param {import('./world.js').World} world @param {any} object  as it is to be */
function update(world, object) {
  const isClaim = object.kind === 'PersistentVolumeClaim';
  const { namespace, name } = object.metadata;
  const storage = isClaim ? `${namespace}/${name}` : name;
  const body = JSON.parse(JSON.stringify(object));
  const kind = isClaim ? 'claim' : 'volume';
  return world.write({ kind, storage, pod: '', verb: 'update', subresource: '', body });
}

/** @param {any} object @param {object} annotations */
const annotate = (object, annotations) => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});

/** @param {any} volume */
const claimed = (volume) => ({
  ...annotate(volume, { [BOUND_BY_CONTROLLER]: 'yes' }),
  spec: { ...volume.spec, claimRef: { namespace: 'default', name: 'c', uid: 'u-c' } },
});

test('the server accepts the last read version and returns the new one', () => {
  const { world, told } = makeWorld();
  const claim = world.put(makeClaim('c'));
  const answer = update(world, annotate(claim, { [SELECTED_NODE]: 'n1' }));
  assert.equal(answer.status, 200);
  const stored = world.get('PersistentVolumeClaim', 'default/c');
  assert.deepEqual(answer.body, stored);
  assert.equal(stored.metadata.resourceVersion, '2');
  assert.equal(stored.metadata.annotations[SELECTED_NODE], 'n1');
  assert.equal(told.length, 2);
});

test('the server refuses a missing, replaced or changed object', () => {
  const { world } = makeWorld();
  const volume = world.put(makeVolume('v'));
  assert.equal(update(world, claimed(makeVolume('w'))).status, 404);
  const { metadata } = volume;
  assert.equal(update(world, { ...volume, metadata: { ...metadata, uid: 'x' } }).status, 409);
  world.put({ ...volume, status: { phase: 'Released' } });
  assert.equal(update(world, claimed(volume)).status, 409);
  assert.equal(world.get('PersistentVolume', 'v').spec.claimRef, undefined);
});

test('a write that changes nothing causes no watch event', () => {
  const { world, told } = makeWorld();
  const volume = world.put(makeVolume('v'));
  const answer = update(world, volume);
  assert.deepEqual(answer, { status: 200, body: volume });
  assert.equal(told.length, 1);
});

test('a scheduler that takes a volume from its claim is found', () => {
  const { world } = makeWorld();
  const volume = world.put(claimed(makeVolume('v')));
  assert.equal(update(world, volume).status, 200);
  const others = [{ namespace: 'default', name: 'd', uid: 'u-d' }, { ...volume.spec.claimRef }];
  others[1].uid = 'u-c-again';
  for (const other of [...others, undefined]) {
    const body = { ...volume, spec: { ...volume.spec, claimRef: other } };
    assert.throws(() => update(world, body), { invariant: 'one claim per volume' });
  }
});

test('a scheduler that writes more than it may is found', () => {
  const { world } = makeWorld();
  const volume = world.put(makeVolume('v'));
  const claim = world.put(makeClaim('c'));
  const unversioned = { ...volume.metadata, resourceVersion: undefined };
  const wrong = [
    { ...volume, metadata: unversioned },
    { ...volume, spec: { ...volume.spec, capacity: { storage: '9Gi' } } },
    annotate(volume, { other: 'yes' }),
    { ...claim, spec: { ...claim.spec, volumeName: 'v' } },
    annotate(claim, { [BOUND_BY_CONTROLLER]: 'yes' }),
  ];
  for (const body of wrong) {
    assert.throws(() => update(world, body), { invariant: 'writes what it read' });
  }
});
