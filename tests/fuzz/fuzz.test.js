// Goal: the script requests existing targets, and the targets can read the seeds.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../wasm/toolchain/paths.js';
import { parseRequest } from './fuzz.js';
import { SEED_BYTES_MAX, TARGETS, writeSeeds } from './seeds.js';

test('the command line names existing targets', () => {
  const all = parseRequest([]);
  assert.deepEqual(all?.targets, Object.keys(TARGETS));
  const one = parseRequest(['--target', 'batches', '--minutes', '0.5', '--jobs', '1']);
  assert.deepEqual(one, { targets: ['batches'], minutes: 0.5, jobs: 1, merge: false });
  assert.equal(parseRequest(['--help']), null);
  for (const wrong of [
    ['--target', 'pods'],
    ['--minutes', 'x'],
    ['--jobs', '0'],
    ['--seed', '1'],
  ])
    assert.throws(() => parseRequest(wrong), undefined, wrong.join(' '));
});

test('every target is built, and has seeds within the size that is mutated', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'seeds-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const counts = writeSeeds(folder, { most: 20 });
  const build = readFileSync(join(repository, 'tests/fuzz/CMakeLists.txt'), 'utf8');
  for (const target of Object.keys(TARGETS)) {
    assert.match(build, new RegExp(`^set\\(fuzzers .*\\b${target}\\b.*\\)$`, 'm'));
    const names = readdirSync(join(folder, target));
    assert.equal(names.length, counts[target]);
    assert.ok(names.length >= 5, target);
    for (const name of names)
      assert.ok(readFileSync(join(folder, target, name)).length <= SEED_BYTES_MAX);
  }
  assert.match(readFileSync(join(folder, 'words.dict'), 'utf8'), /^"\\"topologyKey\\":"$/m);
});
