// Goal: of a gang that cannot start, the answer names what schedulers built from scratch find.
// Method: gangs by seed on small clusters, and a brute force that tries each minimum, each
// beginning and each order in a new scheduler.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { evaluateAll } from '../../../js/src/whatif.js';
import {
  blockerOf,
  countOf,
  evictedFor,
  gangWorld,
  inDomain,
  inOrder,
  largestMinCount,
  permutations,
  podGroup,
  withWorld,
} from '../support/gangs.js';
import { validate } from '../support/json_schema.js';
import { makeNode, makePod, makePodGroup, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await TARGETS.native();
const FAILING = 500;

/** @param {import('../support/gangs.js').World} world @returns {Promise<any>} */
function answerIn(world) {
  const { pods, minCount, isGroup, topologyKey } = world;
  return withWorld(engine, world, async (scheduler) => {
    if (isGroup) scheduler.apply([podGroup(world, minCount), ...pods]);
    const question = isGroup ? { podGroup: 'default/g' } : { pods, minCount, topologyKey };
    return evaluateAll(scheduler, question);
  });
}

test('the explanations of 500 failing gangs equal brute force', async () => {
  const seen = { groups: 0, topology: 0, partial: 0, orders: 0, preempting: 0 };
  let failing = 0;
  for (let seed = 1; failing < FAILING; seed += 1) {
    const world = gangWorld(seed);
    const answer = await answerIn(world);
    const about = `seed ${seed}`;
    assert.deepEqual(validate(schema, answer), [], about);
    const largest = await largestMinCount(engine, world);
    assert.equal(answer.largestMinCount, largest, about);
    assert.equal(answer.result === 'scheduled', largest >= world.minCount, about);
    if (answer.result === 'scheduled') continue;
    failing += 1;
    if (!world.topologyKey) assert.equal(answer.blocker.pod, await blockerOf(engine, world), about);
    await checkDomains(world, answer, about);
    if (!world.topologyKey) await checkOrder(world, answer, about);
    seen.groups += Number(world.isGroup);
    seen.topology += Number(answer.topology !== null);
    seen.partial += Number(largest > 0);
    seen.orders += Number(answer.order.helps);
    seen.preempting += Number(answer.preemption !== null);
  }
  for (const [what, count] of Object.entries(seen)) assert.ok(count >= 10, `${what}: ${count}`);
});

/** @param {any} world @param {any} answer @param {string} about */
async function checkDomains(world, answer, about) {
  const { topology } = answer;
  if (!world.topologyKey) return assert.equal(topology, null, about);
  assert.equal(topology.isRequired, true, about);
  for (const { domain, pods } of topology.domains) {
    const count = await largestMinCount(engine, inDomain(world, domain));
    assert.equal(pods, count, `${about}, ${domain}`);
  }
  const most = Math.max(0, ...topology.domains.map((/** @type {any} */ { pods }) => pods));
  const nearest = topology.domains.find((/** @type {any} */ { pods }) => pods === most);
  assert.equal(topology.nearest?.domain, nearest?.domain, about);
  if (!nearest) return;
  assert.equal(topology.nearest.missing, world.minCount - most, about);
  const blocker = await blockerOf(engine, inDomain(world, nearest.domain));
  assert.equal(topology.nearest.pod, blocker, about);
  assert.equal(answer.blocker.pod, blocker, about);
}

/** @param {any} world @param {any} answer @param {string} about */
async function checkOrder(world, { order, preemption }, about) {
  const byName = new Map(world.pods.map((/** @type {any} */ pod) => [pod.metadata.name, pod]));
  assert.equal(order.tried <= order.orders, true, about);
  const templates = new Map();
  for (const pod of inOrder(world.pods)) {
    const key = JSON.stringify([pod.metadata.labels, pod.spec]);
    templates.set(key, [...(templates.get(key) ?? []), pod]);
  }
  const firsts = [...templates.values()].map(([pod, ...more]) => ({
    pod: `default/${pod.metadata.name}`,
    pods: 1 + more.length,
  }));
  assert.deepEqual(order.templates, firsts, about);
  const counts = await Promise.all(
    permutations([...templates.values()]).map((pods) => countOf(engine, world, pods.flat())),
  );
  assert.equal(order.helps, Math.max(...counts) >= world.minCount, about);
  if (order.helps) {
    const first = order.order.map((/** @type {any} */ { pod }) => byName.get(pod.split('/')[1]));
    const pods = first.flatMap((/** @type {any} */ pod) =>
      [...templates.values()].find((template) => template.includes(pod)),
    );
    assert.ok((await countOf(engine, world, pods)) >= world.minCount, about);
  }
  const { victims, placed } = await evictedFor(engine, world, inOrder(world.pods));
  const removed = (preemption?.victims ?? []).map((/** @type {any} */ { pod }) => pod);
  assert.deepEqual(removed, victims, about);
  if (preemption) assert.equal(preemption.placed, placed, about);
}

const GATES = { GenericWorkload: true, GangScheduling: true };
const member = (/** @type {string} */ name, /** @type {any} */ { spec, ...rest } = {}) =>
  makePod(name, { ...rest, spec: { schedulingGroup: { podGroupName: 'g' }, ...spec } });
const members = (/** @type {number} */ count, options = {}) =>
  Array.from({ length: count }, (_, at) => member(`w-${at}`, options));
const G = 'default/g';

for (const [target, start] of Object.entries(TARGETS)) {
  const { engine: own } = await start();

  /**
   * @param {object[]} objects @param {any} question
   * @param {{ featureGates?: object, options?: object }} [settings]
   */
  const ask = async (objects, question, { featureGates = GATES, options = {} } = {}) => {
    const scheduler = own.createScheduler({ startTime: Date.UTC(2026, 0, 1), featureGates });
    try {
      scheduler.apply(objects);
      const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
      const answer = await evaluateAll(scheduler, question, options);
      assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before);
      assert.deepEqual(validate(schema, answer), []);
      return answer;
    } finally {
      scheduler.dispose();
    }
  };
  const nodes = [makeNode('a', { cpu: '2' }), makeNode('b', { cpu: '1' })];

  test(`${target}: a group that cannot start, at three levels`, async () => {
    const low = storedPod('low', { spec: { nodeName: 'b' } });
    const urgent = members(5, { spec: { priority: 100 } });
    const answer = await ask([...nodes, low, makePodGroup('g', { minCount: 5 }), ...urgent], {
      podGroup: G,
    });
    const { result, message, group, largestMinCount, blocker, order, preemption, pods } = answer;
    const refusal = '0/2 nodes are available: 2 Insufficient cpu.';
    assert.equal(result, 'unschedulable');
    assert.equal(
      message,
      `2 of 5 pods of the group can run, 3 fewer than minCount 5; pod default/w-2: ${refusal}`,
    );
    assert.deepEqual(group, { pods: 5, scheduled: 0, placed: 2, minCount: 5, missing: 3 });
    assert.equal(largestMinCount, 2);
    assert.equal(blocker?.pod, 'default/w-2');
    assert.equal(blocker?.position, 3);
    assert.equal(blocker?.message, refusal);
    assert.match(blocker?.nearest ?? '', /^a: the pod asks for 1 cpu, 2 of 2 are taken/);
    assert.equal(blocker?.alone, 'Now');
    assert.equal(order?.helps, false);
    const victims = [{ pod: 'default/low', priority: 0, by: 'default/w-2' }];
    assert.deepEqual(preemption, { victims, placed: 3, starts: false });
    assert.deepEqual(
      pods.map(({ node }) => node),
      ['a', 'a', null, null, null],
    );
  });

  test(`${target}: pods as a gang need no gate, and another order may help`, async () => {
    const pods = [
      makePod('small', { cpu: '500m' }),
      makePod('large-0', { cpu: '2' }),
      makePod('medium', { cpu: '1' }),
    ];
    const affinity = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: 'kubernetes.io/hostname',
          labelSelector: { matchLabels: { app: 'driver' } },
        },
      ],
    };
    const gang = [
      ...pods.slice(1, 2),
      makePod('worker', { cpu: '100m', spec: { affinity: { podAffinity: affinity } } }),
      makePod('driver', { cpu: '100m', metadata: { labels: { app: 'driver' } } }),
    ];
    const found = await ask(nodes, { pods: gang }, { featureGates: {} });
    assert.equal(found.podGroup, null);
    assert.equal(found.blocker?.pod, 'default/worker');
    assert.equal(found.blocker?.alone, 'NotNow');
    const one = (/** @type {string} */ name) => ({ pod: `default/${name}`, pods: 1 });
    assert.deepEqual(found.order, {
      templates: [one('large-0'), one('worker'), one('driver')],
      orders: 6,
      tried: 2,
      helps: true,
      order: [one('large-0'), one('driver'), one('worker')],
    });
    const fits = await ask(nodes, { pods: [pods[0], pods[2]] }, { featureGates: {} });
    assert.deepEqual([fits.result, fits.message, fits.blocker], ['scheduled', '', null]);
    assert.deepEqual([fits.order, fits.preemption, fits.topology], [null, null, null]);
  });

  test(`${target}: pods that run count, and bind the group to their domain`, async () => {
    const racks = ['x', 'x', 'y'].map((rack, at) =>
      makeNode(`n${at}`, { cpu: '1', labels: { rack } }),
    );
    const running = storedPod('w-9', {
      spec: { nodeName: 'n0', schedulingGroup: { podGroupName: 'g' } },
    });
    const group = makePodGroup('g', { minCount: 3 });
    const spec = { ...group.spec, schedulingConstraints: { topology: [{ key: 'rack' }] } };
    const objects = [...racks, { ...group, spec }, running, ...members(2)];
    const featureGates = { ...GATES, TopologyAwareWorkloadScheduling: true };
    const bound = await ask(objects, { podGroup: G }, { featureGates });
    assert.deepEqual(bound.group, { pods: 3, scheduled: 1, placed: 1, minCount: 3, missing: 1 });
    assert.equal(bound.largestMinCount, 2);
    assert.equal(bound.topology?.isRequired, true);
    assert.deepEqual(
      bound.topology?.domains.map(({ domain, pods }) => [domain, pods]),
      [['x', 1]],
    );
    // Without the gate the constraint is read by nothing.
    const free = await ask(objects, { podGroup: G });
    assert.equal(free.result, 'scheduled');
    assert.equal(free.topology?.isRequired, false);
  });

  test(`${target}: groups that are not tried`, async () => {
    const early = await ask([...nodes, makePodGroup('g', { minCount: 4 }), ...members(2)], {
      podGroup: G,
    });
    assert.equal(early.result, 'gated');
    assert.match(early.message, /^waiting for minCount pods from a gang to appear .*: 2 of 2 pods/);
    const orphans = await ask([...nodes, ...members(4)], { podGroup: G });
    assert.equal(orphans.result, 'gated');
    assert.match(orphans.message, /^waiting for pods's pod group "g" to appear/);
    assert.equal(orphans.blocker?.pod, 'default/w-3');
    const empty = await ask([...nodes, makePodGroup('g', { minCount: 4 })], { podGroup: G });
    assert.deepEqual([empty.result, empty.group.pods, empty.blocker], ['gated', 0, null]);
    const held = [...members(1), member('w-1', { spec: { schedulingGates: [{ name: 'later' }] } })];
    const gated = await ask([...nodes, makePodGroup('g', { minCount: 2 }), ...held], {
      podGroup: G,
    });
    assert.equal(gated.result, 'unschedulable');
    assert.equal(gated.blocker?.pod, 'default/w-1');
    const others = [member('w-0'), member('w-1', { spec: { schedulerName: 'other' } })];
    const mixed = await ask([...nodes, makePodGroup('g', { minCount: 2 }), ...others], {
      podGroup: G,
    });
    assert.deepEqual([mixed.result, mixed.group.pods], ['gated', 1]);
  });

  test(`${target}: a basic group, and no domain at all`, async () => {
    const basic = {
      ...makePodGroup('g', { minCount: 1 }),
      spec: { schedulingPolicy: { basic: {} } },
    };
    const found = await ask([...nodes, basic, ...members(5)], { podGroup: G });
    assert.equal(found.result, 'scheduled');
    assert.deepEqual(found.group, { pods: 5, scheduled: 0, placed: 3, minCount: 1, missing: 0 });
    const group = makePodGroup('g', { minCount: 1 });
    const schedulingConstraints = { topology: [{ key: 'rack' }] };
    const racked = { ...group, spec: { ...group.spec, schedulingConstraints } };
    const featureGates = { ...GATES, TopologyAwareWorkloadScheduling: true };
    const none = await ask([...nodes, racked, ...members(2)], { podGroup: G }, { featureGates });
    assert.deepEqual([none.result, none.largestMinCount], ['unschedulable', 0]);
    assert.equal(none.topology?.isRequired, true);
    const pods = members(1);
    const nowhere = await ask(nodes, { pods, topologyKey: 'rack' }, { featureGates: {} });
    assert.equal(nowhere.result, 'unschedulable');
    assert.equal(nowhere.topology?.nearest, null);
    assert.match(nowhere.message, /0\/0 placements are available: no node has the label rack$/);
  });

  test(`${target}: a group that preempts as a whole`, async () => {
    const featureGates = { ...GATES, WorkloadAwarePreemption: true };
    const low = storedPod('low', { spec: { nodeName: 'b' } });
    const urgent = members(4, { spec: { priority: 100 } });
    const preempting = async (/** @type {number} */ minCount, /** @type {number} */ priority) => {
      const group = makePodGroup('g', { minCount });
      const spec = { ...group.spec, priority };
      return ask([...nodes, low, { ...group, spec }, ...urgent], { podGroup: G }, { featureGates });
    };
    const starts = await preempting(3, 100);
    const victims = [{ pod: 'default/low', priority: 0, by: G }];
    assert.equal(starts.result, 'waitsForPreemption');
    assert.deepEqual(starts.preemption, { victims, placed: 3, starts: true });
    assert.equal(starts.largestMinCount, 2);
    // It evicts nothing in vain, and its own priority counts.
    for (const [minCount, priority] of [
      [4, 100],
      [3, 0],
    ]) {
      const stuck = await preempting(minCount, priority);
      assert.deepEqual([stuck.result, stuck.preemption], ['unschedulable', null]);
    }
  });

  test(`${target}: questions that cannot be asked`, async () => {
    const bad = (/** @type {any} */ question, /** @type {object} */ error, settings = {}) =>
      assert.rejects(
        ask([...nodes, makePodGroup('g', { minCount: 4 })], question, settings),
        error,
      );
    await bad({ podGroup: 'default/no' }, { code: 'FieldValueInvalid', kind: 'PodGroup' });
    await bad({ podGroup: G }, { field: 'podGroup', kind: 'PodGroup' }, { featureGates: {} });
    await bad({ podGroup: 7 }, { field: 'podGroup' });
    await bad({ pods: {} }, { field: 'pods' });
    await bad({ pods: [] }, { field: 'pods' });
    await bad({ pods: ['default/no'] }, /Pod default\/no: .*no such pod/);
    await bad({ pods: [makePod('x'), makePod('x')] }, /Pod default\/x: .*Duplicate value/);
    await bad({ pods: [makePod('x')], minCount: 0 }, { field: 'minCount' });
    const signal = AbortSignal.abort(new Error('stop'));
    await bad({ pods: [makePod('x')] }, /stop/, { options: { signal } });
  });
}

