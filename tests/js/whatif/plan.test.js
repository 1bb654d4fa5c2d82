// Goal: plan answers with the cheapest nodes that leave nothing pending, and proves it. Method: on
// small clusters from seeds, every mix of nodes is tried in a scheduler built from scratch.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { plan } from '../../../js/src/whatif/plan.js';
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

const MOST = 5;
const zone = (/** @type {string} */ name) => ({ 'topology.kubernetes.io/zone': name });

/**
 * @param {object[]} objects @param {object[]} pools @param {object} [options]
 * @param {object[]} [pending]
 */
async function planFor(objects, pools, options = {}, pending = []) {
  const scheduler = createScheduler();
  try {
    scheduler.apply(objects);
    const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
    const found = await plan(scheduler, pending, pools, { createScheduler, ...options });
    assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before, 'unchanged');
    assert.deepEqual(validate(schema, found), []);
    return found;
  } finally {
    scheduler.dispose();
  }
}

/** @param {object[]} objects @param {object[]} nodes the number of pods that wait in the end */
async function waitingWith(objects, nodes) {
  const scheduler = createScheduler();
  try {
    scheduler.apply([...objects.filter(({ kind }) => kind === 'Node'), ...nodes]);
    scheduler.apply(
      objects
        .filter(({ kind }) => kind === 'Pod')
        .map((pod) => ({ ...pod, spec: { ...pod.spec, preemptionPolicy: 'Never' } })),
    );
    await scheduler.schedule({ until: START + 200_000 });
    const { active, backoff, unschedulable } = scheduler.inspect().queues;
    return active.length + backoff.length + unschedulable.length;
  } finally {
    scheduler.dispose();
  }
}

/** Returns the lowest price of all mixes that leave nothing pending. */
async function cheapestByForce(objects, pools) {
  let best = Infinity;
  for (let code = 0; code < (MOST + 1) ** pools.length; code++) {
    const mix = pools.map((_, index) => Math.floor(code / (MOST + 1) ** index) % (MOST + 1));
    const price = mix.reduce((sum, count, index) => sum + count * pools[index].price, 0);
    if (mix.reduce((sum, count) => sum + count, 0) > MOST || price >= best) continue;
    const nodes = mix.flatMap((count, index) =>
      Array.from({ length: count }, (_, number) => {
        const { node } = pools[index];
        const name = `${node.metadata.name}-${number + 1}`;
        const labels = { ...node.metadata.labels, 'kubernetes.io/hostname': name };
        return { ...node, metadata: { name, uid: name, labels } };
      }),
    );
    if ((await waitingWith(objects, nodes)) === 0) best = price;
  }
  return best;
}

