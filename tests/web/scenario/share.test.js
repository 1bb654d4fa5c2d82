import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { fromHash, toHash } from '../../../web/src/scenario/share.js';

test('a value survives the way through a hash', async () => {
  const value = { title: 'Überlauf ✓', list: Array.from({ length: 500 }, (_, at) => `node-${at}`) };
  const hash = await toHash(value);
  assert.match(hash, /^[\w-]+$/);
  assert.ok(hash.length < JSON.stringify(value).length / 3, `${hash.length}`);
  assert.deepEqual(await fromHash(hash), value);
});

test('an invalid, truncated or too large hash is refused', async () => {
  const hash = await toHash({ title: 'x'.repeat(100) });
  for (const bad of ['!', '', hash.slice(0, -4), `A${hash}`])
    await assert.rejects(
      fromHash(bad),
      /the link is truncated, or this page did not create it/,
      bad,
    );
  const long = 'x'.repeat(65 << 20);
  const bomb = deflateRawSync(JSON.stringify(long), { level: 1 }).toString('base64url');
  await assert.rejects(fromHash(bomb), /the link is too large when decompressed/);
  await assert.rejects(toHash(long), { code: 'TooLarge' });
});
