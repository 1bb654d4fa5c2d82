// Goal: the position of one object takes no longer in a larger file. Method: the positions, and the
// keys that occur twice, of all objects of lists that are one line, in doubling sizes.
import { test } from 'node:test';

import { parseInput } from '../../js/src/manifests/parse_input.js';
import { duplicateFieldsOf, namePositionOf, positionOf } from '../../js/src/manifests/positions.js';
import { assertGrowsLittle } from './growth.js';

const SIZE = 4_000;

const ITEMS = {
  'of ASCII': '{"kind":"Pod","metadata":{"name":"p"}}',
  'with other characters': '{"kind":"Pod","metadata":{"name":"p","annotations":{"a":"ü"}}}',
  'with a key twice': '{"kind":"Pod","metadata":{"name":"p","name":"q"}}',
};

const FORMS = {
  bytes: (/** @type {string} */ text) => new TextEncoder().encode(text),
  'a text': (/** @type {string} */ text) => text,
};

for (const [what, item] of Object.entries(ITEMS)) {
  for (const [form, given] of Object.entries(FORMS)) {
    test(`positions in ${form}: items ${what}`, () =>
      assertGrowsLittle((size) => {
        const objects = listOf(given(`{"kind":"List","items":[${`${item},`.repeat(size)}{}]}`));
        return () => {
          for (const object of objects) {
            positionOf(object, 'metadata.name');
            namePositionOf(object, 'metadata.labels');
            duplicateFieldsOf(object);
          }
        };
      }, SIZE));
  }
}

/** @param {string | Uint8Array} input */
function listOf(input) {
  return parseInput(input, { onError() {}, onList() {}, onRelease() {}, onConverted() {} });
}
