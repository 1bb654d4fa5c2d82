// Goal: each offer of fix places the pod, and no part of it does. Method: pods that obstacles of
// all families of plugins keep off every node; the offered changes are applied, as kubectl would
// apply them, to objects of a scheduler built from scratch.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { commandsFor } from '../../../js/src/whatif/fix/commands.js';
import { clusterChanges, editedPod } from '../../../js/src/whatif/fix/edit.js';
import { Question } from '../../../js/src/whatif/fix/question.js';
import { properParts, search } from '../../../js/src/whatif/fix/search.js';
import { fix } from '../../../js/src/whatif/fix.js';
import { validate } from '../support/json_schema.js';
import { makeNode, storedPod } from '../support/objects.js';
import { changed } from '../support/offers.js';
import { TARGETS } from '../support/real_engine.js';
import { podOf, unschedulable } from '../support/unschedulable.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const startTime = Date.UTC(2026, 0, 1);
const engines = {
  wasm: (await TARGETS.wasm()).engine,
  native: (await TARGETS.native()).engine,
};
const SEEDS = { native: 1000, wasm: 60 };

/** The most cycles of a pod that evicts others. */
const CYCLES = 3;

/**
 * Returns the node that the pod gets in a new scheduler with these objects.
 * @param {any} engine @param {any[]} objects
 */
async function nodeIn(engine, objects) {
  const scheduler = engine.createScheduler({ startTime });
  try {
    scheduler.apply(objects);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      scheduler.run({ maxCycles: 0 });
      const { node, preemption } = await scheduler.scheduleOne('default/asked');
      if (node || !preemption?.victims?.length) return node;
    }
    return null;
  } finally {
    scheduler.dispose();
  }
}

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

for (const [target, engine] of Object.entries(engines)) {
  const count = SEEDS[/** @type {'wasm' | 'native'} */ (target)];
  test(`${target}: ${count} pods of all families get edits that place them`, async () => {
    const without = [];
    for (let seed = 0; seed < count; seed++) {
      const { objects, pod, families } = unschedulable(seed);
      const all = [...objects, pod];
      await withScheduler(engine, all, async (scheduler) => {
        const before = JSON.stringify(scheduler.snapshot());
        const answer = await fix(scheduler, 'default/asked');
        assert.equal(JSON.stringify(scheduler.snapshot()), before);
        assert.deepEqual(validate(schema, answer), []);
        assert.equal(answer.node, null, `seed ${seed}: the pod fits as it is`);
        if (answer.offers.length === 0) without.push(`${seed} ${families}`);
        for (const offer of answer.offers) {
          const node = await nodeIn(engine, changed(all, offer));
          assert.equal(node, offer.node, `seed ${seed} ${families}: ${offer.sentence}`);
        }
      });
    }
    assert.ok(without.length <= count / 20, `no edits for ${without.join('; ')}`);
  });
}

test('no part of an offered set places the pod in a new scheduler', async () => {
  let parts = 0;
  for (let seed = 0; seed < 120; seed++) {
    const { objects, pod } = unschedulable(seed);
    await withScheduler(engines.native, [...objects, pod], async (scheduler) => {
      const question = new Question(scheduler, scheduler.get('Pod', 'default/asked'));
      const options = { atMost: 5, pools: [], priorityClasses: [] };
      const found = await search(question, await question.evaluate([]), options);
      for (const { edits } of found) {
        for (const part of properParts(edits)) {
          parts += 1;
          const changes = [...objects, ...clusterChanges(part), editedPod(pod, part)];
          const node = await nodeIn(engines.native, changes);
          assert.equal(node, null, `seed ${seed}: ${part.map(({ sentence }) => sentence)}`);
        }
      }
    });
  }
  assert.ok(parts > 200, `${parts} parts`);
});

/**
 * The offers for a pod.
 * @param {any[]} objects @param {any} pod @param {any} [options]
 */
const offersFor = (objects, pod, options) =>
  withScheduler(engines.native, [...objects, pod], async (scheduler) => {
    const { offers } = await fix(scheduler, 'default/asked', options);
    return offers;
  });

