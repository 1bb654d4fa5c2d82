import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { World } from '../../../web/src/world/world.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from './objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** @param {import('node:test').TestContext} t */
async function openWorld(t) {
  /** @type {any[]} */
  const records = [];
  const world = await World.open({
    engine,
    onSaid: ({ record }) => records.push(record),
    onError: (error) => assert.fail(/** @type {Error} */ (error)),
  });
  t.after(() => world.dispose());
  return { world, records };
}

test('a pod is placed, bound and run, one step after the other', async (t) => {
  const { world, records } = await openWorld(t);
  assert.deepEqual(await world.do({ do: 'apply', objects: [node('a'), pod('web')] }), {
    errors: [],
  });
  assert.equal(world.isIdle, false);
  await world.do({ do: 'step' });
  assert.equal(world.isIdle, true);
  assert.deepEqual(
    records.filter(({ kind }) => kind === 'Decision').map(({ pod, node }) => [pod, node]),
    [['default/web', 'a']],
  );
  const read = () => world.server.store.get('pods', 'default', 'web');
  assert.equal(read()?.spec.nodeName, 'a');
  while (read()?.status.phase !== 'Running') {
    const { nextDeadline } = world;
    assert.ok(nextDeadline !== null, 'the kubelet has something to do');
    await world.do({ do: 'advance', to: nextDeadline });
  }
});

test('backoff follows the clock of the world', async (t) => {
  const { world, records } = await openWorld(t);
  await world.do({ do: 'apply', objects: [node('a', '1'), pod('one'), pod('two')] });
  await world.do({ do: 'step' });
  await world.do({ do: 'step' });
  const two = records.filter(({ kind, pod }) => kind === 'Decision' && pod === 'default/two');
  assert.deepEqual(
    two.map(({ result }) => result),
    ['unschedulable'],
  );
  const reference = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'one' };
  await world.do({ do: 'delete', objects: [reference] });
  for (let due; world.isIdle && (due = world.nextDeadline) !== null;)
    await world.do({ do: 'advance', to: due });
  await world.do({ do: 'step' });
  assert.equal(world.server.store.get('pods', 'default', 'two')?.spec.nodeName, 'a');
});

test('the clock does not pass a decision', async (t) => {
  const { world, records } = await openWorld(t);
  const shortLived = pod('one');
  const spec = { ...shortLived.spec, terminationGracePeriodSeconds: 5 };
  await world.do({ do: 'apply', objects: [node('a', '1'), { ...shortLived, spec }] });
  await world.do({ do: 'wait', for: 2000 });
  await world.do({ do: 'apply', objects: [pod('two')] });
  const reference = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'one' };
  await world.do({ do: 'delete', objects: [reference] });
  const start = world.now;
  await world.do({ do: 'wait', for: 60_000 });
  assert.equal(world.now, start + 60_000);
  const decided = records
    .filter(({ kind }) => kind === 'Decision')
    .map(({ pod, result, at }) => [pod, result, Date.parse(at) - start]);
  assert.deepEqual(decided, [
    ['default/one', 'scheduled', -2000],
    ['default/two', 'unschedulable', 0],
    ['default/two', 'scheduled', 1000],
  ]);
});

test('a pod whose backoff ends when the clock stops is left to be stepped through', async (t) => {
  const { world, records } = await openWorld(t);
  await world.do({ do: 'apply', objects: [pod('late')] });
  await world.do({ do: 'step' });
  await world.do({ do: 'apply', objects: [node('a')] });
  for (let due; world.isIdle && (due = world.nextDeadline) !== null;)
    await world.do({ do: 'advance', to: due });
  assert.equal(world.isIdle, false);
  assert.equal(records.filter(({ kind }) => kind === 'Decision').length, 1);
});

test('heartbeats are no deadline, and retries without a cause are not expected', async (t) => {
  const { world } = await openWorld(t);
  await world.do({ do: 'apply', objects: [node('a'), pod('huge', '64')] });
  await world.do({ do: 'step' });
  const start = world.now;
  assert.equal(world.expectedDeadline, null);
  assert.ok(Number(world.nextDeadline) >= start + 300_000, 'it is tried again without a cause');
  const lease = () => world.server.store.get('leases', 'kube-node-lease', 'a')?.spec.renewTime;
  const renewed = lease();
  await world.do({ do: 'wait', for: 25_000 });
  assert.notEqual(lease(), renewed, 'its node reports all the same');
});

test('beforeTime is called before the clock moves on, and the clock waits for it', async (t) => {
  const { world, records } = await openWorld(t);
  await world.do({ do: 'apply', objects: [pod('early')] });
  await world.do({ do: 'step' });
  const start = world.now;
  assert.equal(world.expectedDeadline, world.nextDeadline);
  /** @type {[number, number, number][]} */
  const told = [];
  await world.do({ do: 'wait', for: 10_000 }, async (to) => {
    const tries = records.filter(({ kind }) => kind === 'Decision').length;
    told.push([world.now - start, to - start, tries]);
  });
  assert.deepEqual(told, [
    [0, 2000, 1],
    [2000, 5000, 2],
    [5000, 10_000, 3],
  ]);
});

test('a refused configuration leaves the scheduler running', async (t) => {
  const { world, records } = await openWorld(t);
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { score: { enabled: [{ name: 'Best' }] } } }],
  };
  await assert.rejects(world.check({ configuration }), /ScorePlugin "Best" does not exist/);
  const { errors } = await world.do({ do: 'configure', scheduler: { configuration } });
  assert.match(String(errors), /^ConfigurationError: .*ScorePlugin "Best" does not exist/);
  assert.deepEqual(world.settings, {});
  await world.do({ do: 'apply', objects: [node('a'), pod('web')] });
  await world.do({ do: 'step' });
  assert.deepEqual(
    records.filter(({ kind }) => kind === 'Decision').map(({ node: on }) => on),
    ['a'],
  );
});
