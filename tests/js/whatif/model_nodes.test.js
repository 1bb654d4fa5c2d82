// Goal: a new node is made from a model by one rule, whichever question adds it: it has a hostname
// label of its own and none of the model's state, and comes with what belongs to every such node.
// Method: whatIf, plan and fix are asked about the same models. Then nodes are planned for clusters
// from seeds, like the node there, and each number of them is tried in a scheduler from scratch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fix } from '../../../js/src/whatif/fix.js';
import { nodeLike, publishedFor, staticPodsOn } from '../../../js/src/whatif/model_nodes.js';
import { plan } from '../../../js/src/whatif/plan.js';
import { whatIf } from '../../../js/src/whatif/what_if.js';
import { Random } from '../../sim/random.js';
import { makeNode, storedPod } from '../support/objects.js';
import { sliceOf } from '../support/obstacle_objects.js';
import { CLAIM_OBJECTS, devicePod, volumePod } from '../support/own_claims.js';
import { startNative } from '../support/real_engine.js';

const { engine } = await startNative();
const START = Date.UTC(2026, 0, 1);
const createScheduler = () => engine.createScheduler({ startTime: START });
const HOSTNAME = 'kubernetes.io/hostname';

/** @param {object[]} objects @param {(scheduler: any) => Promise<any>} use */
async function within(objects, use) {
  const scheduler = createScheduler();
  try {
    scheduler.apply(objects);
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

/** A plan with nodes like `old`. @param {any} scheduler @param {object} [options] */
function planLikeOld(scheduler, options = {}) {
  const node = scheduler.get('Node', 'old');
  const objects = [...publishedFor(scheduler, node), ...staticPodsOn(scheduler, 'old')];
  return plan(scheduler, [], [{ node, objects, price: 1 }], { createScheduler, ...options });
}

const apart = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: HOSTNAME, labelSelector: { matchLabels: { app: 'web' } } },
    ],
  },
};
const webs = ['w-0', 'w-1', 'w-2'].map((name) =>
  storedPod(name, { metadata: { labels: { app: 'web' } }, spec: { affinity: apart } }),
);
const ofState = (/** @type {string} */ state) => `node.kubernetes.io/${state}`;
const kept = { key: 'team', value: 'a', effect: 'NoSchedule' };
const tolerations = [{ key: 'team', operator: 'Exists' }];
const tolerant = webs.map((pod) => ({ ...pod, spec: { ...pod.spec, tolerations } }));

