// Goal: a step of a rollout looks at the pods that moved since the step before, not at all of them.
// Method: every pod finds a node at once, and the questions of the plan are counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rolloutPlan } from '../../../js/src/check/rollout_plans.js';
import { podKeyOf } from '../../../js/src/kubernetes/keys.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../support/workloads.js';

const REPLICAS = 300;
const NOW = Date.parse('2026-01-11T00:00:00Z');

/** @param {string} prefix @param {any} owner @param {string} [node] */
const pods = (prefix, owner, node) =>
  Array.from({ length: REPLICAS }, (_, at) => podOf(`${prefix}-${at}`, owner, { node }));

const deployment = owned(
  makeWorkload('Deployment', 'web', {
    spec: {
      replicas: REPLICAS,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    },
  }),
);
const set = replicaSetOf(deployment, '7d4b', { replicas: REPLICAS });
const statefulSet = owned(makeWorkload('StatefulSet', 'db', { spec: { replicas: REPLICAS } }));

const OF_SET = [pods('db', statefulSet, 'n'), pods('db', statefulSet)];
const UPDATES = ['OneByOne', 'MaxUnavailable', 'UnavailableFirst'];

/** The old and the new pods of each workload. @type {[any, any[], any[], any[], any][]} */
const ROLLOUTS = [
  [deployment, pods('web-7d4b', set, 'n'), pods('web-new', set), [set], 'OneByOne'],
  ...UPDATES.map((updates) => /** @type {any} */ ([statefulSet, ...OF_SET, [], updates])),
];

for (const [workload, old, fresh, sets, statefulSetUpdates] of ROLLOUTS)
  test(`a ${workload.kind} ${statefulSetUpdates} asks about each pod a few times`, () => {
    const parts = { old, current: [], fresh, sets };
    const plan = rolloutPlan(workload, parts, { nodes: [], now: NOW, statefulSetUpdates });
    assert.ok(plan);
    const placed = new Set(old.map(podKeyOf));
    let asked = 0;
    const isPlaced = (/** @type {any} */ pod) => {
      asked += 1;
      return placed.has(podKeyOf(pod));
    };
    let steps = 0;
    /** @type {Set<string>} */
    let moved = new Set();
    for (;;) {
      const { create, remove } = plan.next(isPlaced, moved);
      if (create.length + remove.length === 0) break;
      steps += 1;
      moved = new Set([...remove, ...create].map(podKeyOf));
      for (const pod of remove) placed.delete(podKeyOf(pod));
      for (const pod of create) placed.add(podKeyOf(pod));
    }
    assert.equal(steps, 2 * REPLICAS);
    assert.deepEqual(plan.old(), []);
    assert.ok(asked <= 4 * REPLICAS, `${asked} questions about ${2 * REPLICAS} pods`);
  });