const kindsOf = (/** @type {any[]} */ offers) =>
  offers.map(({ edits }) => edits.map((/** @type {any} */ { kind }) => kind).join('+'));

test('a request is lowered to the most that is free, and not to less', async () => {
  const taken = (/** @type {string} */ node, /** @type {string} */ cpu) =>
    podOf(`on-${node}`, { cpu }, { nodeName: node, priority: 9 });
  const objects = [makeNode('a'), makeNode('b'), taken('a', '2300m'), taken('b', '1999m')];
  const [first] = await offersFor(objects, podOf('asked', { cpu: '3' }));
  assert.equal(first.sentence, "Lower the pod's request for cpu from 3 to 2001m.");
  const [{ object, ...change }, ...others] = first.changes;
  assert.equal(object.spec.containers[0].resources.requests.cpu, '2001m');
  assert.deepEqual(
    [change, ...others],
    [
      {
        action: 'patch',
        target: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'asked' },
        patch: {
          spec: { containers: [{ name: 'main', resources: { requests: { cpu: '2001m' } } }] },
        },
        inPlace: false,
      },
    ],
  );
  assert.deepEqual([first.node, first.evicts], ['b', []]);
});

test('containers are lowered in proportion', async () => {
  const pod = podOf('asked');
  pod.spec.containers = ['4', '2'].map((cpu, at) => ({
    name: `c${at}`,
    image: 'app',
    resources: { requests: { cpu } },
  }));
  const [{ changes }] = await offersFor([makeNode('a', { cpu: '3' })], pod);
  const amounts = changes[0].patch.spec.containers.map(
    (/** @type {any} */ { resources }) => resources.requests.cpu,
  );
  assert.deepEqual(amounts, ['2', '1']);
});

test('the pod comes before the cluster, and less before more', async () => {
  const node = makeNode('a', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
  const pool = makeNode('pool');
  const offers = await offersFor([node], podOf('asked'), { pools: [{ node: pool }] });
  assert.deepEqual(kindsOf(offers), ['AddToleration', 'RemoveTaints', 'AddNode']);
  assert.equal(offers[2].node, 'pool-new-1');
  assert.deepEqual(
    offers.map((/** @type {any} */ { changes }) => changes[0].inPlace),
    [true, true, undefined],
  );
});

test('a node of a pool has the devices of its model', async () => {
  const device = (/** @type {string} */ kind, /** @type {object} */ fields) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind,
    ...fields,
  });
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
  const claim = device('ResourceClaim', {
    metadata: { name: 'claim', namespace: 'default', uid: 'claim' },
    spec: { devices: { requests } },
  });
  const slice = device('ResourceSlice', {
    metadata: { name: 'large-gpu', uid: 'slice' },
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'large',
      pool: { name: 'large', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'd0' }],
    },
  });
  const spec = { resourceClaims: [{ name: 'c', resourceClaimName: 'claim' }] };
  const pod = podOf('asked', { cpu: '1' }, spec);
  const gpus = device('DeviceClass', { metadata: { name: 'gpu', uid: 'gpu' }, spec: {} });
  const node = makeNode('large');
  const cluster = [makeNode('a'), gpus, claim];
  const adding = async (/** @type {object[]} */ objects, /** @type {any} */ pool) =>
    (await offersFor(objects, pod, { pools: [pool] })).find(
      (/** @type {any} */ { edits }) => edits[0].kind === 'AddNode',
    );
  const given = await adding(cluster, { node, objects: [slice] });
  assert.equal(given?.node, 'large-new-1');
  assert.deepEqual(
    given.changes.map((/** @type {any} */ { object }) => [object.kind, object.spec.pool?.name]),
    [
      ['Node', undefined],
      ['ResourceSlice', 'large-new-1'],
    ],
  );
  assert.deepEqual(given.changes.flatMap(commandsFor), [], 'the pool and its driver add them');
  const full = { ...node, spec: { unschedulable: true } };
  const known = await adding([...cluster, full, slice], { node });
  assert.equal(known?.node, 'large-new-1', 'as the node of that name has them');
  assert.equal(await adding(cluster, { node }), undefined, 'without any');
});

