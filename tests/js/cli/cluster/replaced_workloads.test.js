import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { makeFolder } from '../../support/folder.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../../support/workloads.js';

const { file } = await makeFolder();
const node = makeNode('a', { cpu: '2' });
let count = 0;

/**
 * What `check` says of manifests against a cluster.
 * @param {object[]} objects of the cluster
 * @param {object[]} manifests
 */
async function check(objects, ...manifests) {
  const cluster = await file(`${(count += 1)}.json`, makeList(...objects));
  const stdin = JSON.stringify(makeList(...manifests));
  const { code, stdout } = await runCli(['check', '-', '--cluster', cluster, '-o', 'json'], {
    stdin,
  });
  const { workloads, summary } = JSON.parse(stdout);
  const rows = workloads.map(({ result, replicas, placed }) => [result, replicas, placed]);
  return { code, rows, workloads, summary };
}

/** Every subset. @param {any[]} items @returns {any[][]} */
const subsets = (items) =>
  items.reduce((all, item) => all.flatMap((some) => [some, [...some, item]]), [[]]);

test('a manifest replaces the old pods, whichever owners the dump holds', async () => {
  const kinds = {
    Deployment: (workload) => {
      const set = replicaSetOf(workload, '7d4b', { replicas: 2 });
      const pods = ['x', 'y'].map((id) => podOf(`web-7d4b-${id}`, set, { node: 'a' }));
      return { owners: [workload, set], pods };
    },
    StatefulSet: (workload) => ({
      owners: [workload],
      pods: ['web-0', 'web-1'].map((name) => podOf(name, workload, { node: 'a' })),
    }),
    ReplicaSet: (workload) => ({
      owners: [workload],
      pods: ['web-x', 'web-y'].map((name) => podOf(name, workload, { node: 'a' })),
    }),
    DaemonSet: (workload) => ({
      owners: [workload],
      pods: [podOf('web-x', workload, { node: 'a', cpu: '2' })],
    }),
    Job: (workload) => ({
      owners: [workload],
      pods: ['web-x', 'web-y'].map((name) => podOf(name, workload, { node: 'a' })),
    }),
    CronJob: (workload) => {
      const job = owned(makeWorkload('Job', 'web-29463120'), workload);
      const pods = ['x', 'y'].map((id) => podOf(`web-29463120-${id}`, job, { node: 'a' }));
      return { owners: [workload, job], pods };
    },
  };
  for (const [kind, made] of Object.entries(kinds)) {
    const isJob = kind === 'Job' || kind === 'CronJob';
    const counts = isJob ? { parallelism: 2, completions: 2 } : { replicas: 2 };
    const spec = kind === 'DaemonSet' ? {} : counts;
    const asked = kind === 'DaemonSet' ? 1 : 2;
    const { owners, pods } = made(owned(makeWorkload(kind, 'web', { image: 'app:v1', spec })));
    for (const held of subsets(owners)) {
      const name = `${kind} with ${held.map((owner) => owner.kind).join(' and ') || 'pods alone'}`;
      const objects = [node, ...pods, ...held];
      const written = (options) => {
        const workload = makeWorkload(kind, 'web', { ...options, spec });
        const policy = kind === 'CronJob' && { concurrencyPolicy: 'Replace' };
        return { ...workload, spec: { ...workload.spec, ...policy } };
      };
      const same = await check(objects, written({ image: 'app:v1' }));
      assert.deepEqual([same.code, same.rows], [0, [['Fits', asked, asked]]], name);
      // The API server refuses another template of a Job.
      if (kind === 'Job' && held.length > 0) continue;
      const large = await check(objects, written({ cpu: '1000' }));
      assert.deepEqual([large.code, large.rows], [1, [['DoesNotFit', asked, 0]]], name);
    }
  }
});

test('the running Jobs of a CronJob stay, unless only one may run', async () => {
  const workload = owned(makeWorkload('CronJob', 'web'));
  const job = owned(makeWorkload('Job', 'web-29463120'), workload);
  const pod = podOf('web-29463120-x', job, { node: 'a' });
  const written = makeWorkload('CronJob', 'web', { cpu: '2' });
  const cases = { Allow: 'DoesNotFit', Forbid: 'Fits', Replace: 'Fits' };
  for (const held of subsets([workload, job]))
    for (const [concurrencyPolicy, result] of Object.entries(cases)) {
      const spec = { ...written.spec, concurrencyPolicy };
      const { rows } = await check([node, pod, ...held], { ...written, spec });
      assert.equal(rows[0][0], result, concurrencyPolicy);
    }
  const { rows } = await check([node, pod, workload, job], written);
  assert.equal(rows[0][0], 'DoesNotFit', 'Allow is the default');
});

