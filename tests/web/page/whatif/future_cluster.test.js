import assert from 'node:assert/strict';
import { test } from 'node:test';

import { futureOf, marksNow, marksThen } from '../../../../web/src/page/whatif/future_cluster.js';
import { clusterOf, nodeRow, podRow } from '../rows.js';

/** @import { Outlook } from '../../../../web/src/whatif/outlook.js' */

const REQUESTS = { requests: { cpu: 1 } };

const present = () =>
  clusterOf({
    nodes: ['a', 'b', 'c'].map((name) => nodeRow(name)),
    pods: [
      podRow('default/w-1', { node: 'a', workload: 'ReplicaSet/w', ...REQUESTS }),
      podRow('default/w-2', { node: 'a', workload: 'ReplicaSet/w', ...REQUESTS }),
      podRow('default/agent', { node: 'a', workload: 'DaemonSet/agent' }),
      podRow('default/big', { nominatedNode: 'b' }),
    ],
  });

/** Node `a` is lost: `w-1` moves to `b`, `w-2` waits, and `agent` ends. @type {Outlook} */
const OUTLOOK = {
  summary: /** @type {any} */ ({}),
  pods: /** @type {any} */ ([
    { pod: 'default/w-2', outcome: 'Waits', before: { node: 'a' }, after: { node: null } },
    { pod: 'default/w-1', outcome: 'Moves', before: { node: 'a' }, after: { node: 'b' } },
    { pod: 'default/x', outcome: 'Returns', before: { node: 'c' }, after: { node: 'c' } },
    { pod: 'default/agent', outcome: 'Ends', before: { node: 'a' }, after: { node: null } },
  ]),
  undecided: 0,
  nodes: [nodeRow('d')],
  goneNodes: ['a'],
  rows: [
    podRow('default/w-1', { node: 'b', workload: 'ReplicaSet/w', ...REQUESTS }),
    podRow('default/w-2', { workload: 'ReplicaSet/w', ...REQUESTS }),
    podRow('default/new', { node: 'd' }),
  ],
  gonePods: ['default/agent'],
};

/** @param {ReturnType<typeof present>} cluster */
function placesIn({ podsOfNode, pendingOf, requested, nominatedTo }) {
  const keys = (/** @type {Map<string, Map<string, unknown>>} */ map) =>
    Object.fromEntries([...map].map(([name, pods]) => [name, [...pods.keys()].sort()]));
  return {
    pods: keys(podsOfNode),
    pending: keys(pendingOf),
    nominated: keys(nominatedTo),
    cpu: Object.fromEntries([...requested].map(([name, { cpu = 0 }]) => [name, cpu])),
  };
}

test('the future has the rows that differ, and lost nodes keep their places', () => {
  const future = futureOf(present(), OUTLOOK);
  assert.deepEqual([...future.nodes.keys()], ['a', 'b', 'c', 'd']);
  assert.deepEqual(placesIn(future), {
    pods: { b: ['default/w-1'], d: ['default/new'], '': ['default/big', 'default/w-2'] },
    pending: { 'default/big': ['default/big'], 'ReplicaSet/w': ['default/w-2'] },
    nominated: { b: ['default/big'] },
    cpu: { b: 1, d: 0 },
  });
  assert.equal(future.pods.has('default/agent'), false);
});

test('the present stays as it is', () => {
  const cluster = present();
  const [places, legend] = [placesIn(cluster), cluster.groups.workload.legend()];
  futureOf(cluster, OUTLOOK);
  assert.deepEqual(placesIn(cluster), places);
  assert.deepEqual(cluster.groups.workload.legend(), legend);
  assert.equal(cluster.pods.get('default/w-1')?.node, 'a');
  assert.equal(cluster.nodes.has('d'), false);
});

test('nodes are marked where they lose pods now, and get pods or are lost then', () => {
  assert.deepEqual(Object.fromEntries(marksNow(OUTLOOK)), { a: 'loses' });
  assert.deepEqual(Object.fromEntries(marksThen(OUTLOOK)), { a: 'lost', b: 'gains' });
});
