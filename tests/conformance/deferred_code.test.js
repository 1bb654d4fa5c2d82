// Goal: clusters without devices, pod groups and extenders never call code of the second module.
// Method: the recorded decisions of such clusters, by an engine that has no second module and would
// stop.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { DeferredModule } from '../../js/src/engine/deferred_module.js';
import { ARTIFACTS, instantiate } from '../support/targets.js';
import { collectCases } from './collect.js';
import { failuresIn } from './report.js';
import { GOLDEN, GOLDEN_DATA, runCases } from './run.js';
import { waysOf } from './ways.js';

/** Families with claims or pod groups, and the long replays. */
const OTHERS = /^(dra|gang|traces|openb)/;

const { default: createModule } = await import(pathToFileURL(ARTIFACTS.glue).href);
const module = new WebAssembly.Module(readFileSync(ARTIFACTS.module));

/** @param {DeferredModule} deferred */
async function engineWith(deferred) {
  return [{ target: 'wasm', engine: await instantiate(createModule, module, deferred) }];
}

for (const detail of /** @type {const} */ (['nodes', 'summary'])) {
  test(`no decision calls it (${detail})`, async () => {
    const deferred = new DeferredModule(() => {
      throw new Error('a cluster without devices needs it');
    });
    const cases = collectCases([GOLDEN]).filter(({ family }) => !OTHERS.test(family));
    assert.ok(cases.length > 900);
    const ways = waysOf(await engineWith(deferred), ['firstUse']);
    const options = { data: GOLDEN_DATA, tieBreak: /** @type {const} */ ('name'), detail };
    const results = runCases(ways, cases, options);
    assert.equal(failuresIn(results), '');
    assert.equal(deferred.isLoaded, false);
  });
}

test('claims load it once', async () => {
  let reads = 0;
  const deferred = new DeferredModule(() => {
    reads += 1;
    return new WebAssembly.Module(readFileSync(ARTIFACTS.deferred));
  });
  const cases = collectCases([GOLDEN], { families: ['dra-extended'] });
  const ways = waysOf(await engineWith(deferred), ['firstUse']);
  const options = { data: GOLDEN_DATA, tieBreak: /** @type {const} */ ('name') };
  const results = runCases(ways, cases, options);
  assert.equal(failuresIn(results), '');
  assert.equal(reads, 1);
});