/** The model, the pods that wait, and the number of new nodes that they need. */
const MODELS = {
  'without the label of its host': [{ labels: {} }, webs, 3],
  'with another name of its host': [{ labels: { [HOSTNAME]: 'ip-10-0-0-1' } }, webs, 3],
  'that is cordoned': [
    { unschedulable: true, taints: [{ key: ofState('unschedulable'), effect: 'NoSchedule' }] },
    webs,
    3,
  ],
  'that is not ready, with a taint of its own': [
    { taints: [kept, { key: ofState('not-ready'), effect: 'NoExecute' }] },
    tolerant,
    3,
  ],
  'that its cloud or an autoscaler marked': [
    {
      taints: [
        kept,
        { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
        { key: 'ToBeDeletedByClusterAutoscaler', value: '1767225600', effect: 'NoSchedule' },
        { key: 'DeletionCandidateOfClusterAutoscaler', effect: 'PreferNoSchedule' },
        { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
      ],
    },
    tolerant,
    3,
  ],
};

for (const [name, [{ labels, ...spec }, pods, count]] of Object.entries(MODELS))
  test(`a model ${name}`, async () => {
    const node = makeNode('old', { spec });
    if (labels) node.metadata.labels = labels;
    const full = storedPod('full', { cpu: '4', spec: { nodeName: 'old' } });
    await within([node, full, ...pods], async (scheduler) => {
      const found = await planLikeOld(scheduler);
      assert.deepEqual([found.impossible, found.nodes, found.optimal], [[], count, true]);
      await scheduler.schedule();
      const answer = await whatIf(scheduler, [{ type: 'addNodes', count, like: 'old' }]);
      assert.deepEqual(
        answer.pods.map(({ outcome }) => outcome).filter((one) => one !== 'Placed'),
        [],
      );
      assert.equal(answer.summary.stillWaits, 0);
      const { offers } = await fix(scheduler, 'default/w-0', { pools: [{ node }] });
      const [added] = offers.flatMap(({ edits, changes }) =>
        edits.length === 1 && edits[0].kind === 'AddNode' ? changes : [],
      );
      assert.deepEqual(added.object.spec.taints, spec.taints?.includes(kept) ? [kept] : undefined);
      assert.equal(added.object.metadata.labels[HOSTNAME], added.object.metadata.name);
    });
  });

test('devices and static pods come with each node, in pools of their own', async () => {
  const slice = sliceOf('old', 'gpu', [{ name: 'd0' }]);
  slice.spec.pool.name = 'rack';
  const proxy = storedPod('proxy-old', {
    cpu: '1500m',
    metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
    spec: { nodeName: 'old' },
  });
  const pods = ['p', 'q', 'r'].map((name) => devicePod(name));
  const node = makeNode('old', { cpu: '2500m' });
  await within([node, proxy, slice, ...CLAIM_OBJECTS, ...pods], async (scheduler) => {
    assert.equal((await planLikeOld(scheduler)).nodes, 2);
  });
  const plain = ['a', 'b', 'c'].map((name) => storedPod(name));
  await within([node, proxy, ...plain], async (scheduler) => {
    assert.equal((await planLikeOld(scheduler)).nodes, 2, 'a static pod takes room');
  });
});

/** The labels of a node with volumes of its own, by the topology key of their driver. */
const VOLUME_NODES = {
  [HOSTNAME]: { [HOSTNAME]: 'ip-10-0-0-1' },
  'topology.example.com/node': { 'topology.example.com/node': 'old' },
};

/** What a driver publishes for such a node. @param {string} key @param {object} labels */
function volumesOf(key, labels) {
  const driver = { name: 'local.example.com', nodeID: 'old', topologyKeys: [key] };
  const storage = 'storage.k8s.io/v1';
  const named = (/** @type {string} */ name) => ({ name, uid: `u-${name}` });
  return [
    {
      apiVersion: storage,
      kind: 'CSIDriver',
      metadata: named(driver.name),
      spec: { storageCapacity: true },
    },
    {
      apiVersion: storage,
      kind: 'CSINode',
      metadata: named('old'),
      spec: { drivers: [driver] },
    },
    {
      apiVersion: storage,
      kind: 'CSIStorageCapacity',
      metadata: { ...named('csisc-x'), namespace: 'kube-system' },
      storageClassName: 'local',
      nodeTopology: { matchLabels: { [key]: labels[key] } },
      capacity: '10Gi',
    },
  ];
}

for (const [key, labels] of Object.entries(VOLUME_NODES))
  test(`a new node has room for volumes as its model, by ${key}`, async () => {
    const node = makeNode('old', { labels });
    const pods = ['p', 'q'].map((name) => volumePod(name, { cpu: '3' }));
    await within(
      [node, ...volumesOf(key, labels), ...CLAIM_OBJECTS, ...pods],
      async (scheduler) => {
        const found = await planLikeOld(scheduler);
        assert.deepEqual([found.impossible, found.nodes, found.optimal], [[], 1, true]);
        await scheduler.schedule({ until: START + 60_000 });
        const answer = await whatIf(scheduler, [{ type: 'addNodes', count: 1, like: 'old' }]);
        assert.equal(answer.summary.stillWaits, 0);
        const { offers } = await fix(scheduler, 'default/q', { pools: [{ node }] });
        const { changes } = offers.find(({ edits }) => edits[0].kind === 'AddNode');
        const capacity = changes.find(({ object }) => object?.kind === 'CSIStorageCapacity');
        const { metadata } = changes.find(({ object }) => object?.kind === 'Node').object;
        assert.deepEqual(capacity.object.nodeTopology.matchLabels, { [key]: metadata.name });
        assert.equal(metadata.labels[key], metadata.name);
      },
    );
  });

for (const [key, labels] of Object.entries(VOLUME_NODES))
  test(`a new node cannot reach the volumes of its model, by ${key}`, async () => {
    const storage = { storage: '1Gi' };
    const accessModes = ['ReadWriteOnce'];
    const matchExpressions = [{ key, operator: 'In', values: [labels[key]] }];
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...{ name: 'data', namespace: 'default', uid: 'u-data' },
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
      },
      spec: { accessModes, volumeName: 'v', storageClassName: 'local', resources: {} },
      status: { phase: 'Bound' },
    };
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v', uid: 'u-v' },
      spec: {
        ...{ accessModes, capacity: storage, storageClassName: 'local' },
        csi: { driver: 'local.example.com', volumeHandle: 'v' },
        claimRef: { namespace: 'default', name: 'data', uid: 'u-data' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      },
      status: { phase: 'Bound' },
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const pod = storedPod('p', { spec: { volumes, nodeName: 'old' } });
    const objects = [makeNode('old', { labels }), ...volumesOf(key, labels), claim, volume, pod];
    await within(objects, async (scheduler) => {
      const answer = await whatIf(scheduler, [
        { type: 'addNodes', count: 1, like: 'old' },
        { type: 'removeNode', node: 'old' },
      ]);
      assert.deepEqual(
        answer.pods.map(({ pod, outcome }) => [pod, outcome]),
        [['default/p', 'Waits']],
      );
    });
  });

/** A DaemonSet's pod for a node. @param {string} node @param {object} [spec] */
function agentFor(node, spec = {}) {
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'd' };
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  };
  return storedPod(`agent-${node}`, {
    cpu: '1',
    metadata: { ownerReferences: [{ ...owner, controller: true }] },
    spec: { affinity: { nodeAffinity: required }, ...spec },
  });
}

