/** Transactions in place: what is reverted leaves no trace, what is committed stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createScheduler, replay, virtualClock } from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';

/** @typedef {import('../../../js/src/index.js').Scheduler} Scheduler */

/** @param {object} [options] */
async function cluster(options = {}) {
  const scheduler = await createScheduler({ keepObjects: true, ...options });
  scheduler.apply([makeNode('a'), makeNode('b')]);
  scheduler.apply([makePod('first', { cpu: '1' }), makePod('large', { cpu: '9' })]);
  scheduler.run();
  return scheduler;
}

/** Everything visible of a scheduler. @param {Scheduler} one */
function stateOf(one) {
  return JSON.stringify([one.inspect({ cache: true }), one.inspect(), one.snapshot()]);
}

/** @param {string} name @param {number} value */
function priorityClass(name, value) {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

/** A pod without a uid, which is completed. @param {string} name @param {object} [spec] */
function incomplete(name, spec) {
  const { apiVersion, kind, spec: others } = makePod(name, { cpu: '1' });
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: 'default' },
    spec: { ...others, ...spec },
  };
}

/** Some changes. @param {Scheduler} one */
function change(one) {
  one.remove(makeNode('a'));
  one.apply([makeNode('c'), makePod('next', { cpu: '2' })]);
  return one.run().records;
}

test('a committed transaction is as if its changes had been made without it', async () => {
  const [scheduler, other] = [await cluster(), await cluster()];
  const records = scheduler.transaction((transaction) => {
    const made = change(transaction);
    transaction.commit();
    return made;
  });
  assert.deepEqual(records, change(other));
  assert.equal(stateOf(scheduler), stateOf(other));
  scheduler.apply(makePod('last', { cpu: '1' }));
  other.apply(makePod('last', { cpu: '1' }));
  assert.deepEqual(scheduler.run(), other.run());
});

test('what follows a reverted transaction is as without it', async () => {
  const [scheduler, other] = [await cluster(), await cluster()];
  for (let round = 0; round < 3; round += 1) scheduler.transaction(change);
  assert.equal(stateOf(scheduler), stateOf(other));
  assert.deepEqual(change(scheduler), change(other));
  assert.equal(scheduler.hash, other.hash);
});

test('a transaction ends with its commit or revert', async () => {
  for (const end of /** @type {const} */ (['commit', 'revert'])) {
    const scheduler = await cluster();
    const before = stateOf(scheduler);
    scheduler.transaction((transaction) => {
      change(transaction);
      transaction[end]();
      assert.throws(() => transaction.run(), { name: 'DisposedError' });
      assert.throws(() => transaction.commit(), { name: 'DisposedError' });
      assert.equal(stateOf(scheduler) === before, end === 'revert');
    });
    assert.equal(stateOf(scheduler) === before, end === 'revert');
  }
});

test('a transaction lasts until a promise of any kind has settled', async () => {
  const scheduler = await cluster();
  const made = await scheduler.transaction((transaction) => ({
    then: (/** @type {Function} */ give) => transaction.schedule().then((all) => give(all.length)),
  }));
  assert.equal(typeof made, 'number');
  assert.equal(scheduler.inspect().cache.nodes, 2);
});

test('the outer scheduler is refused while a transaction is open', async () => {
  const scheduler = await cluster();
  const open = { name: 'StowageError', code: 'TransactionOpen' };
  const pending = scheduler.transaction(async (transaction) => {
    await transaction.schedule();
    return transaction.transaction((nested) => {
      assert.throws(() => transaction.run(), open);
      return nested.run();
    });
  });
  for (const call of /** @type {(() => unknown)[]} */ ([
    () => scheduler.run(),
    () => scheduler.apply(makeNode('c')),
    () => scheduler.inspect(),
    () => scheduler.fork(),
    () => scheduler.transaction(() => {}),
  ]))
    assert.throws(call, open);
  await pending;
  assert.equal(scheduler.run().records.length, 0);
});

test('nested transactions are kept or taken back with the outer one', async () => {
  const [scheduler, other] = [await cluster(), await cluster()];
  const before = stateOf(scheduler);
  const nest = (/** @type {boolean} */ isKept) =>
    scheduler.transaction((transaction) => {
      transaction.transaction((nested) => {
        change(nested);
        nested.commit();
      });
      transaction.transaction((nested) => nested.remove(makeNode('b')));
      if (isKept) transaction.commit();
    });
  nest(false);
  assert.equal(stateOf(scheduler), before);
  nest(true);
  change(other);
  assert.equal(stateOf(scheduler), stateOf(other));
});

