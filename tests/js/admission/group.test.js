// Goal: a pod that completes a gang which cannot start is answered with the gang's reason. Method:
// the built engine, with and without the option, the gate and the others of the gang.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { virtualClock } from '../../../js/src/io/clock.js';
import { evaluateAll } from '../../../js/src/whatif.js';
import { makeNode, makePod, makePodGroup } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { responseTo, reviewOf } from './reviews.js';

const { engine } = await startNative();
const GATES = { GenericWorkload: true, GangScheduling: true };
const member = (/** @type {string} */ name, cpu = '1') =>
  makePod(name, {
    cpu,
    metadata: { namespace: 'default' },
    spec: { schedulingGroup: { podGroupName: 'train' } },
  });

/** @param {object[]} objects @param {object} [options] */
function clusterOf(objects, options = {}) {
  const settings = { api: 'host', featureGates: GATES, clock: virtualClock(), ...options };
  const cluster = engine.createScheduler(/** @type {any} */ (settings));
  after(() => cluster.dispose());
  cluster.apply(objects);
  return cluster;
}

/** @param {any} cluster @param {object} pod @param {object} [options] */
function answer(cluster, pod, options) {
  const settings = { cluster, mode: 'warn', evaluateGroup: evaluateAll, ...options };
  return responseTo(createAdmissionHandler(/** @type {any} */ (settings)), reviewOf(pod));
}

const two = [makeNode('a', { cpu: '2' }), makePodGroup('train', { minCount: 3 })];
const REASON =
  'pod group "default/train": 2 of 3 pods of the group can run, 1 fewer than minCount 3; ' +
  'pod default/w-2: 0/1 nodes are available: 1 Insufficient cpu.';

test('the last pod of a gang that cannot start', async () => {
  const cluster = clusterOf([...two, member('w-0'), member('w-1')]);
  const before = JSON.stringify(cluster.inspect({ cache: true }));
  const { allowed, warnings, auditAnnotations } = await answer(cluster, member('w-2'));
  assert.equal(allowed, true);
  assert.deepEqual(warnings, [REASON]);
  assert.equal(auditAnnotations.group, REASON);
  assert.equal(JSON.stringify(cluster.inspect({ cache: true })), before);
  const quiet = await answer(cluster, member('w-2'), { mode: 'annotate' });
  assert.equal(quiet.warnings, undefined);
  const without = await answer(cluster, member('w-2'), { evaluateGroup: undefined });
  assert.deepEqual(without.warnings, undefined);
});

test('a pod that fits nowhere is denied with the reason of its group', async () => {
  const cluster = clusterOf([...two, ...['w-0', 'w-1', 'w-2'].map((name) => member(name))]);
  const { allowed, warnings } = await answer(cluster, member('w-3', '9'), { mode: 'deny' });
  assert.equal(allowed, false);
  assert.match(warnings[0], /^nearest node of pod "w-3": a: the pod asks for 9 cpu/);
  assert.match(warnings[1], /^pod group "default\/train": 2 of 4 pods of the group can run/);
});

test('a gang that starts, that is not complete, or cannot be evaluated', async () => {
  const starts = clusterOf([makeNode('a'), two[1], member('w-0'), member('w-1')]);
  assert.equal((await answer(starts, member('w-2'))).warnings, undefined);
  const early = clusterOf([...two, member('w-0')]);
  assert.equal((await answer(early, member('w-1'))).warnings, undefined);
  /** @type {any[]} */
  const errors = [];
  const onError = (/** @type {unknown} */ error) => errors.push(error);
  const off = clusterOf([...two, member('w-0'), member('w-1')], { featureGates: {} });
  assert.equal((await answer(off, member('w-2'), { onError })).warnings, undefined);
  assert.match(String(errors), /the feature gate GenericWorkload is off/);
  assert.throws(() => createAdmissionHandler(/** @type {any} */ ({ ...off, evaluateGroup: 1 })));
});
