// Goal: the page explains each score, and each pick of preemption, with the engine's own notes, now
// and for past attempts. Method: lessons are played, then pods and attempts are evaluated.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Inquiry } from '../../../web/src/worker/inquiry.js';
import { Attempts } from '../../../web/src/world/attempts.js';
import { ARTIFACTS } from '../../support/targets.js';
import * as lessons from '../played_lesson.js';

/** @import { Journal } from '../../../web/src/world/journal.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** The number of pods, and of attempts, that are checked for each lesson. */
const ASKED_MAX = 6;

for (const name of ['01-taints', '03-pod-affinity', '05-topology-spread', '06-bin-packing']) {
  test(`${name}: every score has notes, and they add up to it`, async (t) => {
    const { journal } = await played(t, name);
    const attempts = new Attempts(engine);
    t.after(() => attempts.dispose());
    const { world } = journal;
    let compared = 0;
    for (const pod of podsOf(journal)) compared += compare(new Inquiry(world.moment, pod));
    for (const { record, logLine: line } of decisionsOf(journal)) {
      const inquiry = new Inquiry(await attempts.moment({ log: world.log, line }), record.pod);
      assert.equal(inquiry.evaluation.node, record.node);
      compared += compare(inquiry);
    }
    assert.ok(compared > 10, `${compared}`);
  });
}

test('07-preemption: the pick of an attempt is explained', async (t) => {
  const { journal } = await played(t, '07-preemption');
  const attempts = new Attempts(engine);
  t.after(() => attempts.dispose());
  const { log } = journal.world;
  let explained = 0;
  for (const { record, logLine: line } of decisionsOf(journal)) {
    if (!record.preemption?.nominatedNode) continue;
    const inquiry = new Inquiry(await attempts.moment({ log, line }), record.pod, record);
    const notes = inquiry.explainPick();
    const left = notes?.criteria.at(-1)?.left ?? notes?.nodes;
    assert.deepEqual(left, [record.preemption.nominatedNode]);
    explained += 1;
  }
  assert.ok(explained > 0);
});

test('15-devices: a refused claim is explained as it was at the attempt', async (t) => {
  const { journal } = await played(t, '15-devices');
  const attempts = new Attempts(engine);
  t.after(() => attempts.dispose());
  const { log } = journal.world;
  const { record, logLine: line } = decisionsOf(journal).findLast(
    ({ record: { pod, feasibleNodes } }) => pod === 'default/notebook-2' && feasibleNodes === 0,
  );
  const inquiry = new Inquiry(await attempts.moment({ log, line }), record.pod, record);
  const { culprits, unserved } = inquiry.explainDevices();
  assert.deepEqual(
    culprits.map(({ node, deviceRequests }) => [
      node,
      deviceRequests?.[0].refused.map(({ rule, devices }) => `${rule} ${devices}`),
    ]),
    [
      ['gpu-1', ['classSelector 1', 'inUse 1', 'taint 1']],
      ['gpu-2', ['classSelector 3']],
    ],
  );
  assert.match(unserved[0], /^No node can serve request gpu of claim default\/notebook-2-half-/);
  const now = new Inquiry(journal.world.moment, 'default/notebook-2').explainDevices();
  assert.deepEqual([now.culprits.map(({ node }) => node), now.unserved], [['gpu-2'], []]);
});

/**
 * @param {import('node:test').TestContext} t
 * @param {string} name
 */
async function played(t, name) {
  const { journal } = await lessons.playLesson(engine, await lessons.readLesson(name));
  t.after(() => journal.dispose());
  return { journal };
}

/**
 * @param {Inquiry} inquiry
 * @returns {number} the number of scores that were compared
 */
function compare(inquiry) {
  const { scores = {}, feasible = [] } = inquiry.evaluation;
  for (const [plugin, column] of Object.entries(scores)) {
    for (const [at, node] of feasible.entries()) {
      const notes = inquiry.explainScore(plugin, node);
      assert.equal(notes?.weighted, column[at], `${plugin} on ${node}`);
    }
  }
  return Object.keys(scores).length * feasible.length;
}

/**
 * Pods of the world for which a profile is responsible.
 * @param {Journal} journal
 */
function podsOf({ world }) {
  return world.server.store
    .list('pods')
    .filter(({ spec }) => spec.schedulerName !== 'packer')
    .map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)
    .slice(-ASKED_MAX);
}

/**
 * The latest decisions of the present scheduler.
 * @param {Journal} journal
 */
function decisionsOf({ entries }) {
  const since = entries.findLastIndex(({ action }) => action.do === 'configure');
  const said = entries.slice(since + 1).flatMap((entry) => entry.said);
  return said
    .filter(({ record }) => record.kind === 'Decision' && record.result !== 'gated')
    .slice(-ASKED_MAX);
}
