/** Checks the list of mistakes against the present sources. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { MUTATIONS } from './list.js';

const root = new URL('../../', import.meta.url);

test('the text of each mutation occurs exactly once in its source', () => {
  assert.ok(MUTATIONS.length > 0);
  for (const { name, file, search, replace } of MUTATIONS) {
    const text = readFileSync(new URL(file, root), 'utf8');
    assert.equal(text.split(search).length - 1, 1, name);
    assert.notEqual(search, replace, name);
  }
});

test('the tests of each mutation belong to a folder', () => {
  for (const { name, program } of MUTATIONS) {
    assert.ok(existsSync(new URL(`tests/core/${program}/CMakeLists.txt`, root)), name);
  }
});
