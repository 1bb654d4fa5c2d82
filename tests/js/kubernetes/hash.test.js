import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSuffix, hashUuid, hashWords } from '../../../js/src/kubernetes/hash.js';

test('a hundred thousand names, and no two alike in any word pair', () => {
  const seen = [new Set(), new Set()];
  for (let number = 0; number < 100_000; number++) {
    const [a, b, c, d] = hashWords(`0/Pod/default/web-${number}`);
    seen[0].add(`${a}/${b}`);
    seen[1].add(`${c}/${d}`);
  }
  assert.deepEqual(
    seen.map(({ size }) => size),
    [100_000, 100_000],
  );
});

test('the forms', () => {
  assert.match(hashUuid('x'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(hashSuffix('x', 9), /^[b-df-hj-np-tv-xz2456789]{9}$/);
  assert.equal(hashSuffix('x', 16).length, 16);
  assert.notEqual(hashUuid('x'), hashUuid('y'));
});
