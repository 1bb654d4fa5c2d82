import assert from 'node:assert/strict';
import { test } from 'node:test';

import { watchedIn } from '../../../web/src/world/watched.js';

/** @param {string} type @param {string} name */
const line = (type, name) =>
  `${JSON.stringify({ type, object: { kind: 'Pod', metadata: { namespace: 'd', name } } })}\n`;

/** @param {string[]} lines */
const watched = (...lines) => watchedIn(new TextEncoder().encode(lines.join('')));

test('consecutive events of one type become one, with the first objects named', () => {
  const many = Array.from({ length: 1000 }, (_, at) => line('ADDED', `p${at}`));
  const all = watched(...many, line('DELETED', 'p1'), line('ADDED', 'p2'));
  assert.deepEqual(
    all.map(({ type, objectKind, count, names }) => [type, objectKind, count, names]),
    [
      ['ADDED', 'Pod', 1000, ['d/p0', 'd/p1', 'd/p2', 'd/p3', 'd/p4']],
      ['DELETED', 'Pod', 1, ['d/p1']],
      ['ADDED', 'Pod', 1, ['d/p2']],
    ],
  );
});

test('marks and bookmarks change nothing', () => {
  assert.deepEqual(watched('{"type":"SYNC_BEGIN","resource":"pods"}\n', line('BOOKMARK', '')), []);
});
