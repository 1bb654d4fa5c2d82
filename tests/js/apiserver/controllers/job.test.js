// Goal: Jobs create pods until enough succeeded or too many failed, count each once, and report the
// result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatIndexes,
  parseIndexes,
} from '../../../../js/src/kubernetes/workloads/job_indexes.js';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { World } from './world.js';

const FINALIZER = 'batch.kubernetes.io/job-tracking';

/** @param {object} spec @param {object} [podSpec] */
function job(spec, podSpec = { restartPolicy: 'Never' }) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work' },
    spec: {
      template: {
        metadata: { labels: { app: 'work' } },
        spec: { containers: [{ name: 'main', image: 'app:v1' }], ...podSpec },
      },
      ...spec,
    },
  };
}

/** @param {import('node:test').TestContext} t @param {object} object */
async function prepare(t, object) {
  const world = new World(workloads);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(object);
  await world.settle();
  return world;
}

const active = (world) =>
  world
    .list('pods')
    .filter(({ metadata, status }) => !metadata.deletionTimestamp && !isEnded(status))
    .map(({ metadata }) => metadata.name);
const isEnded = (status) => ['Succeeded', 'Failed'].includes(status?.phase);
const conditions = (world) =>
  (world.get('jobs', 'work').status.conditions ?? []).map(
    ({ type, status, reason }) => `${type}=${status} ${reason}`,
  );

/** @param {World} world @param {'Succeeded' | 'Failed'} phase @param {...string} names */
async function end(world, phase, ...names) {
  for (const name of names) world.patchStatus('pods', name, { phase });
  await world.settle();
}

test('a Job creates its pods, counts them and completes', async (t) => {
  const world = await prepare(t, job({ completions: 3, parallelism: 2 }));
  assert.equal(active(world).length, 2);
  const [pod] = world.list('pods');
  const { uid } = world.get('jobs', 'work').metadata;
  assert.deepEqual(pod.metadata.finalizers, [FINALIZER]);
  assert.deepEqual(pod.metadata.labels, {
    app: 'work',
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': 'work',
    'controller-uid': uid,
    'job-name': 'work',
  });
  assert.match(world.get('jobs', 'work').status.startTime, /^2026-03-01T00:00:00Z$/);
  await end(world, 'Succeeded', ...active(world));
  assert.equal(active(world).length, 1);
  await end(world, 'Succeeded', ...active(world));
  const { status } = world.get('jobs', 'work');
  assert.deepEqual(
    [status.succeeded, status.active, status.ready, status.terminating],
    [3, undefined, 0, 0],
  );
  assert.deepEqual(status.uncountedTerminatedPods, {});
  assert.equal(status.completionTime, '2026-03-01T00:00:00Z');
  assert.deepEqual(conditions(world), [
    'SuccessCriteriaMet=True CompletionsReached',
    'Complete=True CompletionsReached',
  ]);
  assert.deepEqual(
    world.list('pods').map(({ metadata }) => metadata.finalizers ?? []),
    [[], [], []],
  );
});

test('a Job without completions ends with its first success', async (t) => {
  const world = await prepare(t, job({ parallelism: 3 }));
  const [first, ...others] = active(world);
  await end(world, 'Succeeded', first);
  assert.equal(active(world).length, 2);
  await end(world, 'Succeeded', ...others);
  assert.ok(conditions(world).includes('Complete=True CompletionsReached'));
});

test('failed pods are replaced after a backoff, until there were too many', async (t) => {
  const world = await prepare(t, job({ completions: 1, backoffLimit: 2 }));
  await end(world, 'Failed', ...active(world));
  assert.deepEqual(active(world), []);
  await world.advance(9000);
  assert.deepEqual(active(world), []);
  await world.advance(2000);
  assert.equal(active(world).length, 1);
  await end(world, 'Failed', ...active(world));
  await world.advance(19_000);
  assert.deepEqual(active(world), []);
  await world.advance(2000);
  await end(world, 'Failed', ...active(world));
  assert.deepEqual(conditions(world), [
    'FailureTarget=True BackoffLimitExceeded',
    'Failed=True BackoffLimitExceeded',
  ]);
  const { status } = world.get('jobs', 'work');
  assert.deepEqual([status.failed, status.succeeded, status.active], [3, undefined, undefined]);
});

test('a deleted pod counts as failed, once', async (t) => {
  const world = await prepare(t, job({ completions: 2, parallelism: 2 }));
  const [first] = active(world);
  world.run(...active(world));
  world.delete('pods', first);
  await world.settle();
  assert.equal(world.get('jobs', 'work').status.failed, 1);
  assert.equal(world.get('jobs', 'work').status.terminating, 1);
  world.delete('pods', first, { gracePeriodSeconds: 0 });
  await world.advance(11_000);
  const { status } = world.get('jobs', 'work');
  assert.deepEqual([status.failed, status.active, status.terminating], [1, 2, 0]);
});

