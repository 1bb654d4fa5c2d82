// Goal: every way plays the same inputs, and a way that differs is reported. Method: the native
// engine, and the same engine with altered answers.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { AlteredSurface } from '../support/altered_surface.js';
import { RawEngine, VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { loadTarget, TARGETS } from '../support/targets.js';
import { collectCases } from './collect.js';
import { failureOf, passed } from './report.js';
import { GOLDEN, GOLDEN_DATA, main, runCases } from './run.js';
import { waysOf } from './ways.js';

const OPTIONS = /** @type {const} */ ({ data: GOLDEN_DATA, tieBreak: 'name', detail: 'summary' });

/** @type {import('./collect.js').Case[]} */
let cases;

before(() => {
  cases = collectCases([GOLDEN], { families: ['taints'] });
});

/**
 * @param {ConstructorParameters<typeof AlteredSurface>[0]} alter  what the second engine answers
 * @param {(surface: any) => void} [meddle]  with the second engine
 */
function runOnTwo(alter, meddle = () => {}) {
  const surfaces = [new AlteredSurface(), new AlteredSurface(alter)];
  meddle(surfaces[1]);
  const ways = surfaces.map((surface, at) => {
    const verdictCache = VERDICT_CACHE_MODES[at];
    return { target: 'altered', engine: new RawEngine(surface), verdictCache };
  });
  return { surfaces, results: runCases(ways, [cases[0]], OPTIONS) };
}

test('every way gets the same inputs, with its own mode', () => {
  const { surfaces, results } = runOnTwo({});
  assert.deepEqual(results.map(passed), [true, true]);
  assert.deepEqual(results[0].outcome, results[1].outcome);
  const [first, second] = surfaces.map(({ inputs: [created, ...rest] }) => ({ created, rest }));
  assert.deepEqual(second.rest, first.rest);
  assert.equal(first.created.create.verdictCache, 'off');
  assert.deepEqual(second.created, {
    ...first.created,
    create: { ...first.created.create, verdictCache: 'firstUse' },
  });
});

test('a way that differs is reported', () => {
  const { results } = runOnTwo({ decision: (one) => ({ ...one, node: 'nowhere' }) });
  assert.deepEqual(results.map(passed), [true, false]);
  assert.match(failureOf(results[1]), /^FAIL altered \(firstUse\) taints\//);
});

test('a way that differs in its bytes alone fails too', async () => {
  const engine = await loadTarget('native');
  const { surface } = engine;
  /** @type {Uint8Array | null} */
  let output = null;
  const spaced = /** @type {import('../support/raw_engine.js').Surface} */ ({
    ...surface,
    apply: (...values) => {
      output = null;
      return surface.apply(...values);
    },
    run: (...values) => {
      surface.run(...values);
      const text = new TextDecoder().decode(surface.output());
      output = new TextEncoder().encode(text.replaceAll('"pod":', '"pod": '));
      return output.length;
    },
    output: () => output ?? surface.output(),
  });
  const ways = [engine, new RawEngine(spaced)].map((one) => ({ target: 'native', engine: one }));
  const [first, second] = runCases(ways, [cases[0]], OPTIONS);
  assert.equal(first.outcome.finding, null);
  assert.match(failureOf(second), /call \d+ \(run\)/);
});

test('an engine that stops does not stop the other ways', () => {
  const { results } = runOnTwo({}, (surface) => {
    surface.run = () => {
      throw new Error('aborted');
    };
  });
  assert.deepEqual(results.map(passed), [true, false]);
  assert.match(failureOf(results[1]), /aborted/);
});

test('the command line takes one mode, or all of them', async () => {
  const runMain = async (/** @type {string[]} */ ...argv) => {
    /** @type {string[]} */
    const lines = [];
    const code = await main(argv, { write: (text) => lines.push(text) });
    return { code, text: lines.join('\n') };
  };
  const family = ['--family', 'node-name'];
  const one = await runMain(...family, '--cache', 'tiny');
  assert.equal(one.code, 0, one.text);
  assert.match(one.text, /^wasm \(tiny\), v1\.36/m);
  const all = await runMain(...family, '--target', 'both', '--detail', 'summary');
  for (const target of TARGETS) {
    for (const mode of VERDICT_CACHE_MODES) assert.ok(all.text.includes(`${target} (${mode}), `));
  }
  assert.match(all.text, /^6 passed, 0 failed$/m);
  const wrong = await runMain('--cache', 'large');
  assert.equal(wrong.code, 2);
  assert.match(wrong.text, /--cache large: off, firstUse, secondUse, tiny, refill or all/);
  assert.equal((await runMain('--cache', 'off', '--detail', 'nodes')).code, 2);
  assert.equal(waysOf([], []).length, 0);
});
