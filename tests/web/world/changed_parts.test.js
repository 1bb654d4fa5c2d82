import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ChangedParts } from '../../../web/src/world/changed_parts.js';

test('recent changes are found by resourceVersion', () => {
  /** @type {Record<string, (event: any) => void>} */
  const listeners = {};
  const changed = new ChangedParts(
    /** @type {any} */ ({
      subscribe: (/** @type {string} */ name, /** @type {any} */ listener) => {
        listeners[name] = listener;
      },
    }),
  );
  const node = (/** @type {number} */ version, /** @type {object} */ more = {}) => ({
    metadata: { name: 'a', resourceVersion: String(version), labels: { disk: 'ssd' } },
    ...more,
  });
  const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
  listeners.nodes({ object: node(1) });
  const tainted = node(2, { spec: { taints } });
  listeners.nodes({ object: tainted, previous: node(1) });
  const metadata = { name: 'a', resourceVersion: '3' };
  listeners.nodes({ object: { metadata, spec: { taints: [] } }, previous: tainted });
  assert.deepEqual(
    ['1', '2', '3'].map((version) => changed.of(version)),
    [[], ['taints'], ['labels', 'taints']],
  );
  for (let version = 4; version < 1100; version += 1)
    listeners.pods({ object: node(version), previous: node(version - 1) });
  assert.deepEqual([changed.of('2'), changed.of('1099')], [[], []]);
});
