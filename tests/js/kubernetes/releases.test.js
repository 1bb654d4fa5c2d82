/** The rows of the releases agree with the engine's table and with the recordings. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { PATCHES, ROWS } from '../../../js/src/kubernetes/releases.js';

/** @param {string} path of the repository */
const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const table = read('core/config/behaviour.cc');

test('the rows are those of the engine, in their order', () => {
  const engine = [...table.matchAll(/\{"([a-z-]+)",\s*&Behaviour::\w+,\s*Version::k(\d)_(\d+)\}/g)];
  assert.ok(engine.length > 0);
  assert.deepEqual(
    ROWS.map(({ name, since }) => [name, since]),
    engine.map(([, name, major, minor]) => [name, `${major}.${minor}`]),
  );
});

test('the releases are those of the engine, and stand for the patches that were recorded', () => {
  const [, versions] = /kVersions\[.*?\] = \{([^}]+)\}/s.exec(table) ?? [];
  assert.deepEqual(
    Object.keys(PATCHES).map((release) => `v${release}`),
    [...versions.matchAll(/"([^"]+)"/g)].map(([, name]) => name),
  );
  for (const patch of [PATCHES['1.33'], PATCHES['1.34'], PATCHES['1.35']]) {
    const recorded = new URL(`../../conformance/versions/v${patch}/`, import.meta.url);
    assert.ok(existsSync(recorded), `v${patch}`);
  }
});

test('a recorded row names a scenario of which its release says that the row flips it', () => {
  for (const { name, since, source, sentence, recorded, scenario } of ROWS) {
    assert.ok(source && sentence && sentence.length <= 100, name);
    assert.equal(recorded, scenario !== undefined, name);
    if (scenario === undefined) continue;
    const before = PATCHES[`1.${Number(since.slice(2)) - 1}`];
    const manifest = JSON.parse(read(`tests/conformance/versions/v${before}/manifest.json`));
    assert.ok(name in (manifest.scenarios[scenario]?.causes ?? {}), `${name}: ${scenario}`);
  }
});

test('rows that no recording proves are not causes of any recording', () => {
  const unproved = ROWS.filter(({ recorded }) => !recorded).map(({ name }) => name);
  assert.equal(unproved.length, 10);
  for (const patch of [PATCHES['1.33'], PATCHES['1.34'], PATCHES['1.35']]) {
    const manifest = read(`tests/conformance/versions/v${patch}/manifest.json`);
    for (const name of unproved) assert.ok(!manifest.includes(`"${name}"`), `${patch} ${name}`);
  }
});
