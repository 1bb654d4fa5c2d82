// Goal: a list in pieces says what the whole one said. Method: lists of all shapes, cut at every
// size; recorded ones, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPieces } from '../../../js/src/io/list_pieces.js';
import { recorded } from '../support/playback_server.js';

const bytes = (text) => new TextEncoder().encode(text);
const valueOf = (part) => JSON.parse(new TextDecoder().decode(part));

/** @param {string} text @param {number} size */
function piecesOf(text, size) {
  return [...listPieces(bytes(text), size)].map(valueOf);
}

test('pieces have all members and together all items, in their order', () => {
  const item = (name, more = {}) => ({ metadata: { name, text: '"],[{\\' }, ...more });
  const items = [item('a'), item('b', { list: [1, [2], {}] }), item('ü'), item('d')];
  const lists = [
    JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '7' }, items }),
    JSON.stringify({ items, kind: 'PodList', metadata: { resourceVersion: '7', a: [1, 2] } }),
    JSON.stringify({ kind: 'PodList', items, metadata: {} }, null, 1).replaceAll('\n', ' '),
    JSON.stringify({ items: [1] }),
    ` { "items" : [ ] , "kind":"PodList" } `,
  ];
  for (const text of lists) {
    const { items: all, ...others } = JSON.parse(text);
    for (let size = 1; size <= text.length + 1; size += 1) {
      const pieces = piecesOf(text, size);
      assert.deepEqual(
        pieces.flatMap((piece) => piece.items),
        all,
        `${size}: ${text}`,
      );
      for (const { items: _items, ...members } of pieces) assert.deepEqual(members, others);
    }
    assert.equal(piecesOf(text, 1).length, Math.max(1, all.length));
  }
});

test('a recorded list: as few pieces as can be', () => {
  const { body } = recorded('list-pods-page-1').response;
  const text = JSON.stringify(body);
  const sizeOf = (items) => JSON.stringify(items).length - '[]'.length;
  for (const size of [1000, 10_000, 20_000, text.length - 1]) {
    const pieces = piecesOf(text, size).map(({ items }) => items);
    assert.deepEqual(pieces.flat(), body.items);
    for (const [index, items] of pieces.entries()) {
      assert.ok(items.length === 1 || sizeOf(items) <= size);
      const [next] = pieces[index + 1] ?? [];
      assert.ok(!next || sizeOf([...items, next]) > size, 'one more had its place');
    }
  }
  const whole = bytes(text);
  assert.deepEqual([...listPieces(whole, text.length)], [whole]);
});

test('a truncated body is not a list', () => {
  const text = '{"kind":"PodList","items":[{"a":"]"},{"b":[1]}],"metadata":{}}';
  for (let length = 0; length < text.length; length += 1)
    assert.throws(() => piecesOf(text.slice(0, length) + ' '.repeat(80), 8), {
      code: 'MalformedJson',
    });
  for (const bad of ['[1]', '{"a":1}', '{"items":null}', '{"items":{}}', `${text}}`, `${text},`])
    assert.throws(() => piecesOf(bad.padEnd(80), 4), { code: 'MalformedJson' }, bad);
});
