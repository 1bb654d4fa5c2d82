// Goal: how long the comparison with the secret takes says nothing about it. Method: digests that
// tell which of their bytes are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBearerToken } from '../../../js/src/edge/bearer_token.js';

const SECRET = 'secret';
const LENGTH = 32;
const headers = new Headers({ Authorization: 'Bearer given' });

/**
 * Checks a token whose digest is that of the secret but for the bytes that are named.
 * @param {number[]} different
 * @returns {Promise<Record<string, string[]>>} which bytes are read of the digest of each text
 */
async function check(different) {
  /** @type {Record<string, string[]>} */
  const read = {};
  const digest = async (/** @type {string} */ text) => {
    const bytes = new Uint8Array(LENGTH).fill(7);
    if (text !== SECRET) for (const at of different) bytes[at] = 8;
    const positions = (read[text] = /** @type {string[]} */ ([]));
    return new Proxy(bytes, {
      get(target, name) {
        if (/^\d+$/.test(String(name))) positions.push(String(name));
        return Reflect.get(target, name);
      },
    });
  };
  const checked = checkBearerToken(headers, SECRET, digest);
  if (different.length === 0) await checked;
  else await assert.rejects(checked, { code: 'Unauthorized' });
  return read;
}

test('digests are compared to their end, wherever they differ', async () => {
  const all = Array.from({ length: LENGTH }, (_, at) => String(at));
  for (const different of [[], [0], [LENGTH - 1], [0, 9, LENGTH - 1]]) {
    assert.deepEqual(await check(different), { given: all, [SECRET]: all }, `${different}`);
  }
});

test('digests of the token and the secret are compared', async (t) => {
  const digest = t.mock.method(crypto.subtle, 'digest');
  await assert.rejects(checkBearerToken(headers, SECRET), { code: 'Unauthorized' });
  await checkBearerToken(headers, 'given');
  const texts = digest.mock.calls.map(({ arguments: [algorithm, bytes] }) => {
    assert.equal(algorithm, 'SHA-256');
    return new TextDecoder().decode(/** @type {Uint8Array} */ (bytes));
  });
  assert.deepEqual(texts, ['given', SECRET, 'given', 'given']);
});
