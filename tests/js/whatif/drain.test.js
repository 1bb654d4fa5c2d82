// Goal: drain tells how kubectl drain would go. Method: small clusters with budgets; where pods
// land is compared with the decisions of a scheduler built from scratch.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { drain } from '../../../js/src/whatif.js';
import { validate } from '../support/json_schema.js';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const options = { startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' };
const engines = await Promise.all(
  Object.entries(TARGETS).map(async ([target, start]) => [target, (await start()).engine]),
);
const [[, wasm]] = engines;

const setOf = (name, replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { namespace: 'default', name, uid: `u-${name}` },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: makePod('p').spec },
  },
});
const ownedBy = (kind, name) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `u-${name}`, controller: true }],
});
const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const broken = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] };
const podOf = (app, name, node, more = {}) =>
  storedPod(name, {
    cpu: '1',
    status: running,
    ...more,
    metadata: { labels: { app }, ...ownedBy('ReplicaSet', app), ...more.metadata },
    spec: { ...(node && { nodeName: node }), ...more.spec },
  });
const budget = (name, app, spec) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { namespace: 'default', name, uid: `b-${name}` },
  spec: { selector: { matchLabels: { app } }, ...spec },
});
const web = (name, node, more) => podOf('web', name, node, more);
const NODES = [
  makeNode('a', { cpu: '4' }),
  makeNode('b', { cpu: '2' }),
  makeNode('c', { cpu: '2' }),
];
const WEB = [setOf('web', 3), web('web-0', 'a'), web('web-1', 'a'), web('web-2', 'a')];

/** @param {any} engine @param {object[]} objects @param {(scheduler: any) => Promise<any>} use */
async function within(engine, objects, use) {
  const scheduler = engine.createScheduler(options);
  try {
    scheduler.apply(objects);
    await scheduler.schedule();
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

/** @param {object[]} objects @param {string[]} nodes @param {object} [more] */
const ask = (objects, nodes, more) =>
  within(wasm, objects, async (scheduler) => {
    const answer = await drain(scheduler, nodes, more);
    assert.deepEqual(validate(schema, answer), []);
    return answer;
  });
const roundsOf = ({ rounds }) =>
  rounds.map(({ evictions }) => evictions.map(({ pod, after }) => `${pod} ${after.node}`));

for (const [target, engine] of engines)
  test(`${target}: a drain in rounds, and its pods where a new scheduler puts them`, async () => {
    const objects = [...NODES, ...WEB, budget('one', 'web', { maxUnavailable: 1 })];
    const evicted = await within(engine, objects, async (scheduler) => {
      const before = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
      const answer = await drain(scheduler, ['a'], { readySeconds: 10 });
      assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), before);
      assert.deepEqual(validate(schema, answer), []);
      assert.deepEqual([answer.isDrained, answer.isPlaced], [true, true]);
      assert.equal(answer.rounds.length, 3, 'one at a time');
      assert.equal(answer.secondsAtMost, 3 * (30 + 10));
      return answer.rounds.flatMap(({ evictions }) => evictions);
    });
    assert.deepEqual(
      evicted.map((one) => one.budget),
      ['default/one', 'default/one', 'default/one'],
    );
    const after = [
      ...NODES.map((node) => ({
        ...node,
        spec: { unschedulable: node.metadata.name === 'a' },
      })),
      setOf('web', 3),
      ...evicted.map(({ pod }) => web(pod.split('/')[1], undefined, { status: undefined })),
    ];
    await within(engine, after, async (scheduler) => {
      for (const { pod, after } of evicted)
        assert.equal(scheduler.inspect({ pod }).node, after.node, pod);
    });
  });

test('without a budget all pods leave together', async () => {
  const slow = web('web-2', 'a', { spec: { terminationGracePeriodSeconds: 300 } });
  const answer = await ask([...NODES, ...WEB.slice(0, -1), slow], ['a']);
  assert.deepEqual(roundsOf(answer), [['default/web-0 b', 'default/web-1 c', 'default/web-2 b']]);
  assert.equal(answer.secondsAtMost, 300);
  assert.equal(answer.rounds[0].evictions[0].budget, null);
});

