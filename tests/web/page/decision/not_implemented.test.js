// Goal: wherever the page shows a decision that lacks a plugin, it says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../../js/src/index.js';
import {
  notImplementedOn,
  notImplementedText,
} from '../../../../web/src/page/decision/not_implemented.js';
import { Playground } from '../../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../../support/targets.js';
import { node, pod } from '../../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** A pod of a group, which kube-scheduler would preempt for as a whole. */
function grouped() {
  const { spec, ...one } = pod('one');
  return { ...one, spec: { ...spec, schedulingGroup: { podGroupName: 'g' } } };
}

const SCENARIO = JSON.stringify({
  apiVersion: 'stowage/v1',
  kind: 'Scenario',
  title: 'A group',
  featureGates: { GenericWorkload: true, WorkloadAwarePreemption: true },
  objects: [node('a'), grouped(), pod('two')],
});

test('the decision, its row and its node name the missing plugins', async (t) => {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  await playground.open(SCENARIO);
  const { rows, position } = await playground.steps(10);
  const [one, two] = ['default/one', 'default/two'].map((name) => {
    const row = rows.find(({ kind, pod: of }) => kind === 'Decision' && of === name);
    assert.ok(row);
    return row;
  });
  assert.ok(one.notImplemented?.includes('PodGroup'));
  assert.equal(two.notImplemented, undefined);
  const then = await playground.evaluate('default/one', one.attempt);
  assert.deepEqual(then.notImplemented, one.notImplemented);
  assert.match(notImplementedText(then.notImplemented), /^PodGroup.* not implemented here/);
  const where = { node: 'a', position, isThere: () => true };
  assert.deepEqual(notImplementedOn(rows, where), {
    pods: ['default/one'],
    plugins: one.notImplemented,
  });
  const elsewhere = [
    { ...where, node: 'b' },
    { ...where, position: 0 },
  ];
  for (const other of [...elsewhere, { ...where, isThere: () => false }])
    assert.deepEqual(notImplementedOn(rows, other), { pods: [], plugins: [] });
  assert.equal(notImplementedText(undefined), '');
});
