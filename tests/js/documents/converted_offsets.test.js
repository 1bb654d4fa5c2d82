// Goal: offsets and positions are those of the whole text before them. Method: texts of several
// blocks with characters of every length, at every place near the blocks' ends and some others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfUnits, unitsOfBytes } from '../../../js/src/documents/converted_offsets.js';
import { ByteLines, TextLines } from '../../../js/src/documents/text_lines.js';

const ENCODER = new TextEncoder();
const PIECES = ['a', 'ü', '€', '😀', '\ufeff'];

const TEXTS = {
  'ASCII on one line': 'a'.repeat(20_000),
  'characters of every length on one line': PIECES.join('').repeat(2000),
  'lines of every size': [1, 10, 5000, 0, 20_000]
    .map((size, line) => PIECES[line].repeat(size))
    .join('\n'),
  'four bytes each, one off the blocks': `a${'😀'.repeat(5000)}`,
};

for (const [name, text] of Object.entries(TEXTS)) {
  const bytes = ENCODER.encode(text);
  /** The offsets in both encodings, in the text's order. */
  const offsets = [{ units: 0, bytes: 0 }];
  for (const character of text) {
    const { units, bytes: before } = offsets[offsets.length - 1];
    const size = ENCODER.encode(character).byteLength;
    offsets.push({ units: units + character.length, bytes: before + size });
  }
  const chosen = offsets.filter(
    ({ units, bytes: at }, index) =>
      [units, at].some((offset) => (offset + 4) % 4096 < 12) || index % 997 === 0,
  );

  test(`offsets in ${name}`, () => {
    const [toUnits, toBytes] = [unitsOfBytes(bytes), bytesOfUnits(text)];
    for (const [index, start] of chosen.entries()) {
      for (const end of [chosen[index + 1], chosen[chosen.length - 1]].filter(Boolean)) {
        assert.equal(toUnits.between(start.bytes, end.bytes), end.units - start.units);
        assert.equal(toBytes.between(start.units, end.units), end.bytes - start.bytes);
      }
    }
  });

  test(`positions in ${name}`, () => {
    const [ofBytes, ofText] = [new ByteLines(bytes), new TextLines(text)];
    for (const { units, bytes: at } of chosen)
      assert.deepEqual(ofBytes.positionOf(at), ofText.positionOf(units));
  });
}

test('bytes that are no UTF-8 have positions too', () => {
  const bytes = new Uint8Array(30_000).fill(0x80);
  assert.deepEqual(new ByteLines(bytes).positionOf(20_000), { line: 1, column: 20_001 });
});
