// Goal: upgradeDiff answers as schedulers of both releases would, and names the rows that do it.
// Method: clusters in which one row must matter, random clusters, and schedulers built from scratch
// with each release, in which the pod is created anew.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { unplaced } from '../../../js/src/engine/object_events.js';
import { podKeyOf } from '../../../js/src/kubernetes/keys.js';
import { upgradeDiff } from '../../../js/src/whatif/upgrade.js';
import { GATES, rowsBetween } from '../../../js/src/whatif/upgrade/rows.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { CLAIM_OBJECTS, volumePod } from '../support/own_claims.js';
import { startNative, startWasm } from '../support/real_engine.js';

const read = (/** @type {string} */ path) =>
  readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const schema = JSON.parse(await read('js/schema/whatif-v1.json'));
const { engine } = await startNative();

const tainted = { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] };
const low = { priority: 1, nodeName: 'a' };
const bothLevels = { resources: { requests: { cpu: '6' } }, containers: [{ name: 'main' }] };

/** A pod with its own memory. @param {string} name @param {any} spec @param {string[]} amounts */
function sized(name, spec, [cpu, memory]) {
  const resources = { requests: { cpu, memory } };
  return storedPod(name, { spec: { containers: [{ name: 'main', resources }], ...spec } });
}

/** A cluster in which balance matters: nodes of other shapes, half full. @param {number} seed */
function unbalanced(seed) {
  const pick = (/** @type {number} */ at, /** @type {number} */ most) =>
    1 + (((at * 2654435761 + seed * 40503) >>> 7) % most);
  const nodes = Array.from({ length: 8 }, (_, at) => {
    const node = makeNode(`n${at}`, { cpu: String(8 + pick(at, 24)) });
    node.status.allocatable.memory = `${16 + pick(at + 50, 48)}Gi`;
    return node;
  });
  const pods = Array.from({ length: 16 }, (_, at) =>
    sized(`p${at}`, { nodeName: `n${at % 8}` }, [`${pick(at + 9, 20) * 100}m`, `${pick(at, 4)}Gi`]),
  );
  return [...nodes, ...pods, sized('new', {}, ['2', '1Gi'])];
}

const CASES = [
  {
    name: 'the text of a taint',
    releases: ['1.33', '1.34'],
    objects: [makeNode('a', { spec: tainted }), storedPod('p')],
    expected: ['p', 'Told', ['taint-text', 'DynamicResourceAllocation']],
  },
  {
    name: 'a request above allocatable, beside pods of lower priority',
    releases: ['1.33', '1.36'],
    objects: [
      makeNode('a'),
      storedPod('victim', { spec: low }),
      storedPod('p', { cpu: '9', spec: { priority: 9 } }),
    ],
    expected: ['p', 'Told', ['fit-unresolvable', 'DynamicResourceAllocation']],
  },
  {
    name: 'two rows that do it only together',
    releases: ['1.33', '1.36'],
    objects: [
      makeNode('a'),
      makeNode('b', { spec: tainted }),
      storedPod('victim', { spec: low }),
      storedPod('p', { cpu: '9', spec: { priority: 9 } }),
    ],
    expected: ['p', 'Told', ['taint-text', 'fit-unresolvable', 'DynamicResourceAllocation']],
  },
  {
    name: 'a feature gate that others need',
    releases: ['1.33', '1.36'],
    objects: [makeNode('a'), storedPod('p', { spec: bothLevels })],
    expected: ['p', 'NewlyPending', ['PodLevelResources']],
  },
  {
    name: 'a pod whose volume is not claimed yet',
    releases: ['1.33', '1.36'],
    objects: [makeNode('a'), ...CLAIM_OBJECTS, volumePod('p', { spec: bothLevels })],
    expected: ['p', 'NewlyPending', ['PodLevelResources']],
  },
  {
    name: 'the way back',
    releases: ['1.36', '1.33'],
    objects: [makeNode('a'), storedPod('p', { spec: bothLevels })],
    expected: ['p', 'NewlyPlaced', ['PodLevelResources']],
  },
];

/**
 * What a new scheduler of a release does with a pod that is created anew.
 * @param {any[]} objects
 * @param {string} key
 * @param {object} release
 */
async function decided(objects, key, release) {
  const scheduler = engine.createScheduler({ startTime: 0, ...release });
  try {
    const pod = objects.find((one) => one.kind === 'Pod' && podKeyOf(one) === key);
    scheduler.apply([...objects.filter((one) => one !== pod), unplaced(pod)]);
    const { node, message, preemption } = await scheduler.scheduleOne(key);
    return [node, message ?? '', preemption?.victims ?? []];
  } finally {
    scheduler.dispose();
  }
}

