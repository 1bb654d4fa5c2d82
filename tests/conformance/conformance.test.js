/**
 * The recorded decisions, replays and traces, natively and as WASM, with every mode of the verdict
 * cache.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { loadTarget, TARGETS } from '../support/targets.js';
import { collectCases } from './collect.js';
import { failuresIn } from './report.js';
import { GOLDEN, GOLDEN_DATA, runCases } from './run.js';
import { waysOf } from './ways.js';

/** The scenarios and attempts that must agree, by family; in traces every step is an attempt. */
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
  gang: [20, 201],
  interpod: [56, 709],
  'interpod-series': [16, 206],
  large: [7, 42],
  nominated: [30, 302],
  preemption: [60, 808],
  spread: [56, 753],
  'spread-defaults': [30, 365],
  'spread-soft': [24, 271],
  mixed: [44, 720],
  'preemption-ports-volumes': [20, 146],
  'volume-binding': [54, 691],
  'volume-limits': [31, 341],
  'volume-restrictions': [30, 355],
  'volume-scoring': [12, 96],
  'volume-zone': [26, 240],
  dra: [54, 679],
  'dra-extended': [16, 115],
  'dra-partitionable': [20, 170],
  'dra-reallocation': [20, 172],
  'dra-rollback': [1, 1],
  'traces/affinity': [16, 653],
  'traces/backoff': [26, 1266],
  'traces/batching': [19, 687],
  'traces/binding': [20, 739],
  'traces/dra': [21, 654],
  'traces/feature-gates': [20, 1041],
  'traces/initial-sync': [15, 485],
  'traces/mixed': [18, 2073],
  'traces/namespaces': [12, 437],
  'traces/node-lifecycle': [18, 771],
  'traces/ordering': [14, 586],
  'traces/pod-lifecycle': [27, 811],
  'traces/preemption': [38, 1270],
  'traces/profiles': [14, 593],
  'traces/queueing-hints': [63, 2405],
  'traces/scheduling-gates': [15, 472],
  'traces/topology-spread': [14, 678],
  'traces/volumes': [18, 629],
};
/** nodes: the plain form, with every verdict and score. summary: the fast form. */
const DETAILS = /** @type {const} */ (['nodes', 'summary']);
/** Traces contain no verdicts and scores. */
const TRACE_DETAILS = /** @type {const} */ (['summary']);

/** The mode that the engine chooses by itself. */
const OWN_MODE = 'firstUse';

/**
 * The form `nodes` never uses the cache, in any mode: it equals `off`. The replays are so long that
 * this serves as their `off`; everything else is also decided in every mode.
 * @param {string} family @param {'nodes' | 'summary'} detail
 */
function modesOf(family, detail) {
  if (detail === 'nodes') return /** @type {const} */ (['off']);
  if (family !== 'openb') return VERDICT_CACHE_MODES;
  return VERDICT_CACHE_MODES.filter((mode) => mode !== 'off');
}

/**
 * The replays take two thirds of this file's time. Both builds compile the same cache, and both
 * decide every other family in every mode. So WebAssembly, which is published, decides the replays
 * in the plain form, and the native build, which is faster, decides them in every mode.
 * @param {string} family @param {'nodes' | 'summary'} detail @param {import('./ways.js').Way} way
 */
function isDecided(family, detail, { target, verdictCache }) {
  if (family !== 'openb') return true;
  if (detail === 'nodes') return target === 'wasm';
  return target === 'native' || verdictCache === OWN_MODE;
}

/**
 * The plain form takes most of a replay's time, so it decides every other replay. With
 * STOWAGE_EVERY_WAY, as each night, it decides all.
 * @param {import('./collect.js').Case[]} some of the family
 * @param {string} family @param {'nodes' | 'summary'} detail
 */
function sampleOf(some, family, detail) {
  const isWhole = family !== 'openb' || detail === 'summary' || process.env.STOWAGE_EVERY_WAY;
  return isWhole ? some : some.filter((_, index) => index % 2 === 0);
}

/** @type {import('./collect.js').Case[]} */
let cases;
/** @type {{target: string, engine: import('../support/raw_engine.js').RawEngine}[]} */
let built;

before(async () => {
  cases = collectCases([GOLDEN]);
  built = [];
  for (const target of TARGETS) built.push({ target, engine: await loadTarget(target) });
});

test('the repository contains the whole set', () => {
  const decisions = cases.filter((one) => one.decisions);
  assert.deepEqual(sizeOf(decisions), [1045, 12592]);
  assert.deepEqual(sizeOf(cases.filter((one) => one.trace)), [388, 16250]);
  assert.deepEqual(new Set(cases.map(({ family }) => family)), new Set(Object.keys(EXPECTED)));
});

/** @param {import('./collect.js').Case[]} some  scenarios and attempts */
function sizeOf(some) {
  return [some.length, some.reduce((sum, { attempts }) => sum + attempts, 0)];
}

for (const [family, [scenarios, attempts]] of Object.entries(EXPECTED)) {
  for (const detail of family.startsWith('traces/') ? TRACE_DETAILS : DETAILS) {
    test(`${family} agrees with kube-scheduler v1.36.2 (${detail})`, () => {
      const ways = waysOf(built, modesOf(family, detail)).filter((way) =>
        isDecided(family, detail, way),
      );
      assert.ok(ways.length > 0);
      const whole = cases.filter((one) => one.family === family);
      assert.deepEqual(sizeOf(whole), [scenarios, attempts]);
      const chosen = sampleOf(whole, family, detail);
      const options = { data: GOLDEN_DATA, tieBreak: /** @type {'name'} */ ('name'), detail };
      const results = runCases(ways, chosen, options);
      assert.equal(failuresIn(results), '');
      assert.equal(results.length, chosen.length * ways.length);
      assert.equal(
        results.reduce((sum, { outcome }) => sum + outcome.agreed, 0),
        sizeOf(chosen)[1] * ways.length,
      );
    });
  }
}
