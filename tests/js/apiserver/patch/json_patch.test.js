import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deepFreeze } from '../../../../js/apiserver/frozen.js';
import { applyJsonPatch } from '../../../../js/apiserver/patch/json_patch.js';

const add = (/** @type {string} */ path, /** @type {unknown} */ value) => ({
  op: 'add',
  path,
  value,
});

test('operations change the value at their path', () => {
  const cases = [
    { name: 'add', of: { a: 1 }, patch: [add('/b', 2)], want: { a: 1, b: 2 } },
    { name: 'add over', of: { a: 1 }, patch: [add('/a', 2)], want: { a: 2 } },
    { name: 'insert', of: { a: [1, 3] }, patch: [add('/a/1', 2)], want: { a: [1, 2, 3] } },
    { name: 'append', of: { a: [1] }, patch: [add('/a/-', 2)], want: { a: [1, 2] } },
    { name: 'append by index', of: { a: [1] }, patch: [add('/a/1', 2)], want: { a: [1, 2] } },
    { name: 'negative', of: { a: [1, 3] }, patch: [add('/a/-2', 2)], want: { a: [1, 2, 3] } },
    { name: 'escapes', of: { 'a/b~c': 1 }, patch: [add('/a~1b~0c', 2)], want: { 'a/b~c': 2 } },
    {
      name: 'remove',
      of: { a: [1, 2], b: 1 },
      patch: [
        { op: 'remove', path: '/a/0' },
        { op: 'remove', path: '/b' },
      ],
      want: { a: [2] },
    },
    {
      name: 'replace, also what is absent',
      of: { a: [1] },
      patch: [
        { op: 'replace', path: '/a/0', value: { b: null } },
        { op: 'replace', path: '/c', value: 1 },
      ],
      want: { a: [{ b: null }], c: 1 },
    },
    {
      name: 'whole',
      of: { a: 1 },
      patch: [{ op: 'replace', path: '', value: { b: 1 } }],
      want: { b: 1 },
    },
    {
      name: 'move',
      of: { a: { b: 1 } },
      patch: [{ op: 'move', from: '/a/b', path: '/c' }],
      want: { a: {}, c: 1 },
    },
    {
      name: 'copy, then change the copy',
      of: { a: { b: 1 } },
      patch: [{ op: 'copy', from: '/a', path: '/c' }, add('/c/b', 2)],
      want: { a: { b: 1 }, c: { b: 2 } },
    },
    {
      name: 'test',
      of: { a: { b: [1, null], c: 'x' } },
      patch: [
        { op: 'test', path: '/a', value: { c: 'x', b: [1, null] } },
        { op: 'test', path: '/none', value: null },
        { op: 'test', path: '/a/b/-1', value: null },
      ],
      want: { a: { b: [1, null], c: 'x' } },
    },
    { name: 'nothing', of: { a: 1 }, patch: [], want: { a: 1 } },
  ];
  for (const { name, of, patch, want } of cases) {
    const before = JSON.stringify(of);
    assert.deepEqual(applyJsonPatch(deepFreeze(of), deepFreeze(patch)), want, name);
    assert.equal(JSON.stringify(of), before, `${name}: the object is not changed`);
  }
});

test('a member may have any name', () => {
  const result = applyJsonPatch({ data: {} }, [add('/data/__proto__', { x: 1 })]);
  assert.deepEqual(Object.keys(result.data), ['__proto__']);
  assert.equal(Object.getPrototypeOf(result.data), Object.prototype);
  const patch = [add('/constructor/prototype/polluted', 1)];
  assert.throws(() => applyJsonPatch({ data: {} }, patch), { status: 422 });
});

test('an operation that cannot be applied is refused in the server’s words', () => {
  const of = { a: [1], s: 'x' };
  const cases = [
    { op: 'add', path: '/b/c', value: 1 },
    { op: 'add', path: '/a/2', value: 1 },
    { op: 'add', path: '/a/-3', value: 1 },
    { op: 'add', path: '/a/x', value: 1 },
    { op: 'add', path: '/s/0', value: 1 },
    { op: 'add', path: '', value: {} },
    { op: 'add', path: 'a', value: 1 },
    { op: 'remove', path: '/none' },
    { op: 'remove', path: '/a/1' },
    { op: 'remove' },
    { op: 'replace', path: '/a/1', value: 1 },
    { op: 'replace', path: '', value: [] },
    { op: 'move', from: '/none', path: '/b' },
    { op: 'move', path: '/b' },
    { op: 'test', path: '/s', value: 'y' },
    { op: 'test', path: '/a/5', value: null },
    { op: 'merge', path: '/a', value: 1 },
    {},
  ];
  for (const operation of cases) {
    assert.throws(
      () => applyJsonPatch(of, [operation]),
      {
        status: 422,
        code: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
      },
      JSON.stringify(operation),
    );
  }
});

test('a body that is not a JSON patch is refused', () => {
  assert.throws(() => applyJsonPatch({}, { a: 1 }), {
    status: 400,
    message:
      'error decoding patch: json: cannot unmarshal object into Go value of type ' +
      '[]handlers.jsonPatchOp',
  });
  assert.throws(() => applyJsonPatch({}, ['x']), { status: 400, message: /unmarshal string into/ });
  const many = Array.from({ length: 10_001 }, () => add('/a', 1));
  assert.throws(() => applyJsonPatch({}, many), {
    status: 413,
    message:
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, ' +
      'got 10001',
  });
});
