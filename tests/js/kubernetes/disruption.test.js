import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  budgetFigures,
  budgetsFor,
  isFreeOfCharge,
  isWithoutBudget,
  refusalOf,
} from '../../../js/src/kubernetes/disruption.js';

const owner = { kind: 'ReplicaSet', name: 'web', uid: 'set', controller: true };
const set = {
  kind: 'ReplicaSet',
  metadata: { namespace: 'default', name: 'web', uid: 'set' },
  spec: { replicas: 4 },
};
const deployed = {
  ...set,
  metadata: {
    ...set.metadata,
    ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'above', controller: true }],
  },
};
const above = { kind: 'Deployment', metadata: { uid: 'above' }, spec: { replicas: 10 } };

/** @param {string} name @param {{ owned?: boolean }} [options] */
function pod(name, { owned = true } = {}) {
  return { metadata: { namespace: 'default', name, ...(owned && { ownerReferences: [owner] }) } };
}

test('the figures of a budget are those of the disruption controller', () => {
  const three = ['a', 'b', 'c'].map((name) => pod(name));
  const bare = ['a', 'b'].map((name) => pod(name, { owned: false }));
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
      'the uid decides',
      { maxUnavailable: 1 },
      three,
      [{ ...set, metadata: { uid: 'x' } }],
      [0, 0, 3, 0],
    ],
    ['neither', {}, three, [set], [0, 0, 3, 0]],
  ];
  for (const [name, spec, pods, workloads, expected] of cases) {
    const figures = budgetFigures({ spec }, pods, {
      find: (kind) => workloads.find((one) => one.kind === kind),
      isHealthy: () => true,
    });
    const { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed } = figures;
    assert.deepEqual(
      [expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed],
      expected,
      name,
    );
  }
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
