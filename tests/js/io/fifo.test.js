// Goal: items leave in the order in which they came, each in the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fifo } from '../../../js/src/io/fifo.js';

test('items leave in their order, however many come meanwhile', () => {
  const fifo = /** @type {Fifo<number>} */ (new Fifo());
  const expected = /** @type {number[]} */ ([]);
  for (let step = 0; step < 5000; step += 1) {
    // More come than leave at first, then fewer.
    const isComing = step % 3 < (step < 2500 ? 2 : 1);
    if (isComing) {
      fifo.push(step);
      expected.push(step);
    } else {
      assert.equal(fifo.peek(), expected[0]);
      assert.equal(fifo.shift(), expected.shift());
    }
    assert.equal(fifo.length, expected.length);
  }
});

test('an empty one has no first item, and can be filled again', () => {
  const fifo = /** @type {Fifo<string>} */ (new Fifo());
  const isEmpty = () =>
    assert.deepEqual([fifo.peek(), fifo.shift(), fifo.length], [undefined, undefined, 0]);
  isEmpty();
  fifo.push('a');
  fifo.push('b');
  fifo.clear();
  isEmpty();
  fifo.push('c');
  assert.deepEqual([fifo.peek(), fifo.length, fifo.shift()], ['c', 1, 'c']);
  isEmpty();
});

test('the time to remove an item does not grow with the number that wait', () => {
  const timeOf = (/** @type {number} */ count) => {
    const fifo = new Fifo();
    for (let number = 0; number < count; number += 1) fifo.push(number);
    const start = performance.now();
    while (fifo.length > 0) fifo.shift();
    return performance.now() - start;
  };
  timeOf(20_000);
  const few = Math.min(timeOf(20_000), timeOf(20_000), timeOf(20_000));
  const many = Math.min(timeOf(400_000), timeOf(400_000));
  assert.ok(many < 10 * 20 * few, `${many / few} times for 20 times as many`);
});
