// Goal: a pod that never fits fits after no removal of pods, and the proofs of the other classes
// hold. Method: small seeded clusters; every subset of the pods is removed.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { classify } from '../../../js/src/whatif/classify.js';
import { validate } from '../support/json_schema.js';
import { makeNode } from '../support/objects.js';
import { released } from '../support/offers.js';
import { TARGETS } from '../support/real_engine.js';
import { drawing, podOf, unschedulable } from '../support/unschedulable.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const startTime = Date.UTC(2026, 0, 1);
const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const { engine: native } = await TARGETS.native();

/** Clusters with more pods have too many subsets. */
const PODS_MAX = 9;

/** @param {any} engine @param {any[]} objects @param {(scheduler: any) => any} use */
async function withScheduler(engine, objects, use) {
  const scheduler = engine.createScheduler({ startTime });
  try {
    scheduler.apply(objects);
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

/**
 * A crowded cluster of three nodes, and a pod with affinity, anti-affinity and spread at random.
 * @param {number} seed
 */
function crowded(seed) {
  const draw = drawing(seed);
  const nodes = ['z0', 'z0', 'z1'].map((zone, at) =>
    makeNode(`n${at}`, { cpu: '4', labels: { [ZONE]: zone } }),
  );
  const term = (/** @type {string} */ app) => ({
    topologyKey: draw(2) ? ZONE : HOSTNAME,
    labelSelector: { matchLabels: { app } },
  });
  const terms = () => ({ [REQUIRED]: [term('ab'[draw(2)])] });
  const pods = Array.from({ length: draw(6) }, (_, at) =>
    podOf(
      `pod-${at}`,
      { cpu: `${1 + draw(2)}` },
      {
        nodeName: `n${draw(3)}`,
        priority: 9,
        ...(draw(4) === 0 && { affinity: { podAntiAffinity: terms() } }),
      },
      { app: 'ab'[draw(2)] },
    ),
  );
  const affinity = {
    ...(draw(2) && { podAffinity: terms() }),
    ...(draw(3) === 0 && { podAntiAffinity: terms() }),
  };
  const spread = {
    maxSkew: 1,
    topologyKey: [ZONE, HOSTNAME, 'rack'][draw(8) % 3],
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'a' } },
  };
  const spec = {
    affinity,
    ...(draw(3) === 0 && { topologySpreadConstraints: [spread] }),
    ...(draw(4) === 0 && { nodeSelector: { [ZONE]: `z${draw(2)}` } }),
  };
  const pod = podOf('asked', { cpu: `${1 + draw(5)}` }, spec, { app: 'ab'[draw(2)] });
  return { objects: [...nodes, ...pods], pod };
}

/**
 * Whether the pod fits after the removal of some subset of the other pods.
 * @param {any} scheduler @param {any[]} pods
 */
function fitsSomehow(scheduler, pods) {
  for (let subset = 0; subset < 2 ** pods.length; subset++) {
    const removed = pods.filter((_, at) => subset & (1 << at));
    const node = scheduler.transaction((/** @type {any} */ fork) => {
      for (const pod of removed) fork.remove(pod);
      fork.run({ maxCycles: 0 });
      return fork.evaluate('default/asked', { detail: 'summary', preemption: false }).node;
    });
    if (node) return true;
  }
  return false;
}

/**
 * Classifies pods, and compares with all subsets.
 * @param {any} engine @param {(seed: number) => { objects: any[], pod: any }} make @param {number}
 *   count
 */
async function classesOf(engine, make, count) {
  /** @type {Record<string, number>} */
  const counts = { Now: 0, WithPreemption: 0, NotNow: 0, Never: 0, Reached: 0 };
  for (let seed = 0; seed < count; seed++) {
    const { objects, pod } = make(seed);
    const pods = objects.filter(({ kind }) => kind === 'Pod');
    if (pods.length > PODS_MAX) continue;
    await withScheduler(engine, [...objects, pod], async (scheduler) => {
      const answer = await classify(scheduler, 'default/asked');
      assert.deepEqual(validate(schema, answer), []);
      const { fits, proof } = answer;
      counts[fits] += 1;
      const about = `seed ${seed}: ${fits}, ${proof.text}`;
      if (fits === 'Never') {
        assert.ok(!fitsSomehow(scheduler, pods), about);
        assert.ok(proof.reasons && proof.reasons.length > 0, about);
      }
      if (fits !== 'NotNow' || !proof.node) return;
      const without = objects.filter(({ kind }) => kind !== 'Pod');
      const node = await withScheduler(
        engine,
        released([...without, pod]),
        (fresh) => fresh.evaluate('default/asked').node,
      );
      assert.equal(node, proof.node, about);
      counts.Reached += 1;
    });
  }
  return counts;
}

for (const [target, count] of Object.entries({ native: 400, wasm: 60 })) {
  test(`${target}: crowded clusters, by all subsets of their pods`, async () => {
    const { engine } = await TARGETS[/** @type {'native' | 'wasm'} */ (target)]();
    const counts = await classesOf(engine, crowded, count);
    const { Now, NotNow, Never, Reached } = counts;
    const least = count / 30;
    assert.ok(
      Now > least && NotNow > least && Never > least && Reached > least,
      JSON.stringify(counts),
    );
  });
}

test('pods that obstacles of all families keep off, by all subsets', async () => {
  const counts = await classesOf(native, (seed) => unschedulable(seed, { nodes: 2 }), 200);
  assert.ok(counts.Never > 40 && counts.NotNow > 40, JSON.stringify(counts));
});

test('each class has its proof', async () => {
  const taken = (priority = 0) => podOf('low', { cpu: '3' }, { nodeName: 'a', priority });
  const cases = /** @type {[any[], any, string, object][]} */ ([
    [[makeNode('a')], podOf('asked'), 'Now', { text: 'it fits on a', node: 'a' }],
    [
      [makeNode('a'), taken()],
      podOf('asked', { cpu: '2' }, { priority: 5 }),
      'WithPreemption',
      {
        text: 'it fits on a when default/low have been evicted',
        node: 'a',
        victims: ['default/low'],
      },
    ],
    [
      [makeNode('a'), taken(9)],
      podOf('asked', { cpu: '2' }),
      'NotNow',
      {
        text: 'it would fit on a if no other pod existed',
        node: 'a',
        inTheWay: [
          {
            node: 'a',
            plugin: 'NodeResourcesFit',
            text: 'the pod asks for 2 cpu, 3 of 4 are taken, most by default/low 3: 1 missing',
            pods: ['default/low'],
          },
        ],
      },
    ],
    [
      [makeNode('a'), taken(9)],
      podOf('asked', { cpu: '5' }),
      'Never',
      {
        text: 'no node takes it even if no other pod existed',
        reasons: [
          {
            plugin: 'NodeResourcesFit',
            reasons: ['Insufficient cpu'],
            nodes: 1,
            examples: ['a'],
            why: 'the node is too small even when it is empty',
          },
        ],
      },
    ],
  ]);
  for (const [objects, pod, fits, proof] of cases) {
    await withScheduler(native, objects, async (scheduler) => {
      const answer = await classify(scheduler, pod);
      assert.deepEqual([answer.fits, answer.proof], [fits, proof]);
    });
  }
});
