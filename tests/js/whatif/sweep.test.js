// Goal: a sweep says which pods a failure leaves pending. Method: tables, and for clusters by seed
// a scheduler that is built from scratch without the failed nodes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sweep, SweepTasks } from '../../../js/src/whatif.js';
import { failingCluster, HOSTNAME, RACK, ZONE } from '../support/failing_clusters.js';
import { validate } from '../support/json_schema.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative, startWasm } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startNative();
const OPTIONS = /** @type {const} */ ({ startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' });

/** @param {object[]} objects @param {any} [target] */
async function present(objects, target = engine) {
  const scheduler = target.createScheduler(OPTIONS);
  scheduler.apply(objects);
  await scheduler.schedule({ until: OPTIONS.startTime + 240_000 });
  return scheduler;
}

/** @param {string} name @param {string} nodeName @param {object} [options] */
function boundPod(name, nodeName, { spec = {}, ...options } = {}) {
  return storedPod(name, { ...options, spec: { nodeName, ...spec } });
}

/** @param {any} answer */
const outcome = ({ failures }) =>
  failures.map(({ failure, pods }) => [failure, pods.map(({ pod }) => pod)]);

test('a failure leaves pending what finds no other node, grouped and the worst first', async () => {
  const labels = { tier: 'gold' };
  const scheduler = await present([
    makeNode('a', { cpu: '3', labels: { [ZONE]: 'east' } }),
    makeNode('b', { cpu: '2', labels: { [ZONE]: 'east' } }),
    makeNode('c', { cpu: '2', labels: { [ZONE]: 'west' } }),
    boundPod('a1', 'a', { metadata: { labels }, spec: { priority: 5 } }),
    boundPod('a2', 'a', { metadata: { labels } }),
    boundPod('a3', 'a'),
    boundPod('b1', 'b'),
    boundPod('c1', 'c'),
    storedPod('waits', { cpu: '9' }),
  ]);
  const answer = await sweep(scheduler, 'nodes:1,zones:1', { byLabel: 'tier' });
  assert.deepEqual(validate(schema, answer), []);
  const [worst] = answer.failures;
  assert.deepEqual(outcome(answer), [
    ['zone/east', ['default/a2', 'default/a3', 'default/b1']],
    ['node/a', ['default/a3']],
  ]);
  assert.deepEqual(
    [worst.displaced, worst.waiting, worst.byPriority, worst.byLabel],
    [
      4,
      3,
      [{ priority: 0, pods: 3 }],
      [
        { value: null, pods: 2 },
        { value: 'gold', pods: 1 },
      ],
    ],
  );
  assert.match(worst.pods[0].message, /^0\/1 nodes are available: 1 Insufficient cpu/);
  assert.deepEqual([answer.tasks, answer.survived], [5, 3]);
  assert.deepEqual(answer.weakest[0], { part: 'zone/east', failures: 1, most: 3, total: 3 });
  const gold = await sweep(scheduler, 'nodes:1,zones:1', { selector: 'tier=gold' });
  assert.deepEqual(outcome(gold), [['zone/east', ['default/a2']]]);
  const elsewhere = await sweep(scheduler, 'zones:1', { namespace: 'kube-system' });
  assert.deepEqual(outcome(elsewhere), []);
  scheduler.dispose();
});

test('evicted pods that wait count, with the pod for which they were evicted', async () => {
  const scheduler = await present([
    makeNode('a', { cpu: '1' }),
    makeNode('b', { cpu: '1' }),
    boundPod('vip', 'a', { spec: { priority: 9 } }),
    boundPod('low', 'b'),
  ]);
  const { failures } = await sweep(scheduler, 'nodes:1');
  assert.deepEqual(
    failures.map(({ failure, displaced, pods }) => [
      failure,
      displaced,
      pods[0].pod,
      pods[0].preemptedBy,
    ]),
    [
      ['node/a', 1, 'default/low', 'default/vip'],
      ['node/b', 1, 'default/low', undefined],
    ],
  );
  scheduler.dispose();
});

test('what cannot be asked is a typed error', async () => {
  const scheduler = await present([makeNode('a')]);
  const cases = [
    ['', 'failures'],
    ['nodes:3', 'failures'],
    [[], 'failures'],
    ['racks:1', 'topologyKey'],
    ['zones:1', `metadata.labels[${ZONE}]`],
    [[{ of: 'pods', count: 1 }], 'failures[0].of'],
    [[{ of: 'nodes', count: 0 }], 'failures[0].count'],
  ];
  for (const [failures, field] of cases)
    await assert.rejects(sweep(scheduler, failures), { name: 'InputError', field });
  const selector = 'a=(';
  await assert.rejects(sweep(scheduler, 'nodes:1', { selector }), { field: 'selector' });
  scheduler.dispose();
});

test('a signal ends a sweep, and progress counts its failures', async () => {
  const scheduler = await present(failingCluster(1));
  const seen = [];
  const controller = new AbortController();
  const progress = (done, total) => {
    seen.push(`${done}/${total}`);
    if (done === 2) controller.abort(new Error('enough'));
  };
  const { signal } = controller;
  await assert.rejects(sweep(scheduler, 'nodes:1', { signal, progress }), /^Error: enough$/);
  assert.deepEqual(seen, ['0/6', '1/6', '2/6']);
  scheduler.dispose();
});

test('failures that are run at once wait for each other', async () => {
  const scheduler = await present([
    ...['a', 'b', 'c'].map((name) => makeNode(name, { cpu: '2' })),
    ...['a', 'b', 'c'].map((name) => boundPod(`on-${name}`, name, { cpu: '2' })),
  ]);
  const tasks = new SweepTasks(scheduler, { failures: 'nodes:1,pairs' });
  const indexes = Array.from({ length: tasks.length }, (_, index) => index);
  const reports = await Promise.all(indexes.map((index) => tasks.run(index)));
  assert.deepEqual(
    reports.map((report) => [report?.failure, report?.waiting]),
    [
      ['node/a', 1],
      ['node/b', 1],
      ['node/c', 1],
      ['node/a+node/b', 2],
      ['node/a+node/c', 2],
      ['node/b+node/c', 2],
    ],
  );
  const aborted = new AbortController();
  aborted.abort();
  await assert.rejects(tasks.run(0, { signal: aborted.signal }), { name: 'AbortError' });
  assert.equal((await tasks.run(1))?.failure, 'node/b', 'the next one runs all the same');
  tasks.dispose();
});

test('a sweep yields, so that an event can end it', async () => {
  for (const onlyInTree of [false, true]) {
    const scheduler = await present(failingCluster(2, { nodes: 40, plain: true }));
    const controller = new AbortController();
    setImmediate(() => controller.abort(new Error('enough')));
    const { signal } = controller;
    const swept = sweep(scheduler, 'pairs', { signal, onlyInTree });
    await assert.rejects(swept, /^Error: enough$/, `onlyInTree: ${onlyInTree}`);
    scheduler.dispose();
  }
});

const FAILURES = 'nodes:1,zones:1,racks:1,pairs,zones:2';

/** The label of nodes for each kind of part. */
const LABELS = { node: HOSTNAME, zone: ZONE, rack: RACK };

/**
 * Returns all failures of a cluster, by the labels of its nodes.
 * @param {any[]} nodes
 * @returns {Map<string, string[]>} the nodes, in the order in which they fail, by failure
 */
function expectedFailures(nodes) {
  const parts = (/** @type {'node' | 'zone' | 'rack'} */ kind) => {
    const values = nodes.map(({ metadata }) => metadata.labels[LABELS[kind]]);
    return [...new Set(values.filter(Boolean))].map((value) => ({
      name: `${kind}/${value}`,
      lost: nodes.filter((_, at) => values[at] === value).map(({ metadata }) => metadata.name),
    }));
  };
  const single = [...parts('node'), ...parts('zone'), ...parts('rack')];
  const pairs = [parts('node'), parts('zone')].flatMap((list) =>
    list.flatMap((first, at) =>
      list.slice(at + 1).map((second) => ({
        name: `${first.name}+${second.name}`,
        lost: [...first.lost, ...second.lost],
      })),
    ),
  );
  return new Map([...single, ...pairs].map(({ name, lost }) => [name, lost]));
}

/**
 * Returns the pods that wait in a new scheduler, which has the cluster without the lost nodes, and
 * their pods as new ones.
 * @param {any[]} items nodes and placed pods
 * @param {string[]} lost
 * @param {any} target
 * @returns {Promise<string[]>}
 */
async function waitingFromScratch(items, lost, target) {
  const pods = items.filter(({ kind }) => kind === 'Pod');
  const unbound = ({ nodeName, ...spec }) => spec;
  const created = (pod) => ({ ...pod, spec: unbound(pod.spec), status: { phase: 'Pending' } });
  const isDaemon = ({ metadata }) => metadata.name.startsWith('agent-');
  const staying = items.filter(
    ({ kind, metadata, spec }) => !lost.includes(kind === 'Node' ? metadata.name : spec.nodeName),
  );
  const displaced = lost.flatMap((node) => pods.filter(({ spec }) => spec.nodeName === node));
  const scheduler = target.createScheduler(OPTIONS);
  scheduler.apply([...staying, ...displaced.filter((pod) => !isDaemon(pod)).map(created)]);
  for (;;) {
    const decisions = await scheduler.schedule({ until: OPTIONS.startTime + 240_000 });
    if (decisions.length === 0) break;
    const victims = decisions.flatMap(({ preemption }) => preemption?.victims ?? []);
    const isVictim = (pod) => victims.includes(`default/${pod.metadata.name}`);
    scheduler.apply(pods.filter((pod) => isVictim(pod) && !isDaemon(pod)).map(created));
  }
  const waiting = scheduler.list('Pod').filter(({ spec }) => !spec.nodeName);
  scheduler.dispose();
  return waiting.map(({ metadata }) => `default/${metadata.name}`).sort();
}

for (const [surface, start] of Object.entries({ native: startNative, wasm: startWasm })) {
  test(`sweeps of clusters by seed equal schedulers built from scratch (${surface})`, async () => {
    const { engine: target } = await start();
    let failed = 0;
    let evicted = 0;
    for (let seed = 1; seed <= 16; seed += 1) {
      const first = await present(failingCluster(seed), target);
      const { items } = first.snapshot();
      first.dispose();
      const placed = items.filter(({ kind, spec }) => kind === 'Node' || spec.nodeName);
      const scheduler = await present(placed, target);
      const hash = scheduler.hash;
      const answer = await sweep(scheduler, FAILURES, { topologyKey: RACK });
      assert.equal(scheduler.hash, hash, 'nothing changed');
      const expected = expectedFailures(placed.filter(({ kind }) => kind === 'Node'));
      assert.equal(answer.tasks, expected.size);
      const reported = new Map(answer.failures.map((report) => [report.failure, report.pods]));
      for (const [name, lost] of expected) {
        const pods = reported.get(name) ?? [];
        const waiting = await waitingFromScratch(placed, lost, target);
        assert.deepEqual(pods.map(({ pod }) => pod).sort(), waiting, `seed ${seed}, ${name}`);
        evicted += pods.filter(({ preemptedBy }) => preemptedBy).length;
      }
      failed += reported.size;
      scheduler.dispose();
    }
    assert.ok(failed > 50 && evicted > 10, `${failed} failures, ${evicted} evictions`);
  });
}
