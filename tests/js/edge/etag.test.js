import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEtag, etagOf, isNoneMatch } from '../../../js/src/edge/etag.js';

test('an etag is made of the content', async () => {
  const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
  const [one, same, other] = await Promise.all(['a', 'a', 'b'].map((text) => etagOf(bytes(text))));
  assert.equal(one, same);
  assert.notEqual(one, other);
  assert.match(one, /^"[0-9a-f]{32}"$/);
});

test('a word of a store becomes an etag', () => {
  const cases = [
    ['"7c1"', '"7c1"'],
    ['W/"7c1"', 'W/"7c1"'],
    ['7c1', '"7c1"'],
    ['', '""'],
    ['a"b c', '"a%22b%20c"'],
    ['né😀', '"n%C3%A9%F0%9F%98%80"'],
    ['line\r\nbreak', '"line%0D%0Abreak"'],
  ];
  for (const [word, etag] of cases) assert.equal(asEtag(word), etag);
});

test('conditions are compared weakly', () => {
  const cases = [
    [null, '"1"', true],
    ['"1"', '"1"', false],
    ['W/"1"', '"1"', false],
    ['"1"', 'W/"1"', false],
    [' * ', '"1"', false],
    ['"0", W/"1" , "2"', '"1"', false],
    ['"11"', '"1"', true],
    ['1', '"1"', true],
    ['', '"1"', true],
  ];
  for (const [header, etag, isNone] of cases)
    assert.equal(isNoneMatch(/** @type {any} */ (header), String(etag)), isNone, `${header}`);
});