/** @param {Random} random @param {number} index */
function podOf(random, index) {
  const app = random.pick(['a', 'b']);
  const labelSelector = { matchLabels: { app } };
  const topologyKey = random.pick(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
  const term = { topologyKey, labelSelector };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const constraint = { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...term };
  const spec = random.pick([
    {},
    {},
    { nodeSelector: zone(random.pick(['x', 'y'])) },
    { topologySpreadConstraints: [constraint] },
    { affinity: { podAntiAffinity: required } },
    { affinity: { podAffinity: required } },
    { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
  ]);
  const cpu = random.pick(['500m', '1', '1500m', '3']);
  return storedPod(`p${index}`, { cpu, metadata: { labels: { app } }, spec });
}

/** @param {number} seed */
function questionOf(seed) {
  const random = new Random(seed);
  const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
  const objects = [
    makeNode('old', { cpu: random.pick(['1', '2', '4']), labels: zone('x') }),
    storedPod('placed', {
      cpu: '1',
      metadata: { labels: { app: 'a' } },
      spec: { nodeName: 'old' },
    }),
    ...Array.from({ length: 2 + random.below(7) }, (_, index) => podOf(random, index)),
  ];
  const pools = [
    { node: makeNode('small', { cpu: '2', labels: zone('x') }), price: 1 },
    { node: makeNode('large', { cpu: '4', labels: zone('y') }), price: 1.5 + random.below(8) / 8 },
    { node: makeNode('gpu', { cpu: '4', labels: zone('y'), spec: { taints } }), price: 1.25 },
  ].slice(0, 2 + random.below(2));
  return { objects, pools };
}

test('the price is the lowest of all mixes, and the bound is not above it', async () => {
  let solved = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const { objects, pools } = questionOf(seed);
    const found = await planFor(objects, pools, { maxNodes: MOST });
    const left = new Set(found.impossible.map(({ pod }) => pod));
    const possible = objects.filter(({ metadata }) => !left.has(`default/${metadata.name}`));
    const best = await cheapestByForce(possible, pools);
    assert.equal(found.found, best < Infinity, `seed ${seed}`);
    if (!found.found) continue;
    solved += 1;
    assert.deepEqual([found.price, found.optimal], [best, true], `seed ${seed}`);
    assert.ok(found.lowerBound <= best + 1e-9, `seed ${seed}: ${found.lowerBound} > ${best}`);
    assert.ok(found.minimal && found.replayed, `seed ${seed}`);
  }
  assert.ok(solved > 20, `${solved} questions had an answer`);
});

const small = { node: makeNode('small', { cpu: '2' }), price: 1 };
const large = { node: makeNode('large', { cpu: '8' }), price: 3 };
const many = (/** @type {number} */ count, /** @type {string} */ cpu, /** @type {object} */ spec) =>
  Array.from({ length: count }, (_, index) => storedPod(`m${index}`, { cpu, spec }));

test('new pods count like those of the queues, and old pods stay', async () => {
  const low = storedPod('low', { cpu: '4', spec: { nodeName: 'old', priority: -1 } });
  const urgent = storedPod('urgent', { cpu: '2', spec: { priority: 9 } });
  const found = await planFor([makeNode('old'), low, urgent], [small], {}, [
    storedPod('new', { cpu: '1' }),
  ]);
  assert.deepEqual(found.pools[0].nodes, ['small-1', 'small-2']);
  assert.deepEqual(
    found.pods.map(({ pod, pool }) => [pod, pool]),
    [
      ['default/urgent', 'small'],
      ['default/new', 'small'],
    ],
  );
});

test('pods that no node can take are named with the reason, others are planned', async () => {
  const gated = storedPod('gated', { spec: { schedulingGates: [{ name: 'later' }] } });
  const picky = storedPod('picky', { spec: { nodeSelector: { disk: 'fast' } } });
  const found = await planFor([gated, picky, ...many(1, '9', {}), storedPod('fits')], [large]);
  assert.deepEqual(found.impossible, [
    { pod: 'default/gated', message: 'waiting for scheduling gates: [later]' },
    {
      pod: 'default/picky',
      message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    },
    { pod: 'default/m0', message: '0/1 nodes are available: 1 Insufficient cpu.' },
  ]);
  assert.deepEqual([found.found, found.nodes], [true, 1]);
});

test('pods of DaemonSets take room on every new node that they select', async () => {
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'd' };
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['old'] }];
  const required = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  };
  const agent = storedPod('agent-x', {
    cpu: '1',
    metadata: { ownerReferences: [{ ...owner, controller: true }] },
    spec: { nodeName: 'old', affinity: { nodeAffinity: required } },
  });
  const objects = [makeNode('old', { cpu: '1' }), agent, ...many(3, '1', {})];
  const found = await planFor(objects, [small]);
  assert.deepEqual([found.nodes, found.lowerBound], [3, 3]);
  const tainted = { ...small.node, spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } };
  const tolerant = many(3, '1', { tolerations: [{ operator: 'Exists' }] });
  const without = await planFor(
    [...objects.slice(0, 2), ...tolerant],
    [{ node: tainted, price: 1 }],
  );
  assert.equal(without.nodes, 2, 'the DaemonSet does not tolerate the taint');
});

