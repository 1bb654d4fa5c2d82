import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonScanner, JsonSyntaxError } from '../../../js/src/documents/json_text.js';
import { TextLines } from '../../../js/src/documents/text_lines.js';

test('every JSON text is walked to its end', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      const scanner = new JsonScanner(`${spaced} {}`);
      scanner.skipValue();
      assert.equal(scanner.at, spaced.length);
    }),
  );
});

test('JsonScanner and JSON.parse accept the same texts', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', '"', '1', '\\', 'x', ':', ' '),
      (text, position, change) => {
        const at = position % (text.length + 1);
        const changed = text.slice(0, at) + change + text.slice(at + 1);
        const scanner = new JsonScanner(changed);
        const isJson = succeeds(() => JSON.parse(changed));
        const isWalked = succeeds(() => scanner.skipValue()) && !scanner.skipSpace();
        assert.equal(isWalked, isJson, changed);
      },
    ),
    { numRuns: 2000 },
  );
});

test('depth costs no stack', () => {
  const scanner = new JsonScanner('['.repeat(200_000) + ']'.repeat(200_000));
  scanner.skipValue();
  assert.equal(scanner.at, 400_000);
});

test('lines and columns count from one', () => {
  const text = 'ab\ncd\n\nef';
  const cases = [
    [0, 1, 1],
    [1, 1, 2],
    [3, 2, 1],
    [6, 3, 1],
    [8, 4, 2],
  ];
  const lines = new TextLines(text);
  for (const [offset, line, column] of cases)
    assert.deepEqual(lines.positionOf(offset), { line, column });
});

function succeeds(attempt) {
  try {
    attempt();
    return true;
  } catch (error) {
    assert.ok(error instanceof JsonSyntaxError || error instanceof SyntaxError);
    return false;
  }
}
