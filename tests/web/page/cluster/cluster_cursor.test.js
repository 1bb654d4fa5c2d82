import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inside, moved } from '../../../../web/src/page/cluster/cluster_cursor.js';
import { layoutOf } from '../../../../web/src/page/cluster/cluster_layout.js';
import { foundIn, nextHit } from '../../../../web/src/page/cluster/cluster_search.js';
import { clusterOf, nodeRow, podRow } from '../rows.js';

/** Two zones, with rows of three nodes: a1 a2 a3, a4; b1 b2. */
const CLUSTER = clusterOf({
  nodes: [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => nodeRow(name, { zone: 'a' })),
    ...['b1', 'b2'].map((name) => nodeRow(name, { zone: 'b' })),
  ],
  pods: [
    podRow('d/x-1', { node: 'a2' }),
    podRow('d/x-2', { node: 'a2' }),
    podRow('d/x-3', { nominatedNode: 'b1' }),
  ],
});
const LAYOUT = layoutOf(CLUSTER, 560, 'words');

/** @param {string | null} node @param {string[]} keys */
function walk(node, keys) {
  let at = node === null ? null : /** @type {{ node: string, pod?: string }} */ ({ node });
  for (const key of keys) at = moved(LAYOUT, at, key) ?? null;
  return at;
}

test('arrow keys move to the adjacent node, across zones', () => {
  assert.deepEqual(walk(null, ['ArrowDown']), { node: 'a1' });
  assert.deepEqual(walk('a1', ['ArrowRight', 'ArrowRight']), { node: 'a3' });
  assert.deepEqual(walk('a3', ['ArrowDown']), { node: 'a4' });
  assert.deepEqual(walk('a2', ['ArrowDown', 'ArrowDown']), { node: 'b1' });
  assert.deepEqual(walk('b2', ['ArrowUp']), { node: 'a4' });
  assert.deepEqual(walk('a2', ['ArrowUp']), { node: 'a2' }, 'there is nothing above');
  assert.deepEqual(walk('a2', ['End', 'ArrowRight', 'ArrowDown']), { node: 'b2' });
  assert.equal(walk('a2', ['Escape']), null);
  assert.equal(moved(LAYOUT, { node: 'a1' }, 'q'), undefined);
});

test('inside a node arrow keys move from pod to pod, and Escape leaves it', () => {
  const first = inside(LAYOUT, 'a2');
  assert.deepEqual(first, { node: 'a2', pod: 'd/x-1' });
  const second = moved(LAYOUT, first, 'ArrowRight');
  assert.deepEqual(second, { node: 'a2', pod: 'd/x-2' });
  assert.deepEqual(moved(LAYOUT, second ?? null, 'ArrowRight'), second);
  assert.deepEqual(moved(LAYOUT, second ?? null, 'Escape'), { node: 'a2' });
  assert.deepEqual(inside(LAYOUT, 'b1'), { node: 'b1', pod: 'd/x-3' }, 'who is nominated, too');
  assert.deepEqual(inside(LAYOUT, 'a1'), { node: 'a1' });
});

test('Enter goes through the search results in the order of the nodes, and starts again', () => {
  assert.equal(foundIn(CLUSTER, ' '), null);
  const found = /** @type {import('../../../../web/src/page/cluster/cluster_search.js').Found} */ (
    foundIn(CLUSTER, 'X-')
  );
  assert.deepEqual([...found.pods], ['d/x-1', 'd/x-2', 'd/x-3']);
  assert.deepEqual([...found.shownNodes], ['a2', 'b1']);
  let hit = null;
  const seen = [];
  for (let count = 0; count < 4; count += 1) {
    hit = nextHit(LAYOUT, found, hit);
    seen.push(hit?.pod);
  }
  assert.deepEqual(seen, ['d/x-1', 'd/x-2', 'd/x-3', 'd/x-1']);
  const none = foundIn(CLUSTER, 'missing');
  assert.equal(none && nextHit(LAYOUT, none, null), null);
});
