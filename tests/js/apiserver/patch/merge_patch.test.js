import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deepFreeze } from '../../../../js/apiserver/frozen.js';
import { applyMergePatch } from '../../../../js/apiserver/patch/merge_patch.js';

test('maps are merged, null removes, all else replaces', () => {
  const cases = [
    { of: { a: 'b' }, patch: { a: 'c' }, want: { a: 'c' } },
    { of: { a: 'b' }, patch: { b: 'c' }, want: { a: 'b', b: 'c' } },
    { of: { a: 'b', b: 'c' }, patch: { a: null }, want: { b: 'c' } },
    { of: { a: ['b'] }, patch: { a: 'c' }, want: { a: 'c' } },
    { of: { a: 'c' }, patch: { a: ['b'] }, want: { a: ['b'] } },
    { of: { a: { b: 'c' } }, patch: { a: { b: 'd', c: null } }, want: { a: { b: 'd' } } },
    { of: { a: [{ b: 'c' }] }, patch: { a: [1] }, want: { a: [1] } },
    { of: {}, patch: { a: { bb: { ccc: null } } }, want: { a: { bb: {} } } },
    { of: { a: 1 }, patch: {}, want: { a: 1 } },
    { of: { e: null }, patch: { a: 1 }, want: { e: null, a: 1 } },
  ];
  for (const { of, patch, want } of cases) {
    assert.deepEqual(applyMergePatch(deepFreeze(of), deepFreeze(patch)), want);
  }
});

test('a member may have any name', () => {
  const patch = JSON.parse('{"data": {"__proto__": {"x": 1}}}');
  const { data } = /** @type {any} */ (applyMergePatch({ data: {} }, patch));
  assert.deepEqual(Object.keys(data), ['__proto__']);
  assert.equal(Object.getPrototypeOf(data), Object.prototype);
});

test('a merge patch that is not a map is refused', () => {
  for (const [patch, kind] of [
    [[1], 'array'],
    ['x', 'string'],
    [true, 'bool'],
  ]) {
    const fault = `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
    assert.throws(() => applyMergePatch({}, patch), {
      status: 400,
      message: `error decoding patch: ${fault}`,
    });
  }
});
