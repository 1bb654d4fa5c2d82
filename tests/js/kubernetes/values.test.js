// Goal: the depth of a value counts lists and objects alike, whatever is beside the deepest part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeeperThan } from '../../../js/src/kubernetes/values.js';

const CASES = /** @type {[string, unknown, number][]} */ ([
  ['a number', 1, 0],
  ['null', null, 0],
  ['an empty list', [], 1],
  ['an empty object', {}, 1],
  ['a list in an object', { a: 1, b: [1] }, 2],
  ['an object at the end of a list', [1, [], { a: {} }], 3],
  ['lists in lists', [[[[]]]], 4],
]);

for (const [name, value, depth] of CASES) {
  test(`${name} has ${depth} levels`, () => {
    assert.equal(isDeeperThan(value, depth), false);
    if (depth > 0) assert.equal(isDeeperThan(value, depth - 1), true);
  });
}
