/** The recorded decisions and replays, all of them, natively and as WASM. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { loadTarget, TARGETS } from '../support/targets.js';
import { collectCases } from './collect.js';
import { failureOf, passed } from './report.js';
import { GOLDEN, GOLDEN_DATA, runCases } from './run.js';

/** Scenarios and attempts that must agree, by family. */
const EXPECTED = {
  'config-fit': [50, 598],
  'declared-features': [8, 48],
  images: [26, 316],
  'node-affinity': [40, 763],
  'node-name': [6, 48],
  openb: [4, 4 * 8152],
  ports: [26, 398],
  'preemption-pdb': [30, 251],
  resources: [46, 692],
  sampling: [18, 110],
  'scheduling-gates': [10, 75],
  taints: [36, 490],
  'taints-comparison': [10, 120],
  'unschedulable-nodes': [12, 168],
  batching: [16, 226],
  'cluster-changes': [30, 221],
  'config-profiles': [40, 563],
  edge: [14, 122],
  interpod: [56, 709],
  'interpod-series': [16, 206],
  large: [7, 42],
  nominated: [30, 302],
  preemption: [60, 808],
  spread: [56, 753],
  'spread-defaults': [30, 365],
  'spread-soft': [24, 271],
};

/** @type {import('./collect.js').Case[]} */
let cases;

before(() => {
  cases = collectCases([GOLDEN]);
});

test('the repository holds the whole set', () => {
  const decisions = cases.filter((one) => one.decisions);
  assert.equal(decisions.length, 697);
  assert.equal(
    decisions.reduce((sum, { attempts }) => sum + attempts, 0),
    8665,
  );
  assert.deepEqual(new Set(cases.map(({ family }) => family)), new Set(Object.keys(EXPECTED)));
});

for (const target of TARGETS) {
  for (const [family, [scenarios, attempts]] of Object.entries(EXPECTED)) {
    // nodes: the plain form, with every verdict and score. summary: as the engine decides at speed.
    for (const detail of /** @type {const} */ (['nodes', 'summary'])) {
      test(`${target}: ${family} agrees with kube-scheduler v1.36.2 (${detail})`, async () => {
        const engine = await loadTarget(target);
        const chosen = cases.filter((one) => one.family === family);
        const options = { target, data: GOLDEN_DATA, tieBreak: /** @type {'name'} */ ('name') };
        const results = runCases(engine, chosen, { ...options, detail });
        const failures = results.filter((result) => !passed(result)).map(failureOf);
        assert.equal(failures.join('\n'), '');
        assert.equal(results.length, scenarios);
        assert.equal(
          results.reduce((sum, { outcome }) => sum + outcome.agreed, 0),
          attempts,
        );
      });
    }
  }
}
