// Goal: `expand` creates the pods that the controllers would create for a workload in any state:
// one that ends, one whose pods ended, one in the middle of an update, a Job that is half done.
// Method: workloads and pods as a cluster has them; the names, indexes and templates of the pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Expansion, podsOf } from '../../../js/src/manifests/expand.js';
import { makeNode } from '../support/objects.js';
import { makeWorkload, owned, podOf } from '../support/workloads.js';

const names = (pods) => pods.map(({ metadata }) => metadata.name);

/**
 * @param {string} kind
 * @param {object} [spec]
 * @param {{ status?: object, metadata?: object }} [rest]
 */
function stored(kind, spec = {}, { status, metadata } = {}) {
  const made = owned(makeWorkload(kind, 'web', { spec }));
  return { ...made, metadata: { ...made.metadata, ...metadata }, ...(status && { status }) };
}

/** @param {any} pod @param {string} phase @param {object} [metadata] */
function inPhase(pod, phase, metadata = {}) {
  return { ...pod, metadata: { ...pod.metadata, ...metadata }, status: { phase } };
}

test('no controller creates pods for a workload that is being deleted', () => {
  const kinds = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'];
  const context = { nodes: [makeNode('a')] };
  for (const kind of kinds) {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    assert.equal(podsOf(stored(kind), context).length, 1, kind);
    assert.deepEqual(podsOf(stored(kind, {}, { metadata }), context), [], kind);
  }
});

test('a StatefulSet’s pod that ended is recreated, a DaemonSet’s and a ReplicaSet’s too', () => {
  for (const phase of ['Failed', 'Succeeded']) {
    const set = stored('StatefulSet', { replicas: 2 });
    const existing = [podOf('web-0', set, { node: 'a' }), inPhase(podOf('web-1', set), phase)];
    const expansion = new Expansion({ existing });
    assert.deepEqual(names(expansion.of(set)), ['web-1'], phase);
    assert.deepEqual([...expansion.ended], [existing[1]], 'the controller deletes it first');

    const daemon = stored('DaemonSet');
    const failed = inPhase(podOf('web-x1', daemon, { node: 'a' }), phase);
    const nodes = [makeNode('a')];
    assert.deepEqual(names(podsOf(daemon, { nodes, existing: [failed] })), ['web-a'], phase);

    const replicas = stored('ReplicaSet');
    const dead = inPhase(podOf('web-x1', replicas), phase);
    assert.deepEqual(names(podsOf(replicas, { existing: [dead] })), ['web-0'], phase);
  }
});

test('a StatefulSet creates no pod whose name another one has', () => {
  const set = stored('StatefulSet', { replicas: 2 });
  const metadata = { ownerReferences: undefined };
  for (const phase of ['Running', 'Failed'])
    assert.deepEqual(
      names(podsOf(set, { existing: [inPhase(podOf('web-1', set), phase, metadata)] })),
      ['web-0'],
      phase,
    );
  const leaving = inPhase(podOf('web-1', set), 'Running', {
    deletionTimestamp: '2026-01-01T00:00:00Z',
  });
  assert.deepEqual(names(podsOf(set, { existing: [leaving] })), ['web-0'], 'it has to end first');
});

/**
 * Cpu and revision of each pod that a StatefulSet lacks.
 * @param {any} set
 * @param {object} context
 */
function statefulPods(set, context) {
  return Object.fromEntries(
    podsOf(set, context).map(({ metadata, spec }) => [
      metadata.name,
      [spec.containers[0].resources.requests.cpu, metadata.labels['controller-revision-hash']],
    ]),
  );
}

/** @param {any} owner @param {string} name @param {string} cpu */
function revisionOf(owner, name, cpu) {
  const { template } = makeWorkload('StatefulSet', 'web', { cpu }).spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { ...podOf(name, owner).metadata, name },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: 1,
  };
}

test('pods below the partition have the current revision, others the new one', () => {
  const spec = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } };
  const status = { currentRevision: 'web-old', updateRevision: 'web-new' };
  const set = stored('StatefulSet', spec, { status });
  const revision = revisionOf(set, 'web-old', '7');
  const former = { 'web-0': ['7', 'web-old'], 'web-1': ['7', 'web-old'] };
  const newest = { 'web-2': ['1', 'web-new'] };
  assert.deepEqual(statefulPods(set, { existing: [set, revision] }), { ...former, ...newest });

  const labels = { 'controller-revision-hash': 'web-old' };
  const pod = podOf('web-0', set, { node: 'a', cpu: '7', labels });
  const { 'web-0': _, ...rest } = former;
  assert.deepEqual(statefulPods(set, { existing: [set, pod] }), { ...rest, ...newest }, 'of a pod');
  const [second] = podsOf(set, { existing: [set, pod] });
  assert.equal(second.spec.nodeName, undefined);

  const expansion = new Expansion({ existing: [set] });
  assert.deepEqual(
    expansion.of(set).map(({ spec: { containers } }) => containers[0].resources.requests.cpu),
    ['1', '1', '1'],
  );
  assert.deepEqual(
    [...expansion.assumptions.values()],
    [
      'web-0, web-1 below the partition are of the revision web-old, whose template the input ' +
        'does not show: the newest template is assumed',
    ],
  );
  const onDelete = stored('StatefulSet', { replicas: 1, updateStrategy: { type: 'OnDelete' } });
  const made = statefulPods({ ...onDelete, status }, { existing: [revision] });
  assert.deepEqual(made, { 'web-0': ['1', 'web-new'] });
});