test('a budget that is exhausted blocks, with its figures', async () => {
  const objects = [...NODES, ...WEB, budget('all', 'web', { minAvailable: '100%' })];
  const answer = await ask(objects, ['a']);
  assert.deepEqual([answer.isDrained, answer.isPlaced, answer.rounds], [false, true, []]);
  assert.deepEqual(answer.blocked[0], {
    pod: 'default/web-0',
    node: 'a',
    message: 'The disruption budget all needs 3 healthy pods and has 3 currently',
    budgets: [
      {
        budget: 'default/all',
        expectedPods: 3,
        desiredHealthy: 3,
        currentHealthy: 3,
        disruptionsAllowed: 0,
      },
    ],
  });
  assert.equal(answer.blocked.length, 3);
});

test('a successor that waits never becomes ready, and blocks the next eviction', async () => {
  const objects = [
    NODES[0],
    makeNode('b', { cpu: '1' }),
    ...WEB,
    budget('two', 'web', { minAvailable: 2 }),
  ];
  const answer = await ask(objects, ['a']);
  assert.deepEqual(roundsOf(answer), [['default/web-0 b'], ['default/web-1 null']]);
  assert.deepEqual(
    answer.waiting.map(({ pod }) => pod),
    ['default/web-1'],
  );
  assert.match(answer.waiting[0].message, /^0\/2 nodes are available: /);
  assert.deepEqual(
    answer.blocked.map(({ pod, message }) => [pod, message]),
    [['default/web-2', 'The disruption budget two needs 2 healthy pods and has 2 currently']],
  );
  assert.deepEqual([answer.isDrained, answer.isPlaced], [false, false]);
});

test('pods that are not ready, that count, and that several budgets select', async () => {
  const one = [...NODES, setOf('web', 2), web('web-0', 'a', { status: broken }), web('web-1', 'a')];
  const strict = budget('s', 'web', { minAvailable: 2 });
  assert.deepEqual(roundsOf(await ask([...one, strict], ['a'])), [], 'one healthy of two');
  const always = budget('s', 'web', {
    minAvailable: 2,
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  });
  // Its successor is ready, so that budget has two healthy pods; it needs both.
  assert.deepEqual(roundsOf(await ask([...one, always], ['a'])), [['default/web-0 b']]);
  const two = await ask([...one, strict, budget('t', 'web', { minAvailable: 0 })], ['a']);
  assert.match(two.blocked[0].message, /^This pod has more than one PodDisruptionBudget/);
  assert.deepEqual(
    two.blocked[0].budgets.map((each) => each.budget),
    ['default/s', 'default/t'],
  );
});

test('pods without a Ready condition count as ready, absent sets by their pods', async () => {
  const placed = ['x-0', 'x-1'].map((name) => podOf('x', name, 'a', { status: undefined }));
  const objects = [...NODES, ...placed, budget('half', 'x', { maxUnavailable: '50%' })];
  const answer = await ask(objects, ['a']);
  assert.deepEqual(roundsOf(answer), [['default/x-0 b'], ['default/x-1 c']]);
});

