import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preScore } from '../../../js/src/edge/prescore.js';
import { clusterRanking, rankedCluster } from '../../../js/src/edge/ranking.js';
import { assertDocument } from './edge_schema.js';

const snapshot = { name: 'eu-1', etag: '"1"', ageSeconds: 0, nodes: 3 };
const options = { snapshot, limit: 10, detail: /** @type {const} */ ('scores') };

/** @param {object} fields */
function makeEvaluation(fields) {
  return /** @type {any} */ ({
    apiVersion: 'stowage/v1',
    kind: 'Evaluation',
    pod: 'default/web',
    result: 'scheduled',
    node: null,
    fits: 'Now',
    numAllNodes: 3,
    evaluatedNodes: 3,
    feasibleNodes: 3,
    reasons: [],
    ...fields,
  });
}

test('among equals the chosen node goes first, the others by name', () => {
  const evaluation = makeEvaluation({
    node: 'c',
    feasible: ['d', 'b', 'c', 'a'],
    total: [7, 7, 7, 9],
    scores: { P: [1, 2, 3, 4] },
  });
  const document = preScore(evaluation, options);
  assertDocument(document);
  assert.deepEqual(
    document.nodes.map(({ name, scores }) => [name, scores?.P]),
    [
      ['a', 4],
      ['c', 3],
      ['b', 2],
      ['d', 1],
    ],
  );
});

test('one feasible node is not scored', () => {
  const document = preScore(makeEvaluation({ node: 'a', feasible: ['a'] }), options);
  assertDocument(document);
  assert.deepEqual(document.nodes, [{ name: 'a' }]);
});

test('the victims are listed if the pod would preempt', () => {
  const preemption = { nominatedNode: 'b', victims: ['batch/job'] };
  const refused = { result: 'unschedulable', feasible: [], preemption, message: '0/3 nodes …' };
  const evicts = preScore(makeEvaluation({ ...refused, fits: 'WithPreemption' }), options);
  assertDocument(evicts);
  assert.deepEqual([evicts.nominatedNode, evicts.victims], ['b', ['batch/job']]);
  const not = preScore(makeEvaluation({ ...refused, fits: 'NotNow' }), options);
  assert.ok(!('victims' in not) && !('nominatedNode' in not));
});

test('a gated pod, of which nothing was asked, has a place in both', () => {
  const gated = makeEvaluation({
    result: 'gated',
    fits: 'NotNow',
    plugin: 'SchedulingGates',
    message: 'waiting for scheduling gates: [hold]',
    numAllNodes: undefined,
    evaluatedNodes: undefined,
    feasibleNodes: undefined,
    reasons: undefined,
  });
  const document = preScore(gated, options);
  assertDocument(document);
  assert.equal(document.message, 'waiting for scheduling gates: [hold]');
  assert.ok(!('numAllNodes' in document));
  assertDocument(clusterRanking([rankedCluster(gated, snapshot)], []));
});
