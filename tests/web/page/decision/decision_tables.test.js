import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createScheduler } from '../../../../js/src/index.js';
import { matrixOf, scoreTableOf } from '../../../../web/src/page/decision/decision_tables.js';
import { verdictsOf } from '../../../../web/src/page/decision/verdicts.js';
import { ARTIFACTS } from '../../../support/targets.js';
import { node, pod } from '../../world/objects.js';

/**
 * @param {import('../../../../js/src/kubernetes/types.js').KubernetesObject[]} objects
 * @param {import('../../../../js/src/kubernetes/types.js').KubernetesObject} web
 */
async function evaluationOf(objects, web) {
  const scheduler = await createScheduler({ wasm: ARTIFACTS.module });
  scheduler.apply(objects);
  const evaluation = scheduler.evaluate(web, { detail: 'table', allPlugins: true });
  scheduler.dispose();
  return evaluation;
}

/** Two nodes that fit, one that is full and cordoned, one that is full. */
function evaluated() {
  const cordoned = { ...node('c', '1'), spec: { unschedulable: true } };
  return evaluationOf([node('a', '4'), node('b', '2'), cordoned, node('d', '1')], pod('web', '2'));
}

/**
 * @param {import('../../../../web/src/page/decision/decision_tables.js').Matrix} matrix
 * @param {number} row
 * @param {string} plugin
 */
function cellAt({ plugins, rows }, row, plugin) {
  return rows[row].cells[plugins.indexOf(plugin)];
}

test('the matrix has a row for each node, fitting ones first', async () => {
  const matrix = matrixOf(await evaluated(), { most: 3 });
  assert.deepEqual(
    matrix.rows.map((row) => [row.node, row.verdict]),
    [
      ['a', 'chosen'],
      ['b', 'feasible'],
      ['c', 'refused'],
    ],
  );
  assert.equal(matrix.omitted, 1);
  assert.ok(matrix.skipped.includes('VolumeBinding'));
  assert.deepEqual(cellAt(matrix, 0, 'NodeResourcesFit'), { state: 'passed', reason: '' });
  assert.deepEqual(cellAt(matrix, 2, 'NodeUnschedulable'), {
    state: 'refused',
    reason: 'node(s) were unschedulable',
  });
});

test('verdicts of other plugins are shown on request', async () => {
  const evaluation = await evaluated();
  const own = matrixOf(evaluation, { most: 3 });
  assert.deepEqual(cellAt(own, 2, 'NodeResourcesFit'), { state: 'notReached', reason: '' });
  const all = matrixOf(evaluation, { most: 3, isAll: true });
  const would = { state: 'also', reason: 'Insufficient cpu' };
  assert.deepEqual(cellAt(all, 2, 'NodeResourcesFit'), would);
});

test('nodes are found by a part of their name', async () => {
  const { rows, omitted } = matrixOf(await evaluated(), { most: 3, search: 'd' });
  assert.deepEqual([rows.map((row) => row.node), omitted], [['d'], 0]);
});

test('nodes outside of the sample count as not reached, even if they are full', async () => {
  const nodes = Array.from({ length: 120 }, (_, at) => node(`n${at}`, at === 119 ? '1' : '4'));
  const evaluation = await evaluationOf(nodes, pod('web', '2'));
  const last = { most: 1, search: 'n119' };
  assert.equal(matrixOf(evaluation, { most: 200 }).rows.length, 120);
  const [row] = matrixOf(evaluation, last).rows;
  assert.equal(row.verdict, 'notReached');
  assert.ok(row.cells.every(({ state }) => state === 'notReached'));
  const all = matrixOf(evaluation, { ...last, isAll: true });
  assert.equal(cellAt(all, 0, 'NodeResourcesFit').state, 'also');
});

test('nodes that PreFilter excludes are absent', async () => {
  const web = pod('web');
  const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }];
  const required = { nodeSelectorTerms: terms };
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
  const spec = { ...web.spec, affinity: { nodeAffinity } };
  const evaluation = await evaluationOf([node('a'), node('b')], { ...web, spec });
  const { rows } = matrixOf(evaluation, { most: 9 });
  assert.deepEqual(
    rows.map((row) => [row.node, row.verdict]),
    [
      ['b', 'chosen'],
      ['a', 'absent'],
    ],
  );
});

test('the table shows scores from the raw value to the total', async () => {
  const { plugins, rows } = scoreTableOf(await evaluated(), { most: 10 });
  assert.deepEqual(
    rows.map((row) => [row.node, row.rank, row.isBest, row.isTied]),
    [
      ['a', 1, true, false],
      ['b', 2, false, false],
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

test('equal totals share a rank, and the chosen node comes first', async () => {
  const nodes = [node('a', '2'), node('b', '4'), node('c', '4'), node('d', '3')];
  const evaluation = await evaluationOf(nodes, pod('web', '2'));
  const { rows } = scoreTableOf(evaluation, { most: 10 });
  assert.deepEqual(
    rows.map(({ rank, isTied }) => [rank, isTied]),
    [
      [1, true],
      [1, true],
      [3, false],
      [4, false],
    ],
  );
  assert.equal(rows[0].node, evaluation.node);
  assert.deepEqual(
    rows.slice(0, 2).map((row) => row.isChosen),
    [true, false],
  );
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