test('classes and the clock go back, or stay', async () => {
  const clock = virtualClock(1_000_000);
  const scheduler = await cluster({ clock });
  const tryOut = (/** @type {boolean} */ isKept) =>
    scheduler.transaction(async (transaction) => {
      transaction.apply([priorityClass('high', 7), incomplete('p', { priorityClassName: 'high' })]);
      await transaction.schedule({ until: 1_400_000 });
      if (isKept) transaction.commit();
    });
  await tryOut(false);
  assert.equal(clock.now(), 1_000_000);
  assert.equal(scheduler.get('PriorityClass', 'high'), undefined);
  assert.throws(() => scheduler.apply(incomplete('p', { priorityClassName: 'high' })));
  await tryOut(true);
  assert.ok(clock.now() > 1_000_000, 'the clock stands where the transaction left it');
  scheduler.apply(incomplete('q', { priorityClassName: 'high' }));
  assert.equal(scheduler.get('Pod', 'q')?.spec.priority, 7);
});

test('streams receive the records of committed transactions alone', async () => {
  const scheduler = await cluster();
  const stream = scheduler.records({ kinds: ['Decision'] });
  scheduler.transaction(change);
  scheduler.transaction((transaction) => {
    transaction.transaction((nested) => {
      nested.apply(makePod('kept', { cpu: '1' }));
      nested.run();
      nested.commit();
    });
    transaction.commit();
  });
  scheduler.dispose();
  const pods = [];
  for await (const { pod } of stream) pods.push(pod);
  assert.deepEqual(pods, ['default/kept']);
});

test('bindings under way continue after a transaction, which cannot be committed', async () => {
  const clock = virtualClock(1_000_000);
  const scheduler = await createScheduler({ api: 'host', keepObjects: true, clock });
  scheduler.apply([makeNode('a'), makePod('p', { cpu: '1' })]);
  const [call] = scheduler.run().calls;
  const before = stateOf(scheduler);
  scheduler.transaction((transaction) => {
    assert.equal(transaction.inspect({ pod: 'default/p' }).node, 'a');
    transaction.apply(makePod('q', { cpu: '1' }));
    assert.equal(transaction.run().calls.length, 1);
    assert.throws(() => transaction.commit(), { name: 'StowageError', code: 'TasksUnderWay' });
  });
  assert.equal(stateOf(scheduler), before);
  scheduler.complete(call.id, { status: 500, body: '' });
  const failed = scheduler.run().records.find(({ kind }) => kind === 'BindingResult');
  assert.equal(/** @type {any} */ (failed).result, 'bindFailed');
});

/**
 * Runs a scheduler until no cycle waits for the extender, which accepts node b alone.
 * @param {Scheduler} one
 */
function runWithExtender(one) {
  const records = [];
  for (;;) {
    const turn = one.run();
    records.push(...turn.records);
    const asked = turn.calls.filter(({ kind }) => kind === 'extender');
    if (asked.length === 0) return records;
    for (const { id } of asked) one.complete(id, { status: 200, body: '{"nodenames":["b"]}' });
  }
}

test('a revert takes back a cycle that waits for an extender, and what waits with it', async () => {
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    extenders: [
      { urlPrefix: 'http://extender.example/', filterVerb: 'filter', nodeCacheCapable: true },
    ],
  };
  const options = { configuration, clock: virtualClock(1_000_000) };
  const [scheduler, other] = [await cluster(options), await cluster(options)];
  assert.throws(() => scheduler.transaction(change), { code: 'CycleInProgress' });
  for (const one of [scheduler, other]) {
    one.complete(1, { status: 200, body: '{"nodenames":["b"]}' });
    runWithExtender(one);
    one.apply(makePod('asks', { cpu: '1' }));
  }
  const before = stateOf(scheduler);
  /** @type {number[]} */
  const ids = [];
  const ask = (/** @type {import('../../../js/src/index.js').Transaction} */ one) => {
    one.apply(makePod('sooner', { cpu: '1', spec: { priority: 9 } }));
    const { calls } = one.run();
    ids.push(...calls.map(({ id }) => id));
    assert.deepEqual(
      calls.map(({ kind, pod }) => [kind, pod]),
      [['extender', 'default/sooner']],
    );
    // The cycle reads a cluster that does not change: this waits with it.
    one.apply(makeNode('c'));
    assert.throws(() => one.commit(), { code: 'TasksUnderWay' });
  };
  scheduler.transaction(ask);
  assert.equal(stateOf(scheduler), before);
  scheduler.transaction((transaction) => transaction.transaction(ask));
  assert.equal(stateOf(scheduler), before);
  for (const id of ids) scheduler.complete(id, { status: 200, body: '{"nodenames":["a"]}' });
  const records = runWithExtender(scheduler);
  assert.deepEqual(records, runWithExtender(other));
  assert.ok(records.some((record) => record.kind === 'Decision' && record.node === 'b'));
  assert.equal(stateOf(scheduler), stateOf(other));
});

