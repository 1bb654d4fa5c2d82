// Goal: edits that Obstacles excludes give the pod no node. Method: for pods of all families, every
// set of at most two edits for the nearest nodes that it excludes is tried by the engine after all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Obstacles } from '../../../../js/src/whatif/fix/obstacles.js';
import { plansFor } from '../../../../js/src/whatif/fix/plans.js';
import { Question } from '../../../../js/src/whatif/fix/question.js';
import { TARGETS } from '../../support/real_engine.js';
import { unschedulable } from '../../support/unschedulable.js';

const { engine } = await TARGETS.native();
const startTime = Date.UTC(2026, 0, 1);

/** @param {any[]} edits @returns {any[][]} all sets of one edit or two */
const smallSets = (edits) =>
  edits.flatMap((edit, at) => [[edit], ...edits.slice(at + 1).map((other) => [edit, other])]);

test('the engine places no pod with edits that are excluded', async () => {
  let excluded = 0;
  let left = 0;
  for (let seed = 0; seed < 180; seed++) {
    const { objects, pod, families } = unschedulable(seed, { nodes: 3 });
    const scheduler = engine.createScheduler({ startTime });
    scheduler.apply([...objects, pod]);
    const asked = scheduler.get('Pod', 'default/asked');
    const question = new Question(scheduler, asked);
    const plain = new Question(scheduler, asked);
    const evaluation = await question.evaluate([]);
    const edits = new Map(
      plansFor(evaluation, asked, question).flatMap((set) => set.map((edit) => [edit.key, edit])),
    );
    for (const set of smallSets([...edits.values()].slice(0, 12))) {
      if (!question.excludes(set)) {
        left += 1;
        continue;
      }
      excluded += 1;
      const { node } = await plain.try(set);
      const names = set.map(({ key }) => key).join(' + ');
      assert.equal(node, null, `seed ${seed} ${families}: ${names}`);
    }
    question.dispose();
    plain.dispose();
    scheduler.dispose();
  }
  assert.ok(excluded > 500 && left > 500, `${excluded} excluded, ${left} left`);
});

/** @param {string} kind @returns {any} */
const editOf = (kind) => ({ kind, key: kind });

test('an evaluation excludes what ends no combination of refusals', () => {
  const refusedBy = [
    { plugins: ['NodeResourcesFit'], count: 2 },
    { plugins: ['NodePorts', 'TaintToleration'], count: 1 },
  ];
  const [gates, gated] = [editOf('RemoveSchedulingGates'), { plugin: 'SchedulingGates' }];
  const cases = [
    { name: 'one of two plugins', edits: ['AddToleration'], excludes: true },
    { name: 'both plugins', edits: ['AddToleration', 'ChangeHostPort'], excludes: false },
    { name: 'the plugin of other nodes', edits: ['LowerRequest'], excludes: false },
    { name: 'pods do not matter to a taint', edits: ['RemovePods', 'Uncordon'], excludes: false },
    { name: 'a new node', edits: ['AddNode'], excludes: false },
    { name: 'not all nodes', edits: ['AddToleration'], numAllNodes: 4, excludes: false },
    { name: 'another plugin', edits: ['UseClaim'], by: ['Custom'], excludes: false },
    { name: 'a gate', edits: ['LowerRequest'], more: gated, excludes: true },
    { name: 'a gate that goes', edits: ['LowerRequest'], set: [gates], more: gated },
    { name: 'no extension', edits: ['AddToleration'], from: [gates], excludes: false },
    { name: 'an extension', edits: ['AddToleration'], from: [gates], set: [gates], excludes: true },
  ];
  for (const { name, edits, set = [], from = [], by, more, ...rest } of cases) {
    const { numAllNodes = 3, excludes = false } = rest;
    const combinations = by ? [{ plugins: by, count: 3 }] : refusedBy;
    const evaluation = /** @type {any} */ ({ refusedBy: combinations, numAllNodes, ...more });
    const all = [...set, ...edits.map((kind) => editOf(kind))];
    assert.equal(new Obstacles(from, evaluation).remainWith(all), excludes, name);
  }
});
