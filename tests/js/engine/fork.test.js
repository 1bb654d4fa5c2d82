/** Forks and transactions: schedulers in the state of another one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createScheduler, loadEngine, unschedulable, virtualClock } from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';

/** @param {object} [options] */
async function cluster(options = {}) {
  const scheduler = await createScheduler(options);
  scheduler.apply([makeNode('a'), makeNode('b')]);
  scheduler.apply([makePod('first', { cpu: '1' }), makePod('large', { cpu: '9' })]);
  scheduler.run();
  return scheduler;
}

/** Everything visible of a scheduler. @param {import('../../../js/src/index.js').Scheduler} one */
function stateOf(one) {
  return JSON.stringify([one.inspect({ cache: true }), one.inspect({ madeUp: true })]);
}

test('a fork is in the state of its original', async () => {
  const scheduler = await cluster();
  const fork = scheduler.fork();
  assert.equal(stateOf(fork), stateOf(scheduler));
  assert.equal(fork.hash, scheduler.hash);
});

test('a fork decides as its original does, and later changes are separate', async () => {
  const scheduler = await cluster();
  const fork = scheduler.fork();
  const next = makePod('next', { cpu: '2' });
  fork.apply(next);
  const decided = fork.run();
  const before = stateOf(scheduler);
  assert.equal(scheduler.run().records.length, 0);
  assert.equal(stateOf(scheduler), before);
  scheduler.apply(next);
  assert.deepEqual(scheduler.run().records, decided.records);
  assert.equal(fork.hash, scheduler.hash);
});

test('a fork outlives its original', async () => {
  const scheduler = await cluster();
  const fork = scheduler.fork();
  scheduler.dispose();
  fork.apply(makePod('next', { cpu: '2' }));
  assert.equal(fork.run().records[0].kind, 'Decision');
  assert.throws(() => scheduler.fork(), { name: 'DisposedError' });
});

test('a fork completes objects with the classes of its original', async () => {
  const scheduler = await cluster();
  const classOf = (/** @type {string} */ name, /** @type {number} */ value) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
  });
  scheduler.apply(classOf('high', 1000));
  const fork = scheduler.fork();
  fork.apply(classOf('low', 10));
  const pod = { ...makePod('p', { cpu: '1' }) };
  pod.metadata = { name: 'p', namespace: 'default' };
  pod.spec = { ...pod.spec, priorityClassName: 'high' };
  fork.apply(pod);
  assert.equal(fork.get('Pod', 'p')?.spec.priority, 1000);
  assert.throws(() => scheduler.apply({ ...pod, spec: { ...pod.spec, priorityClassName: 'low' } }));
});

test('a fork of a virtual clock has its own time', async () => {
  const clock = virtualClock(1_000_000);
  const scheduler = await cluster({ clock });
  const fork = scheduler.fork();
  await fork.schedule({ until: 1_400_000 });
  assert.equal(clock.now(), 1_000_000);
});

test('a transaction leaves nothing behind, nested ones included', async () => {
  const scheduler = await cluster();
  const before = stateOf(scheduler);
  const node = scheduler.transaction((fork) => {
    fork.remove(makeNode('a'));
    fork.apply(makePod('next', { cpu: '2' }));
    const inner = stateOf(fork);
    const alone = fork.transaction((nested) => {
      nested.remove(makeNode('b'));
      return nested.run().records[0];
    });
    assert.equal(/** @type {any} */ (alone).result, 'unschedulable');
    assert.equal(stateOf(fork), inner);
    return /** @type {any} */ (fork.run().records[0]).node;
  });
  assert.equal(node, 'b');
  assert.equal(stateOf(scheduler), before);
});

test('a transaction ends with its promise, and with what it throws', async () => {
  const scheduler = await cluster();
  /** @type {any} */
  let kept;
  const decisions = await scheduler.transaction(async (fork) => {
    kept = fork;
    fork.apply(makePod('next', { cpu: '2' }));
    return fork.schedule();
  });
  assert.equal(decisions.length, 1);
  assert.throws(() => kept.run(), { name: 'DisposedError' });
  const fail = () => {
    throw new Error('stop');
  };
  assert.throws(() => scheduler.transaction(fail), { message: 'stop' });
  await assert.rejects(
    scheduler.transaction(async () => fail()),
    { message: 'stop' },
  );
});

test('plugins take part in the cycles of a fork', async () => {
  const engine = await loadEngine();
  const plugin = {
    name: 'NotOnA',
    filter: (/** @type {any} */ ...[, , { node }]) =>
      node.metadata.name === 'a' ? unschedulable('no') : undefined,
  };
  const scheduler = engine.createScheduler({
    plugins: [/** @type {any} */ (plugin)],
    configuration: {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'NotOnA' }] } } }],
    },
  });
  scheduler.apply([makeNode('a'), makeNode('b')]);
  const fork = scheduler.fork();
  fork.apply(makePod('p', { cpu: '1' }));
  assert.equal(/** @type {any} */ (fork.run().records[0]).node, 'b');
});

test('a cycle that waits for an extender cannot be forked', async () => {
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    extenders: [{ urlPrefix: 'http://extender.example/', filterVerb: 'filter' }],
  };
  const scheduler = await cluster({ configuration });
  assert.throws(() => scheduler.fork(), { name: 'StowageError', code: 'CycleInProgress' });
});