/** Checks each answer with schedulers from scratch. @param {any[]} objects @param {any} answer */
async function prove(objects, answer) {
  const { from, to } = answer;
  const rows = new Map(rowsBetween(engine, { from, to }).map((row) => [row.name, row]));
  /** @param {string[]} names @param {'back' | 'forth'} way */
  const switched = (names, way) => {
    const switches = names.map((name) => rows.get(name)?.[way]);
    return {
      kubernetesVersion: way === 'back' ? to : from,
      behaviour: Object.assign({}, ...switches.map((one) => one?.behaviour)),
      featureGates: Object.assign({}, ...switches.map((one) => one?.featureGates)),
    };
  };
  const told = (/** @type {any} */ { node, message, preemption }) => [
    node,
    message,
    preemption?.victims ?? [],
  ];
  for (const { pod, change, before, after, rows: names } of answer.pods) {
    const part = (/** @type {any[]} */ all) => (change === 'Told' ? all : all.slice(0, 1));
    assert.deepEqual(await decided(objects, pod, { kubernetesVersion: from }), told(before), pod);
    assert.deepEqual(await decided(objects, pod, { kubernetesVersion: to }), told(after), pod);
    assert.ok(names.length > 0, pod);
    const way = names.every((/** @type {string} */ name) => rows.get(name)?.back)
      ? 'back'
      : 'forth';
    const other = part(told(way === 'back' ? before : after));
    const reached = async (/** @type {string[]} */ some) =>
      part(await decided(objects, pod, switched(some, way)));
    assert.deepEqual(await reached(names), other, `${pod}: ${names}`);
    for (const name of names) {
      const others = names.filter((/** @type {string} */ one) => one !== name);
      assert.notDeepEqual(await reached(others), other, name);
    }
  }
}

/** @param {any} source @param {string[]} releases @param {object} [options] */
async function upgraded(source, [from, to], options = {}) {
  const answer = await upgradeDiff(source, { from, to }, { engine, ...options });
  assert.deepEqual(validate(schema, answer), []);
  return answer;
}

for (const { name, releases, objects, expected } of CASES) {
  test(`names the row: ${name}`, async () => {
    const answer = await upgraded(objects, releases);
    const found = answer.pods.map(({ pod, change, rows }) => [pod.split('/')[1], change, rows]);
    assert.deepEqual(found, [expected]);
    assert.deepEqual(
      answer.rows.map((row) => [row.name, row.pods]),
      expected[2].map((row) => [row, 1]),
    );
    await prove(objects, answer);
  });
}

test('agrees with schedulers from scratch on random clusters, for every pod', async () => {
  let moved = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    const objects = unbalanced(seed);
    const answer = await upgraded(objects, ['1.35', '1.36'], { everyPod: true });
    assert.equal(answer.summary.asked, 17);
    await prove(objects, answer);
    moved += answer.summary.moved;
    const different = new Set(answer.pods.map(({ pod }) => pod));
    for (const pod of objects.filter(({ kind }) => kind === 'Pod').map(podKeyOf)) {
      if (different.has(pod)) continue;
      const [was, is] = ['1.35', '1.36'].map((kubernetesVersion) =>
        decided(objects, pod, { kubernetesVersion }),
      );
      assert.deepEqual(await was, await is, pod);
    }
  }
  assert.ok(moved > 0);
});

test('one pod of each class stands for the others, and some pods are not asked about', async () => {
  const owner = (/** @type {string} */ kind) => [{ kind, name: 'o', uid: 'o', controller: true }];
  const names = ['x', 'y', 'z'];
  const objects = [
    makeNode('a', { spec: tainted }),
    ...names.map((name) => storedPod(name, { spec: { hostname: name } })),
    storedPod('other', { metadata: { labels: { app: 'b' } } }),
    storedPod('placed', { spec: { nodeName: 'a' } }),
    storedPod('daemon', {
      spec: { nodeName: 'a' },
      metadata: { ownerReferences: owner('DaemonSet') },
    }),
    storedPod('done', { status: { phase: 'Succeeded' } }),
    storedPod('ending', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    storedPod('foreign', { spec: { schedulerName: 'else' } }),
  ];
  const answer = await upgraded(objects, ['1.33', '1.34']);
  assert.deepEqual(
    answer.pods.map(({ pod, pods }) => [pod, pods]),
    [
      ['default/x', 3],
      ['default/other', 1],
      ['default/placed', 1],
    ],
  );
  const { pods, asked, differ, told } = answer.summary;
  assert.deepEqual([pods, asked, differ, told], [5, 3, 5, 5]);
  const each = await upgraded(objects, ['1.33', '1.34'], { everyPod: true });
  assert.equal(each.pods.length, 5);
});

test('reads a scheduler, a List, hand-written objects and what a generator yields', async () => {
  const [node, pod] = [makeNode('a', { spec: tainted }), storedPod('p')];
  const expected = await upgraded([node, pod], ['1.33', '1.36']);
  const scheduler = engine.createScheduler({ startTime: 0 });
  scheduler.apply([node, pod]);
  const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
  assert.deepEqual(await upgraded(scheduler, ['1.33', '1.36']), expected);
  assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before);
  scheduler.dispose();
  assert.deepEqual(await upgraded(makeList(node, pod), ['v1.33.13', '1.36']), expected);
  const { uid, ...metadata } = pod.metadata;
  function* objects() {
    yield { ...pod, metadata, spec: { ...pod.spec, schedulerName: '' } };
    yield node;
  }
  assert.deepEqual(await upgraded(objects(), ['1.33', '1.36']), expected);
  const { engine: module } = await startWasm();
  assert.deepEqual(await upgraded([node, pod], ['1.33', '1.36'], { engine: module }), expected);
});