test('five templates are tried in all orders as by brute force, nine in none', async () => {
  const sized = (/** @type {string} */ name, /** @type {number} */ milli) =>
    storedPod(name, { cpu: `${milli}m` });
  const nodes = ['a', 'b', 'c'].map((name) => makeNode(name, { cpu: '1' }));
  const world = { nodes, bound: [], pods: [], minCount: 5, isGroup: false };
  const helped = [];
  for (const sizes of [
    [300, 350, 400, 800, 900],
    [250, 400, 500, 700, 850],
    [450, 500, 550, 600, 990],
  ]) {
    const pods = sizes.map((milli, at) => sized(`w-${at}`, milli));
    const asked = { ...world, pods };
    const { result, order } = await answerIn(asked);
    assert.equal(result, 'unschedulable');
    const counts = await Promise.all(permutations(pods).map((one) => countOf(engine, world, one)));
    assert.equal(order.helps, Math.max(...counts) === 5);
    assert.equal(order.orders, 120);
    assert.equal(order.helps || order.tried === 120, true);
    helped.push(order.helps);
  }
  assert.deepEqual(new Set(helped), new Set([true, false]));
  const nine = Array.from({ length: 9 }, (_, at) => sized(`w-${at}`, 340 + at));
  const { order } = await answerIn({ ...world, pods: nine, minCount: 9 });
  assert.deepEqual([order.templates.length, order.tried, order.helps], [9, 0, null]);
});
