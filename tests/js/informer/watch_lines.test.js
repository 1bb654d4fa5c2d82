// Goal: the end of the initial events is found wherever it stands and however it is written, and
// pieces are whole lines. Method: tables of lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfInitialEvents, lastEvent, linePieces } from '../../../js/src/informer/watch_lines.js';

const bytes = (text) => new TextEncoder().encode(text);
const textOf = (part) => new TextDecoder().decode(part);
const MARK = '"annotations":{"k8s.io/initial-events-end":"true"}';
const added = `{"type":"ADDED","object":{"metadata":{"name":"a",${MARK}}}}\n`;
const plain = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"4"}}}\n';

test('the end of the initial events', () => {
  const cases = [
    ['as an API server writes it', `{"type":"BOOKMARK","object":{"metadata":{${MARK}}}}\n`, true],
    ['with spaces', `{ "type": "BOOKMARK", "object": { "metadata": { ${MARK} } } }\n`, true],
    ['in another order', `{"object":{"metadata":{${MARK}}},"type":"BOOKMARK"}\n`, true],
    ['with an escaped slash', MARK.replace('/', '\\/'), true],
    ['of another value', MARK.replace('true', 'false'), false],
    ['an object that is annotated so', added, false],
    [
      'such an object in another order',
      `{"object":{"metadata":{${MARK}}},"type":"ADDED"}\n`,
      false,
    ],
    ['a name that is in a value', '{"type":"BOOKMARK","object":{"k8s.io/initial-events-end":1}}\n'],
    ['no JSON', `{"type":"BOOKMARK","object":{"metadata":{${MARK}\n`, false],
    ['an ERROR', '{"type":"ERROR","object":{"code":410}}\n', false],
    ['nothing', '', false],
  ];
  for (const [name, given, isEnd = false] of cases) {
    const isWhole = given === '' || given.endsWith('\n');
    const line = isWhole ? given : `{"type":"BOOKMARK","object":{"metadata":{${given}}}}\n`;
    for (const before of ['', added, plain + added])
      for (const after of ['', added, plain]) {
        const end = endOfInitialEvents(bytes(before + line + after));
        assert.equal(end, isEnd ? bytes(before + line).length : -1, name);
      }
  }
  assert.equal(endOfInitialEvents(bytes(plain.trim())), -1);
});

test('pieces are whole lines, as long as they may be', () => {
  const text = 'aaaa\nbb\ncccccccc\n\nd\nee';
  for (let size = 1; size <= text.length + 1; size += 1) {
    const pieces = [...linePieces(bytes(text), size)].map(textOf);
    assert.equal(pieces.join(''), text);
    for (const [index, piece] of pieces.entries()) {
      assert.ok(index === pieces.length - 1 || piece.endsWith('\n'), `${size}: ${piece}`);
      assert.ok(piece.length <= size || piece.indexOf('\n') === piece.length - 1 || piece === 'ee');
    }
  }
  assert.deepEqual([...linePieces(bytes(text), 8)].map(textOf), [
    ...['aaaa\nbb\n', 'cccccccc\n', '\nd\nee'],
  ]);
  assert.deepEqual([...linePieces(bytes(''), 8)], []);
});

test('the last event', () => {
  assert.deepEqual(lastEvent(bytes('{"a":1}\n{"a":2}\n')), { a: 2 });
  assert.deepEqual(lastEvent(bytes('{"a":1}')), { a: 1 });
  assert.equal(lastEvent(bytes('{"a":1}\n{\n')), undefined);
  assert.equal(lastEvent(bytes('')), undefined);
});
