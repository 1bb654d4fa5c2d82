// Goal: calls leave the queue in their order, and each in the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallQueue } from '../../../js/src/live/call_queue.js';

/** @param {CallQueue} queue @param {number} count */
function filled(queue, count) {
  const begun = /** @type {number[]} */ ([]);
  const calls = Array.from({ length: count }, (_, number) =>
    queue.add(() => void begun.push(number)),
  );
  return { begun, calls };
}

test('calls that left are skipped wherever they stood', () => {
  const queue = new CallQueue();
  const { begun, calls } = filled(queue, 12);
  for (const number of [0, 1, 5, 6, 11]) queue.remove(calls[number]);
  assert.equal(queue.length, 7);
  while (queue.length > 0) queue.take()?.();
  assert.deepEqual(begun, [2, 3, 4, 7, 8, 9, 10]);
});

test('a queue that all have left is as good as new', () => {
  const queue = new CallQueue();
  for (const call of filled(queue, 5).calls) queue.remove(call);
  assert.equal(queue.length, 0);
  const { begun } = filled(queue, 2);
  queue.take()?.();
  queue.take()?.();
  assert.deepEqual(begun, [0, 1]);
});

test('calls that come while others leave keep their order', () => {
  const queue = new CallQueue();
  const begun = /** @type {number[]} */ ([]);
  for (let number = 0; number < 1000; number += 1) {
    const call = queue.add(() => void begun.push(number));
    if (number % 7 === 3) queue.remove(call);
    if (number % 3 === 2 && queue.length > 0) queue.take()?.();
  }
  while (queue.length > 0) queue.take()?.();
  const all = Array.from({ length: 1000 }, (_, number) => number);
  assert.deepEqual(
    begun,
    all.filter((number) => number % 7 !== 3),
  );
});

test('the time for a call does not grow with the number that waits', () => {
  const timeOf = (/** @type {number} */ count) => {
    const queue = new CallQueue();
    const begin = () => {};
    for (let number = 0; number < count; number += 1) queue.add(begin);
    const start = performance.now();
    while (queue.length > 0) queue.take();
    return performance.now() - start;
  };
  timeOf(20_000);
  const few = Math.min(timeOf(20_000), timeOf(20_000), timeOf(20_000));
  const many = Math.min(timeOf(400_000), timeOf(400_000));
  assert.ok(many < 10 * 20 * few, `${many / few} times for 20 times as many`);
});
