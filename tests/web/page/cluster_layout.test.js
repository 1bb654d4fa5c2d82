import assert from 'node:assert/strict';
import { test } from 'node:test';

import { layoutOf, nodeAt, podBlocks, visibleNodes } from '../../../web/src/page/cluster_layout.js';
import { emptyCluster, withChanges } from '../../../web/src/page/cluster_state.js';

/** @param {string} name @param {string} [zone] */
const nodeRow = (name, zone = '') => ({
  name,
  zone,
  isUnschedulable: false,
  taints: [],
  allocatable: {},
});

/** @param {string} key @param {string} [node] */
const podRow = (key, node = '') => ({
  key,
  node,
  nominatedNode: '',
  phase: 'Pending',
  priority: 0,
  workload: '',
  reason: '',
  isTerminating: false,
  requests: {},
});

/** @param {object} changes */
const clusterOf = (changes) =>
  withChanges(emptyCluster(), {
    isWhole: true,
    nodes: [],
    pods: [],
    goneNodes: [],
    gonePods: [],
    ...changes,
  });

test('pods are found by their node, wherever they go', () => {
  const first = clusterOf({ nodes: [nodeRow('a')], pods: [podRow('d/x'), podRow('d/y', 'a')] });
  const placed = withChanges(first, {
    isWhole: false,
    nodes: [],
    pods: [podRow('d/x', 'a')],
    goneNodes: [],
    gonePods: ['d/y', 'd/none'],
  });
  assert.deepEqual([...placed.pods.keys()], ['d/x']);
  assert.deepEqual([...placed.podsOfNode.keys()], ['a']);
  assert.notEqual(placed, first, 'who compares sees that it is another state');
});

test('zones stand one below the other, nodes in the order of their numbers', () => {
  const nodes = [nodeRow('n10', 'b'), nodeRow('n2', 'b'), nodeRow('lone'), nodeRow('n1', 'a')];
  const { zones, nodes: boxes, height } = layoutOf(clusterOf({ nodes }), 400);
  assert.deepEqual(
    zones.map(({ zone, count }) => [zone, count]),
    [
      ['a', 1],
      ['b', 2],
      ['', 1],
    ],
  );
  assert.deepEqual(
    boxes.map(({ node }) => node.name),
    ['n1', 'n2', 'n10', 'lone'],
  );
  for (const [index, { box }] of boxes.entries()) {
    assert.ok(box.x + box.width <= 400 && box.y + box.height <= height);
    for (const other of boxes.slice(index + 1))
      assert.ok(
        other.box.y >= box.y + box.height || other.box.x >= box.x + box.width,
        'boxes do not overlap',
      );
  }
});

test('what is under the pointer, and what is seen, is found among 5,000 nodes', () => {
  const nodes = Array.from({ length: 5000 }, (_, at) => nodeRow(`n${at}`, `z${at % 3}`));
  const layout = layoutOf(clusterOf({ nodes }), 800);
  assert.equal(layout.isDense, true);
  for (const at of [0, 1234, 4999]) {
    const { node, box } = layout.nodes[at];
    assert.equal(nodeAt(layout, box.x + 1, box.y + 1)?.node, node);
  }
  assert.equal(nodeAt(layout, 799, 1), undefined);
  const seen = visibleNodes(layout, 1000, 1400);
  const inside = layout.nodes.filter(({ box }) => box.y + box.height >= 1000 && box.y <= 1400);
  assert.deepEqual(seen, inside);
  assert.ok(seen.length < 600);
});

test('blocks of pods stay in their box', () => {
  const pods = Array.from({ length: 300 }, (_, at) => podRow(`d/p${at}`, 'a'));
  const { nodes, isDense } = layoutOf(clusterOf({ nodes: [nodeRow('a')], pods }), 400);
  const blocks = podBlocks(nodes[0], isDense);
  assert.ok(blocks.length > 10 && blocks.length < 300);
  for (const { box } of blocks)
    assert.ok(
      box.x + box.width <= nodes[0].box.x + nodes[0].box.width &&
        box.y + box.height <= nodes[0].box.y + nodes[0].box.height,
    );
});