test('a DaemonSet whose pods wait has a pod on each new node', async () => {
  const pods = ['a', 'b', 'c'].map((name) => storedPod(name));
  const objects = [makeNode('old', { cpu: '2' }), agentFor('old', { priority: 9 }), ...pods];
  await within(objects, async (scheduler) => {
    const { nodes, pods: placed } = await planLikeOld(scheduler);
    assert.deepEqual(
      [nodes, placed[0]],
      [2, { pod: 'default/agent-old', node: 'old', pool: null }],
    );
  });
  const full = storedPod('full', { cpu: '2', spec: { nodeName: 'old', priority: 9 } });
  await within([makeNode('old', { cpu: '2' }), full, agentFor('old')], async (scheduler) => {
    await scheduler.schedule();
    const { pods: answers } = await whatIf(scheduler, [
      { type: 'addNodes', count: 2, like: 'old' },
    ]);
    assert.deepEqual(
      answers.map(({ pod, outcome, after }) => [pod, outcome, after.node]),
      ['old-1', 'old-2'].map((name) => [`default/agent-${name}`, 'Placed', name]),
    );
  });
});

/** @param {number} seed */
function clusterOf(seed) {
  const random = new Random(seed);
  const podOf = (/** @type {number} */ index) => {
    const cpu = random.pick(['250m', '1', '1500m']);
    const make = random.pick([devicePod, volumePod, storedPod]);
    const isWeb = random.below(3) === 0;
    const pod = make(`p${index}`, { cpu, spec: isWeb ? { affinity: apart } : {} });
    return { ...pod, metadata: { ...pod.metadata, labels: { app: isWeb ? 'web' : 'x' } } };
  };
  const labels = random.pick([{}, { [HOSTNAME]: 'ip-10-0-0-1' }, { [HOSTNAME]: 'old' }]);
  const cordoned = [{ key: ofState('unschedulable'), effect: 'NoSchedule' }];
  const spec = random.pick([{}, { unschedulable: true, taints: cordoned }]);
  const node = makeNode('old', { cpu: random.pick(['2', '3']), spec });
  node.metadata.labels = labels;
  const devices = ['d0', 'd1'].slice(random.below(2)).map((name) => ({ name }));
  const agents = random.pick([[], [agentFor('old', { nodeName: 'old' })], [agentFor('old')]]);
  const pods = Array.from({ length: 2 + random.below(5) }, (_, index) => podOf(index));
  return { node, devices, agents, pods: [...agents, ...pods] };
}

