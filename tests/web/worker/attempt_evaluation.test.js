// Goal: the evaluation of an attempt agrees with the record, even where the evaluation alone would
// differ.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import {
  outcomeText,
  remarkText,
  unchosenText,
} from '../../../web/src/page/decision/outcome_text.js';
import { attemptEvaluation } from '../../../web/src/worker/attempt_evaluation.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { pod } from '../world/objects.js';

/** @import { Decision, Evaluation } from '../../../js/src/engine/types.js' */
/** @import { TimelineRow } from '../../../web/src/worker/timeline.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const CLUSTER = readFileSync(
  new URL('../../../web/clusters/three-zones.yaml', import.meta.url),
  'utf8',
);

/** Pods are packed, and pods with equal signatures share one ranking. */
const PACKS = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [
    {
      pluginConfig: [
        { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } },
        { name: 'PodTopologySpread', args: { defaultingType: 'List', defaultConstraints: [] } },
      ],
    },
  ],
};

const BATCH = Array.from({ length: 16 }, (_, index) => pod(`job-${index}`, '3'));

/** @param {import('node:test').TestContext} t */
async function opened(t) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  await playground.open(CLUSTER);
  return playground;
}

/** @param {Playground} playground @returns {Promise<TimelineRow[]>} */
async function placeBatch(playground) {
  await playground.do({ do: 'apply', objects: BATCH });
  const { rows } = await playground.steps(100);
  const decisions = rows.filter(({ kind, pod: of }) => kind === 'Decision' && of?.includes('job-'));
  assert.equal(decisions.length, BATCH.length);
  return decisions;
}

test('a proposed node is the node of the attempt', async (t) => {
  const playground = await opened(t);
  await playground.steps(100);
  await playground.do({ do: 'configure', scheduler: { configuration: PACKS } });
  let proposed = 0;
  for (const { pod: name = '', node, attempt } of await placeBatch(playground)) {
    const evaluation = await playground.evaluate(name, attempt);
    assert.equal(evaluation.node, node, name);
    assert.equal(evaluation.isUnexplained, undefined, name);
    assert.equal(outcomeText(evaluation), node ? `node ${node}` : 'no node');
    const alone = evaluation.evaluatedNodes === 1;
    if (!alone) continue;
    proposed += 1;
    assert.equal(evaluation.hint, node);
    assert.match(remarkText(evaluation), /^OpportunisticBatching proposed node/);
    assert.deepEqual([evaluation.feasible, evaluation.total], [[node], undefined]);
    const at = evaluation.table?.nodes.indexOf(String(node));
    for (const cells of Object.values(evaluation.table?.cells ?? {}))
      assert.deepEqual([...new Set(cells.filter((_, index) => index !== at))], [-2]);
    const score = { plugin: 'NodeResourcesFit', node: String(node) };
    assert.equal(await playground.explainScore(name, attempt, score), null, 'none was scored');
  }
  assert.ok(proposed >= 3, `${proposed} of 16 were proposed`);
});

test('the other world shows its own attempts in the same way', async (t) => {
  const playground = await opened(t);
  await playground.steps(100);
  await playground.compare({ configuration: PACKS });
  while ((await playground.catchUp()).other?.behind);
  const decisions = await placeBatch(playground);
  let differ = 0;
  for (const { pod: name = '', node: first } of decisions) {
    const own = playground.otherRowsAbout(name).filter(({ kind }) => kind === 'Decision');
    assert.equal(own.length, 1);
    const [{ node, attempt }] = own;
    differ += Number(node !== first);
    const evaluation = await playground.evaluateOther(name, attempt);
    assert.deepEqual([evaluation?.node, evaluation?.isUnexplained], [node, undefined], name);
  }
  assert.ok(differ > 0, 'B is not A');
});

/** @type {Decision} */
const DECISION = {
  kind: 'Decision',
  seq: 1,
  at: '2026-01-01T00:00:00.000000Z',
  pod: 'default/one',
  result: 'scheduled',
  node: 'a',
  numAllNodes: 3,
  evaluatedNodes: 3,
  feasibleNodes: 3,
};

/** @type {Evaluation} */
const AGAIN = {
  apiVersion: 'stowage/v1',
  kind: 'Evaluation',
  pod: 'default/one',
  result: 'scheduled',
  node: 'a',
  numAllNodes: 3,
  evaluatedNodes: 3,
  feasibleNodes: 3,
  feasible: ['a', 'b', 'c'],
  total: [3, 2, 1],
};

test('an evaluation with another outcome is not shown', () => {
  const same = attemptEvaluation(DECISION, AGAIN);
  assert.deepEqual(same.total, [3, 2, 1]);
  const others = [
    { ...AGAIN, node: 'b' },
    { ...AGAIN, feasibleNodes: 2 },
    { ...AGAIN, result: /** @type {const} */ ('unschedulable'), node: null, message: 'no' },
    null,
  ];
  for (const again of others) {
    const told = attemptEvaluation(DECISION, again);
    assert.deepEqual([told.node, told.feasible, told.total], ['a', undefined, undefined]);
    assert.equal(told.isUnexplained, true);
    assert.match(remarkText(told), /^The record of this attempt has no more details/);
  }
});

test('while no pod is selected, unchosenText reports the number of decisions', () => {
  assert.match(unchosenText(0), /^There are no decisions yet/);
  assert.match(unchosenText(1), /^1 decision: choose/);
  assert.match(unchosenText(8152), /^8,152 decisions: choose/);
});
