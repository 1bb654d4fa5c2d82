// Goal: the panel's answers come true. Method: each answer is compared with the world after its
// actions were made in it and everything was decided.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from '../world/objects.js';

/** @import { Action } from '../../../web/src/world/world.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const ZONE = 'topology.kubernetes.io/zone';

/** @param {string} name @param {string} zone */
const inZone = (name, zone) => ({
  ...node(name),
  metadata: { name, labels: { [ZONE]: zone, 'kubernetes.io/hostname': name } },
});

const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: pod('web').spec },
  },
};

const TAINTS = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];

/** Three nodes of two CPUs in two zones, a tainted one, and three pods of one CPU each. */
const OBJECTS = [
  ...[inZone('a-1', 'a'), inZone('a-2', 'a'), inZone('b-1', 'b')],
  { ...node('gpu', '8'), spec: { taints: TAINTS } },
  WEB,
];

/** @param {import('node:test').TestContext} t @param {object[]} objects */
async function opened(t, objects = OBJECTS, settings = {}) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  const head = { apiVersion: 'stowage/v1', kind: 'Scenario', title: 'What if' };
  const scenario = { ...head, ...settings, objects };
  await playground.open(JSON.stringify(scenario));
  await playground.steps(100);
  return playground;
}

/** Makes actions, and everything that follows from them. */
async function make(/** @type {Playground} */ playground, /** @type {Action[]} */ actions) {
  for (const action of actions) {
    const { errors } = await playground.do(action);
    assert.deepEqual(errors, []);
  }
  await playground.do({ do: 'wait', for: 90_000 });
  await playground.steps(100);
}

/** The number of pods on each node that run or wait; those without a node under ''. */
async function countsIn(/** @type {Playground} */ playground) {
  const { items } = JSON.parse(await playground.exported('objects'));
  const pods = items.filter((/** @type {any} */ { kind }) => kind === 'Pod');
  return counts(pods.map((/** @type {any} */ { spec }) => spec.nodeName ?? ''));
}

/** @param {string[]} nodes */
function counts(nodes) {
  /** @type {Record<string, number>} */
  const numbers = {};
  for (const name of nodes.sort()) numbers[name] = (numbers[name] ?? 0) + 1;
  return numbers;
}

/** The same after an outlook. */
function countsThen(
  /** @type {Record<string, number>} */ before,
  /** @type {import('../../../web/src/whatif/outlook.js').Outlook} */ { pods },
) {
  const nodes = Object.entries(before).flatMap(([name, count]) => Array(count).fill(name));
  for (const { before: then, after } of pods) {
    if (then) nodes.splice(nodes.indexOf(then.node ?? ''), 1);
    if (after.state !== 'Gone') nodes.push(after.node ?? '');
  }
  return counts(nodes);
}

/** @type {Record<string, import('../../../web/src/whatif/changes.js').TriedChange[]>} */
const PROOFS = {
  'a node is drained': [{ type: 'drain', node: 'a-1' }],
  'a node is lost': [{ type: 'removeNode', node: 'b-1' }],
  'a zone is lost, and too little is left': [{ type: 'removeZone', zone: 'a' }],
  'a node like another is added for what a workload gets more': [
    { type: 'addNodes', like: 'b-1', count: 1 },
    { type: 'scale', kind: 'Deployment', namespace: 'default', name: 'web', replicas: 9 },
  ],
  'a workload gets fewer pods': [
    { type: 'scale', kind: 'Deployment', namespace: 'default', name: 'web', replicas: 1 },
  ],
};

for (const [name, changes] of Object.entries(PROOFS))
  test(`${name}: as the world afterwards`, async (t) => {
    const playground = await opened(t);
    const before = await countsIn(playground);
    const outlook = await playground.lookAhead(changes);
    assert.deepEqual(await countsIn(playground), before, 'nothing has happened yet');
    await make(playground, await playground.actionsFor(changes));
    assert.deepEqual(countsThen(before, outlook), await countsIn(playground));
  });