test('pods of controllers without a scale, and of those that the input cannot have', async () => {
  const by = (apiVersion, kind, name) =>
    podOf('x', name, 'a', {
      metadata: {
        ownerReferences: [{ apiVersion, kind, name: 'x', uid: `u-${kind}`, controller: true }],
      },
    });
  const set = ['x-0', 'x-1'].map((name) => podOf('x', name, 'a'));
  const job = by('batch/v1', 'Job', 'x-2');
  const one = budget('one', 'x', { maxUnavailable: 1 });
  const mixed = await ask([...NODES, ...set, job, one], ['a']);
  assert.deepEqual(roundsOf(mixed), []);
  assert.deepEqual(
    mixed.blocked.map(({ pod, message }) => [pod, message.split(' because ')[1]]),
    ['x-0', 'x-1', 'x-2'].map((name) => [
      `default/${name}`,
      'it failed sync: jobs.batch does not implement the scale subresource',
    ]),
  );
  const daemon = by('apps/v1', 'DaemonSet', 'x-2');
  assert.equal((await ask([...NODES, ...set, daemon, one], ['a'])).isDrained, false);
  const counted = await ask([...NODES, ...set, job, budget('n', 'x', { minAvailable: 2 })], ['a']);
  assert.deepEqual(
    roundsOf(counted),
    [['default/x-0 b'], ['default/x-1 c'], ['default/x-2 b']],
    'a number counts pods',
  );
  const clones = ['x-0', 'x-1'].map((name) => by('apps.kruise.io/v1alpha1', 'CloneSet', name));
  assert.deepEqual(roundsOf(await ask([...NODES, ...clones, one], ['a'])), [
    ['default/x-0 b'],
    ['default/x-1 c'],
  ]);
});

test('a Deployment that the caller has counts for the budgets of its pods', async () => {
  const set = setOf('web', 3);
  const above = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web',
    uid: 'u-d',
    controller: true,
  };
  const owned = { ...set, metadata: { ...set.metadata, ownerReferences: [above] } };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'default', name: 'web', uid: 'u-d' },
    spec: { replicas: 6 },
  };
  const objects = [
    ...NODES,
    owned,
    ...WEB.slice(1),
    budget('half', 'web', { minAvailable: '50%' }),
  ];
  assert.equal(
    (await ask(objects, ['a'])).rounds[0].evictions.length,
    1,
    'three of three, needs two',
  );
  const answer = await ask(objects, ['a'], { objects: [deployment] });
  assert.equal(answer.blocked[0].budgets[0].desiredHealthy, 3, 'half of six');
});

test('what kubectl leaves, and what it refuses', async () => {
  const daemon = storedPod('agent', {
    cpu: '100m',
    metadata: ownedBy('DaemonSet', 'agent'),
    spec: { nodeName: 'a' },
  });
  const mirror = storedPod('kube-proxy', {
    cpu: '100m',
    metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
    spec: { nodeName: 'a' },
  });
  const bare = storedPod('bare', { cpu: '100m', spec: { nodeName: 'b' } });
  const local = web('web-9', 'c', {
    cpu: '100m',
    spec: { volumes: [{ name: 'v', emptyDir: {} }] },
  });
  const objects = [...NODES, ...WEB, daemon, mirror, bare, local];
  const answer = await ask(objects, ['a', 'b', 'c'].slice(0, 2));
  assert.deepEqual(
    answer.nodes.map(({ node, isDrained, stays, refused }) => ({
      node,
      isDrained,
      stays,
      refused,
    })),
    [
      {
        node: 'a',
        isDrained: true,
        stays: [
          { pod: 'default/agent', reason: 'DaemonSet' },
          { pod: 'default/kube-proxy', reason: 'StaticPod' },
        ],
        refused: [],
      },
      {
        node: 'b',
        isDrained: false,
        stays: [],
        refused: [
          {
            pod: 'default/bare',
            message: 'cannot delete Pods that declare no controller (use --force to override)',
          },
        ],
      },
    ],
  );
  const forced = await ask(objects, ['b'], { force: true });
  assert.deepEqual(
    [forced.isDrained, forced.isPlaced, forced.rounds[0].evictions[0].after.state],
    [true, true, 'Gone'],
  );
  const refused = await ask(objects, ['c']);
  assert.match(refused.nodes[0].refused[0].message, /local storage/);
  const deleted = await ask(objects, ['c'], { deleteEmptyDirData: true });
  assert.equal(deleted.isDrained, true);
});