test('pods that a budget protects, and those of DaemonSets, are not removed', async () => {
  const on = (/** @type {string} */ name, /** @type {object} */ labels, owner = 'ReplicaSet') => {
    const pod = podOf(name, { cpu: '2' }, { nodeName: 'a', priority: 5 }, labels);
    const reference = { apiVersion: 'apps/v1', kind: owner, name: 'x', uid: 'x', controller: true };
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [reference] } };
  };
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b', namespace: 'default', uid: 'b' },
    spec: { selector: { matchLabels: { app: 'safe' } } },
    status: { disruptionsAllowed: 0 },
  };
  const big = podOf('asked', { cpu: '3' });
  const objects = [makeNode('a'), budget, on('safe', { app: 'safe' })];
  const without = await offersFor([...objects, on('daemon', {}, 'DaemonSet')], big);
  assert.ok(!kindsOf(without).includes('RemovePods'));
  const [removal] = (
    await offersFor(
      [makeNode('a'), on('one', {}), on('two', {}), budget],
      podOf('asked', { cpu: '2' }),
    )
  ).filter(({ edits }) => edits[0].kind === 'RemovePods');
  assert.match(removal.sentence, /^Remove pod default\/(one|two)\.$/);
});

test('patches are addressed to the workload', async () => {
  const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
  const classes = [
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'gold' },
      value: 50,
    },
  ];
  const holder = podOf('low', { cpu: '3' }, { nodeName: 'a', priority: 7 });
  const offers = await offersFor([makeNode('a'), holder], podOf('asked', { cpu: '2' }), {
    workload,
    priorityClasses: classes,
  });
  const raised = offers.find(({ edits }) => edits[0].kind === 'RaisePriority');
  assert.deepEqual(raised.changes, [
    {
      action: 'patch',
      target: workload,
      patch: {
        spec: {
          template: {
            spec: { priorityClassName: 'gold', preemptionPolicy: 'PreemptLowerPriority' },
          },
        },
      },
      inPlace: true,
    },
  ]);
  assert.deepEqual(raised.evicts, ['default/low']);
});

test('a pod that can never fit has the proof, unless an edit of it helps', async () => {
  const full = makeNode('a');
  full.status.allocatable.pods = '0';
  await withScheduler(engines.native, [full], async (scheduler) => {
    const { fits, proof, offers } = await fix(scheduler, podOf('asked'));
    assert.deepEqual([fits, offers, proof?.reasons?.[0].reasons], ['Never', [], ['Too many pods']]);
  });
  await withScheduler(engines.native, [makeNode('a')], async (scheduler) => {
    const { fits, proof, offers } = await fix(scheduler, podOf('asked', { cpu: '9' }));
    assert.deepEqual([fits, proof, kindsOf(offers)], ['Never', undefined, ['LowerRequest']]);
  });
});

test('a pod that fits has no offers', async () => {
  await withScheduler(engines.native, [makeNode('a')], async (scheduler) => {
    const answer = await fix(scheduler, storedPod('asked'));
    assert.deepEqual([answer.fits, answer.node, answer.offers], ['Now', 'a', []]);
  });
});

test('questions that cannot be asked are refused', async () => {
  await withScheduler(engines.native, [makeNode('a')], async (scheduler) => {
    const pod = storedPod('asked', { cpu: '9' });
    await assert.rejects(fix(scheduler, 'default/none'), {
      name: 'InputError',
      kind: 'Pod',
      objectName: 'none',
      field: 'metadata.name',
    });
    await assert.rejects(fix(scheduler, pod, { atMost: 0 }), {
      name: 'InputError',
      field: 'atMost',
    });
    const node = /** @type {any} */ ({ kind: 'Pod' });
    await assert.rejects(fix(scheduler, pod, { pools: [{ node }] }), {
      name: 'InputError',
      field: 'pools[0].node',
    });
    const reason = new Error('stop');
    await assert.rejects(fix(scheduler, pod, { signal: AbortSignal.abort(reason) }), reason);
  });
});
