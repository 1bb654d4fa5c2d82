// Goal: merge keys of YAML give the fields that kubectl reads. Method: a table of documents with
// what goyaml.v2 makes of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsOf } from '../../../js/src/documents/documents.js';

const HEAD = 'a: &a {k: 1, m: 1}\nb: &b {k: 3, p: 3}\nlist: &list [*a]\n';

/** The value of `it`, or the error. @param {string} text */
function read(text) {
  const [{ value, error, origin }] = documentsOf(HEAD + text);
  return error ? error.detail : [value.it, origin.duplicates?.().map(({ path }) => path.join('.'))];
}

test('the order of a mapping decides between its own fields and merged ones', () => {
  const cases = /** @type {[string, object][]} */ ([
    ['it:\n  <<: *a\n  k: 2\n', { k: 2, m: 1 }],
    ['it:\n  k: 2\n  <<: *a\n', { k: 1, m: 1 }],
    ['it:\n  <<: *a\n  <<: *b\n', { k: 3, m: 1, p: 3 }],
    ['it:\n  <<: [*a, *b]\n', { k: 1, m: 1, p: 3 }],
    ['it:\n  k: 2\n  <<: [*b, {q: 4}]\n', { k: 3, p: 3, q: 4 }],
    ['it:\n  <<: {k: 5, <<: *a, p: 6}\n', { k: 1, m: 1, p: 6 }],
    ['it: {"<<": *a}\n', { '<<': { k: 1, m: 1 } }],
    ['it:\n  <<: {__proto__: {k: 1}}\n', JSON.parse('{"__proto__":{"k":1}}')],
    ['it:\n  <<: {}\n', {}],
  ]);
  for (const [text, value] of cases) assert.deepEqual(read(text), [value, []], text);
});

test('of duplicate keys beside a merge the last one counts', () => {
  const found = read('it:\n  k: 5\n  <<: *a\n  k: 2\n');
  assert.deepEqual(found, [{ k: 2, m: 1 }, ['it.k']]);
  assert.deepEqual(read('it:\n  k: 5\n  k: 2\n  <<: *a\n'), [{ k: 1, m: 1 }, ['it.k']]);
  assert.deepEqual(read('it:\n  <<: {k: 1, k: 2}\n'), [{ k: 2 }, ['it.k']]);
});

test('only mappings and lists of them are merged', () => {
  const message = 'map merge requires map or sequence of maps as the value';
  for (const value of ['5', '', '*list', '[*list]', '[*a, 1]', '[[*a]]'])
    assert.equal(read(`it:\n  <<: ${value}\n`), message, value);
});

test('an anchor ends with its document', () => {
  const [, { error }] = documentsOf(`${HEAD}---\nit:\n  <<: *a\n`);
  assert.match(String(error?.detail), /unknown anchor 'a' referenced/);
});

test('merges that grow with the power of their depth, and a mapping in itself, are errors', () => {
  const level = (/** @type {number} */ at) =>
    `l${at}: &l${at} {<<: [${Array(9).fill(`*l${at - 1}`)}], f${at}: 1}\n`;
  const levels = (/** @type {number} */ length) =>
    `l0: &l0 {f0: 1}\n${Array.from({ length }, (_, at) => level(at + 1)).join('')}`;
  assert.deepEqual(documentsOf(levels(2))[0].value.l2, { f0: 1, f1: 1, f2: 1 });
  assert.match(
    String(documentsOf(levels(40))[0].error?.detail),
    /^document contains excessive aliasing/,
  );
  assert.ok(documentsOf('a: &a\n  <<: *a\n')[0].error);
});

test('an alias without an anchor, and a merge of something else, are errors at their place', () => {
  const placeOf = (/** @type {string} */ text) => {
    const [{ error }] = documentsOf(text);
    return [error?.line, error?.column];
  };
  assert.deepEqual(placeOf('a: 1\nb:\n  c: *d\n'), [3, 6]);
  assert.deepEqual(placeOf('a: &a {}\nb: *a\nc:\n  <<: *d\n'), [4, 7]);
  assert.deepEqual(placeOf('a: 1\nb:\n  <<: 5\n'), [3, 7]);
});

test('an anchor may have hundreds of aliases, as in a list of alike containers', () => {
  for (const item of ['*a', '{<<: *a}']) {
    const [{ value }] = documentsOf(`first: &a {k: 1}\nall: [${Array(500).fill(item)}]\n`);
    assert.equal(value?.all.length, 500, item);
  }
});
