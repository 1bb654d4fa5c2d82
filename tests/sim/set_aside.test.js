/** An assumed object counts as long as the stored object has not changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SetAside, setAside } from './set_aside.js';
import { ExpectedCache } from './expected_cache.js';
import { makeClaim, makeVolume } from './volume_objects.js';
import { BOUND_BY_CONTROLLER, SELECTED_NODE } from './volumes.js';

const VOLUME = 'PersistentVolume';
const CLAIM = 'PersistentVolumeClaim';

/** @param {any} object @param {string} resourceVersion */
const atVersion = (object, resourceVersion) => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});

function makeSetAside() {
  const told = new ExpectedCache(['a', 'b'], [VOLUME, CLAIM]);
  const put = (/** @type {any} */ object, /** @type {string} */ version) =>
    told.take({ type: 'MODIFIED', object: atVersion(object, version) });
  put(makeVolume('v'), '1');
  put(makeClaim('c'), '2');
  return { put, told, aside: new SetAside(told) };
}

const DECISION = { namespace: 'default', node: 'n1', volumes: { c: 'v' } };
const PROVISION = { ...DECISION, volumes: { c: 'provision' } };

test('an assumed volume is its claim’s for one profile, until the watch has a new version', () => {
  const { put, aside } = makeSetAside();
  const [item] = aside.decide('a', DECISION);
  assert.deepEqual(item.object.spec.claimRef, {
    kind: CLAIM,
    apiVersion: 'v1',
    namespace: 'default',
    name: 'c',
    uid: 'u-c',
    resourceVersion: '2',
  });
  assert.equal(item.object.metadata.annotations[BOUND_BY_CONTROLLER], 'yes');
  assert.equal(aside.get('a', VOLUME, 'v'), item.object);
  assert.equal(aside.get('b', VOLUME, 'v').spec.claimRef, undefined);
  assert.ok(!aside.isSameFor('a', 'b'));
  put(makeVolume('v'), '3');
  assert.equal(aside.get('a', VOLUME, 'v').spec.claimRef, undefined);
  assert.ok(aside.isSameFor('a', 'b'));
});

test('an assumed claim is for a node until the decision is reverted', () => {
  const { aside } = makeSetAside();
  const items = aside.decide('a', PROVISION);
  const selected = () => aside.get('a', CLAIM, 'default/c').metadata.annotations?.[SELECTED_NODE];
  assert.equal(selected(), 'n1');
  aside.restore('a', items);
  assert.equal(selected(), undefined);
});

test('an object that was written since is not reverted', () => {
  const { aside } = makeSetAside();
  const items = aside.decide('a', DECISION);
  items[0].version = '7';
  aside.restore('a', items);
  assert.equal(aside.get('a', VOLUME, 'v').spec.claimRef.name, 'c');
});

test('a volume that is bound to its claim already stays unchanged', () => {
  const claim = makeClaim('c');
  const claimRef = { namespace: 'default', name: 'c', uid: 'u-c' };
  const own = makeVolume('v', { spec: { claimRef } });
  assert.equal(setAside(own, claim), own);
  const { uid: _, ...withoutUid } = claimRef;
  const meant = setAside(makeVolume('v', { spec: { claimRef: withoutUid } }), claim);
  assert.equal(meant.spec.claimRef.uid, 'u-c');
  assert.equal(meant.metadata.annotations, undefined, 'a user set it aside');
});
