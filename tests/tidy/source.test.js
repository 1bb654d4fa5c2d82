import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bareCpp, bareJs, lineAt } from './source.js';

test('prose leaves C++, lines and code stay', () => {
  const cases = [
    ['int a;  // note', 'int a;         '],
    ['f("x{", \'}\');', 'f("  ", \' \');'],
    ['/* a\nb */c', '    \n    c'],
    ["1'000 + '\"' + b", "1'000 + ' ' + b"],
  ];
  for (const [text, want] of cases) assert.equal(bareCpp(text), want);
  assert.ok(!bareCpp('auto t = R"x({ "quoted" })x"; int b;').includes('quoted'));
  assert.ok(bareCpp('auto t = R"x({ "quoted" })x"; int b;').endsWith('; int b;'));
});

test('prose leaves JavaScript, templates stay', () => {
  assert.equal(bareJs("f('//', a); // b"), "f('  ', a);     ");
  assert.equal(bareJs('x = /"/; y'), 'x =    ; y');
  assert.equal(bareJs('a / b / c'), 'a / b / c');
  assert.equal(bareJs('`${a}`'), '`${a}`');
});

test('lines are counted from one', () => {
  assert.equal(lineAt('a\nb\nc', 0), 1);
  assert.equal(lineAt('a\nb\nc', 2), 2);
  assert.equal(lineAt('a\nb\nc', 4), 3);
});