test('without a mix that works, the answer names what waits', async () => {
  const labelSelector = { matchLabels: { app: 'one' } };
  const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const pods = ['a', 'b'].map((name) =>
    storedPod(name, {
      metadata: { labels: { app: 'one' } },
      spec: { affinity: { podAntiAffinity } },
    }),
  );
  const pool = { node: makeNode('small', { labels: zone('x') }), price: 1 };
  const found = await planFor(pods, [pool], { maxNodes: 4 });
  assert.deepEqual([found.found, found.nodes, found.pending.length], [false, 1, 1]);
  assert.match(found.pending[0].message, /didn't match pod anti-affinity rules/);
  const tooFew = await planFor(many(9, '2', {}), [{ ...small, max: 3 }]);
  assert.deepEqual([tooFew.found, tooFew.lowerBound], [false, 9]);
});

test('beyond its limits the plan is good, minimal, and not called optimal', async () => {
  const pods = ['300m', '700m', '900m', '1100m', '1300m'].flatMap((cpu, kind) =>
    Array.from({ length: 12 }, (_, index) => storedPod(`p${kind}-${index}`, { cpu })),
  );
  const pools = [small, large, { node: makeNode('middle', { cpu: '3' }), price: 1.4 }];
  const found = await planFor(pods, pools, { maxTrials: 3 });
  assert.deepEqual([found.found, found.minimal, found.optimal], [true, true, false]);
  assert.ok(found.lowerBound > 0 && found.price <= 1.3 * found.lowerBound, `${found.price}`);
});

test('nothing to plan costs nothing', async () => {
  const found = await planFor([makeNode('old'), storedPod('fits')], [small]);
  assert.deepEqual([found.nodes, found.price, found.lowerBound, found.optimal], [0, 0, 0, true]);
});

test('a replay that leaves pods pending is no plan', async () => {
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ schedulerName: 'another' }],
  };
  const other = () =>
    engine.createScheduler({ startTime: START, configuration: JSON.stringify(configuration) });
  const cpu = ['1', '2'].map((amount) => storedPod(`p${amount}`, { cpu: amount }));
  const found = await planFor(cpu, [small], { createScheduler: other, maxNodes: 2 });
  assert.deepEqual([found.found, found.optimal], [false, false]);
});

test('what cannot be asked is refused with the field', async () => {
  const node = makeNode('small');
  const cases = [
    [[], [], {}, 'pools'],
    [[], [{ node: storedPod('x'), price: 1 }], {}, 'pools[0].node'],
    [[], [{ node }], {}, 'pools[0].price'],
    [[], [{ node, price: -1 }], {}, 'pools[0].price'],
    [[], [{ node, price: 1, max: 0.5 }], {}, 'pools[0].max'],
    [[], [small, small], {}, 'pools[1].node.metadata.name'],
    [[], [small], { maxNodes: -1 }, 'maxNodes'],
    [[], [small], { maxTrials: 0 }, 'maxTrials'],
    [[makeNode('x')], [small], {}, 'kind'],
    [[storedPod('x', { spec: { nodeName: 'a' } })], [small], {}, 'spec.nodeName'],
    [[storedPod('old')], [small], {}, 'metadata.name'],
    [[storedPod('x', { spec: { schedulerName: 'other' } })], [small], {}, 'spec.schedulerName'],
  ];
  for (const [pending, pools, options, field] of cases)
    await assert.rejects(planFor([storedPod('old')], pools, options, pending), {
      name: 'InputError',
      field,
    });
});

test('an aborted plan ends with the reason', async () => {
  const reason = new Error('enough');
  const options = { signal: AbortSignal.abort(reason) };
  await assert.rejects(planFor(many(2, '1', {}), [small], options), reason);
});

test('WebAssembly gives the same plan', async () => {
  const { engine: wasm } = await startWasm();
  const { objects, pools } = questionOf(3);
  const answers = [];
  for (const by of [engine, wasm]) {
    const scheduler = createScheduler(by);
    scheduler.apply(objects);
    answers.push(await plan(scheduler, [], pools, { createScheduler: () => createScheduler(by) }));
    scheduler.dispose();
  }
  assert.deepEqual(answers[0], answers[1]);
});

test('the example of the README gives what it says', async () => {
  const source = (/** @type {string} */ path) =>
    new URL(`../../../js/src/${path}`, import.meta.url);
  const readme = await readFile(source('whatif/README.md'), 'utf8');
  const [, example] = /^## `plan`[^]*?^```js\n([^]*?)^```/m.exec(readme) ?? [];
  const code = String(example)
    .replace("'stowage'", `'${source('index.js')}'`)
    .replace("'stowage/whatif'", `'${source('whatif.js')}'`);
  const counts = 'bought.map(({ nodes }) => nodes.length)';
  const program = `${code}\nexport default [price, ${counts}, optimal];`;
  const module = await import(`data:text/javascript,${encodeURIComponent(program)}`);
  assert.deepEqual(module.default, [2.75, [1, 1], true]);
});
