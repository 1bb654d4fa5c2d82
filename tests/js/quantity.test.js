import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuantity, parseQuantity } from '../../js/src/quantity.js';

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
  ];
  for (const [quantity, expected] of cases) {
    assert.equal(formatQuantity(parseQuantity(quantity) ?? -1n), expected, String(quantity));
  }
  for (const nonsense of ['', 'x', '1x', '1K', '1e', '1Ki5', '1.2.3', '.', '1e999999999']) {
    assert.equal(parseQuantity(nonsense), null, nonsense);
  }
});
