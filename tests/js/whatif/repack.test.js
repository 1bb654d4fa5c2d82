// Goal: the moves of repack empty their nodes, as the scheduler would make them, and no budget is
// exceeded on the way. Method: the moves are made by hand in a scheduler built from scratch.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { repack } from '../../../js/src/whatif/repack.js';
import { Random } from '../../sim/random.js';
import { validate } from '../support/json_schema.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative, startWasm } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startNative();
const START = Date.UTC(2026, 0, 1);
const createScheduler = (by = engine) => by.createScheduler({ startTime: START });

/** @param {string} app */
const ownedBy = (app) => [
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: app, uid: `rs-${app}`, controller: true },
];

/** @param {string} name @param {string} node @param {object} [options] */
function appPod(name, node, { app = 'web', cpu = '500m', spec = {}, metadata = {} } = {}) {
  return storedPod(name, {
    cpu,
    metadata: { labels: { app }, ownerReferences: ownedBy(app), ...metadata },
    spec: { nodeName: node, ...spec },
  });
}

/** @param {string} app @param {object} spec */
function budgetFor(app, spec) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'default', name: app, uid: `pdb-${app}` },
    spec: { selector: { matchLabels: { app } }, ...spec },
  };
}

/** @param {object[]} objects @param {object} goal @param {object} [options] */
async function repacked(objects, goal, { by = engine, ...options } = {}) {
  const scheduler = createScheduler(by);
  try {
    scheduler.apply(objects);
    const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
    const create = () => createScheduler(by);
    const found = await repack(scheduler, goal, { createScheduler: create, ...options });
    assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before, 'unchanged');
    assert.deepEqual(validate(schema, found), []);
    return found;
  } finally {
    scheduler.dispose();
  }
}

/**
 * Makes the moves in a scheduler built from scratch; `atStep` gets the pods that run between the
 * evictions of a step and their successors.
 */
async function replayed(objects, { moves, emptied }, atStep = (/** @type {string[]} */ _) => {}) {
  const scheduler = createScheduler();
  try {
    scheduler.apply(objects);
    for (const { node } of emptied)
      scheduler.apply({ ...scheduler.get('Node', node), spec: { unschedulable: true } });
    for (const step of new Set(moves.map((move) => move.step))) {
      const together = moves.filter((move) => move.step === step);
      const pods = together.map(({ pod }) => scheduler.get('Pod', pod));
      pods.forEach((pod) => scheduler.remove(pod));
      atStep(scheduler.list('Pod').map(({ metadata }) => metadata.name));
      for (const { metadata, spec } of pods)
        scheduler.apply({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata,
          spec: { ...spec, nodeName: '' },
        });
      const decisions = await scheduler.schedule();
      for (const { pod, from, to } of together) {
        assert.equal(decisions.findLast((one) => one.pod === pod)?.node, to, `${pod} from ${from}`);
      }
    }
    const { nodes } = scheduler.inspect({ cache: true }).cache;
    return emptied.flatMap(({ node }) => nodes[node]);
  } finally {
    scheduler.dispose();
  }
}

test('the moves empty nodes, and land where the scheduler puts the pods', async () => {
  const objects = [
    ...['a', 'b', 'c', 'd'].map((name) => makeNode(name)),
    ...['a', 'b', 'c', 'd'].map((node, index) => appPod(`web-${index}`, node)),
  ];
  const found = await repacked(objects, { maximum: true });
  assert.deepEqual([found.emptied.length, found.moves.length], [3, 3]);
  assert.deepEqual(
    [found.reached, found.complete, found.replayed, found.sameNodes],
    [true, true, true, true],
  );
  assert.deepEqual(
    found.blocked.map(({ node, reason }) => [node, reason]),
    [['d', 'Waits']],
  );
  assert.deepEqual(await replayed(objects, found), []);
  const one = await repacked(objects, { emptyNodes: 1 });
  assert.deepEqual(
    [one.reached, one.emptied.length, one.blocked.map(({ reason }) => reason)],
    [true, 1, ['NotTried', 'NotTried', 'NotTried']],
  );
  assert.equal((await repacked(objects, { emptyNodes: 4 })).reached, false);
});

