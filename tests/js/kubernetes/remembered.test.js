import assert from 'node:assert/strict';
import { test } from 'node:test';

import { remembered } from '../../../js/src/kubernetes/remembered.js';

/** Returns the function, and the texts that it was called with. */
function counted() {
  /** @type {string[]} */
  const made = [];
  const length = remembered((text) => {
    made.push(text);
    if (text === 'bad') throw new RangeError(text);
    return text === '' ? null : text.length;
  });
  return { made, length };
}

test('a text that comes again is not read again', () => {
  const { made, length } = counted();
  assert.deepEqual(['one', 'three', 'one', '', ''].map(length), [3, 5, 3, null, null]);
  assert.deepEqual(made, ['one', 'three', '']);
});

test('remembered calls a function again after it failed', () => {
  const { made, length } = counted();
  assert.throws(() => length('bad'), RangeError);
  assert.throws(() => length('bad'), RangeError);
  assert.deepEqual(made, ['bad', 'bad']);
});

test('long texts, and too many of them, are not kept', () => {
  const { made, length } = counted();
  const long = 'x'.repeat(65);
  assert.deepEqual([length(long), length(long)], [65, 65]);
  assert.deepEqual(made.splice(0), [long, long]);
  for (let count = 0; count < 1025; count += 1) length(`text ${count}`);
  made.length = 0;
  length('text 1024');
  length('text 0');
  assert.deepEqual(made, ['text 0'], 'the last one was still known, the first forgotten');
});
