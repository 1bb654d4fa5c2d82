// Goal: `check --gang` says whether the pods of a manifest start together, and what is in the way.
// Method: small clusters and manifests of several systems, through the real engine.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, makePodGroup, storedPod } from '../../support/objects.js';
import { startNative, TARGETS } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  readFileSync(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();
const racks = ['a', 'a', 'b'].map((rack, at) =>
  makeNode(`${rack}${at}`, { cpu: '4', labels: { rack } }),
);
const cluster = await file('cluster.json', makeList(...racks));

/** @param {object} [marks] @param {object} [fields] of the pods' spec */
const template = (marks = {}, fields = {}) => ({
  metadata: marks,
  spec: makePod('x', { cpu: '2', spec: { restartPolicy: 'Never', ...fields } }).spec,
});

/** @param {string} name @param {number} parallelism @param {object} [pods] their template */
const job = (name, parallelism, pods = template()) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { parallelism, completions: parallelism, template: pods },
});

/** @param {string} name @param {number} replicas of jobs with two pods */
const jobSet = (name, replicas) => ({
  apiVersion: 'jobset.x-k8s.io/v1alpha2',
  kind: 'JobSet',
  metadata: { name },
  spec: {
    replicatedJobs: [{ name: 'w', replicas, template: { spec: job('x', 2).spec } }],
  },
});

const inOneRack = template({
  annotations: { 'kueue.x-k8s.io/podset-required-topology': 'rack' },
});

/**
 * @param {object[]} manifests
 * @param {{ argv?: string[], target?: keyof typeof TARGETS, cluster?: string }} [options]
 */
async function checked(manifests, { argv = [], target = 'native', cluster: at = cluster } = {}) {
  const { engine } = await TARGETS[target]();
  const path = await file('manifests.json', makeList(...manifests));
  const words = ['check', '--gang', '-f', path, '--cluster', at, '-o', 'json', ...argv];
  const { code, stdout, stderr } = await runCli(words, { loadEngine: async () => engine });
  const report = JSON.parse(stdout);
  assert.deepEqual(validate(schema, report), []);
  return { code, report, stderr, rows: report.workloads.map(rowOf) };
}

/** @param {any} verdict */
const rowOf = ({ kind, name, result, replicas, placed }) =>
  `${kind} ${name}: ${result}, ${placed} of ${replicas}`;

for (const target of /** @type {const} */ (['native', 'wasm'])) {
  test(`${target}: a JobSet starts as a whole or not at all`, async () => {
    const fits = await checked([jobSet('train', 3)], { target });
    assert.deepEqual([fits.code, fits.rows], [0, ['JobSet train: Fits, 6 of 6']]);
    const { code, rows, report } = await checked([jobSet('train', 4)], { target });
    assert.deepEqual([code, rows], [1, ['JobSet train: DoesNotFit, 0 of 8']]);
    const [{ messages, waiting, gangs, nearest }] = report.workloads;
    const why = '0/3 nodes are available: 3 Insufficient cpu.';
    const message =
      '6 of 8 pods of the group can run, 2 fewer than minCount 8; pod default/train-w-3-0: ';
    assert.deepEqual(messages, [{ message: `as a gang: ${message}${why}`, pods: 8 }]);
    assert.equal(waiting.length, 8);
    assert.match(nearest, /^a0: the pod asks for 2 cpu, 4 of 4 are taken, most by /);
    const [{ blocker, ...gang }] = gangs;
    assert.deepEqual(gang, {
      ...{ name: '', starts: false, pods: 8, placed: 6, minCount: 8, largestMinCount: 6 },
      message: message + why,
      order: { helps: false, pods: [] },
      evicts: [],
      notModelled: [],
    });
    assert.deepEqual([blocker.pod, blocker.message], ['default/train-w-3-0', why]);
  });
}

test('each gang has the room that those before it leave', async () => {
  const manifests = [job('first', 4), job('second', 3), job('third', 2)];
  const { rows } = await checked(manifests);
  assert.deepEqual(rows, [
    'Job first: Fits, 4 of 4',
    'Job second: DoesNotFit, 0 of 3',
    'Job third: Fits, 2 of 2',
  ]);
});

