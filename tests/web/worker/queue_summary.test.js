import assert from 'node:assert/strict';
import { test } from 'node:test';

import { summaryOf } from '../../../web/src/worker/queue_summary.js';

/** @import { TimelineRow } from '../../../web/src/worker/timeline.js' */

const AT = '2026-01-01T00:00:00.000Z';

/** @param {string} pod @param {object} [more] */
const queued = (pod, more = {}) => ({
  pod,
  unschedulablePlugins: [],
  pendingPlugins: [],
  ...more,
});

const INSPECTION = {
  now: AT,
  queues: {
    active: ['d/a', 'd/b', 'd/c'],
    backoff: [
      queued('d/late', { expiresAt: '2026-01-01T00:00:09Z' }),
      queued('d/soon', { expiresAt: '2026-01-01T00:00:02Z' }),
    ],
    unschedulable: [queued('d/held', { gated: true }), queued('d/refused')],
  },
  inFlight: [],
  nominated: [],
  assumed: [],
  waiting: [],
  cache: { nodes: 0, ghostNodes: 0 },
  hash: '',
};

test('queues are shortened and counted, sorted by turn, with gated pods apart', () => {
  const { queues, counts } = summaryOf(INSPECTION, [], 2);
  assert.deepEqual(counts, { active: 3, backoff: 2, unschedulable: 1, gated: 1 });
  assert.deepEqual(
    Object.values(queues).map((pods) => pods.map(({ pod }) => pod)),
    [['d/a', 'd/b'], ['d/soon', 'd/late'], ['d/refused'], ['d/held']],
  );
});

test('active pods have the event that last moved them', () => {
  /** @type {(pod: string, event: string) => TimelineRow} */
  const move = (pod, event) => ({
    ...{ position: 1, at: AT, kind: 'QueueMove', text: '' },
    pod,
    cause: { event, plugin: 'NodeResourcesFit', hint: 'Queue' },
  });
  const rows = [move('d/a', 'NodeAdd'), move('d/a', 'AssignedPodDelete'), move('d/z', 'NodeAdd')];
  const { active } = summaryOf(INSPECTION, rows, 2).queues;
  assert.deepEqual(active, [
    {
      pod: 'd/a',
      lastMove: { event: 'AssignedPodDelete', plugin: 'NodeResourcesFit', hint: 'Queue' },
    },
    { pod: 'd/b' },
  ]);
});