/** Whether all pods get a node with so many new ones. */
function worksWith({ node, devices, agents, pods }, /** @type {number} */ count) {
  const never = pods.map((pod) => ({ ...pod, spec: { ...pod.spec, preemptionPolicy: 'Never' } }));
  const added = Array.from({ length: count }, (_, index) => `old-${index + 1}`);
  const { cpu } = node.status.allocatable;
  const agentOn = (/** @type {string} */ name) => ({
    ...agentFor(name, { nodeName: name }),
    status: { phase: 'Running' },
  });
  const objects = [
    ...[node, sliceOf('old', 'gpu', devices), ...CLAIM_OBJECTS],
    ...added.flatMap((name) => [makeNode(name, { cpu }), sliceOf(name, 'gpu', devices)]),
    ...(agents.length > 0 ? added.map(agentOn) : []),
  ];
  return within(objects, async (scheduler) => {
    scheduler.apply(never);
    await scheduler.schedule({ until: START + 200_000 });
    const { active, backoff, unschedulable } = scheduler.inspect().queues;
    return active.length + backoff.length + unschedulable.length === 0;
  });
}

test('no other number of nodes is lower, from scratch', async () => {
  const most = 6;
  let bought = 0;
  for (let seed = 1; seed <= 120; seed++) {
    const cluster = clusterOf(seed);
    const { node, devices, pods } = cluster;
    const objects = [node, sliceOf('old', 'gpu', devices), ...CLAIM_OBJECTS, ...pods];
    const found = await within(objects, (scheduler) => planLikeOld(scheduler, { maxNodes: most }));
    const lost = new Set(found.impossible.map(({ pod }) => pod));
    for (const pod of pods.filter(({ metadata }) => lost.has(`default/${metadata.name}`))) {
      const bound = pods.filter(({ spec }) => spec.nodeName);
      const alone = await worksWith({ ...cluster, pods: [...bound, pod] }, most);
      assert.equal(alone, false, `seed ${seed}: ${pod.metadata.name} is not impossible`);
    }
    const left = pods.filter(({ metadata }) => !lost.has(`default/${metadata.name}`));
    const counts = Array.from({ length: most + 1 }, (_, count) => count);
    const works = [];
    for (const count of counts) works.push(await worksWith({ ...cluster, pods: left }, count));
    const least = works.indexOf(true);
    assert.equal(found.found ? found.nodes : -1, least, `seed ${seed}`);
    if (found.nodes > 0) bought += 1;
  }
  assert.ok(bought > 60, `${bought} plans buy nodes`);
});

test('a node made from a model shares nothing with its state', () => {
  const model = makeNode('old', {
    labels: { zone: 'x' },
    spec: {
      podCIDR: '10.0.0.0/24',
      podCIDRs: ['10.0.0.0/24'],
      providerID: 'i-1',
      unschedulable: true,
    },
  });
  assert.deepEqual(nodeLike(model, 'new', []).spec, { taints: [] });
  assert.deepEqual(nodeLike(model, 'new', []).metadata.labels, { zone: 'x', [HOSTNAME]: 'new' });
  assert.equal(nodeLike(model, 'new', []).metadata.uid, undefined);
});
