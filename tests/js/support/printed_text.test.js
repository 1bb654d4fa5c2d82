import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isPrinted } from './printed_text.js';

test('text is compared without its widths, and with holes', () => {
  const cases = /** @type {[string, string, boolean][]} */ ([
    ['a   b\n', 'a      b', true],
    ['a b', 'a  b', false],
    ['a  ', 'a', true],
    ['', '', true],
    ['a', '', false],
    ['AGE\n5m3s\n', 'AGE\n{age}', true],
    ['AGE\nlong\n', 'AGE\n{age}', false],
    ['web-7d4b9c-x2v4z Running', 'web-{hash}-{id} Running', true],
    ['{"a":"b"}', '{"a":"b"}', true],
    ['a.b', 'a?b', false],
    ['first\nsecond\nthird\n', 'first\n...', true],
    ['first\n', 'first\n...', true],
    ['', '...', true],
    ['a\n\nb', 'a\n\nb', true],
    ['a\nb', 'a\n\nb', false],
    ['first\nsecond\nthird\n', '...\nthird', true],
    ['third\n', '...\nthird', true],
    ['first\nsecond\nthird\n', '...\nsecond\n...', true],
    ['first\nsecond\nthird\n', '...\nfourth\n...', false],
    ['a\n  b\n', 'a\n  b', true],
    ['a\n    b\n', 'a\n  b', false],
  ]);
  for (const [printed, expected, want] of cases) {
    assert.equal(isPrinted(printed, expected), want, JSON.stringify([printed, expected]));
  }
});