test('a required topology keeps the pods in one domain', async () => {
  const { rows, report } = await checked([job('four', 4, inOneRack), job('two', 2, inOneRack)]);
  assert.deepEqual(rows, ['Job four: Fits, 4 of 4', 'Job two: Fits, 2 of 2']);
  assert.deepEqual(report.workloads[1].gangs[0].nearestDomain, { domain: 'b', pods: 2 });
  const five = await checked([job('five', 5, inOneRack)]);
  assert.match(
    five.report.workloads[0].messages[0].message,
    /^as a gang: 4 of 5 pods .*; the nearest domain rack=a takes 4 of 5\.$/,
  );
  const elsewhere = template({
    annotations: { 'kueue.x-k8s.io/podset-required-topology': 'zone' },
  });
  const none = await checked([job('none', 2, elsewhere)]);
  assert.match(none.report.workloads[0].messages[0].message, /; no node has the label zone\.$/);
});

test('pods of a PodGroup are one gang; what is not asked as one is placed as ever', async () => {
  const group = {
    apiVersion: 'scheduling.k8s.io/v1beta1',
    kind: 'PodGroup',
    metadata: { name: 'g' },
    spec: { schedulingPolicy: { gang: { minCount: 3 } } },
  };
  const member = template({}, { schedulingGroup: { podGroupName: 'g' } });
  const web = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: makePod('x', { cpu: '2' }).spec },
    },
  };
  const some = await checked([group, job('a', 2, member), job('b', 4, member), web]);
  assert.deepEqual(some.rows, [
    'Job a: Fits, 2 of 2',
    'Job b: Fits, 2 of 4',
    'Deployment web: Fits, 2 of 2',
  ]);
  assert.deepEqual(some.report.workloads[0].gangs[0].placed, 4);
  const alone = await checked([group]);
  assert.deepEqual(alone.rows, ['PodGroup g: NotChecked, 0 of 0']);
  assert.equal(alone.report.workloads[0].messages[0].message, 'no pod names it');
  const few = await checked([group, job('a', 2, member)]);
  assert.deepEqual(few.rows, ['Job a: DoesNotFit, 0 of 2']);
  assert.match(
    few.report.workloads[0].messages[0].message,
    /waiting for minCount pods from a gang/,
  );
});

test('pods in the cluster are members too', async () => {
  const group = {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name: 'g' },
    spec: { schedulingPolicy: { gang: { minCount: 3 } } },
  };
  const spec = { schedulingGroup: { podGroupName: 'g' } };
  const members = [
    storedPod('runs', { cpu: '2', spec: { ...spec, nodeName: 'a0' } }),
    storedPod('waits', { cpu: '2', spec }),
  ];
  const at = await file('members.json', makeList(...racks, ...members));
  const two = await checked([group], { cluster: at });
  assert.deepEqual(two.rows, ['PodGroup g: DoesNotFit, 1 of 2']);
  const third = makePod('new', { cpu: '2', spec });
  const three = await checked([group, third], { cluster: at });
  assert.deepEqual(three.rows, ['Pod new: Fits, 1 of 1']);
  assert.deepEqual(three.report.workloads[0].gangs[0].pods, 3);
});

test('a gang takes the place of its old pods, all at once', async () => {
  const group = makePodGroup('g', { minCount: 3 });
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'ps', namespace: 'default', uid: 'ps' },
    spec: {
      replicas: 3,
      serviceName: 'ps',
      selector: { matchLabels: { app: 'ps' } },
      template: {
        metadata: { labels: { app: 'ps' } },
        spec: makePod('x', { cpu: '4', spec: { schedulingGroup: { podGroupName: 'g' } } }).spec,
      },
    },
  };
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'ps', uid: 'ps', controller: true },
  ];
  const old = [0, 1, 2].map((at) =>
    storedPod(`ps-${at}`, {
      cpu: '3',
      metadata: { ownerReferences, labels: { app: 'ps' } },
      spec: { nodeName: racks[at].metadata.name },
      status: { phase: 'Running' },
    }),
  );
  const at = await file('old.json', makeList(...racks, set, ...old));
  const { metadata, ...written } = set;
  const { rows } = await checked([group, { ...written, metadata: { name: metadata.name } }], {
    cluster: at,
  });
  assert.deepEqual(rows, ['StatefulSet ps: Fits, 3 of 3']);
});