test('seeded clusters: every answer holds from scratch, within its budgets', async () => {
  let moved = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const random = new Random(seed);
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 3 + random.below(3));
    const apps = ['x', 'y'];
    const pods = Array.from({ length: 3 + random.below(9) }, (_, index) => {
      const app = random.pick(apps);
      const cpu = random.pick(['250m', '500m', '1']);
      return appPod(`p${index}`, random.pick(names), { app, cpu });
    });
    const least = random.below(3);
    const objects = [
      ...names.map((name) => makeNode(name)),
      ...pods,
      budgetFor('x', { minAvailable: least }),
      budgetFor('y', { maxUnavailable: 1 }),
    ];
    const of = (/** @type {string} */ app) =>
      pods
        .filter(({ metadata }) => metadata.labels.app === app)
        .map(({ metadata }) => metadata.name);
    const found = await repacked(objects, { maximum: true });
    moved += found.moves.length;
    const left = await replayed(objects, found, (running) => {
      const count = (/** @type {string} */ app) =>
        of(app).filter((name) => running.includes(name)).length;
      assert.ok(count('x') >= Math.min(least, of('x').length), `seed ${seed}`);
      assert.ok(count('y') >= of('y').length - 1, `seed ${seed}`);
    });
    assert.deepEqual(left, [], `seed ${seed}`);
    assert.ok(found.replayed && found.sameNodes && found.complete, `seed ${seed}`);
  }
  assert.ok(moved > 50, `${moved} moves`);
});

test('a node stays if it must, and the answer says why', async () => {
  const labels = { 'node-role.kubernetes.io/control-plane': '' };
  const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
  const objects = [
    makeNode('master', { labels, spec: { taints } }),
    ...['bare', 'blocked', 'dir', 'kept', 'full', 'picky'].map((name) =>
      makeNode(name, { cpu: name === 'full' ? '3' : '1' }),
    ),
    storedPod('alone', { cpu: '100m', spec: { nodeName: 'bare' } }),
    appPod('guarded', 'blocked', { app: 'db' }),
    budgetFor('db', { minAvailable: 1 }),
    appPod('scratch', 'dir', { spec: { volumes: [{ name: 'tmp', emptyDir: {} }] } }),
    appPod('big', 'full', { cpu: '3' }),
    appPod('here', 'picky', {
      cpu: '100m',
      spec: { nodeSelector: { 'kubernetes.io/hostname': 'picky' } },
    }),
  ];
  const found = await repacked(objects, { maximum: true }, { keep: ['kept'] });
  const reasons = Object.fromEntries(
    found.blocked.map(({ node, reason, pod }) => [node, [reason, pod]]),
  );
  assert.deepEqual(reasons, {
    master: ['ControlPlane', null],
    bare: ['Refused', 'default/alone'],
    blocked: ['Budget', 'default/guarded'],
    dir: ['Refused', 'default/scratch'],
    kept: ['Kept', null],
    full: ['Waits', 'default/big'],
    picky: ['Waits', 'default/here'],
  });
  const budget = found.blocked.find(({ node }) => node === 'blocked');
  assert.equal(budget.message, 'The disruption budget db needs 1 healthy pods and has 1 currently');
  assert.deepEqual(found.emptied, []);
  const options = { keep: ['kept'], deleteEmptyDirData: true };
  const more = await repacked(objects, { maximum: true }, options);
  assert.deepEqual(more.emptied, [{ node: 'dir', moves: 1 }]);
});

test('a pod that would preempt, or return, keeps its node', async () => {
  const urgent = appPod('urgent', 'a', { cpu: '3', app: 'x', spec: { priority: 10 } });
  const objects = [makeNode('a'), makeNode('b'), urgent, appPod('low', 'b', { cpu: '2' })];
  const found = await repacked(objects, { maximum: true }, { keep: ['b'] });
  assert.deepEqual(
    found.blocked.map(({ node, reason, pod }) => [node, reason, pod]),
    [
      ['b', 'Kept', null],
      ['a', 'Preempts', 'default/low'],
    ],
  );
  const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }];
  const clinging = appPod('clinging', 'a', {
    spec: { tolerations, nodeSelector: { only: 'here' } },
  });
  const only = [makeNode('a', { labels: { only: 'here' } }), makeNode('b'), clinging];
  const stays = await repacked(only, { maximum: true }, { keep: ['b'] });
  assert.equal(stays.blocked.find(({ node }) => node === 'a').reason, 'Returns');
});

test('a moved pod that another moved pod preempts keeps the node of that', async () => {
  const objects = [
    makeNode('s1', { cpu: '4' }),
    makeNode('s2', { cpu: '4' }),
    makeNode('x', { cpu: '2100m' }),
    makeNode('y', { cpu: '1100m' }),
    appPod('low', 's1', { cpu: '1' }),
    appPod('high', 's2', { app: 'x', cpu: '2', spec: { priority: 1 } }),
    ...['x', 'y'].map((node) =>
      storedPod(`on-${node}`, { cpu: '100m', spec: { nodeName: node, priority: 2 } }),
    ),
  ];
  const found = await repacked(objects, { maximum: true }, { keep: ['x', 'y'] });
  assert.deepEqual(
    found.moves.map(({ pod, from, to }) => `${pod} ${from} ${to}`),
    ['default/low s1 x'],
  );
  assert.deepEqual(
    found.blocked.flatMap(({ node, reason, pod }) =>
      reason === 'Kept' ? [] : [[node, reason, pod]],
    ),
    [['s2', 'Preempts', 'default/low']],
  );
  assert.deepEqual(await replayed(objects, found), []);
});

