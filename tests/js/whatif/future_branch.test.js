import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Future, inFuture, Population } from '../../../js/src/whatif.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';

const { engine } = await startNative();

/** @param {object[]} objects */
async function present(objects) {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' });
  scheduler.apply(objects);
  await scheduler.schedule();
  return { scheduler, population: new Population(scheduler) };
}

/** @param {string} name @param {string} nodeName @param {object} [metadata] */
function boundPod(name, nodeName, metadata) {
  return storedPod(name, { metadata, spec: { nodeName } });
}

test('a branch goes on independently of the future that it began from', async () => {
  const objects = [
    ...['a', 'b', 'c'].map((name) => makeNode(name, { cpu: '2' })),
    ...['a', 'b'].map((node) => boundPod(`on-${node}`, node)),
    boundPod('first', 'c'),
  ];
  const { scheduler, population } = await present(objects);
  await inFuture(scheduler, population, async (future) => {
    future.removeNodes(['a']);
    const branch = future.branch();
    branch.removeNodes(['b']);
    await branch.settle();
    const states = ['on-a', 'on-b'].map((pod) => branch.fateOf(`default/${pod}`));
    assert.deepEqual(
      states.map(({ state, node }) => [state, node]),
      [
        ['Placed', 'c'],
        ['Pending', null],
      ],
    );
    branch.scheduler.dispose();
    await future.settle();
    assert.equal(future.fateOf('default/on-a').state, 'Placed');
    assert.deepEqual([...future.moving], ['default/on-a'], 'the branch left nothing here');
    await future.settle();
  });
  scheduler.dispose();
});

test('settling again does not read the whole scheduler', async () => {
  const { scheduler, population } = await present(['a', 'b', 'c'].map((name) => makeNode(name)));
  await inFuture(scheduler, population, async (future) => {
    const { scheduler: fork } = future;
    const inspect = fork.inspect.bind(fork);
    /** @type {any[]} */
    const queries = [];
    fork.inspect = (query) => (queries.push(query), inspect(query));
    for (const name of ['x', 'y', 'z']) {
      future.apply([storedPod(name)]);
      await future.settle();
      assert.equal(future.fateOf(`default/${name}`).state, 'Placed');
    }
    assert.deepEqual(
      queries.filter((query) => query === undefined),
      [],
    );
  });
  scheduler.dispose();
});

test('a pod that is being deleted ends with its node', async () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const objects = [makeNode('a'), makeNode('b'), boundPod('ends', 'a', { deletionTimestamp })];
  const { scheduler, population } = await present(objects);
  await inFuture(scheduler, population, async (future) => {
    assert.ok(future instanceof Future);
    future.removeNodes(['a']);
    await future.settle();
    assert.deepEqual([[...future.moving], [...future.gone]], [[], ['default/ends']]);
  });
  scheduler.dispose();
});

test('a population knows the time, and whether a pod waits', async () => {
  const settled = await present([makeNode('a'), storedPod('small')]);
  assert.equal(settled.population.now, Date.UTC(2026, 0, 1));
  assert.equal(settled.population.isSettled, true);
  const waiting = await present([makeNode('a'), storedPod('big', { cpu: '9' })]);
  assert.equal(waiting.population.isSettled, false);
  for (const { scheduler } of [settled, waiting]) scheduler.dispose();
});

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
    future.apply([makeNode('b', { cpu: '8' }), { type: 'DELETED', object: makeNode('c') }]);
    assert.deepEqual([...future.appliedNodes], ['b']);
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
