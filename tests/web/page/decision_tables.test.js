import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createScheduler } from '../../../js/src/index.js';
import { ARTIFACTS } from '../../support/targets.js';
import { matrixOf, scoreTableOf } from '../../../web/src/page/decision_tables.js';
import { verdictsOf } from '../../../web/src/page/verdicts.js';
import { node, pod } from '../world/objects.js';

/** Two nodes that fit, one that is full and cordoned, one that is full. */
async function evaluated() {
  const scheduler = await createScheduler({ wasm: ARTIFACTS.module });
  const cordoned = { ...node('c', '1'), spec: { unschedulable: true } };
  scheduler.apply([node('a', '4'), node('b', '2'), cordoned, node('d', '1')]);
  const evaluation = scheduler.evaluate(pod('web', '2'), {
    detail: 'table',
    allPlugins: true,
    everyNode: true,
  });
  scheduler.dispose();
  return evaluation;
}

test('the matrix has a row for each node, those that fit first', async () => {
  const evaluation = await evaluated();
  const { plugins, rows, omitted } = matrixOf(evaluation, 3);
  assert.deepEqual(
    rows.map((row) => [row.node, row.verdict]),
    [
      ['a', 'chosen'],
      ['b', 'feasible'],
      ['c', 'refused'],
    ],
  );
  assert.equal(omitted, 1);
  const cell = (/** @type {number} */ row, /** @type {string} */ plugin) =>
    rows[row].cells[plugins.indexOf(plugin)];
  assert.deepEqual(cell(0, 'NodeResourcesFit'), { state: 'passed', reason: '' });
  assert.deepEqual(cell(2, 'NodeUnschedulable'), {
    state: 'refused',
    reason: 'node(s) were unschedulable',
  });
  assert.deepEqual(cell(2, 'NodeResourcesFit'), { state: 'also', reason: 'Insufficient cpu' });
});

test('scores are told from the raw to the total', async () => {
  const { plugins, rows } = scoreTableOf(await evaluated(), 10);
  assert.deepEqual(
    rows.map((row) => [row.node, row.isBest]),
    [
      ['a', true],
      ['b', false],
    ],
  );
  for (const { total, scores } of rows) {
    assert.equal(
      total,
      scores.reduce((sum, { weighted }) => sum + weighted, 0),
    );
    for (const { normalised, weight, weighted } of scores)
      assert.equal(weighted, normalised * weight);
  }
  const fit = plugins.findIndex(({ plugin }) => plugin === 'NodeResourcesFit');
  assert.equal(rows[0].scores[fit].raw, 72, 'half of the cpu is free, and 95 % of the memory');
});

test('verdicts colour the nodes', async () => {
  assert.deepEqual([...verdictsOf(await evaluated())].sort(), [
    ['a', 'chosen'],
    ['b', 'feasible'],
    ['c', 'refused'],
    ['d', 'refused'],
  ]);
  assert.equal(verdictsOf(null).size, 0);
});
