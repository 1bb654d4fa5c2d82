// Goal: commands create the pods that the controllers would create for the workloads of an input,
// in each state that an input can have them in, and say what they assume and what is refused.
// Method: dumps and manifests through the command line, with the engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeList, makeNode } from '../../support/objects.js';
import { makeFolder } from '../../support/folder.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload, owned, podOf } from '../../support/workloads.js';

const { file } = await makeFolder();
let count = 0;

/** Pods that `simulate` decides about, and where it places them. @param {object[]} objects */
async function simulated(...objects) {
  const stdin = JSON.stringify(makeList(...objects));
  const { stdout, stderr } = await runCli(['simulate', '-', '-o', 'json'], { stdin });
  const rows = JSON.parse(stdout).pods.map(({ name, node }) => [name, node]);
  return { rows: Object.fromEntries(rows), stderr };
}

/**
 * Results of `check`.
 * @param {object[]} objects of the cluster
 * @param {object[]} manifests
 */
async function checked(objects, ...manifests) {
  const cluster = await file(`${(count += 1)}.json`, makeList(...objects));
  const stdin = JSON.stringify(makeList(...manifests));
  const argv = ['check', '-', '--cluster', cluster, '-o', 'json'];
  const { stdout, stderr, code } = await runCli(argv, { stdin });
  return { workloads: stdout ? JSON.parse(stdout).workloads : [], stderr, code };
}

test('a failed pod of a StatefulSet gives its name to a new one', async () => {
  const set = owned(makeWorkload('StatefulSet', 'db', { cpu: '3', spec: { replicas: 2 } }));
  const first = podOf('db-0', set, { node: 'a', cpu: '3' });
  const failed = { ...podOf('db-1', set, { node: 'a', cpu: '3' }), status: { phase: 'Failed' } };
  const nodes = [makeNode('a', { cpu: '4' }), makeNode('b', { cpu: '4' })];
  for (const objects of [
    [...nodes, set, first, failed],
    [failed, first, set, ...nodes],
  ])
    assert.deepEqual((await simulated(...objects)).rows, { 'db-1': 'b' });
});

test('pods below a partition have the former template, new ones too', async () => {
  const spec = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 5 } } };
  const revisions = { status: { currentRevision: 'db-1', updateRevision: 'db-1' } };
  const stored = (cpu) => ({
    ...owned(makeWorkload('StatefulSet', 'db', { cpu, spec: { replicas: 2 } })),
    ...revisions,
  });
  const check = async (before, after) => {
    const set = stored(before);
    const pods = ['db-0', 'db-1'].map((name) => podOf(name, set, { node: 'a', cpu: '1' }));
    const cluster = [makeNode('a', { cpu: '3' }), set, ...pods];
    const written = makeWorkload('StatefulSet', 'db', { cpu: after, spec });
    const { workloads } = await checked(cluster, written);
    return workloads.map(({ result, placed }) => [result, placed]);
  };
  assert.deepEqual(await check('2', '100m'), [['DoesNotFit', 2]]);
  assert.deepEqual(await check('1', '8'), [['Fits', 3]]);
});

test('a revision that the input does not show is a warning', async () => {
  const spec = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 3 } } };
  const status = { currentRevision: 'db-1', updateRevision: 'db-2' };
  const set = { ...owned(makeWorkload('StatefulSet', 'db', { spec })), status };
  const { stderr } = await simulated(makeNode('a', { cpu: '9' }), set);
  assert.match(
    stderr,
    /^warning: .*: StatefulSet default\/db: db-0, db-1 and 1 more below the partition are of the/m,
  );
});

test('a manifest of a removed version is an error of check in each mode', async () => {
  const written = { ...makeWorkload('CronJob', 'old', { cpu: '99' }), apiVersion: 'batch/v1beta1' };
  const said = 'no matches for kind "CronJob" in version "batch/v1beta1": v1.36 serves batch/v1';
  const { code, stderr } = await checked([makeNode('a')], written);
  assert.equal(code, 2);
  assert.ok(stderr.includes(`CronJob default/old: ${said}`), stderr);
  const cluster = await file('removed.json', makeList(makeNode('a')));
  const stdin = JSON.stringify(written);
  const argv = ['check', '-', '--cluster', cluster, '--validate=ignore'];
  assert.equal((await runCli(argv, { stdin })).code, 2);

  const old = { ...makeWorkload('Deployment', 'web'), apiVersion: 'extensions/v1beta1' };
  const { rows, stderr: warned } = await simulated(makeNode('a'), old);
  assert.equal(Object.keys(rows).length, 1);
  assert.match(warned, /^warning: .*no matches for kind "Deployment" in version "extensions/m);
});

/** @param {string} name @param {string} [phase] */
function namespaceOf(name, phase = 'Active') {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: `n-${name}` },
    status: { phase },
  };
}

