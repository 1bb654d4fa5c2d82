import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clusterAt, LiveView } from '../../../../web/src/page/live/live_view.js';

const origin = 'http://127.0.0.1:8001';

test('the page begins with the cluster that its address or server names', () => {
  const own = { baseUrl: origin, allowsChanges: 'sandbox' };
  const other = { baseUrl: 'http://localhost:9', allowsChanges: false };
  for (const [hash, isOfCluster, want] of /** @type {const} */ ([
    ['', false, undefined],
    ['', true, own],
    ['#lesson=01-taints', true, undefined],
    ['#cluster=', false, own],
    [`#cluster=${origin}`, true, own],
    ['#cluster=http://localhost:9', true, other],
    ['#cluster=http%3A%2F%2Flocalhost%3A9', false, other],
    ['#cluster=%', false, { baseUrl: '%', allowsChanges: false }],
  ]))
    assert.deepEqual(clusterAt({ hash, origin }, isOfCluster), want, `${hash} ${isOfCluster}`);
});

test('rows are sorted by time, and the oldest are dropped', () => {
  const live = new LiveView(origin);
  const status = /** @type {any} */ ({});
  const row = (/** @type {number} */ second) => ({
    at: new Date(second * 1000).toISOString(),
    kind: /** @type {const} */ ('Pod'),
    text: String(second),
    isWarning: false,
  });
  const take = (/** @type {number[]} */ seconds) =>
    live.take({ update: /** @type {any} */ ({}), status, rows: seconds.map(row) });
  take([1, 3]);
  take([2]);
  assert.deepEqual(
    live.rows.value.map(({ text }) => text),
    ['1', '2', '3'],
  );
  take(Array.from({ length: 3000 }, (_, index) => index + 10));
  assert.deepEqual([live.rows.value.length, live.rows.value[0].text], [3000, '10']);
});
