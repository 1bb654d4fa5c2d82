// Goal: nodes that are added, applied or tainted have the pods that DaemonSets and tolerations give
// them. Method: changes of a small cluster, in several orders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatIf } from '../../../js/src/whatif.js';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const { engine } = await TARGETS.wasm();

const ownedBy = (kind, name) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `u-${name}`, controller: true }],
});
const pinned = (node) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] },
      ],
    },
  },
});
const daemon = (node, { cpu = '100m', spec = { nodeName: node } } = {}) =>
  storedPod(`agent-${node}`, {
    cpu,
    metadata: ownedBy('DaemonSet', 'agent'),
    spec: { ...spec, tolerations: [{ operator: 'Exists' }], affinity: pinned(node) },
  });
const web = (spec) => storedPod('web', { metadata: ownedBy('ReplicaSet', 'web'), spec });

const NODES = ['a', 'b', 'c'];
const CLUSTER = [
  ...NODES.map((name) => makeNode(name, { cpu: '2' })),
  ...NODES.map((n) => daemon(n)),
];
const without = (name) => CLUSTER.filter(({ metadata }) => metadata.name !== name);

/** @param {object[]} changes @param {{ objects?: object[], cluster?: object[] }} [options] */
async function ask(changes, { objects = [], cluster = CLUSTER, ...more } = {}) {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' });
  try {
    scheduler.apply(cluster);
    await scheduler.schedule();
    return await whatIf(scheduler, changes, { objects, ...more });
  } finally {
    scheduler.dispose();
  }
}
const rows = ({ pods }) => pods.map(({ pod, outcome, after }) => [pod, outcome, after.node]);

const daemonSet = (name, spec = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { ...makePod('x', { cpu: '100m' }).spec, ...spec },
    },
  },
});

test('a new node gets a pod of each DaemonSet that allows it, in any order', async () => {
  const applied = { type: 'apply', object: daemonSet('logs') };
  const added = { type: 'addNodes', count: 2, like: 'a' };
  const newNode = { type: 'apply', object: makeNode('d') };
  const of = ({ pods }) =>
    pods
      .map(({ pod, after }) => `${pod} ${after.node}`)
      .filter((row) => row.includes('logs'))
      .sort();
  const all = ['a', 'a-1', 'a-2', 'b', 'c', 'd'].map((node) => `default/logs-${node} ${node}`);
  for (const changes of [
    [applied, added, newNode],
    [added, newNode, applied],
    [newNode, applied, added],
  ])
    assert.deepEqual(of(await ask(changes)), all);
});

test('a node gets pods of the DaemonSets of the input, those that its version allows', async () => {
  const objects = [
    daemonSet('agent'),
    daemonSet('fast', { nodeSelector: { disk: 'ssd' } }),
    daemonSet('picky', { nodeSelector: { 'kubernetes.io/hostname': 'z' } }),
  ];
  const pending = daemon('a', { cpu: '3', spec: {} });
  const cluster = [...without('agent-a'), pending];
  const added = [{ type: 'addNodes', count: 1, like: 'a' }];
  const alone = await ask(added, { cluster });
  assert.deepEqual(rows(alone), [['default/agent-a-1', 'NewWaits', null]]);
  const known = await ask(added, { objects });
  assert.deepEqual(rows(known), [['default/agent-a-1', 'Placed', 'a-1']]);
  const labelled = {
    ...makeNode('b', { cpu: '2' }),
    metadata: { name: 'b', labels: { disk: 'ssd' } },
  };
  const selected = await ask([{ type: 'apply', object: labelled }], { objects });
  assert.deepEqual(rows(selected), [['default/fast-b', 'Placed', 'b']]);
});

test('the first toleration that matches a taint counts', async () => {
  const [forAMinute, forGood] = [
    { key: 'x', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
    { operator: 'Exists' },
  ];
  for (const [tolerations, outcomes] of [
    [[forAMinute, forGood], ['Returns']],
    [[forGood, forAMinute], []],
  ]) {
    const answer = await ask([{ type: 'taint', node: 'a', key: 'x', effect: 'NoExecute' }], {
      cluster: [...CLUSTER, web({ nodeName: 'a', tolerations })],
    });
    assert.deepEqual(
      answer.pods.map(({ outcome }) => outcome),
      outcomes,
      'the first toleration that matches counts',
    );
  }
});

test('a node loses the pods of DaemonSets that its version no longer allows', async () => {
  const labelled = (/** @type {object} */ labels) => ({
    type: 'apply',
    object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'b', labels } },
  });
  const ends = [['default/agent-b', 'Ends', null]];
  const affinity = (/** @type {string} */ operator) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'quiet', operator }] }],
      },
    },
  });
  const quiet = daemonSet('agent', { affinity: affinity('DoesNotExist') });
  assert.deepEqual(rows(await ask([labelled({ quiet: 'x' })], { objects: [quiet] })), ends);
  assert.deepEqual(rows(await ask([labelled({ loud: 'x' })], { objects: [quiet] })), []);
  const back = [labelled({ quiet: 'x' }), labelled({ quiet: null })];
  assert.deepEqual(rows(await ask(back, { objects: [quiet] })).slice(-1), [
    ['default/agent-b', 'Returns', 'b'],
  ]);
  const selected = CLUSTER.map((object) =>
    object.kind === 'Pod'
      ? { ...object, spec: { ...object.spec, nodeSelector: { disk: 'ssd' } } }
      : { ...object, metadata: { ...object.metadata, labels: { disk: 'ssd' } } },
  );
  const removed = [labelled({ disk: 'hdd' })];
  assert.deepEqual(rows(await ask(removed, { cluster: selected })), ends, 'by its own selector');
  const taint = { type: 'taint', node: 'b', key: 'x', effect: 'NoSchedule' };
  assert.deepEqual(rows(await ask([taint], { objects: [daemonSet('agent')] })), [], 'it stays');
});

test('a drained node loses the pods whose DaemonSet is known to be gone', async () => {
  const drained = [{ type: 'drain', node: 'a' }];
  const gone = [['default/agent-a', 'Ends', null]];
  assert.deepEqual(rows(await ask(drained)), [], 'the DaemonSet may be left out');
  assert.deepEqual(rows(await ask(drained, { objects: [daemonSet('agent')] })), []);
  assert.deepEqual(rows(await ask(drained, { objects: [daemonSet('other')] })), gone);
  assert.deepEqual(rows(await ask(drained, { knowsDaemonSets: true })), gone);
});
