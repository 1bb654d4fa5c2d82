// Goal: a formula can be followed with pencil and paper. Method: the facts of kube-scheduler's own
// tests, word by word; that the numbers are right in general is shown with recorded scenarios.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { explainScore } from '../../../web/src/explain/explain_score.js';
import { imageLocality } from '../../../web/src/explain/image_locality.js';
import { nodeResourcesBalancedAllocation } from '../../../web/src/explain/node_resources_balanced_allocation.js';
import { nodeResourcesFit } from '../../../web/src/explain/node_resources_fit.js';
import { nonZeroRequestOf, requestOf } from '../../../web/src/explain/pod_requests.js';

/** @import { Facts } from '../../../web/src/explain/facts.js' */

/**
 * A node of 4 cpus and 10,000 bytes, of which 2 and 5,000 are taken, and a pod that wants 500m.
 * @param {{ args?: any, images?: any }} [others]
 * @returns {Facts}
 */
function factsOf({ args = {}, images = {} } = {}) {
  const requests = { cpu: '500m', memory: '0' };
  const containers = [{ name: 'c', image: 'web', resources: { requests } }];
  const node = { kind: 'Node', metadata: { name: 'a' } };
  const empty = { ephemeralStorage: 0, scalarResources: {} };
  return {
    pod: { kind: 'Pod', metadata: { namespace: 'default', name: 'web' }, spec: { containers } },
    node,
    held: {
      allocatable: { milliCPU: 4000, memory: 10_000, ...empty },
      requested: { milliCPU: 2000, memory: 5000, ...empty },
      nonZeroRequested: { milliCPU: 2000, memory: 5000 },
      images,
    },
    nodes: [node, node],
    feasible: [node],
    podsOn: () => [],
    objects: () => [],
    args,
    featureGates: {},
  };
}

test('NodeResourcesFit, by each strategy', () => {
  const shape = [
    { utilization: 0, score: 10 },
    { utilization: 100, score: 0 },
  ];
  const cases = [
    {
      strategy: {},
      lines: [
        'LeastAllocated over cpu, memory',
        'cpu: requested 2000 + 500 = 2500; (4000 − 2500) × 100 / 4000 = 37',
        'memory: requested 5000 + 0 = 5000; (10000 − 5000) × 100 / 10000 = 50',
        '(37 × 1 + 50 × 1) / 2 = 43',
      ],
    },
    {
      strategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 3 }] },
      lines: [
        'MostAllocated over cpu',
        'cpu: requested 2000 + 500 = 2500; 2500 × 100 / 4000 = 62',
        '(62 × 3) / 3 = 62',
      ],
    },
    {
      strategy: { type: 'RequestedToCapacityRatio', requestedToCapacityRatio: { shape } },
      lines: [
        'RequestedToCapacityRatio over cpu, memory',
        'cpu: requested 2000 + 500 = 2500; shape(2500 × 100 / 4000 = 62) = 38',
        'memory: requested 5000 + 0 = 5000; shape(5000 × 100 / 10000 = 50) = 50',
        '(38 × 1 + 50 × 1) / 2 = 44',
      ],
    },
  ];
  for (const { strategy, lines } of cases) {
    const formula = nodeResourcesFit(factsOf({ args: { scoringStrategy: strategy } }));
    assert.deepEqual(formula.lines, lines);
  }
});

test('NodeResourcesBalancedAllocation, with the pod and without it', () => {
  assert.deepEqual(nodeResourcesBalancedAllocation(factsOf()), {
    lines: [
      'cpu: 2000 + 500 of 4000 is 0.625, without the pod 0.5',
      'memory: 5000 + 0 of 10000 is 0.5, without the pod 0.5',
      'balance, (1 − standard deviation) × 100: with the pod 93, without it 100',
      '50 + (50 + 93 − 100) / 2 = 71',
    ],
    value: 71,
  });
});

test('ImageLocality, by how many nodes have the image', () => {
  const images = { 'web:latest': { sizeBytes: 200 << 20, numNodes: 1 } };
  assert.deepEqual(imageLocality(factsOf({ images })).lines, [
    'web:latest: 209715200 B × 1 / 2 nodes = 104857600',
    'sum 104857600',
    '(104857600 − 24117248) × 100 / (1048576000 − 24117248) = 7',
  ]);
  assert.equal(imageLocality(factsOf()).value, 0);
});

test('a formula that comes to another number is not shown', () => {
  const evaluation = /** @type {any} */ ({
    feasible: ['a'],
    rawScores: { NodeResourcesFit: [99], mine: [7] },
    scores: { NodeResourcesFit: [99], mine: [70] },
    weights: { NodeResourcesFit: 1, mine: 2 },
  });
  const of = (/** @type {string} */ plugin, node = 'a') =>
    explainScore(evaluation, { plugin, node }, () => factsOf());
  assert.deepEqual(of('NodeResourcesFit')?.raw, {
    lines: ['99: its operands cannot be told here'],
    value: 99,
    isTold: false,
  });
  const own = of('mine');
  assert.deepEqual(own?.raw.lines, ['what plugin mine answers: 7']);
  assert.deepEqual(own?.normalised.lines, ['the plugin makes 35 of 7']);
  assert.deepEqual(own?.weighted.lines, ['35 × weight 2 = 70']);
  assert.equal(of('mine', 'b'), null);
});

test('requests are those of kube-scheduler', () => {
  const asks = (/** @type {any} */ requests, others = {}) => ({
    resources: { requests },
    ...others,
  });
  const sidecar = { restartPolicy: 'Always' };
  const initContainers = [
    asks({ cpu: '3' }),
    asks({ cpu: '2' }, sidecar),
    asks({ cpu: '5' }),
    asks({ cpu: '1' }, sidecar),
  ];
  const spec = { containers: [asks({ cpu: '1' })], initContainers };
  const cases = [
    { spec, cpu: 7000, nonZero: 7000 },
    { spec: { ...spec, overhead: { cpu: '250m' } }, cpu: 7250, nonZero: 7250 },
    { spec: { ...spec, ...asks({ cpu: '500m' }) }, cpu: 500, nonZero: 500 },
    { spec: { containers: [asks({}), asks({ cpu: '0' })] }, cpu: 0, nonZero: 100 },
    { spec: { containers: [{}], ...asks({ memory: '1' }) }, cpu: 0, nonZero: 100 },
  ];
  for (const { spec: one, cpu, nonZero } of cases)
    assert.deepEqual([requestOf(one, 'cpu'), nonZeroRequestOf(one, 'cpu')], [cpu, nonZero]);
});
