// Goal: tune counts what each configuration places, and is honest about the rest of the trace.
// Method: clusters in which one strategy must win, and counts by hand in schedulers of their own.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { tune } from '../../../js/src/whatif/tune.js';
import { tuningTrials } from '../../../js/src/whatif/tune/trials.js';
import { validate } from '../support/json_schema.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative, startWasm } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startNative();
const BASE = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
};

/** @param {any} configuration @param {import('../../../js/src/index.js').Engine} [by] */
const create = (configuration, by = engine) =>
  by.createScheduler({ startTime: 0, configuration: JSON.stringify(configuration) });

/** Two small pods, and then one that needs a whole node, again and again. */
const trace = (/** @type {number} */ rounds) =>
  Array.from({ length: rounds }, (_, round) => [
    storedPod(`s${round}-0`, { cpu: '500m' }),
    storedPod(`s${round}-1`, { cpu: '500m' }),
    storedPod(`b${round}`, { cpu: '4' }),
  ]).flat();

const nodes = ['a', 'b', 'c', 'd'].map((name) => makeNode(name));

/** @param {object[]} objects @param {object} question @param {object} [options] */
async function tuned(objects, question, { by = engine, ...options } = {}) {
  const scheduler = create(BASE, by);
  try {
    scheduler.apply(objects);
    const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
    const schedulerOptions = { startTime: 0 };
    const answer = await tune(scheduler, question, { engine: by, schedulerOptions, ...options });
    assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before, 'unchanged');
    assert.deepEqual(validate(schema, answer), []);
    return answer;
  } finally {
    scheduler.dispose();
  }
}

/** @param {object} configuration @param {object[]} pods */
async function placedBy(configuration, pods) {
  const scheduler = create(configuration);
  try {
    scheduler.apply(nodes);
    let count = 0;
    for (const pod of pods) {
      scheduler.apply(pod);
      if ((await scheduler.scheduleOne(`default/${pod.metadata.name}`)).node) count += 1;
    }
    return count;
  } finally {
    scheduler.dispose();
  }
}

test('MostAllocated leaves room for large pods, on both parts of the trace', async () => {
  const strategies = ['LeastAllocated', 'MostAllocated'];
  const weights = { NodeResourcesBalancedAllocation: [1], NodeResourcesFit: [1, 20] };
  const trials = tuningTrials(BASE, { strategies, weights });
  assert.equal(trials.length, 5);
  const pods = trace(4);
  const answer = await tuned(nodes, { trace: pods, trials }, { holdOut: 0.5 });
  assert.match(answer.best.name, /MostAllocated/);
  assert.equal(answer.isBetter, true);
  for (const [part, some] of [
    ['train', pods.slice(0, 6)],
    ['holdOut', pods.slice(6)],
  ]) {
    assert.equal(answer.best[part].placed, await placedBy(answer.best.configuration, some), part);
    assert.equal(answer.baseline[part].placed, await placedBy(BASE, some), part);
  }
  assert.deepEqual(
    answer.trials.map(({ train }) => train.placed),
    answer.trials.map(({ train }) => train.placed).sort((left, right) => right - left),
  );
});

test('of equal configurations the first one stays', async () => {
  const trials = tuningTrials(BASE, { weights: { ImageLocality: [1, 2] } });
  const answer = await tuned(nodes, { trace: trace(1), trials });
  assert.deepEqual(
    [answer.isBetter, answer.best.name, answer.trials.map(({ name }) => name)],
    [false, 'as it is', ['as it is', 'ImageLocality=1', 'ImageLocality=2']],
  );
});

test('an empty item of the profiles is a profile', () => {
  const choices = { weights: { ImageLocality: [2] }, strategies: ['MostAllocated'] };
  const [, empty] = tuningTrials({ ...BASE, profiles: [{}] }, choices);
  assert.deepEqual(tuningTrials({ ...BASE, profiles: [null] }, choices)[1], empty);
});

