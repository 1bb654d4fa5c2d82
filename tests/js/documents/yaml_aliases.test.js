// Goal: aliases are read as kubectl reads them, in its bound. Method: texts on both sides of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { documentsOf, parseSingle } from '../../../js/src/documents/documents.js';

/** @param {number} count @param {(at: number) => string} make */
const lines = (count, make) => Array.from({ length: count }, (_, at) => make(at)).join('');

/** @param {string} text */
const detailOf = (text) => documentsOf(text)[0].error?.detail;

test('an anchor may have many aliases', () => {
  const [{ value, error }] = documentsOf(
    `labels: &l {app: x}\nitems:\n${lines(2_000, () => '- {labels: *l}\n')}`,
  );
  assert.equal(error, undefined);
  assert.equal(value.items.length, 2_000);
  assert.deepEqual(value.items[1_999], { labels: { app: 'x' } });
});

test('an alias is the last anchor of its name before it', () => {
  const [{ value }] = documentsOf('a: &a 1\nb: *a\nc: &a 2\nd: *a\n');
  assert.deepEqual(value, { a: 1, b: 1, c: 2, d: 2 });
});

test('values that grow with the power of their depth are refused, also empty ones', () => {
  const excessive = 'document contains excessive aliasing';
  for (const seed of ['{}', '[]', '1'])
    for (const [count, depth] of [
      [9, 40],
      [300, 3],
    ]) {
      const level = (/** @type {number} */ at) =>
        `l${at + 1}: &l${at + 1} [${lines(count, () => `*l${at}, `)}]\n`;
      assert.equal(detailOf(`l0: &l0 ${seed}\n${lines(depth, level)}`), excessive, seed);
    }
  const chain = lines(20_000, (at) => `l${at + 1}: &l${at + 1} [*l${at}]\n`);
  assert.equal(detailOf(`l0: &l0 1\n${chain}`), excessive);
});

test('a value cannot contain itself', () => {
  for (const text of ['a: &a [*a]\n', 'a: &a {b: 1, <<: *a}\n', 'a: &a {b: {c: *a}}\n'])
    assert.equal(detailOf(text), "anchor 'a' value contains itself", text);
});

test('a configuration with a key twice is refused at the second one', () => {
  for (const text of ['a: 1\nb:\n  c: 1\n  c: 2\n', '{"a": 1,\n "b": {\n\n  "c": 1, "c": 2}}'])
    assert.throws(
      () => parseSingle(text),
      ({ code, detail, line }) =>
        code === 'MalformedYaml' && detail === 'Map keys must be unique' && line === 4,
    );
});
