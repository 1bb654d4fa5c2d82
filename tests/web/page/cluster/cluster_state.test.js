import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  amountText,
  requestsText,
  usesOf,
  usesText,
} from '../../../../web/src/page/cluster/amounts.js';
import { withChanges } from '../../../../web/src/page/cluster/cluster_state.js';
import { wordsOf } from '../../../../web/src/page/cluster/cluster_words.js';
import { hueOf, huesOf } from '../../../../web/src/page/cluster/hues.js';
import { changesOf, clusterOf, nodeRow, podRow } from '../rows.js';

const ALLOCATABLE = { cpu: 4, memory: 8 * 2 ** 30, 'nvidia.com/gpu': 2, pods: 110 };

test('pods are found by their node after each move', () => {
  const first = clusterOf({
    nodes: [nodeRow('a')],
    pods: [podRow('d/x'), podRow('d/y', { node: 'a' })],
  });
  const pods = [podRow('d/x', { node: 'a' })];
  const placed = withChanges(first, changesOf({ pods, gonePods: ['d/y', 'd/none'] }));
  assert.deepEqual([...placed.pods.keys()], ['d/x']);
  assert.deepEqual([...placed.podsOfNode.keys()], ['a']);
  assert.deepEqual([...placed.pendingOf.keys()], []);
  assert.notEqual(placed, first, 'who compares sees that it is another state');
});

test('requests of a node follow its pods; ended pods request nothing', () => {
  const nodes = [nodeRow('a', { allocatable: ALLOCATABLE })];
  const [one, two] = ['d/one', 'd/two'].map((key) =>
    podRow(key, { node: 'a', requests: { cpu: 0.1, 'nvidia.com/gpu': 2 } }),
  );
  const full = clusterOf({ nodes, pods: [one, two] });
  assert.deepEqual(
    usesOf(full, nodes[0]).map(({ resource, used, all }) => [resource, used, all]),
    [
      ['cpu', 0.2, 4],
      ['memory', 0, ALLOCATABLE.memory],
      ['nvidia.com/gpu', 4, 2],
      ['pods', 2, 110],
    ],
  );
  const words = wordsOf(full, { node: 'a' });
  assert.ok(words?.facts.some(([, text]) => text === '4 of 2, overcommitted'));
  const ended = withChanges(full, changesOf({ pods: [{ ...one, phase: 'Succeeded' }] }));
  assert.deepEqual(ended.requested.get('a'), { cpu: 0.1, 'nvidia.com/gpu': 2 });
  const empty = withChanges(ended, changesOf({ gonePods: ['d/one', 'd/two'] }));
  assert.equal(empty.requested.get('a'), undefined);
});

test('groups keep their colours; late groups share one', () => {
  const names = Array.from({ length: 9 }, (_, at) => `ReplicaSet/w${at}`);
  const pods = names.map((workload, at) => podRow(`d/p${at}`, { workload, priority: at % 2 }));
  const cluster = clusterOf({ pods });
  const colours = pods.map((pod) => hueOf(pod, huesOf(cluster, 'workload')));
  assert.deepEqual(colours, [0, 1, 2, 3, 4, 5, 6, 7, 7]);
  assert.deepEqual(cluster.groups.workload.legend().at(-1), { name: '', colour: 7, count: 2 });
  assert.deepEqual(
    cluster.groups.priority.legend().map(({ name, count }) => [name, count]),
    [
      ['0', 5],
      ['1', 4],
    ],
  );
  const back = withChanges(cluster, changesOf({ isWhole: true, pods: [pods[3]] }));
  assert.equal(hueOf(pods[3], huesOf(back, 'workload')), 3, 'also after going back');
  assert.equal(back.groups.workload.legend().length, 1);
});

test('pods without an owner whose names differ in a number belong to one workload', () => {
  const cluster = clusterOf({ pods: [podRow('d/web-1'), podRow('d/web-22'), podRow('d/web-x')] });
  assert.deepEqual([...cluster.pendingOf.keys()], ['d/web', 'd/web-x']);
});

test('pods have their reason and their nominated node', () => {
  const pod = podRow('d/x', {
    nominatedNode: 'a',
    reason: 'Unschedulable',
    message: '0/1 nodes are available',
    requests: { cpu: 0.25, memory: 512 * 2 ** 20 },
  });
  const words = wordsOf(clusterOf({ nodes: [nodeRow('a')], pods: [pod] }), {
    node: '',
    pod: 'd/x',
  });
  assert.deepEqual(words?.facts.slice(1), [
    ['priority', '0'],
    ['requests', 'cpu 0.25, memory 512Mi'],
    ['phase', 'Pending'],
    ['nominated to', 'a'],
    ['reason', 'Unschedulable'],
    ['', '0/1 nodes are available'],
  ]);
  assert.equal(wordsOf(clusterOf({}), { node: '', pod: 'd/x' }), null);
});

test('amounts have the form that Kubernetes uses', () => {
  assert.equal(amountText('cpu', 0.25), '0.25');
  assert.equal(amountText('memory', 1.5 * 2 ** 30), '1.5Gi');
  assert.equal(amountText('nvidia.com/gpu', 8), '8');
});

test('the use of a node in words leaves out ended pods', () => {
  const node = nodeRow('a', { allocatable: { cpu: 4, memory: 8 * 2 ** 30, pods: 110 } });
  const requests = { cpu: 0.5, memory: 1.5 * 2 ** 30 };
  const running = podRow('d/x', { node: 'a', phase: 'Running', requests });
  const ended = podRow('d/y', { node: 'a', phase: 'Succeeded', requests: { cpu: 2 } });
  const cluster = clusterOf({ nodes: [node], pods: [running, ended] });
  assert.equal(usesText(usesOf(cluster, node)), 'cpu 0.5 of 4, memory 1.5Gi of 8Gi, pods 1 of 110');
  assert.equal(requestsText({ cpu: 0.25, 'nvidia.com/gpu': 1 }), 'cpu 0.25, nvidia.com/gpu 1');
});
