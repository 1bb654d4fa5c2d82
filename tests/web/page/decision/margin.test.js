import assert from 'node:assert/strict';
import { test } from 'node:test';

import { marginText } from '../../../../web/src/page/decision/margin.js';
import { whyNotPicked } from '../../../../web/src/page/decision/picks.js';

/**
 * @param {Record<string, number[]>} scores by plugin, for nodes a, b and c
 * @param {{ node?: string, total?: number[] }} [others]
 */
function evaluationOf(scores, { node = 'a', total } = {}) {
  const columns = Object.values(scores);
  const sums = columns[0].map((_, at) => columns.reduce((sum, column) => sum + column[at], 0));
  const feasible = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, sums.length);
  return /** @type {import('../../../../js/src/engine/types.js').Evaluation} */ ({
    ...{ apiVersion: 'stowage/v1', kind: 'Evaluation', pod: 'default/web', result: 'scheduled' },
    ...{ node, feasible, scores, total: total ?? sums },
  });
}

const FIT = 'NodeResourcesFit';
const IMAGES = 'ImageLocality';
const AFFINITY = 'NodeAffinity';

test('the sentence has the lead by plugin, and the plugin that decides it', () => {
  const cases = [
    {
      scores: { [FIT]: [80, 70, 10], [IMAGES]: [2, 0, 0] },
      text: `a leads b by 12: ${FIT} +10, ${IMAGES} +2. ${FIT} gives most of it.`,
    },
    {
      scores: { [FIT]: [70, 80], [AFFINITY]: [200, 0] },
      text:
        `a leads b by 190: ${AFFINITY} +200, ${FIT} −10. ` +
        `${AFFINITY} decides: without it b would lead.`,
    },
    {
      scores: { [FIT]: [90, 80, 80] },
      text:
        `a leads b (and 1 more with the same total) by 10: ${FIT} +10. ` +
        `${FIT} decides: without it they would be equal.`,
    },
    {
      scores: { [FIT]: [50, 50] },
      total: [150, 100],
      text: 'a leads b by 50: extenders +50. No plugin decides it.',
    },
  ];
  for (const { scores, total, text } of cases)
    assert.equal(marginText(evaluationOf(scores, { total })), text);
});

test('for equal totals the sentence says that the choice is not random', () => {
  const end =
    'The choice is not random: kube-scheduler takes the one on top of its heap of nodes, here b.';
  assert.equal(
    marginText(evaluationOf({ [FIT]: [9, 9, 5] }, { node: 'b' })),
    `b and a share the highest total, 9. ${end}`,
  );
  assert.equal(
    marginText(evaluationOf({ [FIT]: [9, 9, 9, 9, 9] }, { node: 'b' })),
    `b, a, c and 2 more share the highest total, 9. ${end}`,
  );
});

test('a single node needs no score, and no fitting node means no sentence', () => {
  const alone = { ...evaluationOf({ [FIT]: [9] }), total: undefined };
  assert.equal(marginText(alone), 'a is the only node that fits.');
  assert.equal(marginText({ ...alone, node: null, feasible: [] }), '');
  const first = { ...alone, evaluatedNodes: 1, numAllNodes: 3 };
  assert.equal(
    marginText(first),
    'a was tried first and fits; no other node was evaluated.',
    'others may fit as well',
  );
});

test('the sentence names the first criterion by which a candidate lost', () => {
  const notes = {
    nodes: ['c', 'a', 'b', 'd'],
    criteria: [
      { criterion: 'fewest PDB violations', amounts: [1, 0, 0, 0], left: ['a', 'b', 'd'] },
      {
        criterion: 'latest start of the most important victims',
        amounts: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', ''],
        left: ['a', 'd'],
      },
      { criterion: 'the first that was met', amounts: [], left: ['a'] },
    ],
  };
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'unknown'].map((name) => whyNotPicked(notes, name)),
    [
      '',
      'latest start of the most important victims: 2026-01-01T00:00:00Z, best 2026-01-02T00:00:00Z',
      'fewest PDB violations: 1, best 0',
      'not the first that was met',
      '',
    ],
  );
  assert.equal(whyNotPicked(null, 'a'), '');
});
