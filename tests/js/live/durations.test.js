// Goal: what is measured around turns and calls adds up, and goes under kube-scheduler's labels.
// Method: turns and answers that take as long as the test's clock says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Durations } from '../../../js/src/live/scheduling_durations.js';
import { virtualClock } from '../../../js/src/io/clock.js';

function make() {
  const clock = virtualClock(1000);
  const durations = new Durations({ clock });
  const pass = (/** @type {number} */ ms) => clock.advanceTo(clock.now() + ms);
  /**
   * One turn that takes so long.
   * @param {number} ms
   * @param {object[]} records
   * @param {object} [rest]
   */
  const turn = (ms, records, rest = {}) =>
    durations.aroundTurn(() => {
      pass(ms);
      return /** @type {any} */ ({ records, calls: [], waiting: false, ...rest });
    });
  /** Sums and counts by labels. @param {string} name */
  const of = (name) => {
    const family = durations.families().find((each) => each.name === `scheduler_${name}`);
    const samples = /** @type {any[]} */ (family?.samples ?? []);
    return samples.map(({ labels, sum, count }) => [...labels, Math.round(sum * 1000), count]);
  };
  return { durations, pass, turn, of };
}

const decision = (/** @type {number} */ seq, /** @type {string} */ result) => ({
  kind: 'Decision',
  seq,
  pod: `default/p${seq}`,
  result,
  schedulerName: 'stowage',
});
const bound = (/** @type {number} */ seq, rest = {}) => ({
  kind: 'BindingResult',
  decision: seq,
  pod: `default/p${seq}`,
  result: 'bound',
  ...rest,
});

test('a turn’s time is shared by its attempts; gated and skipped pods were none', () => {
  const { turn, of } = make();
  turn(5, []);
  turn(30, [
    decision(1, 'unschedulable'),
    decision(2, 'gated'),
    decision(3, 'error'),
    decision(4, 'skipped'),
    decision(5, 'unschedulable'),
  ]);
  assert.deepEqual(of('scheduling_algorithm_duration_seconds'), [[30, 3]]);
  assert.deepEqual(of('scheduling_attempt_duration_seconds'), [
    ['unschedulable', 'stowage', 20, 2],
    ['error', 'stowage', 10, 1],
  ]);
});

test('a pod group takes the time of the decisions about its pods', () => {
  const { turn, of } = make();
  const group = (/** @type {number[]} */ decisions, rest = {}) => ({
    kind: 'PodGroupDecision',
    result: 'unschedulable',
    decisions,
    ...rest,
  });
  turn(40, [
    decision(1, 'scheduled'),
    decision(2, 'scheduled'),
    group([1, 2], { result: 'scheduled' }),
    decision(3, 'unschedulable'),
    group([3], { waitsForPreemption: true }),
    decision(4, 'unschedulable'),
    group([4]),
    group([9]),
  ]);
  assert.deepEqual(of('podgroup_scheduling_algorithm_duration_seconds'), [[40, 3]]);
  assert.deepEqual(of('podgroup_scheduling_attempt_duration_seconds'), [
    ['scheduled', 'stowage', 20, 1],
    ['waiting_on_preemption', 'stowage', 10, 1],
    ['unschedulable', 'stowage', 10, 1],
  ]);
});

test('an attempt that was bound lasts until its binding is known', () => {
  const { turn, pass, of } = make();
  turn(10, [decision(1, 'scheduled')]);
  pass(200);
  turn(2, [bound(1)]);
  assert.deepEqual(of('scheduling_algorithm_duration_seconds'), [[10, 1]]);
  assert.deepEqual(of('scheduling_attempt_duration_seconds'), [['scheduled', 'stowage', 212, 1]]);
});

test('a binding that failed is rejected or wrong, by its status', () => {
  const { turn, of } = make();
  turn(10, [decision(1, 'scheduled'), decision(2, 'scheduled')]);
  const failed = { result: 'bindFailed', phase: 'PreBind', message: 'no' };
  turn(1, [bound(1, { ...failed, code: 'Unschedulable' }), bound(2, { ...failed, code: 'Error' })]);
  assert.deepEqual(of('scheduling_attempt_duration_seconds'), [
    ['unschedulable', 'stowage', 6, 1],
    ['error', 'stowage', 6, 1],
  ]);
});

test('a cycle that waits for an extender lasts until it goes on', () => {
  const { turn, pass, of } = make();
  turn(6, [decision(1, 'unschedulable')], { waiting: true });
  pass(100);
  turn(1, [], { waiting: true });
  pass(100);
  turn(4, [decision(2, 'unschedulable')]);
  // 3 of the first turn, 100, the turn in between, 100, and 4 of the last.
  assert.deepEqual(of('scheduling_algorithm_duration_seconds'), [[3 + 3 + 100 + 1 + 100 + 4, 2]]);
});

test('Bind lasts as long as its request; others are not Bind', async () => {
  const { durations, turn, pass, of } = make();
  turn(1, [decision(1, 'scheduled'), decision(2, 'scheduled'), decision(3, 'scheduled')]);
  const call = (/** @type {string} */ verb, /** @type {number} */ seq) =>
    /** @type {any} */ ({ verb, pod: `default/p${seq}` });
  const ok = { status: 201 };
  const after = (/** @type {number} */ ms, /** @type {any} */ answer) => async () => {
    pass(ms);
    return answer;
  };
  assert.equal(await durations.aroundCall(call('bind', 1), after(30, ok)), ok);
  await durations.aroundCall(call('bind', 2), after(50, { status: 409 }));
  await durations.aroundCall(call('patch', 2), after(70, ok));
  const broken = async () => {
    pass(20);
    throw new Error('reset');
  };
  await assert.rejects(durations.aroundCall(call('bind', 3), broken), /reset/);
  assert.deepEqual(of('framework_extension_point_duration_seconds'), [
    ['Bind', 'Success', 'stowage', 30, 1],
    ['Bind', 'Error', 'stowage', 70, 2],
  ]);
});