test('pending pods have been tried before the moves are replayed', async () => {
  const requiredDuringSchedulingIgnoredDuringExecution = [
    { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } },
  ];
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
  const scheduler = createScheduler();
  try {
    scheduler.apply([
      ...['a', 'b'].map((name) => makeNode(name, { cpu: '1', labels: { zone: 'z' } })),
      appPod('moved', 'a', { cpu: '1' }),
      storedPod('waits', { cpu: '1', spec: { priority: 5, preemptionPolicy: 'Never', affinity } }),
    ]);
    await scheduler.schedule();
    const found = await repack(scheduler, { emptyNodes: 1 }, { createScheduler, keep: ['b'] });
    assert.deepEqual(
      found.moves.map(({ pod, to }) => [pod, to]),
      [['default/moved', 'b']],
    );
    assert.deepEqual([found.replayed, found.sameNodes], [true, true]);
  } finally {
    scheduler.dispose();
  }
});

test('dear nodes are emptied first, and the price is added up', async () => {
  const labels = (/** @type {string} */ price) => ({ price });
  const objects = [
    makeNode('cheap', { labels: labels('1') }),
    makeNode('dear', { labels: labels('5') }),
    makeNode('middle', { labels: labels('2') }),
    ...['cheap', 'dear', 'middle'].map((node) => appPod(`on-${node}`, node, { cpu: '2' })),
  ];
  const priceOf = ({ metadata }) => Number(metadata.labels.price);
  const found = await repacked(objects, { maximum: true }, { priceOf });
  assert.deepEqual([found.emptied[0], found.priceSaved], [{ node: 'dear', moves: 1, price: 5 }, 5]);
});

test('trials are bounded', async () => {
  const objects = ['a', 'b', 'c'].flatMap((name) => [makeNode(name), appPod(`on-${name}`, name)]);
  const found = await repacked(objects, { maximum: true }, { maxTrials: 1 });
  assert.deepEqual([found.trials, found.complete, found.emptied.length], [1, false, 1]);
});

test('what cannot be asked is refused with the field', async () => {
  const cases = [
    [{}, {}, 'goal.emptyNodes'],
    [{ emptyNodes: 0 }, {}, 'goal.emptyNodes'],
    [{ maximum: false }, {}, 'goal.maximum'],
    [{ maximum: true, emptyNodes: 1 }, {}, 'goal.maximum'],
    [{ maximum: true }, { keep: ['none'] }, 'keep[0]'],
    [{ maximum: true }, { maxTrials: 0 }, 'maxTrials'],
    ...[NaN, Infinity, '5', null].map((price) => [
      { maximum: true },
      { priceOf: () => price },
      'priceOf',
    ]),
  ];
  for (const [goal, options, field] of cases)
    await assert.rejects(repacked([makeNode('a')], goal, options), { name: 'InputError', field });
  const reason = new Error('enough');
  const options = { signal: AbortSignal.abort(reason) };
  await assert.rejects(repacked([makeNode('a')], { maximum: true }, options), reason);
});

test('WebAssembly gives the same moves', async () => {
  const { engine: wasm } = await startWasm();
  const objects = ['a', 'b', 'c'].flatMap((name) => [makeNode(name), appPod(`on-${name}`, name)]);
  const answers = [];
  for (const by of [engine, wasm]) answers.push(await repacked(objects, { maximum: true }, { by }));
  assert.deepEqual(answers[0], answers[1]);
});

test('a pod that ends is moved nowhere', async () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const ending = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gone', uid: 'n-gone' } };
  for (const objects of [
    [appPod('web-1', 'a', { metadata: { deletionTimestamp } })],
    [
      { ...ending, status: { phase: 'Terminating' } },
      appPod('web-1', 'a', { metadata: { namespace: 'gone' } }),
    ],
  ]) {
    const nodes = [makeNode('a'), makeNode('b')];
    const { emptied, moves } = await repacked([...nodes, ...objects], { emptyNodes: 1 });
    assert.equal(emptied.length, 1);
    for (const { pod, to } of moves) assert.equal(to, null, pod);
    const both = await repacked([makeNode('a'), ...objects], { maximum: true });
    assert.deepEqual(
      both.moves.map(({ from, to }) => [from, to]),
      [['a', null]],
    );
  }
});
