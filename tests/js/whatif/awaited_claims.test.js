// Goal: questions about pods whose own claims (templates, ephemeral volumes) are not there yet are
// answered as if their controllers had just created them. Method: a node takes one of three pods;
// each question is asked about pods that the cluster lacks, that were just applied, and that were
// tried before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capacity } from '../../../js/src/whatif/capacity.js';
import { classify } from '../../../js/src/whatif/classify.js';
import { contrast } from '../../../js/src/whatif/contrast.js';
import { fix } from '../../../js/src/whatif/fix.js';
import { evaluateAll } from '../../../js/src/whatif/gang.js';
import { plan } from '../../../js/src/whatif/plan.js';
import { publishedFor } from '../../../js/src/whatif/model_nodes.js';
import { makeNode } from '../support/objects.js';
import { sliceOf } from '../support/obstacle_objects.js';
import { CLAIM_OBJECTS, devicePod, volumePod } from '../support/own_claims.js';
import { startNative } from '../support/real_engine.js';

const { engine } = await startNative();
const START = Date.UTC(2026, 0, 1);
const createScheduler = () => engine.createScheduler({ startTime: START });
const CLUSTER = [makeNode('a'), sliceOf('a', 'gpu', [{ name: 'd0' }]), ...CLAIM_OBJECTS];
const KINDS = {
  'claim template': ['p', 'q', 'r'].map((name) => devicePod(name)),
  'ephemeral volume': ['p', 'q', 'r'].map((name) => volumePod(name, { cpu: '3' })),
};
const REFUSALS = {
  'claim template': 'cannot allocate all claims',
  'ephemeral volume': 'Insufficient cpu',
};

