// Goal: the work queue guarantees what client-go's does: no duplicates, no losses, in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reconciler } from '../../../../js/apiserver/controllers/reconciler.js';
import { WorkQueue } from '../../../../js/apiserver/controllers/work_queue.js';
import { ManualClock, settle } from '../../support/manual_clock.js';

/** Gets all items that are ready. @param {WorkQueue} queue */
function drain(queue) {
  const items = [];
  for (let item = queue.get(); item !== undefined; item = queue.get()) {
    items.push(item);
    queue.done(item);
  }
  return items;
}

test('an item waits once, in the order of its first addition', () => {
  const queue = new WorkQueue(new ManualClock(0));
  for (const item of ['b', 'a', 'b', 'c', 'a']) queue.add(item);
  assert.equal(queue.length, 3);
  assert.deepEqual(drain(queue), ['b', 'a', 'c']);
});

test('an item that is added while it is worked on comes again, after that', () => {
  const queue = new WorkQueue(new ManualClock(0));
  queue.add('a');
  assert.equal(queue.get(), 'a');
  queue.add('a');
  queue.add('b');
  assert.equal(queue.get(), 'b');
  assert.equal(queue.get(), undefined);
  queue.done('a');
  assert.equal(queue.get(), 'a');
});

test('delayed items come at their time, the earliest of several counts', async () => {
  const clock = new ManualClock(0);
  const queue = new WorkQueue(clock);
  queue.addAfter('late', 100);
  queue.addAfter('a', 50);
  queue.addAfter('b', 50);
  queue.addAfter('late', 300);
  queue.addAfter('late', 80);
  assert.equal(queue.nextReadyAt, 50);
  assert.deepEqual(drain(queue), []);
  await clock.advance(60);
  assert.deepEqual(drain(queue), ['a', 'b']);
  assert.equal(queue.nextReadyAt, 80);
  await clock.advance(1000);
  assert.deepEqual(drain(queue), ['late']);
  assert.equal(queue.nextReadyAt, null);
});

test('an item that fails waits longer each time, until it is forgotten', async () => {
  const clock = new ManualClock(0);
  const queue = new WorkQueue(clock);
  const delays = [];
  for (let failure = 0; failure < 20; failure += 1) {
    queue.addRateLimited('a');
    delays.push(/** @type {number} */ (queue.nextReadyAt) - clock.now());
    await clock.advance(1_000_000);
    drain(queue);
  }
  assert.deepEqual(delays.slice(0, 4), [5, 10, 20, 40]);
  assert.equal(delays.at(-1), 1_000_000);
  queue.forget('a');
  queue.addRateLimited('a');
  assert.equal(/** @type {number} */ (queue.nextReadyAt) - clock.now(), 5);
});

test('a reconciler retries failures, reports faults, and leaves no timer', async () => {
  const clock = new ManualClock(0);
  const seen = [];
  const told = [];
  const reconciler = new Reconciler({
    clock,
    sync(key) {
      seen.push(`${key} ${clock.now()}`);
      if (seen.length < 3) throw new TypeError('broken');
    },
    onError: (error, key) => told.push(`${key}: ${/** @type {Error} */ (error).message}`),
  });
  reconciler.enqueue('a');
  assert.deepEqual(seen, []);
  await clock.advance(100);
  assert.deepEqual(seen, ['a 0', 'a 5', 'a 15']);
  assert.deepEqual(told, ['a: broken', 'a: broken']);
  assert.equal(clock.sleepers, 0);
  reconciler.enqueueAfter('b', 1000);
  await settle();
  assert.equal(clock.sleepers, 1);
  reconciler.stop();
  await clock.advance(5000);
  assert.equal(seen.length, 3);
  assert.equal(clock.sleepers, 0);
});

test('other tasks run between the keys of a long queue', async () => {
  const clock = new ManualClock(0);
  let done = 0;
  const counts = [];
  const reconciler = new Reconciler({
    clock: {
      now: clock.now,
      async sleep() {
        counts.push(done);
      },
    },
    sync: () => void (done += 1),
    onError: assert.ifError,
  });
  for (let key = 0; key < 250; key += 1) reconciler.enqueue(String(key));
  await settle();
  assert.deepEqual(counts, [100, 200]);
  assert.equal(done, 250);
});