test('the outlook has the rows of its pods and nodes', async (t) => {
  const playground = await opened(t);
  const { nodes, goneNodes, rows, summary } = await playground.lookAhead([
    { type: 'removeZone', zone: 'a' },
    { type: 'drain', node: 'gpu' },
    { type: 'addNodes', like: 'b-1', count: 1 },
  ]);
  assert.deepEqual(
    nodes.map(({ name, isUnschedulable, zone }) => [name, isUnschedulable, zone]),
    [
      ['gpu', true, ''],
      ['b-1-1', false, 'b'],
    ],
  );
  assert.deepEqual(goneNodes, ['a-1', 'a-2']);
  assert.equal(summary.moves, 2);
  assert.deepEqual(counts(rows.map((row) => row.node)), { 'b-1': 1, 'b-1-1': 1 });
});

test('the present has the pending pods, after the scheduler has tried them', async (t) => {
  const playground = await opened(t);
  await playground.do({ do: 'apply', objects: [pod('next'), pod('huge', '64')] });
  const { undecided, pods, rows } = await playground.lookAhead([]);
  assert.deepEqual([undecided, pods], [2, []]);
  const places = Object.fromEntries(rows.map((row) => [row.key, row.node !== '']));
  assert.deepEqual(places, { 'default/next': true, 'default/huge': false });
});

test('pods that give way to a pending one are not counted as pending', async (t) => {
  const playground = await opened(t, [node('a'), pod('low'), pod('lower')]);
  const high = pod('high', '2');
  await playground.do({
    do: 'apply',
    objects: [{ ...high, spec: { ...high.spec, priorityClassName: 'system-node-critical' } }],
  });
  const { undecided, rows } = await playground.lookAhead([]);
  assert.deepEqual([undecided, rows.length], [1, 3]);
});

test('a node without resources is no pool of a fix', async (t) => {
  const bare = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'bare' } };
  const playground = await opened(t, [node('a'), bare, pod('one', '2'), pod('two', '2')]);
  const { ways } = await playground.fix('default/two');
  assert.ok(ways.some(({ sentence }) => sentence === 'Add a node like a.'));
});

test('answers follow the world, forward and back', async (t) => {
  const playground = await opened(t);
  /** @type {import('../../../web/src/whatif/changes.js').TriedChange[]} */
  const changes = [{ type: 'removeZone', zone: 'a' }];
  const first = await playground.lookAhead(changes);
  const { position } = await playground.do({ do: 'apply', objects: [inZone('b-2', 'b')] });
  const second = await playground.lookAhead(changes);
  assert.deepEqual([first.summary.waits, second.summary.waits], [1, 0]);
  await playground.goTo(position - 1);
  assert.deepEqual(await playground.lookAhead(changes), first);
});

test('a question that another one replaces ends with an AbortError', async (t) => {
  const playground = await opened(t);
  const first = playground.lookAhead([{ type: 'drain', node: 'a-1' }]);
  const second = playground.lookAhead([{ type: 'drain', node: 'a-2' }]);
  await assert.rejects(first, { name: 'AbortError' });
  assert.equal((await second).pods.length > 0, true);
});

test('a change of what does not exist is an error that names it', async (t) => {
  const playground = await opened(t);
  await assert.rejects(playground.lookAhead([{ type: 'drain', node: 'x' }]), /Not found: "x"/);
});

test('a drain is planned with its budgets', async (t) => {
  const playground = await opened(t, [
    ...OBJECTS,
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } },
    },
  ]);
  await playground.do({ do: 'wait', for: 5000 });
  const { blocked, rounds } = await playground.planDrain(['a-1']);
  assert.deepEqual([blocked.length, rounds], [1, 0]);
  assert.match(blocked[0].message, /^The disruption budget web needs 3 healthy pods/);
  const free = await (await opened(t)).planDrain(['a-1', 'a-2']);
  assert.deepEqual([free.blocked, free.rounds, free.secondsAtMost], [[], 2, 60]);
});