test('nothing is created in a namespace that is being deleted', async () => {
  const cluster = [makeNode('a', { cpu: '9' }), namespaceOf('gone', 'Terminating')];
  const inGone = (object) => ({ ...object, metadata: { ...object.metadata, namespace: 'gone' } });
  const cause =
    'is forbidden: unable to create new content in namespace gone because it is being terminated';
  const kinds = [
    ['Deployment', 'deployments.apps'],
    ['CronJob', 'cronjobs.batch'],
    ['StatefulSet', 'statefulsets.apps'],
  ];
  for (const [kind, resource] of kinds) {
    const { workloads, code } = await checked(cluster, inGone(makeWorkload(kind, 'web')));
    assert.equal(code, 1, kind);
    assert.deepEqual(
      workloads.map(({ result, messages }) => [result, messages[0].message]),
      [['DoesNotFit', `${resource} "web" ${cause}`]],
    );
  }
  const present = inGone(owned(makeWorkload('StatefulSet', 'web')));
  const { workloads } = await checked(
    [...cluster, present],
    inGone(makeWorkload('StatefulSet', 'web')),
  );
  assert.equal(
    workloads[0].messages[0].message,
    `pods "web-0" ${cause}`,
    'an update is no creation',
  );

  const limits = { spec: { limits: [{ type: 'Pod', max: { cpu: '8' } }] } };
  const range = inGone({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'l' },
    ...limits,
  });
  const stored = { ...range, metadata: { ...range.metadata, uid: 'u-l' } };
  const refused = `LimitRange gone/l is refused: limitranges "l" ${cause}`;
  assert.ok((await checked(cluster, range)).stderr.includes(refused));
  for (const one of [stored, range])
    assert.doesNotMatch((await checked([...cluster, one], range)).stderr, /warning/);

  const pod = inGone(podOf('bare', present));
  const { uid, ownerReferences, ...metadata } = pod.metadata;
  const { rows, stderr } = await simulated(...cluster, { ...pod, metadata });
  assert.deepEqual(rows, {});
  assert.ok(stderr.includes(`Pod gone/bare is refused: pods "bare" ${cause}`), stderr);
  const open = await checked([cluster[0], namespaceOf('gone')], inGone(makeWorkload('Job', 'web')));
  assert.equal(open.workloads[0].result, 'Fits');
});

test('names that make the labels and names of controllers too long are refused', async () => {
  const cases = [
    [
      'StatefulSet',
      55,
      /^Pod "x+-0" is invalid: metadata\.labels: .*x-[a-z0-9]+": must be no more/,
    ],
    ['Deployment', 250, /^ReplicaSet\.apps "x+-\w+" is invalid: metadata\.name: .*than 253 bytes$/],
  ];
  for (const [kind, length, message] of cases) {
    const written = makeWorkload(kind, 'x'.repeat(length));
    const labels = { app: 'x' };
    const { template } = written.spec;
    const spec = {
      ...written.spec,
      selector: { matchLabels: labels },
      template: { ...template, metadata: { labels } },
    };
    const { workloads, code } = await checked([makeNode('a')], { ...written, spec });
    assert.equal(code, 1, kind);
    assert.match(workloads[0].messages[0].message, message);
    const short = makeWorkload(kind, 'x'.repeat(52));
    assert.equal((await checked([makeNode('a')], short)).workloads[0].result, 'Fits', kind);
  }
});

test('check warns of replicas that an autoscaler adds at once', async () => {
  const scaler = (/** @type {any} */ minReplicas, name = 'web', apiVersion = 'autoscaling/v2') => ({
    apiVersion,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'wide' },
    spec: {
      minReplicas,
      maxReplicas: 9,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    },
  });
  const web = (/** @type {object} */ spec = {}) => makeWorkload('Deployment', 'web', { spec });
  const warning = /default\/web: HorizontalPodAutoscaler wide keeps at least 6 .* 1 was checked: /;
  for (const [autoscaler, deployment, isSaid] of [
    [scaler(6), web(), true],
    [scaler(6, 'web', 'autoscaling/v1'), web(), true],
    [scaler(6), web({ replicas: 6 }), false],
    [scaler(6), web({ replicas: 0 }), false],
    [scaler(undefined), web(), false],
    [scaler(6, 'other'), web(), false],
  ]) {
    const { stderr, code } = await checked([makeNode('a', { cpu: '9' })], autoscaler, deployment);
    assert.equal(code, 0);
    (isSaid ? assert.match : assert.doesNotMatch)(stderr, warning);
  }
});
