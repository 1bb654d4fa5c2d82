// Goal: a PodDisruptionBudget reports the number of allowed evictions by upstream's rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disruption } from '../../../../js/apiserver/controllers/disruption/disruption_controller.js';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { template, workload, World } from './world.js';

/** @param {object} spec */
const budget = (spec) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'guard' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});

/** @param {import('node:test').TestContext} t @param {object} spec @param {number} replicas */
async function prepare(t, spec, replicas) {
  const world = new World(disruption, workloads);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(budget(spec), workload('Deployment', 'web', { replicas }));
  await world.settle();
  return world;
}

/** Returns allowed, healthy, desired, expected. @param {World} world */
function counts(world) {
  const { status } = world.get('poddisruptionbudgets', 'guard');
  return [
    status.disruptionsAllowed,
    status.currentHealthy,
    status.desiredHealthy,
    status.expectedPods,
  ];
}

test('disruptionsAllowed follows from healthy and desired pods', async (t) => {
  const cases = [
    [{ minAvailable: 2 }, [2, 4, 2, 4]],
    [{ minAvailable: '50%' }, [2, 4, 2, 4]],
    [{ minAvailable: '70%' }, [1, 4, 3, 4]],
    [{ maxUnavailable: 1 }, [1, 4, 3, 4]],
    [{ maxUnavailable: '30%' }, [2, 4, 2, 4]],
    [{ minAvailable: 5 }, [0, 4, 5, 4]],
  ];
  for (const [spec, want] of cases) {
    const world = await prepare(t, spec, 4);
    assert.deepEqual(counts(world).slice(0, 2), [0, 0]);
    await world.runAll();
    assert.deepEqual(counts(world), want, JSON.stringify(spec));
    const [condition] = world.get('poddisruptionbudgets', 'guard').status.conditions;
    const said = want[0] > 0 ? 'True SufficientPods' : 'False InsufficientPods';
    assert.equal(`${condition.status} ${condition.reason}`, said);
  }
});

test('expectedPods is the size of the workload, not the number of its pods', async (t) => {
  const world = await prepare(t, { maxUnavailable: 2 }, 4);
  await world.runAll();
  world.patchSpec('deployments', 'web', { replicas: 10 });
  await world.settle();
  assert.deepEqual(counts(world), [0, 4, 8, 10]);
});

test('terminating, evicted and unrelated pods do not count', async (t) => {
  const world = await prepare(t, { minAvailable: 1 }, 3);
  await world.runAll();
  const [first, second] = world.list('pods').map(({ metadata }) => metadata.name);
  world.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'other', labels: { app: 'other' } },
    spec: template({}).spec,
  });
  world.run('other');
  await world.settle();
  assert.deepEqual(counts(world), [2, 3, 1, 3]);
  world.patchStatus('poddisruptionbudgets', 'guard', {
    disruptedPods: { [first]: '2026-03-01T00:00:00Z' },
  });
  await world.settle();
  assert.deepEqual(counts(world), [1, 2, 1, 3]);
  world.patchStatus('pods', second, { conditions: [{ type: 'Ready', status: 'False' }] });
  await world.settle();
  assert.deepEqual(counts(world), [0, 1, 1, 3]);
  // The eviction was not completed.
  await world.advance(121_000);
  assert.deepEqual(counts(world), [1, 2, 1, 3]);
  assert.equal(world.get('poddisruptionbudgets', 'guard').status.disruptedPods, undefined);
});

test('a pod of a Job leaves a budget that needs a scale without disruptions', async (t) => {
  const world = await prepare(t, { maxUnavailable: 2 }, 3);
  await world.runAll();
  assert.deepEqual(counts(world), [2, 3, 1, 3]);
  const { status: before } = world.get('poddisruptionbudgets', 'guard');
  const { metadata, spec } = template({ app: 'web' });
  world.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'batch' },
    spec: { template: { metadata, spec: { ...spec, restartPolicy: 'Never' } } },
  });
  await world.runAll();
  const { status } = world.get('poddisruptionbudgets', 'guard');
  assert.deepEqual(counts(world), [0, 3, 1, 3], 'the other figures stay');
  assert.equal(status.observedGeneration, before.observedGeneration);
  const { type, reason, message } = status.conditions[0];
  assert.deepEqual(
    [status.conditions.length, type, status.conditions[0].status, reason, message],
    [
      1,
      'DisruptionAllowed',
      'False',
      'SyncFailed',
      'jobs.batch does not implement the scale subresource',
    ],
  );
  const reasons = world.list('events').map((event) => event.reason);
  assert.ok(reasons.includes('CalculateExpectedPodCountFailed'), reasons.join(' '));
});
