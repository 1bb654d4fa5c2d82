// Goal: a large memory grows in large steps, and by what is needed where they find no room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growInSteps } from '../../../js/src/engine/memory_steps.js';

const MEGABYTES = 16;

/** An instance whose memory has so many megabytes. @param {number} size @param {number} most */
function instanceOf(size, most = 1024) {
  const memory = new WebAssembly.Memory({ initial: size * MEGABYTES, maximum: most * MEGABYTES });
  const instance = /** @type {WebAssembly.Instance} */ (
    /** @type {unknown} */ ({ exports: { run: () => 1, memory } })
  );
  return { instance, memory, size: () => memory.buffer.byteLength / 2 ** 20 };
}

const CASES = /** @type {[string, number, number, number, number][]} */ ([
  ['a small memory', 31, 1024, 128, 32],
  ['a large memory', 32, 1024, 128, 160],
  ['a large memory without steps', 32, 1024, 0, 33],
  ['a large memory that is nearly full', 32, 100, 128, 33],
]);

for (const [name, initial, most, step, expected] of CASES) {
  test(`${name} of ${initial} MB grows by one to ${expected} MB`, () => {
    const { instance, memory, size } = instanceOf(initial, most);
    growInSteps(instance, step * 2 ** 20);
    assert.equal(memory.grow(MEGABYTES), initial * MEGABYTES);
    assert.equal(size(), expected);
  });
}

test('more than a step is granted; more than there is, is not', () => {
  const { instance, memory, size } = instanceOf(32);
  growInSteps(instance, 128 * 2 ** 20);
  memory.grow(200 * MEGABYTES);
  assert.equal(size(), 232);
  assert.throws(() => memory.grow(1000 * MEGABYTES), RangeError);
});

test('an instance without memory stays as it is', () => {
  growInSteps({ exports: { run: () => 1 } }, 128 * 2 ** 20);
});
