import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatQuantity,
  parseQuantity,
  quantityParts,
} from '../../../js/src/kubernetes/quantity.js';

test('quantities are read and written', () => {
  const cases = [
    ['1', '1'],
    ['100m', '100m'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['5.', '5'],
    ['1500u', '1500000n'],
    ['1Ki', '1024'],
    ['0.5Mi', '524288'],
    ['1e3', '1000'],
    ['1E3', '1000'],
    ['1E', '1000000000000000000'],
    ['1e-3', '1m'],
    ['-2', '-2'],
    ['0.0000000001', '1n'],
    [2, '2'],
    [' 3 ', '3'],
    // Go's parser does not require digits.
    ['.', '0'],
    ['-', '0'],
    ['m', '0'],
    ['Ki', '0'],
  ];
  for (const [quantity, expected] of cases) {
    assert.equal(formatQuantity(parseQuantity(quantity) ?? -1n), expected, String(quantity));
  }
  for (const nonsense of ['', 'x', '1x', '1K', '1e', '1Ki5', '1.2.3', '1e999999999']) {
    assert.equal(parseQuantity(nonsense), null, nonsense);
  }
});

test('a text that is too long is refused by its length, unread', () => {
  const digits = (/** @type {number} */ count) => '7'.repeat(count);
  const limits = /** @type {[string, string][]} */ ([
    [digits(80_000), '256 characters'],
    [`${digits(80_000)}x`, '256 characters'],
    [digits(101), '100 digits'],
    ['1e101', 'an exponent of 100'],
  ]);
  for (const [text, limit] of limits) {
    const message = `unable to parse numeric part of quantity: the limit is ${limit}`;
    assert.throws(() => quantityParts(text), { name: 'RangeError', message });
    assert.equal(parseQuantity(text), null);
  }
  assert.equal(parseQuantity(`${digits(90)}G`), BigInt(digits(90)) * 10n ** 18n);
});
