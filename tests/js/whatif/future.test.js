import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Future, inFuture, Population } from '../../../js/src/whatif.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';

const { engine } = await startNative();
const owned = (kind) => ({ ownerReferences: [{ kind, name: 'o', uid: 'o', controller: true }] });

/** @param {object[]} objects @param {(future: Future) => Promise<void>} use */
async function futureOf(objects, use) {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' });
  try {
    scheduler.apply(objects);
    await inFuture(scheduler, new Population(scheduler), use);
  } finally {
    scheduler.dispose();
  }
}

const placed = (name, node, options = {}) =>
  storedPod(name, { metadata: owned('ReplicaSet'), ...options, spec: { nodeName: node } });

test('what was applied to a future counts for the changes after it', async () => {
  const objects = [makeNode('a'), makeNode('b'), placed('x', 'a'), placed('y', 'a', { cpu: '2' })];
  await futureOf(objects, async (future) => {
    assert.deepEqual(future.podsOn('a'), ['default/x', 'default/y']);
    future.apply([placed('z', 'a'), { type: 'DELETED', object: placed('x', 'a') }]);
    assert.deepEqual(future.podsOn('a'), ['default/y', 'default/z']);
    assert.equal(future.pod('default/x'), undefined);
    assert.deepEqual([...future.gone], ['default/x']);
    future.removeNodes(['a']);
    assert.deepEqual([...future.moving], ['default/y', 'default/z']);
    assert.deepEqual(future.podsOn('a'), []);
    await future.settle();
    assert.equal(future.fateOf('default/z').node, 'b');
    assert.equal(future.fateOf('default/x').state, 'Gone');
    future.removeNodes(['b']);
    await future.settle();
    const fates = ['default/y', 'default/z'].map((pod) => future.fateOf(pod).state);
    assert.deepEqual(fates, ['Pending', 'Pending'], 'there is no node any more');
  });
});

test('a pod that was changed and then evicted returns with its changes', async () => {
  const objects = [makeNode('a', { cpu: '2' }), placed('low', 'a', { cpu: '1' })];
  await futureOf(objects, async (future) => {
    future.apply([
      { type: 'DELETED', object: placed('low', 'a') },
      placed('low', 'a', { cpu: '2' }),
      storedPod('vip', { cpu: '1', spec: { priority: 1000 } }),
    ]);
    await future.settle();
    const fate = future.fateOf('default/low');
    assert.deepEqual([fate.state, fate.preemptedBy], ['Pending', 'default/vip']);
    assert.equal(
      future.scheduler.get('Pod', 'default/low').spec.containers[0].resources.requests.cpu,
      '2',
    );
  });
});
