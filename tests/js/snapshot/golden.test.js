// Goal: the engine decides on an anonymized cluster as on the original one. Method: all golden
// recordings of kube-scheduler, replayed on an engine that sees new names only; its answers are
// compared with the recordings under the true names: nodes, reasons, scores, messages, victims.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { collectCases } from '../../conformance/collect.js';
import { playDecisions } from '../../conformance/decisions.js';
import { loadTarget } from '../../support/targets.js';
import { RenamingEngine, withoutRequestNumbers } from '../support/renaming_engine.js';

const GOLDEN = fileURLToPath(new URL('../../conformance/golden/decisions', import.meta.url));

const cases = collectCases([GOLDEN]);
const engine = await loadTarget('native');
const families = [...new Set(cases.map(({ family }) => family))];

/** @param {any} file */
function objectsIn({ objects, steps }) {
  const later = steps.flatMap(({ pod, group, apply = [], expect }) => [
    ...(pod ? [pod] : []),
    ...(group?.pods ?? []),
    ...apply,
    ...(expect?.after ?? []),
  ]);
  return [...objects, ...later];
}

for (const family of families) {
  test(`${family}: as recorded, under names that are made up`, () => {
    const some = cases.filter((one) => one.family === family);
    let attempts = 0;
    for (const { name, decisions } of some) {
      const file = JSON.parse(withoutRequestNumbers(JSON.stringify(decisions)));
      const renaming = new RenamingEngine(engine, objectsIn(file), file.configuration);
      const outcome = playDecisions(renaming, file);
      assert.equal(outcome.finding, null, `${name}: ${JSON.stringify(outcome.finding)}`);
      attempts += outcome.agreed;
    }
    assert.ok(attempts > 0);
  });
}