test('fragmentation is the free room on nodes that are too full', async () => {
  const objects = [makeNode('a', { cpu: '3' }), makeNode('b', { cpu: '1' })];
  const pods = [storedPod('x', { cpu: '2' }), storedPod('y', { cpu: '2' })];
  const trials = tuningTrials(BASE, {});
  const { baseline } = await tuned(objects, { trace: pods, trials }, { holdOut: 0.5 });
  assert.deepEqual(baseline.train, { pods: 1, placed: 1, fragmentation: 1 });
  const roomy = await tuned([makeNode('a')], { trace: pods, trials }, { holdOut: 0.5 });
  assert.deepEqual(roomy.baseline.holdOut, { pods: 1, placed: 1, fragmentation: 0 });
});

test('trials that read the objects themselves answer as those that share them', async () => {
  const trials = tuningTrials(BASE, { strategies: ['MostAllocated'] });
  const shared = await tuned(nodes, { trace: trace(3), trials });
  const lines = [];
  const schedulerOptions = { startTime: 0, log: (/** @type {string} */ line) => lines.push(line) };
  const alone = await tuned(nodes, { trace: trace(3), trials }, { schedulerOptions });
  assert.deepEqual(alone, shared);
  assert.ok(
    lines.some((line) => line.includes('"preemptionPolicy')),
    'the log has the pods',
  );
});

test('an extender is asked in each trial that has it', async () => {
  const extended = (/** @type {string} */ node) => ({
    ...BASE,
    extenders: [{ urlPrefix: `http://${node}`, filterVerb: 'filter', nodeCacheCapable: true }],
  });
  const trials = ['a', 'b'].map((name) => ({ name, configuration: extended(name) }));
  const asked = { a: 0, b: 0 };
  const schedulerOptions = {
    startTime: 0,
    fetch: async (/** @type {string} */ url) => {
      const node = new URL(url).hostname;
      asked[node] += 1;
      return Response.json({ NodeNames: [node] });
    },
  };
  const pods = [storedPod('x', { cpu: '1' }), storedPod('y', { cpu: '1' })];
  const question = { trace: pods, trials };
  const { trials: rows } = await tuned(nodes, question, { holdOut: 0.5, schedulerOptions });
  assert.deepEqual(asked, { a: 2, b: 1 });
  assert.deepEqual(
    rows.map(({ train }) => train.placed),
    [1, 1],
  );
});

test('a pod that the engine refuses is reported, not left out', async () => {
  const trials = tuningTrials(BASE, {});
  const [one, two] = trace(1);
  const wrong = structuredClone(two);
  wrong.spec.containers[0].resources.requests.cpu = '1x';
  await assert.rejects(tuned(nodes, { trace: [one, wrong], trials }), {
    name: 'InputError',
    field: 'spec.containers[0].resources.requests[cpu]',
  });
});

test('WebAssembly gives the same answer', async () => {
  const { engine: wasm } = await startWasm();
  const trials = tuningTrials(BASE, { strategies: ['MostAllocated'] });
  const answers = [];
  for (const by of [engine, wasm])
    answers.push(await tuned(nodes, { trace: trace(2), trials }, { by }));
  assert.deepEqual(answers[0], answers[1]);
});

test('what cannot be asked is refused with the field', async () => {
  const trials = tuningTrials(BASE, {});
  const [one, two] = trace(1);
  const cases = [
    [{ trace: [one], trials }, {}, 'trace'],
    [{ trace: [one, nodes[0]], trials }, {}, 'trace[1]'],
    [
      { trace: [one, storedPod('x', { spec: { nodeName: 'a' } })], trials },
      {},
      'trace[1].spec.nodeName',
    ],
    [{ trace: [one, one], trials }, {}, 'trace[1].metadata.name'],
    [{ trace: [one, two], trials: [] }, {}, 'trials'],
    [{ trace: [one, two], trials }, { holdOut: 1 }, 'holdOut'],
    [{ trace: [one, two], trials }, { holdOut: 0.9 }, 'holdOut'],
  ];
  for (const [question, options, field] of cases)
    await assert.rejects(tuned(nodes, question, options), { name: 'InputError', field });
  assert.throws(() => tuningTrials(BASE, { strategies: ['Other'] }), { field: 'strategies' });
  const many = Array.from({ length: 101 }, (_, index) => index);
  assert.throws(() => tuningTrials(BASE, { weights: { A: many, B: many } }), { field: 'weights' });
});