test('a pod whose DaemonSet is gone is refused, and ends with force', async () => {
  const daemon = (/** @type {string} */ name, /** @type {object} */ more = {}) =>
    storedPod(name, {
      cpu: '100m',
      metadata: ownedBy('DaemonSet', name),
      ...more,
      spec: { nodeName: 'a', .../** @type {any} */ (more).spec },
    });
  const agent = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'default', name: 'agent', uid: 'u-agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: makePod('p').spec },
    },
  };
  const local = { spec: { volumes: [{ name: 'v', emptyDir: {} }] } };
  const objects = [...NODES, ...WEB, daemon('agent'), daemon('left'), daemon('local', local)];
  const known = { objects: [agent] };
  const stays = [{ pod: 'default/agent', reason: 'DaemonSet' }];
  const gone = (/** @type {string} */ name) => ({
    pod: `default/${name}`,
    message: `daemonsets.apps "${name}" not found`,
  });
  const [refused] = (await ask(objects, ['a'], known)).nodes;
  assert.deepEqual([refused.stays, refused.refused], [stays, [gone('left'), gone('local')]]);
  const [half] = (await ask(objects, ['a'], { ...known, force: true })).nodes;
  assert.deepEqual([half.stays, half.refused.map(({ pod }) => pod)], [stays, ['default/local']]);
  assert.match(half.refused[0].message, /local storage/);
  const forced = await ask(objects, ['a'], { ...known, force: true, deleteEmptyDirData: true });
  assert.deepEqual([forced.isDrained, forced.nodes[0].stays], [true, stays]);
  const ends = forced.rounds[0].evictions.filter(({ after }) => after.state === 'Gone');
  assert.deepEqual(
    ends.map(({ pod }) => pod),
    ['default/left', 'default/local'],
  );
  const unknown = await ask(objects, ['a']);
  assert.equal(unknown.nodes[0].stays.length, 3, 'without any DaemonSet each may exist');
  const none = await ask(objects, ['a'], { knowsDaemonSets: true });
  assert.equal(none.nodes[0].refused.length, 3, 'the cluster has no DaemonSet');
});

test('nodes are drained one after the other, and no pod is evicted twice', async () => {
  const objects = [...NODES, setOf('web', 2), web('web-0', 'b'), web('web-1', 'c')];
  const answer = await ask(objects, ['b', 'c', 'b']);
  assert.deepEqual(
    answer.rounds.map(({ node, evictions }) => [node, evictions.map(({ pod }) => pod)]),
    [
      ['b', ['default/web-0']],
      ['c', ['default/web-1']],
    ],
  );
  assert.deepEqual(roundsOf(answer), [['default/web-0 a'], ['default/web-1 a']]);
});

test('a successor that preempts', async () => {
  const objects = [
    makeNode('a', { cpu: '1' }),
    makeNode('b', { cpu: '1' }),
    web('web-0', 'a', { spec: { priority: 10 } }),
    podOf('low', 'low-0', 'b'),
  ];
  const answer = await ask(objects, ['a']);
  assert.deepEqual(roundsOf(answer), [['default/web-0 b']]);
  assert.deepEqual(
    answer.preempted.map(({ pod, before, after }) => [pod, before, after.preemptedBy]),
    [['default/low-0', 'b', 'default/web-0']],
  );
  assert.deepEqual(
    [answer.isDrained, answer.waiting.map(({ pod }) => pod)],
    [true, ['default/low-0']],
  );
});

test('questions that cannot be asked', async () => {
  await within(wasm, NODES, async (scheduler) => {
    for (const [nodes, more, field] of [
      [[], {}, 'nodes'],
      [['a', 'z'], {}, 'nodes[1]'],
      [['a'], { readySeconds: -1 }, 'readySeconds'],
    ])
      await assert.rejects(drain(scheduler, nodes, more), { name: 'InputError', field });
    const signal = AbortSignal.abort(new Error('stop'));
    await assert.rejects(drain(scheduler, ['a'], { signal }), /stop/);
  });
});