test('each index of an Indexed Job succeeds once', async (t) => {
  const world = await prepare(
    t,
    job({ completions: 5, parallelism: 3, completionMode: 'Indexed' }),
  );
  const indexOf = ({ metadata }) =>
    Number(metadata.annotations['batch.kubernetes.io/job-completion-index']);
  const byIndex = (index) => {
    const found = world
      .list('pods')
      .filter((pod) => indexOf(pod) === index && !isEnded(pod.status));
    return found.map(({ metadata }) => metadata.name);
  };
  assert.deepEqual(world.list('pods').map(indexOf).sort(), [0, 1, 2]);
  const [pod] = world.list('pods').filter((one) => indexOf(one) === 1);
  assert.match(pod.metadata.name, /^work-1-[a-z0-9]{5}$/);
  assert.equal(pod.spec.hostname, 'work-1');
  assert.equal(pod.spec.containers[0].env[0].name, 'JOB_COMPLETION_INDEX');
  await end(world, 'Succeeded', ...byIndex(0), ...byIndex(2));
  assert.equal(world.get('jobs', 'work').status.completedIndexes, '0,2');
  assert.deepEqual([byIndex(3).length, byIndex(4).length], [1, 1]);
  await end(world, 'Failed', ...byIndex(1));
  await world.advance(11_000);
  assert.equal(byIndex(1).length, 1);
  await end(world, 'Succeeded', ...byIndex(1), ...byIndex(3), ...byIndex(4));
  const { status } = world.get('jobs', 'work');
  assert.deepEqual([status.completedIndexes, status.succeeded, status.failed], ['0-4', 5, 1]);
  assert.ok(conditions(world).includes('Complete=True CompletionsReached'));
});

test('indexes are written as ranges', () => {
  const cases = [
    ['', []],
    ['0', [0]],
    ['0,1', [0, 1]],
    ['0-2,4', [0, 1, 2, 4]],
    ['1-3,5,7,8', [1, 2, 3, 5, 7, 8]],
  ];
  for (const [text, indexes] of cases) {
    assert.equal(formatIndexes(new Set(indexes)), text);
    assert.deepEqual([...parseIndexes(text, 10)], indexes);
  }
  assert.deepEqual([...parseIndexes('0-8', 3)], [0, 1, 2]);
});

test('a suspended Job has no pods, and starts anew when it is resumed', async (t) => {
  const world = await prepare(t, job({ completions: 2, parallelism: 2, suspend: true }));
  assert.deepEqual(active(world), []);
  assert.deepEqual(conditions(world), ['Suspended=True JobSuspended']);
  assert.equal(world.get('jobs', 'work').status.startTime, undefined);
  await world.advance(5000);
  world.patchSpec('jobs', 'work', { suspend: false });
  await world.settle();
  assert.equal(active(world).length, 2);
  assert.deepEqual(conditions(world), ['Suspended=False JobResumed']);
  assert.equal(world.get('jobs', 'work').status.startTime, '2026-03-01T00:00:05Z');
  world.patchSpec('jobs', 'work', { suspend: true });
  await world.settle();
  assert.deepEqual(active(world), []);
  assert.equal(world.get('jobs', 'work').status.failed, undefined);
});

test('a Job that takes too long fails, and its pods go', async (t) => {
  const world = await prepare(t, job({ completions: 1, activeDeadlineSeconds: 30 }));
  await world.advance(29_000);
  assert.equal(active(world).length, 1);
  await world.advance(2000);
  assert.deepEqual(active(world), []);
  assert.deepEqual(conditions(world), [
    'FailureTarget=True DeadlineExceeded',
    'Failed=True DeadlineExceeded',
  ]);
});

test('parallelism may grow and shrink', async (t) => {
  const world = await prepare(t, job({ completions: 10, parallelism: 1 }));
  world.patchSpec('jobs', 'work', { parallelism: 4 });
  await world.settle();
  assert.equal(active(world).length, 4);
  world.patchSpec('jobs', 'work', { parallelism: 2 });
  await world.settle();
  assert.equal(active(world).length, 2);
  assert.equal(world.get('jobs', 'work').status.failed, undefined);
});

test('a finished Job is deleted after its time to live', async (t) => {
  const world = await prepare(t, job({ completions: 1, ttlSecondsAfterFinished: 60 }));
  await end(world, 'Succeeded', ...active(world));
  await world.advance(59_000);
  assert.equal(world.get('jobs', 'work').metadata.deletionTimestamp, undefined);
  await world.advance(2000);
  // The garbage collector has to delete its pods first.
  assert.ok(world.get('jobs', 'work').metadata.deletionTimestamp);
});

test('pods of a Job that is gone are kept by no finalizer', async (t) => {
  const world = await prepare(t, job({ completions: 2, parallelism: 2 }));
  world.delete('jobs', 'work', { propagationPolicy: 'Background' });
  await world.settle();
  for (const { metadata } of world.list('pods')) assert.deepEqual(metadata.finalizers ?? [], []);
});

test('restarts of containers count against the limit', async (t) => {
  const object = job({ completions: 1, backoffLimit: 3 }, { restartPolicy: 'OnFailure' });
  const world = await prepare(t, object);
  const [name] = active(world);
  world.patchStatus('pods', name, { phase: 'Running', containerStatuses: [{ restartCount: 3 }] });
  await world.settle();
  assert.ok(conditions(world).includes('Failed=True BackoffLimitExceeded'));
});