test('pods of other schedulers are asked, with a note', async () => {
  const task = (/** @type {string} */ name, /** @type {number} */ replicas) => ({
    ...{ name, replicas, template: template() },
  });
  const { rows, report } = await checked([
    {
      apiVersion: 'batch.volcano.sh/v1alpha1',
      kind: 'Job',
      metadata: { name: 'mpi' },
      spec: { minAvailable: 3, queue: 'q', tasks: [task('master', 1), task('worker', 6)] },
    },
  ]);
  assert.deepEqual(rows, ['Job mpi: Fits, 6 of 7']);
  assert.equal(
    report.workloads[0].messages.at(-1).message,
    'Not modelled: the queue, the plugins of the scheduler volcano.',
  );
});

test('a gang may evict', async () => {
  const classes = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
  const high = { ...classes, metadata: { name: 'high' }, value: 100 };
  const low = ['p', 'q', 'r'].map((name, at) =>
    storedPod(name, { cpu: '4', spec: { nodeName: racks[at].metadata.name, priority: 0 } }),
  );
  const at = await file('full.json', makeList(...racks, high, ...low));
  const pods = template({}, { priorityClassName: 'high' });
  const { code, rows, report } = await checked([job('vip', 3, pods)], { cluster: at });
  assert.deepEqual([code, rows], [0, ['Job vip: FitsByPreemption, 3 of 3']]);
  assert.equal(report.workloads[0].evicts.length, 2);
});

test('bad input is a problem, not an exception', async () => {
  const pods = await checked([job('bad', 2, template({}, { tolerations: 'all' }))], {
    argv: ['--validate', 'ignore'],
  });
  assert.equal(pods.code, 2);
  const [{ message, place }] = pods.report.problems;
  assert.match(message, /tolerations/);
  assert.equal(typeof place.line, 'number');
  const { report, code } = await checked([{ ...jobSet('x', 1), spec: { replicatedJobs: [{}] } }]);
  assert.equal(code, 2);
  assert.match(report.problems[0].message, /spec.template.spec: Required value|a pod template/);
});

test('a count that cannot be asked about is a problem, and the rest is asked', async () => {
  const { report, code } = await checked([jobSet('many', 20_000), job('small', 1, template({}))]);
  assert.equal(code, 2);
  const names = report.workloads.map((/** @type {{ name: string }} */ { name }) => name);
  assert.deepEqual(names, ['small']);
  const [{ message, place }, ...others] = report.problems;
  assert.deepEqual(others, []);
  const group = { apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup' };
  const bad = { ...group, metadata: { name: 'bad' }, spec: { minMember: '16' } };
  const second = await checked([bad, job('small', 1, template({}))]);
  assert.deepEqual([second.code, second.rows.length], [2, 1]);
  assert.match(second.report.problems[0].message, /bad: spec\.minMember: a whole number/);
  assert.match(message, /many: spec\.replicatedJobs\[0\]\.replicas: .*from 0 to 10000 is expected/);
  assert.equal(typeof place.line, 'number');
});

const FOLDER = '../shared/data/gang';
const SHARED = fileURLToPath(new URL(`../../../../${FOLDER}/`, import.meta.url));
const NEEDS_SHARED_DATA = {
  skip: existsSync(SHARED) ? false : `needs the folder ${FOLDER} beside the project`,
};

test('manifests of real systems are read', NEEDS_SHARED_DATA, async () => {
  const { engine } = await startNative();
  const names = readdirSync(SHARED, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const name of names) {
    const argv = ['check', '--gang', '-f', SHARED + name, '--cluster', cluster, '-o', 'json'];
    const { stdout } = await runCli(argv, { loadEngine: async () => engine });
    const { workloads } = JSON.parse(stdout);
    for (const { kind, replicas, gangs = [] } of workloads)
      (found[kind] ??= []).push(
        ...gangs.map((/** @type {any} */ gang) => `${gang.minCount} of ${replicas}`),
      );
  }
  assert.deepEqual(
    Object.fromEntries(Object.entries(found).map(([kind, gangs]) => [kind, gangs.sort()])),
    {
      Deployment: ['2 of 2', '2 of 2'],
      Job: ['10 of 10', '2 of 2', '3 of 3', '3 of 3'],
      JobSet: ['4 of 4'],
      LeaderWorkerSet: ['3 of 6', '3 of 6'],
      PodGroup: [],
    },
  );
});