/** @param {object[]} objects @param {(scheduler: any) => Promise<void>} use */
async function within(objects, use) {
  const scheduler = createScheduler();
  try {
    scheduler.apply(objects);
    await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

/** @param {any} scheduler of which node a is the model of the pool */
function planLikeA(scheduler) {
  const node = scheduler.get('Node', 'a');
  const pool = { node, objects: publishedFor(scheduler, node) };
  return plan(scheduler, [], [{ ...pool, price: 1 }], { createScheduler });
}

for (const [kind, pods] of Object.entries(KINDS)) {
  const refusal = `0/1 nodes are available: 1 ${REFUSALS[kind]}.`;

  test(`${kind}: capacity counts clones, and says what stops the next one`, async () => {
    await within(CLUSTER, async (scheduler) => {
      const { shapes } = await capacity(scheduler, [pods[0]]);
      const [{ total, alone, stoppedBy, message, nodes }] = shapes;
      assert.deepEqual([total, alone, stoppedBy, message], [1, 1, 'Unschedulable', refusal]);
      assert.deepEqual(nodes, [{ node: 'a', pods: 1, next: [REFUSALS[kind]] }]);
      const limited = await capacity(scheduler, [pods[0]], { atMost: 0 });
      assert.deepEqual(limited.shapes[0].nodes[0].next, [], 'the next one would fit');
    });
  });

  test(`${kind}: pods are evaluated jointly`, async () => {
    await within(CLUSTER, async (scheduler) => {
      const before = JSON.stringify(scheduler.snapshot());
      const answers = await evaluateAll(scheduler, pods, { preemption: false });
      assert.deepEqual(
        answers.map(({ node }) => node),
        ['a', null, null],
      );
      assert.ok(answers[1].message.startsWith(refusal.slice(0, -1)), answers[1].message);
      assert.equal(JSON.stringify(scheduler.snapshot()), before);
      const invalid = { ...pods[0], spec: { ...pods[0].spec, schedulerName: 'none' } };
      await assert.rejects(evaluateAll(scheduler, [invalid]), { name: 'InputError' });
    });
  });

  for (const isTried of [false, true]) {
    const when = isTried ? 'tried before' : 'just applied';

    test(`${kind}, ${when}: the blocking pod of a gang has its nearest node`, async () => {
      await within(CLUSTER, async (scheduler) => {
        if (isTried) {
          scheduler.apply([...pods, { ...makeNode('a'), spec: { unschedulable: true } }]);
          await scheduler.schedule();
          scheduler.apply([makeNode('a')]);
        }
        const asked = isTried ? ['default/p', 'default/q'] : pods.slice(0, 2);
        const { result, blocker } = await evaluateAll(scheduler, { pods: asked });
        assert.deepEqual([result, blocker.pod], ['unschedulable', 'default/q']);
        assert.match(blocker.nearest, /^a: .*(in use by|taken, most by) default\/p/);
        assert.equal(blocker.alone, 'Now');
      });
    });

    test(`${kind}, ${when}: plan buys a node for each pod that waits`, async () => {
      await within([...CLUSTER, ...pods], async (scheduler) => {
        if (isTried) await scheduler.schedule();
        const before = JSON.stringify(scheduler.snapshot());
        const { impossible, nodes, optimal, replayed } = await planLikeA(scheduler);
        assert.deepEqual([impossible, nodes, optimal, replayed], [[], 2, true, true]);
        assert.equal(JSON.stringify(scheduler.snapshot()), before);
      });
    });
  }

  test(`${kind}: a pod that the cluster lacks is classified`, async () => {
    await within(CLUSTER, async (scheduler) => {
      assert.equal((await classify(scheduler, pods[0])).fits, 'Now');
      scheduler.apply([pods[0]]);
      await scheduler.schedule();
      const { fits, proof } = await classify(scheduler, pods[1]);
      assert.deepEqual([fits, proof.inTheWay[0].pods], ['NotNow', ['default/p']]);
    });
  });
}

test('fix lowers the request of a pod that waits with a claim of its own', async () => {
  for (const make of [devicePod, volumePod]) {
    const big = make('big', { cpu: '9' });
    await within([...CLUSTER, big], async (scheduler) => {
      await scheduler.schedule();
      for (const asked of ['default/big', make('new', { cpu: '9' })]) {
        const { message, offers } = await fix(scheduler, asked);
        assert.match(message, /^0\/1 nodes are available: 1 Insufficient cpu/);
        const lower = "Lower the pod's request for cpu from 9 to 4.";
        assert.ok(offers.some(({ sentence }) => sentence === lower));
      }
    });
  }
});

test('contrast tells why a pod with a claim of its own goes to one node', async () => {
  for (const make of [devicePod, volumePod]) {
    const nodes = [makeNode('b'), sliceOf('b', 'gpu', [{ name: 'd0' }])];
    await within([...CLUSTER, ...nodes], async (scheduler) => {
      const asked = make('new', { spec: { nodeSelector: { 'kubernetes.io/hostname': 'b' } } });
      const { node, b } = await contrast(scheduler, asked, undefined, 'a');
      assert.equal(node, 'b');
      assert.deepEqual(
        b.refusals.map(({ plugin }) => plugin),
        ['NodeAffinity'],
      );
    });
  }
});

test('a pod whose claim belongs to another pod is impossible, its equals are not', async () => {
  const foreign = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'p-scratch', namespace: 'default', uid: 'u-foreign' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'local' },
    status: { phase: 'Pending' },
  };
  await within([...CLUSTER, foreign, ...KINDS['ephemeral volume']], async (scheduler) => {
    const { impossible, nodes } = await planLikeA(scheduler);
    assert.deepEqual([impossible.map(({ pod }) => pod), nodes], [['default/p'], 1]);
    assert.match(impossible[0].message, /p-scratch/);
  });
});

test('pods that wait keep their claims in a plan, even if the template is gone', async () => {
  const pods = KINDS['claim template'];
  await within([...CLUSTER, ...pods], async (scheduler) => {
    await scheduler.schedule();
    scheduler.remove(CLAIM_OBJECTS[1]);
    const { impossible, nodes } = await planLikeA(scheduler);
    assert.deepEqual([impossible, nodes], [[], 2]);
  });
});
