// Goal: budgets allow what upstream's disruption controller and eviction API allow. Method: small
// budgets with pods of one or several controllers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  budgetsFor,
  disruptionAllowed,
  expectationOf,
  figuresFor,
  isFreeOfCharge,
  isWithoutBudget,
  refusalOf,
} from '../../../js/src/kubernetes/disruption.js';

const owner = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: 'set',
  controller: true,
};
const set = {
  kind: 'ReplicaSet',
  metadata: { namespace: 'default', name: 'web', uid: 'set' },
  spec: { replicas: 4 },
};
const aboveRef = { ...owner, kind: 'Deployment', uid: 'above' };
const deployed = { ...set, metadata: { ...set.metadata, ownerReferences: [aboveRef] } };
const above = { kind: 'Deployment', metadata: { uid: 'above' }, spec: { replicas: 10 } };

/** @param {string} name @param {object | null} [by] its controller */
function pod(name, by = owner) {
  return { metadata: { namespace: 'default', name, ...(by && { ownerReferences: [by] }) } };
}

/** @param {object} budget @param {object[]} pods all healthy @param {object[]} workloads */
function figuresOf(budget, pods, workloads) {
  const find = (/** @type {any} */ { kind }) => workloads.find((one) => one.kind === kind);
  const expectation = expectationOf(budget, pods, find);
  const figures = figuresFor(budget, expectation, pods.length);
  const { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed } = figures;
  const counts = [expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed];
  return { counts, fault: expectation.fault };
}

test('the figures of a budget are those of the disruption controller', () => {
  const three = ['a', 'b', 'c'].map((name) => pod(name));
  const bare = ['a', 'b'].map((name) => pod(name, null));
  const cases = [
    ['a number', { minAvailable: 2 }, three, [set], [3, 2, 3, 1]],
    ['none to spare', { minAvailable: 5 }, three, [set], [3, 5, 3, 0]],
    [
      'a share counts the replicas, rounded up',
      { minAvailable: '60%' },
      three,
      [set],
      [4, 3, 3, 0],
    ],
    [
      'the deployment counts, not its set',
      { maxUnavailable: 8 },
      three,
      [deployed, above],
      [10, 2, 3, 1],
    ],
    ['maxUnavailable', { maxUnavailable: '25%' }, three, [set], [4, 3, 3, 0]],
    ['pods without a workload', { maxUnavailable: 1 }, bare, [], [0, 0, 2, 0]],
    [
      'a Deployment that controls pods',
      { maxUnavailable: 1 },
      [pod('a', aboveRef)],
      [above],
      [10, 9, 1, 0],
    ],
    [
      'some pods without a controller',
      { maxUnavailable: 2 },
      [...three, ...bare],
      [set],
      [4, 2, 5, 3],
    ],
    ['neither', {}, three, [set], [0, 0, 3, 0]],
  ];
  for (const [name, spec, pods, workloads, expected] of cases)
    assert.deepEqual(
      figuresOf({ spec }, pods, workloads),
      { counts: expected, fault: undefined },
      name,
    );
});

test('a budget that needs a scale allows nothing if a pod has a controller without one', () => {
  const three = ['a', 'b', 'c'].map((name) => pod(name));
  const by = (/** @type {string} */ apiVersion, /** @type {string} */ kind) =>
    pod('d', { apiVersion, kind, name: 'd', uid: 'd', controller: true });
  const noScale = (/** @type {string} */ name) =>
    `${name} does not implement the scale subresource`;
  const cases = [
    [by('batch/v1', 'Job'), [set], noScale('jobs.batch')],
    [by('apps/v1', 'DaemonSet'), [set], noScale('daemonsets.apps')],
    [by('v1', 'Node'), [set], noScale('nodes')],
    [
      by('apps.kruise.io/v1alpha1', 'CloneSet'),
      [set],
      'no matches for kind "CloneSet" in version "apps.kruise.io/v1alpha1"',
    ],
    [by('apps/v1', 'StatefulSet'), [set], 'found no controllers for pod "d"'],
    [pod('d'), [{ ...set, metadata: { uid: 'x' } }], 'found no controllers for pod "a"'],
  ];
  const status = { expectedPods: 3, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 };
  for (const [one, workloads, fault] of cases) {
    const pods = [...three, one];
    for (const spec of [
      { maxUnavailable: 1 },
      { maxUnavailable: '50%' },
      { minAvailable: '50%' },
    ]) {
      assert.deepEqual(figuresOf({ spec }, pods, workloads), { counts: [0, 0, 0, 0], fault });
      assert.deepEqual(figuresOf({ spec, status }, pods, workloads).counts, [3, 2, 3, 0], 'stale');
    }
    const spec = { minAvailable: 2 };
    const counted = { counts: [4, 2, 4, 2], fault: undefined };
    assert.deepEqual(figuresOf({ spec }, pods, workloads), counted, 'a number needs no scale');
  }
});

test('the message of a refusal', () => {
  const budget = { metadata: { name: 'b' } };
  const refuses = 'The disruption budget b does not allow evicting pods currently';
  const of = (/** @type {number} */ currentHealthy, /** @type {any[]} */ ...conditions) =>
    refusalOf(budget, { desiredHealthy: 2, currentHealthy, conditions });
  const needs = 'The disruption budget b needs 2 healthy pods and has 1 currently';
  assert.equal(of(1), needs);
  assert.equal(of(1, disruptionAllowed(0)), needs);
  assert.equal(of(1, disruptionAllowed(0, 'oh')), `${refuses} because it failed sync: oh`);
  assert.equal(of(3, disruptionAllowed(0)), refuses);
  const other = { ...disruptionAllowed(0), reason: 'Other', message: 'oh' };
  assert.equal(of(3, other), `${refuses} (Other): oh`);
});

test('pods that are not ready need no disruption where the policy or the others allow that', () => {
  const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  const enough = { currentHealthy: 2, desiredHealthy: 2 };
  const few = { currentHealthy: 1, desiredHealthy: 2 };
  const always = { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } };
  const cases = [
    [{ spec: {} }, ready, enough, false],
    [{ spec: {} }, {}, enough, true],
    [{ spec: {} }, {}, few, false],
    [{ spec: {} }, {}, { currentHealthy: 0, desiredHealthy: 0 }, false],
    [always, {}, few, true],
    [always, ready, few, false],
  ];
  for (const [budget, one, figures, expected] of cases)
    assert.equal(isFreeOfCharge(budget, one, figures), expected, JSON.stringify([budget, figures]));
});

test('which pods a budget protects', () => {
  const budget = { metadata: { name: 'b' }, spec: { selector: { matchLabels: { a: '1' } } } };
  const all = { metadata: { name: 'all' }, spec: { selector: {} } };
  const one = { metadata: { labels: { a: '1' } } };
  assert.deepEqual(budgetsFor(one, [budget, all]), [budget, all]);
  assert.deepEqual(budgetsFor({ metadata: {} }, [budget, all]), [all]);
  assert.equal(isWithoutBudget({ metadata: {}, status: { phase: 'Pending' } }), true);
  assert.equal(isWithoutBudget({ metadata: {}, status: { phase: 'Running' } }), false);
  assert.equal(isWithoutBudget({ metadata: { deletionTimestamp: 'now' } }), true);
  assert.equal(
    refusalOf(budget, { desiredHealthy: 2, currentHealthy: 1 }),
    'The disruption budget b needs 2 healthy pods and has 1 currently',
  );
});