test('pods of others stay', async () => {
  const set = replicaSetOf(owned(makeWorkload('Deployment', 'web')), '7d4b');
  const other = replicaSetOf(owned(makeWorkload('Deployment', 'web-7d4b')), '1f');
  const objects = [node, podOf('a', set, { node: 'a' }), podOf('b', other, { node: 'a' })];
  const { rows } = await check(objects, makeWorkload('Deployment', 'web', { cpu: '2' }));
  assert.deepEqual(rows, [['DoesNotFit', 1, 0]]);
  const { rows: both } = await check(
    objects,
    makeWorkload('Deployment', 'web', { image: 'app:v1' }),
    makeWorkload('Deployment', 'web-7d4b', { image: 'app:v1' }),
  );
  assert.deepEqual(both, [
    ['Fits', 1, 1],
    ['Fits', 1, 1],
  ]);
});

test('pods of a workload that the manifests contain are not counted twice', async () => {
  const deployment = owned(makeWorkload('Deployment', 'web', { spec: { replicas: 2 } }));
  const set = replicaSetOf(deployment, '7d4b', { replicas: 2 });
  const pods = ['x', 'y'].map((id) => podOf(`web-7d4b-${id}`, set, { node: 'a' }));
  const { code, rows } = await check([node], deployment, set, ...pods);
  assert.deepEqual([code, rows], [0, [['Fits', 2, 2]]]);
});

test('the status of a manifest is not the cluster’s', async () => {
  const status = { conditions: [{ type: 'Complete', status: 'True' }], succeeded: 1 };
  const done = { ...makeWorkload('Job', 'import', { cpu: '9' }), status };
  const pod = makePod('once', { cpu: '9', status: { phase: 'Succeeded' } });
  const { code, rows } = await check([node], done, pod);
  assert.equal(code, 1);
  assert.deepEqual(rows, [
    ['DoesNotFit', 1, 0],
    ['DoesNotFit', 1, 0],
  ]);
});

test('a workload that gets no pods never fits', async () => {
  const taken = storedPod('db-0', { cpu: '100m', spec: { nodeName: 'a' } });
  const spec = { replicas: 2 };
  const { code, rows, workloads } = await check(
    [node, taken],
    makeWorkload('StatefulSet', 'db', { spec }),
  );
  assert.deepEqual([code, rows], [1, [['DoesNotFit', 2, 1]]]);
  assert.deepEqual(workloads[0].messages, [
    { message: 'cannot be created: another pod has its name', pods: 1 },
  ]);
});

test('a workload without pods is reported, unless its count is 0', async () => {
  const { code, rows, workloads, summary } = await check(
    [node],
    makeWorkload('DaemonSet', 'agent', { podSpec: { nodeSelector: { gpu: 'yes' } } }),
    makeWorkload('Job', 'later', { spec: { suspend: true } }),
    makeWorkload('Deployment', 'off', { spec: { replicas: 0 } }),
  );
  assert.equal(code, 0);
  assert.deepEqual(rows, [
    ['NotChecked', 0, 0],
    ['NotChecked', 0, 0],
    ['Fits', 0, 0],
  ]);
  assert.deepEqual(
    workloads.map(({ messages }) => messages[0]?.message),
    ['no node is eligible for its pods', 'asks for no pods now', undefined],
  );
  assert.equal(summary.notChecked, 2);
});

test('without manifests: a Deployment that was scaled up makes the missing pods', async () => {
  const names = async (...objects) => {
    const stdin = JSON.stringify(makeList(makeNode('a', { cpu: '99' }), ...objects));
    const { stdout } = await runCli(['simulate', '-', '-o', 'name'], { stdin });
    return stdout.split('\n').filter(Boolean).length;
  };
  const deployment = (replicas, spec = {}) =>
    owned(makeWorkload('Deployment', 'web', { spec: { replicas, ...spec } }));
  const set = (hash, replicas, revision) =>
    replicaSetOf(deployment(1), hash, { replicas, revision });
  const pods = (set, count) =>
    Array.from({ length: count }, (_, at) =>
      podOf(`${set.metadata.name}-x${at}`, set, { node: 'a' }),
    );
  const [one, two] = [set('aa', 2, 1), set('bb', 1, 2)];
  const old = {
    ...one,
    spec: { ...one.spec, template: { ...one.spec.template, spec: { containers: [] } } },
  };
  const cases = [
    ['with its set', [deployment(5), one, ...pods(one, 2)], 3],
    ['a set that lacks pods itself', [deployment(5), one, ...pods(one, 1)], 4],
    ['with its pods alone', [deployment(5), ...pods(one, 2)], 3],
    ['nothing to do', [deployment(2), one, ...pods(one, 2)], 0],
    ['scaled down', [deployment(1), one, ...pods(one, 2)], 0],
    ['a rollout under way', [deployment(3), old, two, ...pods(old, 2), ...pods(two, 1)], 0],
    ['the same, of the pods alone', [deployment(3), ...pods(old, 2), ...pods(two, 1)], 0],
    ['paused', [deployment(3, { paused: true }), old, two, ...pods(old, 2), ...pods(two, 1)], 0],
    ['under way and larger', [deployment(6), old, two, ...pods(old, 2), ...pods(two, 1)], 3],
  ];
  for (const [name, objects, expected] of cases) {
    assert.equal(await names(...objects), expected, name);
    assert.equal(await names(...objects.toReversed()), expected, `${name}, in another order`);
  }
});