test('an answer that depends on devices says that the older release is not proved', async () => {
  const apiVersion = 'resource.k8s.io/v1';
  const deviceClass = { apiVersion, kind: 'DeviceClass', metadata: { name: 'gpu', uid: 'gpu' } };
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
  const claim = {
    apiVersion,
    kind: 'ResourceClaim',
    metadata: { name: 'c', namespace: 'default', uid: 'c' },
    spec: { devices: { requests } },
  };
  const claims = { resourceClaims: [{ name: 'r', resourceClaimName: 'c' }] };
  const objects = [makeNode('a', { spec: tainted }), makeNode('b'), deviceClass, claim];
  const schedulerOptions = { featureGates: { DynamicResourceAllocation: true } };
  const { pods } = await upgraded(
    [...objects, storedPod('p', { spec: claims })],
    ['1.33', '1.36'],
    { schedulerOptions },
  );
  assert.deepEqual(
    pods.map(({ before, after, rows }) => [before.notProved, after.notProved, rows]),
    [[['DynamicResources'], undefined, ['taint-text']]],
  );
});

test('a draw among equal totals is no difference', async () => {
  const objects = [...['a', 'b', 'c', 'd'].map((name) => makeNode(name)), storedPod('p')];
  for (let seed = 0; seed < 8; seed += 1) {
    // A caller may pass on an option that it was not given.
    const schedulerOptions = { seed, tieBreak: undefined };
    const { pods } = await upgraded(objects, ['1.34', '1.36'], { schedulerOptions });
    assert.deepEqual(pods, []);
  }
});

test('gates that the options fix are the same in both releases', async () => {
  const objects = [makeNode('a'), storedPod('p', { spec: bothLevels })];
  const schedulerOptions = { featureGates: { PodLevelResources: true } };
  const { pods } = await upgraded(objects, ['1.33', '1.34'], { schedulerOptions });
  assert.deepEqual(
    pods.map(({ change, rows }) => [change, rows]),
    [['Told', ['fit-unresolvable', 'DynamicResourceAllocation']]],
  );
});

test('refuses what cannot be asked, and ends with the signal', async () => {
  const ask = (/** @type {any} */ releases, /** @type {any} */ options) =>
    upgradeDiff([makeNode('a'), storedPod('p')], releases, { engine, ...options });
  const cases = [
    [{ from: '1.20', to: '1.36' }, {}, 'from'],
    [{ from: '1.34', to: 'newest' }, {}, 'to'],
    [{ from: '1.34', to: 'v1.34.9' }, {}, 'to'],
    [{ from: '1.34', to: '1.36' }, { schedulerOptions: { behaviour: {} } }, 'schedulerOptions'],
  ];
  for (const [releases, options, field] of cases)
    await assert.rejects(ask(releases, options), { name: 'InputError', field });
  const schedulerOptions = { featureGates: { NodeDeclaredFeatures: true } };
  const releases = { from: '1.33', to: '1.36' };
  await assert.rejects(ask(releases, { schedulerOptions }), { name: 'ConfigurationError' });
  const signal = AbortSignal.abort(new Error('enough'));
  await assert.rejects(ask(releases, { signal }), { message: 'enough' });
});

test('an object that cannot be read is reported once, with its number in the source', async () => {
  const source = [
    makePod('made', { spec: { containers: 3 } }),
    makeNode('n'),
    storedPod('stored', { spec: { containers: 3 } }),
    null,
    storedPod('good'),
  ];
  /** @type {any[]} */
  const errors = [];
  const releases = { from: '1.33', to: '1.36' };
  const onError = (/** @type {any} */ error) => errors.push(error);
  const { summary } = await upgradeDiff(/** @type {any} */ (source), releases, { engine, onError });
  assert.deepEqual(errors.map(({ index }) => index).sort(), [0, 2, 3]);
  assert.equal(summary.pods, 1);
});

test('the gates are those of the engine', async () => {
  const features = await read('core/config/features.cc');
  const gates = [...features.matchAll(/\{"(\w+)",\s*&Features::\w+,\s*"([-abgABGLR]{5})"\}/g)];
  const changing = gates.filter(([, , states]) => /[ABGLR]/.test(states) && /[-abg]/.test(states));
  assert.deepEqual(GATES, Object.fromEntries(changing.map(([, name, states]) => [name, states])));
});
