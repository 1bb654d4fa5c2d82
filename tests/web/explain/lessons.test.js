// Goal: a formula comes to what the engine says, in every lesson, for every plugin and node.
// Method: the lessons are played; then pods are asked about as things stand, and attempts as they
// were.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Inquiry } from '../../../web/src/worker/inquiry.js';
import { Attempts } from '../../../web/src/world/attempts.js';
import { ARTIFACTS } from '../../support/targets.js';
import * as lessons from '../played_lesson.js';
import { wrongScores } from './wrong_scores.js';

/** @import { Journal } from '../../../web/src/world/journal.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** Of each lesson so many pods, and so many attempts. */
const ASKED_MAX = 12;

/** @type {import('./wrong_scores.js').Checked} */
const checked = new Map();

/** Its 8,152 pods take half a minute, and have nothing that recorded scenarios do not have. */
const LONGEST = '14-openb';

for (const name of lessons.lessonNames().filter((one) => one !== LONGEST)) {
  test(`${name}: formulas come to the engine's scores`, async (t) => {
    const { journal } = await lessons.playLesson(engine, await lessons.readLesson(name));
    const attempts = new Attempts(engine);
    t.after(async () => {
      attempts.dispose();
      await journal.dispose();
    });
    const { world } = journal;
    for (const pod of podsOf(journal)) {
      const inquiry = new Inquiry(world.moment, pod);
      assert.deepEqual(wrongScores(inquiry, checked), [], pod);
    }
    for (const { pod, node, line } of decisionsOf(journal)) {
      const inquiry = new Inquiry(await attempts.moment({ log: world.log, line }), pod);
      assert.equal(inquiry.evaluation.node, node);
      assert.deepEqual(wrongScores(inquiry, checked), [], `${pod} in line ${line}`);
    }
  });
}

test('the lessons have scores of all plugins', () => {
  const plugins = ['NodeResourcesFit', 'TaintToleration', 'NodeAffinity', 'InterPodAffinity'];
  for (const plugin of plugins) assert.ok((checked.get(plugin) ?? 0) > 0, plugin);
});

/**
 * Pods of the world that a profile is responsible for.
 * @param {Journal} journal
 */
function podsOf({ world }) {
  return world.server.store
    .list('pods')
    .filter(({ spec }) => spec.schedulerName !== 'paker')
    .map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)
    .slice(-ASKED_MAX);
}

/**
 * The latest decisions of the scheduler that is there now.
 * @param {Journal} journal
 */
function decisionsOf({ entries }) {
  const since = entries.findLastIndex(({ action }) => action.do === 'configure');
  const said = entries.slice(since + 1).flatMap((entry) => entry.said);
  return said
    .filter(({ record }) => record.kind === 'Decision' && record.result !== 'gated')
    .map(({ record: { pod, node }, logLine: line }) => ({ pod, node, line }))
    .slice(-ASKED_MAX);
}
