import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  below,
  difference,
  has,
  intersection,
  isEmpty,
  pathsOf,
  recursiveDifference,
  setOf,
  sorted,
  union,
} from '../../../../js/apiserver/managed_fields/field_set.js';
import {
  compareElements,
  elementText,
} from '../../../../js/apiserver/managed_fields/path_elements.js';

/** @param {string[]} paths as in `a/b` @returns {any} */
const set = (...paths) => setOf(paths.map((path) => path.split('/').map((name) => `f:${name}`)));

test('a set is the tree that managedFields hold', () => {
  assert.deepEqual(set('a', 'a/b', 'c/d'), {
    'f:a': { '.': {}, 'f:b': {} },
    'f:c': { 'f:d': {} },
  });
  assert.deepEqual(set('a/b', 'a'), { 'f:a': { '.': {}, 'f:b': {} } });
  assert.deepEqual(setOf([[]]), {});
});

test('sets are added, shared and taken away member by member', () => {
  const cases = [
    { left: set('a'), right: set('b'), or: set('a', 'b'), and: {}, less: set('a') },
    { left: set('a/b'), right: set('a'), or: set('a', 'a/b'), and: {}, less: set('a/b') },
    { left: set('a'), right: set('a/b'), or: set('a', 'a/b'), and: {}, less: set('a') },
    {
      left: set('a', 'a/b'),
      right: set('a/b'),
      or: set('a', 'a/b'),
      and: set('a/b'),
      less: set('a'),
    },
    {
      left: set('a', 'a/b'),
      right: set('a'),
      or: set('a', 'a/b'),
      and: set('a'),
      less: set('a/b'),
    },
    {
      left: set('a/b', 'a/c'),
      right: set('a/c'),
      or: set('a/b', 'a/c'),
      and: set('a/c'),
      less: set('a/b'),
    },
    { left: set('a'), right: set('a'), or: set('a'), and: set('a'), less: {} },
  ];
  for (const { left, right, or, and, less } of cases) {
    const name = JSON.stringify([left, right]);
    assert.deepEqual(union(left, right), or, name);
    assert.deepEqual(intersection(left, right), and, name);
    assert.deepEqual(difference(left, right), less, name);
    assert.equal(isEmpty(difference(left, left)), true);
  }
});

test('recursiveDifference removes members with everything below them', () => {
  const left = set('a', 'a/b', 'a/b/c', 'd');
  assert.deepEqual(recursiveDifference(left, set('a/b')), set('a', 'd'));
  assert.deepEqual(recursiveDifference(left, set('a')), set('d'));
  assert.deepEqual(recursiveDifference(left, set('a/b/c')), set('a', 'a/b', 'd'));
});

test('has and below find members and subtrees', () => {
  const given = set('a', 'a/b', 'c/d');
  assert.deepEqual([has(given, 'f:a'), has(given, 'f:c'), has(given, 'f:x')], [true, false, false]);
  assert.deepEqual(below(given, 'f:a'), set('b'));
  assert.deepEqual(below(given, 'f:x'), {});
});

test('steps are written in the server’s order: fields, keys, values; numbers as numbers', () => {
  const elements = ['v:"a"', 'k:{"port":443}', 'f:b', 'k:{"port":80}', 'f:a', 'v:2', 'v:10', 'i:1'];
  assert.deepEqual([...elements].sort(compareElements), [
    'f:a',
    'f:b',
    'k:{"port":80}',
    'k:{"port":443}',
    'v:2',
    'v:10',
    'v:"a"',
    'i:1',
  ]);
  const keys = ['k:{"a":1,"b":2}', 'k:{"a":1}', 'k:{"a":1,"b":"x"}', 'k:{"b":0}'];
  assert.deepEqual(keys.sort(compareElements), [
    'k:{"a":1}',
    'k:{"a":1,"b":2}',
    'k:{"a":1,"b":"x"}',
    'k:{"b":0}',
  ]);
  const tree = { 'f:b': {}, '.': {}, 'f:a': { 'f:c': {}, '.': {} } };
  assert.equal(JSON.stringify(sorted(tree)), '{".":{},"f:a":{".":{},"f:c":{}},"f:b":{}}');
});

test('paths are listed level by level, and printed as conflicts print them', () => {
  const given = setOf([
    ['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image'],
    ['f:spec', 'f:containers', 'k:{"name":"c"}'],
    ['f:spec', 'f:replicas'],
    ['f:metadata', 'f:finalizers', 'v:"x"'],
    ['f:list', 'k:{"port":80,"protocol":"TCP"}'],
  ]);
  const texts = pathsOf(given).map((path) => path.map(elementText).join(''));
  assert.deepEqual(texts, [
    '.list[port=80,protocol="TCP"]',
    '.metadata.finalizers[="x"]',
    '.spec.replicas',
    '.spec.containers[name="c"]',
    '.spec.containers[name="c"].image',
  ]);
  assert.equal(elementText('i:3'), '[3]');
});
