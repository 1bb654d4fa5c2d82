// Goal: a formula comes to what kube-scheduler's plugin says, whatever the pod and the profile.
// Method: recorded scenarios of every family are played, and each pod is asked about before its
// cycle.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Inquiry } from '../../../web/src/worker/inquiry.js';
import { KnownObjects } from '../../../web/src/world/known_objects.js';
import { Cluster, podName } from '../../conformance/cluster.js';
import { collectCases } from '../../conformance/collect.js';
import { GOLDEN } from '../../conformance/run.js';
import { ARTIFACTS } from '../../support/targets.js';
import { wrongScores } from './wrong_scores.js';

/** @import { Case } from '../../conformance/collect.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** Of each family, and of each scenario. */
const SCENARIOS = 2;
const STEPS_MAX = 12;

/** @type {Map<string, Case[]>} */
const families = new Map();
for (const one of collectCases([`${GOLDEN}decisions`]).cases) {
  const some = families.get(one.family) ?? [];
  if (some.length < SCENARIOS && one.family !== 'large') families.set(one.family, [...some, one]);
}

/** @type {import('./wrong_scores.js').Checked} */
const checked = new Map();

for (const [family, cases] of families) {
  test(`${family}: formulas come to the engine's scores`, async () => {
    for (const { name, decisions } of cases) {
      for await (const inquiry of inquiriesOf(decisions))
        assert.deepEqual(wrongScores(inquiry, checked), [], name);
    }
  });
}

test('all plugins that score were checked', () => {
  const least = Math.min(...['NodeAffinity', 'InterPodAffinity', 'PodTopologySpread'].map(count));
  assert.ok(least > 100, `${least}`);
  assert.ok(count('ImageLocality') > 1000);
});

/** @param {string} plugin */
function count(plugin) {
  return checked.get(plugin) ?? 0;
}

/**
 * A question for each pod, as things stand before its cycle.
 * @param {any} file of decisions
 */
async function* inquiriesOf({ configuration, featureGates = {}, objects, steps }) {
  /** @type {string[]} */
  const log = [];
  const scheduler = engine.createScheduler({
    configuration,
    featureGates,
    tieBreak: 'name',
    log: (line) => void log.push(line),
  });
  const cluster = new Cluster();
  const give = (/** @type {object[]} */ events) => {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (lines !== '') scheduler.apply(lines, { format: 'lines', onError: () => {} });
  };
  give(cluster.apply(objects));
  for (const { expect, pod, retry, apply = [], delete: gone = [] } of steps.slice(0, STEPS_MAX)) {
    if (!expect) {
      give([...cluster.apply(apply), ...cluster.delete(gone)]);
      continue;
    }
    if (pod) give(cluster.apply([pod]));
    const name = retry ?? podName(pod);
    const before = KnownObjects.ofLog(log);
    yield new Inquiry({ scheduler, log, line: log.length, objects: before }, name);
    await scheduler.scheduleOne(name).catch(() => {});
    give(cluster.settle(name, expect));
  }
  scheduler.dispose();
}
