/** The texts about the facts of releases agree with the engine and with the recordings. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { RELEASES, releaseOf } from '../../../js/src/kubernetes/release.js';
import { FACT_TEXTS } from '../../../js/src/kubernetes/release_facts.js';
import { TARGETS } from '../support/real_engine.js';

/** @param {string} path of the repository */
const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** @param {string} patch */
const manifestOf = (patch) => read(`tests/conformance/versions/${patch}/manifest.json`);

for (const [name, start] of Object.entries(TARGETS)) {
  const { engine } = await start();

  test(`every fact of the engine has a text, in the engine's order (${name})`, () => {
    assert.deepEqual(
      Object.keys(FACT_TEXTS),
      engine.releaseFacts.map((fact) => fact.name),
    );
  });

  test(`the releases are those of the engine, and stand for recorded patches (${name})`, () => {
    assert.deepEqual(
      engine.releases.map(({ version }) => version),
      RELEASES.map((release) => releaseOf(release)),
    );
    const older = engine.releases.slice(0, 3);
    for (const { patch } of older)
      assert.ok(existsSync(new URL(`../../conformance/versions/${patch}/`, import.meta.url)));
    assert.equal(engine.releases.at(-1)?.patch, undefined);
  });
}

const { engine } = await TARGETS.native();

test('a recorded fact names a scenario of which its release says that the fact flips it', () => {
  for (const { name, since } of engine.releaseFacts) {
    const { sentence, source, scenario } = FACT_TEXTS[name];
    assert.ok(source && sentence && sentence.length <= 100, name);
    if (scenario === undefined) continue;
    const index = engine.releases.findIndex(({ version }) => version === since);
    const before = /** @type {string} */ (engine.releases[index - 1].patch);
    const { scenarios } = JSON.parse(manifestOf(before));
    assert.ok(name in (scenarios[scenario]?.causes ?? {}), `${name}: ${scenario}`);
  }
});

test('facts that no recording proves are not causes of any recording', () => {
  const unproved = Object.keys(FACT_TEXTS).filter((name) => !FACT_TEXTS[name].scenario);
  assert.equal(unproved.length, 10);
  for (const { patch } of engine.releases.slice(0, 3)) {
    const manifest = manifestOf(/** @type {string} */ (patch));
    for (const name of unproved) assert.ok(!manifest.includes(`"${name}"`), `${patch} ${name}`);
  }
});
