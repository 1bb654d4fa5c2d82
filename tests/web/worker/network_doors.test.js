import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeNetworkDoors } from '../../../web/src/worker/network_doors.js';

test('no network or storage API is left, own or inherited', () => {
  const outer = { fetch: () => 'sent', WebSocket: class {}, other: 1 };
  const scope = Object.assign(Object.create(outer), { caches: {}, fetch: () => 'sent' });
  closeNetworkDoors(scope);
  for (const name of ['fetch', 'WebSocket', 'caches', 'indexedDB', 'importScripts'])
    assert.equal(scope[name], undefined, name);
  assert.equal(outer.fetch, undefined);
  assert.equal(scope.other, 1);
  assert.throws(() => {
    scope.fetch = () => 'sent again';
  }, TypeError);
});
