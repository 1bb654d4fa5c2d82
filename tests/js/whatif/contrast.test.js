// Goal: the differences of two nodes are those of the engine's scores, and each flip makes the pod
// go to the other node. Method: small clusters; flips are applied to a new scheduler.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { contrast } from '../../../js/src/whatif/contrast.js';
import { withWeight, winningWeight } from '../../../js/src/whatif/contrast/weights.js';
import { validate } from '../support/json_schema.js';
import { makeNode } from '../support/objects.js';
import { changed } from '../support/offers.js';
import { TARGETS } from '../support/real_engine.js';
import { drawing, podOf } from '../support/unschedulable.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const startTime = Date.UTC(2026, 0, 1);

/**
 * @param {any} engine @param {any[]} objects @param {(scheduler: any) => any} use
 * @param {object} [options]
 */
async function withScheduler(engine, objects, use, options = {}) {
  const scheduler = engine.createScheduler({ startTime, ...options });
  try {
    scheduler.apply(objects);
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

const preferring = (/** @type {string} */ key, /** @type {string} */ value, weight = 10) => ({
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight, preference: { matchExpressions: [{ key, operator: 'In', values: [value] }] } },
    ],
  },
});

/**
 * A small cluster, with a pod that several nodes suit.
 * @param {number} seed
 */
function choice(seed) {
  const draw = drawing(seed);
  const nodes = Array.from({ length: 3 }, (_, at) => {
    const disk = ['ssd', 'hdd'][draw(2)];
    const node = makeNode(`n${at}`, { cpu: `${4 + 4 * draw(4)}`, labels: { disk } });
    const isShunned = draw(3) === 0;
    return isShunned
      ? { ...node, spec: { taints: [{ key: 'old', effect: 'PreferNoSchedule' }] } }
      : node;
  });
  const pods = nodes.flatMap(({ metadata }, at) =>
    draw(2) ? [podOf(`on-${at}`, { cpu: '1', memory: '3Gi' }, { nodeName: metadata.name })] : [],
  );
  const pod = podOf(
    'asked',
    { cpu: `${1 + draw(3)}`, memory: `${1 + draw(4)}Gi` },
    { affinity: preferring('disk', 'ssd', 1 + draw(100)) },
  );
  return { nodes, objects: [...nodes, ...pods], pod };
}

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();

  test(`${target}: each flip makes the pod go to the other node`, async () => {
    /** @type {Record<string, number>} */
    const counts = {};
    for (let seed = 0; seed < 60; seed++) {
      const { nodes, objects, pod } = choice(seed);
      await withScheduler(engine, [...objects, pod], async (scheduler) => {
        for (const { metadata } of nodes) {
          const options = { engine, schedulerOptions: { startTime } };
          const answer = await contrast(
            scheduler,
            'default/asked',
            undefined,
            metadata.name,
            options,
          );
          assert.deepEqual(validate(schema, answer), []);
          const lead = answer.differences.reduce((sum, { difference }) => sum + difference, 0);
          assert.equal(lead, Number(answer.a?.total) - Number(answer.b.total));
          if (answer.node === metadata.name) assert.deepEqual(answer.flips, []);
          for (const { by, sentence, changes, configuration } of answer.flips) {
            counts[by] = (counts[by] ?? 0) + 1;
            const all = changes ? changed([...objects, pod], { changes }) : [...objects, pod];
            const settings = configuration && { configuration: JSON.stringify(configuration) };
            const node = await withScheduler(
              engine,
              all,
              (fresh) => fresh.evaluate('default/asked').node,
              settings,
            );
            assert.equal(node, metadata.name, `seed ${seed}: ${by} ${sentence}`);
          }
        }
      });
    }
    for (const by of ['Weight', 'Request', 'Toleration', 'Label'])
      assert.ok(counts[by] > 3, `${by} ${JSON.stringify(counts)}`);
  });
}

const { engine } = await TARGETS.native();

test('a weight is changed by no more than it must', async () => {
  let checked = 0;
  for (let seed = 0; seed < 60; seed++) {
    const { nodes, objects, pod } = choice(seed);
    await withScheduler(engine, [...objects, pod], async (scheduler) => {
      const evaluation = scheduler.evaluate(pod);
      for (const { metadata } of nodes) {
        for (const plugin of Object.keys(evaluation.scores ?? {})) {
          const found = winningWeight(evaluation, metadata.name, plugin);
          if (!found) continue;
          checked += 1;
          const step = Math.sign(found.before - found.weight);
          for (const weight of [found.weight, found.weight + step]) {
            const names = { schedulerName: 'default-scheduler', plugin, weight };
            const configuration = JSON.stringify(withWeight({}, names));
            const other = await withScheduler(engine, objects, (fresh) => fresh.evaluate(pod), {
              configuration,
            });
            const isAlone = other.best.length === 1 && other.best[0] === metadata.name;
            assert.equal(isAlone, weight === found.weight, `seed ${seed} ${plugin} ${weight}`);
          }
        }
      }
    });
  }
  assert.ok(checked > 20, `${checked}`);
});

test('a node that refuses the pod has its reasons, and the edits that end them', async () => {
  const tainted = makeNode('b', {
    cpu: '64',
    spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
  });
  await withScheduler(engine, [makeNode('a'), tainted], async (scheduler) => {
    const { a, b, differences, flips } = await contrast(scheduler, podOf('asked'), undefined, 'b');
    assert.deepEqual([a?.verdict, b.verdict, differences], ['chosen', 'refused', []]);
    assert.deepEqual(
      b.refusals.map(({ plugin }) => plugin),
      ['TaintToleration'],
    );
    assert.deepEqual(
      flips.map(({ sentence }) => sentence),
      ['add a toleration of the taint k:NoSchedule to the pod'],
    );
  });
});

test('a weight is set in the profile of the scheduler', () => {
  const configuration = {
    profiles: [
      { schedulerName: 'other' },
      {
        schedulerName: 'mine',
        plugins: { score: { enabled: [{ name: 'ImageLocality', weight: 2 }] } },
      },
    ],
  };
  const change = { schedulerName: 'mine', plugin: 'ImageLocality', weight: 7 };
  const { profiles } = withWeight(configuration, change);
  assert.deepEqual(profiles, [
    { schedulerName: 'other' },
    {
      schedulerName: 'mine',
      plugins: { score: { enabled: [{ name: 'ImageLocality', weight: 7 }] } },
    },
  ]);
  const unnamed = { ...change, schedulerName: 'default-scheduler' };
  const { profiles: written } = withWeight({ profiles: [null] }, unnamed);
  const { plugins } = profiles[1];
  assert.deepEqual(written, [{ plugins }], 'an empty item of the list is a profile');
});

test('nodes and pods that do not exist are refused', async () => {
  await withScheduler(engine, [makeNode('a')], async (scheduler) => {
    const pod = podOf('asked');
    await assert.rejects(contrast(scheduler, pod, undefined, 'z'), {
      name: 'InputError',
      field: 'nodeB',
    });
    await assert.rejects(contrast(scheduler, pod, 'z', 'a'), {
      name: 'InputError',
      field: 'nodeA',
    });
    await assert.rejects(contrast(scheduler, 'none', 'a', 'a'), {
      name: 'InputError',
      kind: 'Pod',
    });
  });
});
