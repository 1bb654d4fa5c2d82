// Goal: questions know which pods that are being deleted come back: those of a StatefulSet, which
// creates a pod of that name only when the old one has ended. Method: a node fails, is drained and
// is lost with a pod that hangs in its deletion.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drain, sweep, whatIf } from '../../../js/src/whatif.js';
import { makeNode } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../support/workloads.js';

const { engine } = await startNative();
const deletionTimestamp = '2026-01-01T00:00:00Z';
const set = (/** @type {object} */ spec) => owned(makeWorkload('StatefulSet', 'db', { spec }));
const TWO = set({ replicas: 2 });

/**
 * A pod that is being deleted on a node, and another node that is too small for it.
 * @param {string} name
 * @param {any} owner
 * @param {object[]} [others]
 */
function clusterWith(name, owner, others = [owner]) {
  const pod = podOf(name, owner, { cpu: '3', node: 'a' });
  pod.metadata.deletionTimestamp = deletionTimestamp;
  pod.metadata.deletionGracePeriodSeconds = 30;
  return [makeNode('a'), makeNode('b', { cpu: '2' }), ...others, pod];
}

const CASES = {
  'an ordinal that the StatefulSet has': ['db-1', TWO, true],
  'an ordinal that it no longer has': ['db-2', TWO, false],
  'an ordinal before its first': ['db-1', set({ replicas: 2, ordinals: { start: 2 } }), false],
  'a StatefulSet that is being deleted': [
    'db-1',
    { ...TWO, metadata: { ...TWO.metadata, deletionTimestamp } },
    false,
  ],
  'a ReplicaSet': ['db-x', replicaSetOf(owned(makeWorkload('Deployment', 'db')), '7d4b'), false],
};

for (const [name, [pod, owner, isAwaited]] of Object.entries(CASES))
  test(`a pod that is being deleted, of ${name}`, async () => {
    const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 2) });
    try {
      scheduler.apply(clusterWith(pod, owner));
      const outcome = isAwaited ? 'Waits' : 'Ends';
      for (const type of ['removeNode', 'drain']) {
        const { pods } = await whatIf(scheduler, [{ type, node: 'a' }]);
        const found = pods.map((one) => [one.pod, one.outcome]);
        assert.deepEqual(found, [[`default/${pod}`, outcome]], type);
      }
      const { isDrained, isPlaced } = await drain(scheduler, ['a'], { objects: [owner] });
      assert.deepEqual([isDrained, isPlaced], [true, !isAwaited]);
      const { failures } = await sweep(scheduler, 'nodes:1');
      assert.deepEqual(
        failures.map(({ failure }) => failure),
        isAwaited ? ['node/a'] : [],
      );
    } finally {
      scheduler.dispose();
    }
  });

test('such a pod takes a node that has room', async () => {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 2) });
  scheduler.apply([...clusterWith('db-0', TWO), makeNode('c')]);
  const { pods } = await whatIf(scheduler, [{ type: 'removeNode', node: 'a' }]);
  assert.deepEqual(
    pods.map(({ pod, outcome, after }) => [pod, outcome, after.node]),
    [['default/db-0', 'Moves', 'c']],
  );
  scheduler.dispose();
});