test('a drain ends pods whose DaemonSet is gone: planned, looked at and made', async (t) => {
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'gone', uid: 'u' };
  const left = {
    ...pod('left'),
    metadata: { name: 'left', ownerReferences: [{ ...owner, controller: true }] },
    spec: { ...pod('left').spec, nodeName: 'a' },
  };
  const nowhere = { ...pod('agent').spec, nodeSelector: { is: 'nowhere' } };
  const agent = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: { ...WEB.spec, template: { ...WEB.spec.template, spec: nowhere } },
  };
  const unknown = await opened(t, [node('a'), left]);
  assert.deepEqual(await unknown.podsToEvict('a'), [], 'its DaemonSet may be left out');
  const playground = await opened(t, [node('a'), agent, left]);
  assert.equal((await playground.planDrain(['a'])).rounds, 1);
  /** @type {import('../../../web/src/whatif/changes.js').TriedChange[]} */
  const changes = [{ type: 'drain', node: 'a' }];
  const { pods } = await playground.lookAhead(changes);
  assert.deepEqual(
    pods.map((one) => [one.pod, one.outcome]),
    [['default/left', 'Ends']],
  );
  const evicted = { do: 'evict', pods: ['default/left'] };
  assert.deepEqual((await playground.actionsFor(changes)).at(-1), evicted);
  assert.deepEqual(await playground.podsToEvict('a'), evicted.pods);
});

test('the sweep finds the zones whose loss leaves pods pending', async (t) => {
  const playground = await opened(t);
  /** @type {import('../../../web/src/whatif/failures.js').Findings[]} */
  const found = [];
  await playground.sweep('zones', (findings) => found.push(structuredClone(findings)));
  assert.deepEqual([found.at(-1)?.tried, found.at(-1)?.total], [2, 2]);
  const nodes = Object.fromEntries(found.flatMap((findings) => findings.nodes));
  assert.deepEqual(nodes, { 'a-1': 1, 'a-2': 1, 'b-1': 0 });
  const [report] = found.flatMap(({ reports }) => reports);
  assert.deepEqual([report.failure, report.waiting], ['zone/a', 1]);
  assert.match(report.pods[0].message, /Insufficient cpu/);
});

/** @type {Record<string, (playground: Playground) => Promise<unknown>>} */
const ENDS = {
  'the user cancels it': (playground) => playground.stopSweep(),
  'the world changes and something else is asked': async (playground) => {
    await playground.do({ do: 'apply', objects: [pod('other')] });
    await playground.lookAhead([]);
  },
  'something else is opened': (playground) => playground.close(),
};

for (const [name, end] of Object.entries(ENDS))
  test(`a sweep ends when ${name}`, async (t) => {
    // So many that no machine tries them all before the first report.
    const many = Array.from({ length: 1000 }, (_, index) => node(`n-${index}`, '1'));
    const pods = Array.from({ length: 1000 }, (_, index) => ({
      ...pod(`p-${index}`),
      spec: { ...pod('p').spec, nodeName: `n-${index}` },
    }));
    const playground = await opened(t, [...many, ...pods]);
    let tried = 0;
    /** @type {Promise<unknown> | undefined} */
    let ended;
    const swept = playground.sweep('nodes', (findings) => {
      ({ tried } = findings);
      ended ??= end(playground);
    });
    await assert.rejects(swept, { name: 'AbortError' });
    await ended;
    assert.ok(tried > 0 && tried < 1000, `${tried} of 1000`);
  });

/** @type {Record<string, { pending: object, kinds: RegExp }>} */
const FIXES = {
  'a pod that must be created again': { pending: pod('huge', '3'), kinds: /lower .* cpu/i },
  'a node that changes': { pending: pod('huge', '3'), kinds: /remove taint gpu/i },
  'a pod that changes in place': { pending: pod('huge', '3'), kinds: /toleration/i },
  'a workload with other pods': {
    pending: { ...WEB, metadata: { name: 'huge' }, spec: huge('3') },
    kinds: /lower .* cpu/i,
  },
};

/** @param {string} cpu */
function huge(cpu) {
  const labels = { app: 'huge' };
  const template = { metadata: { labels }, spec: pod('huge', cpu).spec };
  return { replicas: 1, selector: { matchLabels: labels }, template };
}

