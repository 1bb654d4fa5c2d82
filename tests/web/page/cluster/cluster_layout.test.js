import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  layoutOf,
  nodeAt,
  podBlocks,
  visibleNodes,
} from '../../../../web/src/page/cluster/cluster_layout.js';
import { withChanges } from '../../../../web/src/page/cluster/cluster_state.js';
import { changesOf, clusterOf, nodeRow, podRow } from '../rows.js';

test('zones stand one below the other, nodes sorted by their numbers', () => {
  const nodes = [
    ...[nodeRow('n10', { zone: 'b' }), nodeRow('n2', { zone: 'b' })],
    ...[nodeRow('lone'), nodeRow('n1', { zone: 'a' })],
  ];
  const { zones, places, height } = layoutOf(clusterOf({ nodes }), 400);
  assert.deepEqual(
    zones.map(({ zone, count }) => [zone, count]),
    [
      ['a', 1],
      ['b', 2],
      ['', 1],
    ],
  );
  assert.deepEqual(
    places.map(({ name }) => name),
    ['n1', 'n2', 'n10', 'lone'],
  );
  for (const [index, { box }] of places.entries()) {
    assert.ok(box.x + box.width <= 400 && box.y + box.height <= height);
    for (const other of places.slice(index + 1))
      assert.ok(
        other.box.y >= box.y + box.height || other.box.x >= box.x + box.width,
        'boxes do not overlap',
      );
  }
});

test('the node under the pointer and the visible nodes are found among 5,000', () => {
  const nodes = Array.from({ length: 5000 }, (_, at) => nodeRow(`n${at}`, { zone: `z${at % 3}` }));
  const layout = layoutOf(clusterOf({ nodes }), 800);
  assert.equal(layout.detail, 'overview');
  for (const at of [0, 1234, 4999]) {
    const { name, box } = layout.places[at];
    assert.equal(nodeAt(layout, box.x + 1, box.y + 1)?.node.name, name);
  }
  assert.equal(nodeAt(layout, 799, 1), undefined);
  const seen = visibleNodes(layout, 100, 400).map(({ node }) => node.name);
  const inside = layout.places.filter(({ box }) => box.y + box.height >= 100 && box.y <= 400);
  assert.deepEqual(
    seen,
    inside.map(({ name }) => name),
  );
  assert.ok(seen.length < 2000);
});

test('boxes with words fill their row, up to a readable width', () => {
  const widths = (/** @type {number} */ count, /** @type {number} */ width) => {
    const nodes = Array.from({ length: count }, (_, at) => nodeRow(`n${at}`));
    const { places } = layoutOf(clusterOf({ nodes }), width);
    return [...new Set(places.map(({ box }) => box.width))];
  };
  assert.deepEqual(widths(8, 700), [167], 'four in a row');
  assert.deepEqual(widths(3, 700), [226], 'three');
  assert.deepEqual(widths(1, 700), [300], 'one is no wider than this');
  assert.deepEqual(widths(2, 100), [160], 'nor any narrower than this');
});

test('a layout is reused as long as the nodes are unchanged', () => {
  const before = clusterOf({ nodes: [nodeRow('a')], pods: [podRow('d/x')] });
  const { places } = layoutOf(before, 400);
  const placed = withChanges(before, changesOf({ pods: [podRow('d/x', { node: 'a' })] }));
  const next = layoutOf(placed, 400);
  assert.equal(next.places, places);
  assert.deepEqual(
    visibleNodes(next, 0, 100).map(({ pods }) => pods.map(({ key }) => key)),
    [['d/x']],
  );
  const more = layoutOf(withChanges(placed, changesOf({ nodes: [nodeRow('b')] })), 400);
  assert.equal(more.places.length, 2);
  assert.notEqual(layoutOf(placed, 300).places, places, 'another width has other places');
});

test('blocks of pods stay in their box, and nominated pods have one', () => {
  const pods = Array.from({ length: 300 }, (_, at) => podRow(`d/p${at}`, { node: 'a' }));
  pods.push(podRow('d/waits', { nominatedNode: 'a' }));
  const cluster = clusterOf({ nodes: [nodeRow('a')], pods });
  for (const detail of /** @type {const} */ (['words', 'blocks'])) {
    const layout = layoutOf(cluster, 400, detail);
    const [node] = visibleNodes(layout, 0, 1000);
    const blocks = podBlocks(node, layout);
    assert.ok(blocks.length >= 10 && blocks.length < 300);
    assert.equal(blocks.at(-1)?.pod.key, 'd/waits');
    for (const { box } of blocks)
      assert.ok(
        box.x + box.width <= node.box.x + node.box.width &&
          box.y + box.height <= node.box.y + node.box.height,
      );
  }
});