test('a scheduler with a log makes transactions on forks, which cannot be committed', async () => {
  let text = '';
  const log = (/** @type {string} */ line) => {
    text += line;
  };
  const scheduler = await cluster({ log });
  const logged = text;
  scheduler.transaction((transaction) => {
    change(transaction);
    assert.equal(scheduler.run().records.length, 0);
    assert.throws(() => transaction.commit(), {
      code: 'CannotCommit',
      message: 'a transaction cannot be committed in a scheduler with a log',
    });
    transaction.revert();
  });
  assert.ok(text.startsWith(logged));
  const replayed = await replay(text);
  assert.equal(stateOf(replayed), stateOf(scheduler));
  replayed.transaction(change);
  assert.equal(stateOf(replayed), stateOf(scheduler));
});

test('a scheduler that is disposed of ends its transaction', async () => {
  const scheduler = await cluster();
  scheduler.transaction((transaction) => {
    scheduler.dispose();
    assert.throws(() => transaction.run(), { name: 'DisposedError' });
    assert.throws(() => scheduler.run(), { name: 'DisposedError' });
  });
});

test('plugins take part in transactions, which cannot be committed', async () => {
  const plugin = { name: 'Other', filter: () => undefined };
  const scheduler = await cluster({
    plugins: [plugin],
    configuration: {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Other' }] } } }],
    },
  });
  const before = stateOf(scheduler);
  scheduler.transaction((transaction) => {
    change(transaction);
    assert.throws(() => transaction.commit(), { code: 'CannotCommit' });
  });
  assert.equal(stateOf(scheduler), before);
});

test('transactions before the first cycle do not show in later decisions', async () => {
  let placed = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const [plain, other] = [await createScheduler(), await createScheduler()];
    let state = seed;
    const draw = (/** @type {number} */ below) => {
      state = (state * 1103515245 + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    for (let step = 0; step < 12; step += 1) {
      const change = changeOf(draw);
      for (const one of [plain, other]) one.apply(change);
      if (step % 3 > 0) tryOut(other, makePod(`tried-${step}`, { cpu: '1' }), step % 2 === 0);
    }
    const waiting = Array.from({ length: 8 }, (_, at) => withImage(makePod(`w${at}`), at % 3));
    const [expected, found] = [plain, other].map((one) => {
      one.apply(waiting);
      return one.run().records;
    });
    assert.deepEqual(found, expected, `seed ${seed}`);
    assert.equal(stateOf(other), stateOf(plain));
    placed += expected.filter((record) => /** @type {any} */ (record).node).length;
  }
  assert.ok(placed > 0);
});

/** A node with an image, in a zone, or one that is gone. @param {(below: number) => number} draw */
function changeOf(draw) {
  const zone = { 'topology.kubernetes.io/zone': `z${draw(3)}` };
  const node = makeNode(`n${draw(6)}`, { cpu: String(2 + draw(3)), labels: zone });
  const images = [{ names: [`image-${draw(3)}:v1`], sizeBytes: 700_000_000 }];
  const object = { ...node, status: { ...node.status, images } };
  return draw(5) === 0 ? { type: 'DELETED', object } : object;
}

/** @param {any} pod @param {number} at */
function withImage(pod, at) {
  const [container] = pod.spec.containers;
  return { ...pod, spec: { containers: [{ ...container, image: `image-${at}:v1` }] } };
}

/** @param {Scheduler} one @param {any} pod @param {boolean} isRun */
function tryOut(one, pod, isRun) {
  one.transaction((transaction) => {
    transaction.apply(pod);
    if (isRun) transaction.run();
    transaction.apply(makeNode('another', { cpu: '9' }));
  });
}