for (const [name, { pending, kinds }] of Object.entries(FIXES))
  test(`a fix comes true: ${name}`, async (t) => {
    const playground = await opened(t);
    await playground.do({ do: 'apply', objects: [/** @type {any} */ (pending)] });
    await playground.steps(100);
    const [waiting] = playground.inspect()?.queues.unschedulable ?? [];
    const { node: none, message, ways } = await playground.fix(waiting.pod);
    assert.equal(none, null);
    assert.match(message, /nodes are available/);
    const way = ways.find(({ sentence }) => kinds.test(sentence));
    assert.ok(way?.isOffered, `${kinds} is none of ${ways.map(({ sentence }) => sentence)}`);
    assert.match(way.commands.join(), /^kubectl /);
    const before = await countsIn(playground);
    await make(playground, await playground.actionsOfWay(way.changes));
    const after = await countsIn(playground);
    assert.equal(before[''], 1);
    assert.deepEqual([after[''] ?? 0, after[way.node]], [0, (before[way.node] ?? 0) + 1]);
    await playground.exported('scenario');
  });

test('a pod that fits needs no fix, and one that does not exist is an error', async (t) => {
  const playground = await opened(t);
  await playground.do({ do: 'apply', objects: [pod('next')] });
  const { node: chosen, ways } = await playground.fix('default/next');
  assert.ok(chosen);
  assert.deepEqual(ways, []);
  await assert.rejects(playground.fix('default/none'), { code: 'NotFound' });
});

/** A pod of the group `train`. @param {string} name */
function member(name) {
  const { spec, ...rest } = pod(name, '1');
  return { ...rest, spec: { ...spec, schedulingGroup: { podGroupName: 'train' } } };
}

test('a pod of a pod group that cannot start: its group says why', async (t) => {
  const featureGates = { GenericWorkload: true, GangScheduling: true };
  const group = {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name: 'train' },
    spec: { schedulingPolicy: { gang: { minCount: 3 } } },
  };
  const members = ['w-0', 'w-1', 'w-2'].map((name) => member(name));
  const playground = await opened(t, [node('a', '2'), group, ...members], { featureGates });
  const { group: said } = await playground.fix('default/w-0');
  assert.deepEqual(said.slice(0, 2), [
    'Pod group default/train cannot start: 2 of 3 pods can run, 1 fewer than minCount 3',
    'the largest minCount that would pass now is 2',
  ]);
  assert.match(said[2], /^the blocking pod is default\/w-2/);
  const alone = await opened(t);
  await alone.do({ do: 'apply', objects: [pod('next')] });
  assert.deepEqual((await alone.fix('default/next')).group, []);
});

test('a pod group is shown with its members and domains, waiting and running', async (t) => {
  const featureGates = { GenericWorkload: true, GangScheduling: true };
  const group = {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name: 'train' },
    spec: {
      schedulingPolicy: { gang: { minCount: 3 } },
      schedulingConstraints: { topology: [{ key: ZONE }] },
    },
  };
  const urgent = ['w-0', 'w-1', 'w-2'].map((name) => member(name));
  const objects = [inZone('a-1', 'a'), inZone('b-1', 'b')];
  const playground = await opened(t, [...objects, group, pod('x', '2'), ...urgent], {
    featureGates,
  });
  await playground.steps(100);
  const waiting = await playground.podGroup('');
  assert.deepEqual(waiting.groups, ['default/train']);
  assert.equal(waiting.minCount, 3);
  assert.match(
    waiting.sentences[0],
    /^cannot start: 2 of 3 pods can run, 1 fewer than minCount 3$/,
  );
  assert.match(waiting.sentences[2], /^the blocking pod is default\/w-2/);
  const short = waiting.pods.map(({ pod: name, node: on, message }) => [name, on, message !== '']);
  assert.equal(short.length, 3);
  assert.deepEqual(short[2], ['default/w-2', null, true]);
  assert.deepEqual(
    waiting.domains.map(({ domain, pods }) => [domain, pods]),
    ['a', 'b'].map((zone) => [zone, short[0][1] === `${zone}-1` ? 2 : 0]),
  );
  await playground.do({ do: 'delete', objects: [{ apiVersion: 'v1', kind: 'Pod', name: 'x' }] });
  await playground.do({ do: 'wait', for: 60_000 });
  await playground.steps(100);
  const running = await playground.podGroup('default/train');
  assert.deepEqual(running.sentences, ['runs: all of its pods are on nodes']);
  assert.ok(running.pods.every(({ node: on }) => on));
  const none = await (await opened(t)).podGroup('default/train');
  assert.deepEqual([none.groups, none.podGroup], [[], '']);
});