test('a manifest’s StatefulSet has the former template of the one that it replaces', () => {
  const spec = { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } };
  const written = makeWorkload('StatefulSet', 'web', { cpu: '5', spec });
  const revisions = { currentRevision: 'web-old', updateRevision: 'web-old' };
  const before = stored('StatefulSet', spec, { status: revisions });
  const cpusOf = (context) => Object.values(statefulPods(written, context)).map(([cpu]) => cpu);
  assert.deepEqual(cpusOf({ replaced: [before] }), ['1', '5']);
  assert.deepEqual(cpusOf({}), ['5', '5'], 'a new one');
  const { 'web-0': old, 'web-1': fresh } = statefulPods(written, { replaced: [before] });
  assert.equal(old[1], 'web-old');
  assert.notEqual(fresh[1], 'web-old');
  const { status: _, ...unreported } = before;
  assert.deepEqual(cpusOf({ replaced: [unreported] }), ['1', '5'], 'without a status');
  const rolling = { ...before, status: { ...revisions, updateRevision: 'web-mid' } };
  const labels = { 'controller-revision-hash': 'web-old' };
  const pod = podOf('web-0', before, { node: 'a', cpu: '3', labels });
  assert.deepEqual(cpusOf({ replaced: [rolling, pod] }), ['3', '5'], 'in the middle of an update');
});

/** Indexes of the pods that an Indexed Job lacks. @param {object} spec @param {object} rest */
function indexesOf(spec, { status, phases = {} }) {
  const job = stored('Job', { completionMode: 'Indexed', ...spec }, { status });
  const existing = Object.entries(phases).map(([index, phase]) => {
    const pod = podOf(`web-${index}-x`, job, { node: 'a' });
    const annotations = { 'batch.kubernetes.io/job-completion-index': index };
    return inPhase(pod, phase, { annotations });
  });
  return podsOf(job, { existing }).map(({ metadata: { labels } }) =>
    Number(labels['batch.kubernetes.io/job-completion-index']),
  );
}

test('an Indexed Job runs the lowest indexes that neither completed nor failed', () => {
  const three = { completions: 3, parallelism: 3, backoffLimitPerIndex: 0 };
  const phases = { 0: 'Running', 1: 'Failed', 2: 'Running' };
  const cases = [
    ['failed', three, { status: { failedIndexes: '1' }, phases }, []],
    ['failed, and not counted yet', three, { status: {}, phases }, []],
    ['may fail again', { ...three, backoffLimitPerIndex: 1 }, { status: {}, phases }, [1]],
    ['no limit of its own', { completions: 3, parallelism: 3 }, { phases }, [1]],
    [
      'half done',
      { completions: 4, parallelism: 2 },
      { status: { succeeded: 2, completedIndexes: '0,1' } },
      [2, 3],
    ],
    [
      'gaps',
      { completions: 9, parallelism: 4 },
      { status: { completedIndexes: '0-2,5' }, phases: { 3: 'Running' } },
      [4, 6, 7],
    ],
    ['from its pods', { completions: 2, parallelism: 2 }, { phases: { 0: 'Succeeded' } }, [1]],
  ];
  for (const [name, spec, state, expected] of cases)
    assert.deepEqual(indexesOf(spec, state), expected, name);
  const status = { completedIndexes: 7 };
  const field = 'status.completedIndexes';
  assert.throws(() => indexesOf(three, { status }), { name: 'InputError', field });
});

test('a Job counts its pods as the Job controller does', () => {
  const finalizers = ['batch.kubernetes.io/job-tracking'];
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  /** @param {object} spec @param {object} status @param {[string, object?][]} pods */
  const madeFor = (spec, status, pods = []) => {
    const job = stored('Job', spec, { status });
    const existing = pods.map(([phase, metadata], at) =>
      inPhase(podOf(`p${at}`, job, { node: 'a' }), phase, metadata),
    );
    return podsOf(job, { existing }).length;
  };
  const two = { completions: 2, parallelism: 2 };
  const uid = podOf('p0', stored('Job')).metadata.uid;
  const uncounted = { succeeded: 0, uncountedTerminatedPods: { succeeded: [uid] } };
  const leaving = [['Running', { deletionTimestamp }]];
  const cases = [
    ['managed by others', 0, { managedBy: 'kueue.x-k8s.io/multikueue' }, {}],
    ['managed by itself', 1, { managedBy: 'kubernetes.io/job-controller' }, {}],
    ['a terminating pod is replaced', 1, {}, {}, leaving],
    ['or not before it ended', 0, { podReplacementPolicy: 'Failed' }, {}, leaving],
    ['uncounted', 1, two, uncounted, [['Succeeded']]],
    ['uncounted, with its finalizer', 1, two, uncounted, [['Succeeded', { finalizers }]]],
    ['fresh', 0, two, uncounted, [['Succeeded'], ['Succeeded', { finalizers }]]],
    ['counted', 1, two, { succeeded: 1 }, [['Succeeded']]],
    ['no count', 1, two, {}, [['Succeeded']]],
  ];
  for (const [name, expected, ...given] of cases) assert.equal(madeFor(...given), expected, name);
});
