import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pickSteps } from '../../../web/src/explain/pick_node.js';

/**
 * @param {string} node
 * @param {[number, number | null][]} victims priorities and start times
 * @param {number} [pdbViolations]
 */
const candidate = (node, victims, pdbViolations = 0) => ({
  node,
  pdbViolations,
  victims: victims.map(([priority, startTime]) => ({ priority, startTime })),
});

test('one criterion after the other decides', () => {
  const one = candidate('a', [[10, 5]]);
  const cases = [
    { by: 'fewest PDB violations', all: [one, candidate('b', [[1, 5]], 1)] },
    {
      by: 'lowest priority of the most important victim',
      all: [one, candidate('b', [[11, 5]])],
    },
    {
      by: 'lowest sum of priorities, 2³¹ added to each',
      all: [
        one,
        candidate('b', [
          [10, 5],
          [-20, 5],
        ]),
      ],
    },
    {
      by: 'fewest victims',
      all: [
        one,
        candidate('b', [
          [10, 5],
          [-(2 ** 31), 5],
        ]),
      ],
    },
    {
      by: 'latest start of the most important victims',
      all: [one, candidate('b', [[10, 4]])],
    },
    { by: 'the first that was met', all: [candidate('b', [[10, 5]]), one] },
  ];
  for (const { by, all } of cases) {
    const steps = pickSteps(all, 'a');
    assert.deepEqual([steps.at(-1)?.criterion, steps.at(-1)?.left], [by, ['a']]);
  }
});

test('a victim that did not start yet counts as the latest', () => {
  const steps = pickSteps([candidate('a', [[1, null]]), candidate('b', [[1, 9]])], 'a');
  assert.deepEqual(steps.at(-1)?.left, ['a']);
});

test('of one candidate nothing is said, nor where another node was picked', () => {
  const [a, b] = [candidate('a', [[1, 1]]), candidate('b', [[2, 1]])];
  assert.deepEqual(pickSteps([a], 'a'), []);
  assert.deepEqual(pickSteps([a, b], 'b'), []);
});
