import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateAll } from '../../../js/src/engine/evaluate_all.js';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const options = { startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' };
const spread = (app) => ({
  metadata: { labels: { app } },
  spec: {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app } },
      },
    ],
  },
});

for (const [target, start] of Object.entries(TARGETS)) {
  const { engine } = await start();

  /** @param {object[]} objects @param {(scheduler: any) => Promise<void>} use */
  const within = async (objects, use) => {
    const scheduler = engine.createScheduler(options);
    try {
      scheduler.apply(objects);
      await use(scheduler);
    } finally {
      scheduler.dispose();
    }
  };

  test(`${target}: each pod is evaluated as if those before it were placed`, async () => {
    const nodes = [makeNode('a', { cpu: '2' }), makeNode('b', { cpu: '2' })];
    const pods = ['w-0', 'w-1', 'w-2', 'w-3', 'w-4'].map((name) => makePod(name, spread('w')));
    await within(nodes, async (scheduler) => {
      const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
      const found = await evaluateAll(scheduler, pods);
      assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before);
      assert.deepEqual(
        found.map(({ pod, node }) => [pod, node]),
        [
          ['default/w-0', 'a'],
          ['default/w-1', 'b'],
          ['default/w-2', 'a'],
          ['default/w-3', 'b'],
          ['default/w-4', null],
        ],
      );
      assert.match(found[4].message ?? '', /2 Insufficient cpu/);
    });
    // A scheduler built from scratch decides the same.
    await within([...nodes, ...pods], async (scheduler) => {
      const decisions = await scheduler.schedule();
      assert.deepEqual(
        decisions.map(({ node }) => node),
        ['a', 'b', 'a', 'b', null],
      );
    });
  });

  test(`${target}: a pod that preempts leaves its victims' room to no other`, async () => {
    const objects = [
      makeNode('a', { cpu: '2' }),
      storedPod('low', { cpu: '2', spec: { nodeName: 'a' } }),
    ];
    const urgent = (name) => makePod(name, { cpu: '1500m', spec: { priority: 1000 } });
    const small = makePod('small', { cpu: '500m' });
    await within(objects, async (scheduler) => {
      const found = await evaluateAll(scheduler, [urgent('x'), urgent('y'), small], {
        classify: true,
      });
      assert.deepEqual(
        found.map(({ node, fits }) => [node, fits]),
        [
          [null, 'WithPreemption'],
          [null, 'NotNow'],
          ['a', 'Now'],
        ],
      );
      assert.equal(scheduler.inspect({ pod: 'default/low' }).node, 'a');
    });
  });

  test(`${target}: names of pods in the cluster, and the same name twice`, async () => {
    const objects = [
      makeNode('a', { cpu: '2' }),
      makeNode('b', { cpu: '1' }),
      storedPod('waits'),
      storedPod('runs', { spec: { nodeName: 'b' } }),
    ];
    await within(objects, async (scheduler) => {
      const found = await evaluateAll(scheduler, ['default/waits', 'default/runs', makePod('new')]);
      assert.deepEqual(
        found.map(({ node }) => node),
        ['a', 'a', 'b'],
      );
      await assert.rejects(evaluateAll(scheduler, [makePod('x'), makePod('x')]), {
        name: 'InputError',
        code: 'FieldValueDuplicate',
        field: 'metadata.name',
      });
      const signal = AbortSignal.abort(new Error('stop'));
      await assert.rejects(evaluateAll(scheduler, [makePod('x')], { signal }), /stop/);
    });
  });
}
