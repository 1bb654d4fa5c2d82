// Goal: the end of `npm test` lists what took long.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../../wasm/toolchain/paths.js';
import { readFileTimes, readProgramTimes, timesText } from '../../wasm/toolchain/test_times.js';

/** @param {import('node:test').TestContext} t */
function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'test-times-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the reporter writes a line per test file, also for one that fails', (t) => {
  const folder = temporaryFolder(t);
  const passing = join(folder, 'passing.test.js');
  const failing = join(folder, 'failing.test.js');
  writeFileSync(passing, "require('node:test').test('slow', (t, done) => setTimeout(done, 200));");
  writeFileSync(failing, "require('node:test').test('no', () => { throw new Error('no'); });");
  const report = join(folder, 'times.jsonl');
  const options = ['--test', '--test-reporter=./wasm/toolchain/file_times.js'];
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
  spawnSync(
    process.execPath,
    [...options, `--test-reporter-destination=${report}`, passing, failing],
    { cwd: repository, env },
  );
  const times = readFileTimes(report);
  const ofFile = (/** @type {string} */ name) => times.filter((time) => time.name.endsWith(name));
  assert.equal(times.length, 2);
  assert.equal(ofFile('failing.test.js').length, 1);
  const [{ seconds }] = ofFile('passing.test.js');
  assert.ok(seconds >= 0.2 && seconds < 60, `${seconds}`);
});

test('the times of C++ test programs are read from the report of ctest', (t) => {
  const file = join(temporaryFolder(t), 'asan.xml');
  writeFileSync(
    file,
    `<?xml version="1.0"?><testsuite name="Linux-c++">
      <testcase name="plugins" classname="plugins" time="43.7" status="run"/>
      <testcase name="base" classname="base" time="6.5" status="fail"></testcase></testsuite>`,
  );
  assert.deepEqual(readProgramTimes(file, 'asan'), [
    { name: 'plugins (asan)', seconds: 43.7 },
    { name: 'base (asan)', seconds: 6.5 },
  ]);
});

test('a step that failed before its tests has no times', (t) => {
  const missing = join(temporaryFolder(t), 'none');
  assert.deepEqual(readFileTimes(missing), []);
  assert.deepEqual(readProgramTimes(missing, 'asan'), []);
});

test('steps are listed in order, and the ten slowest files from the slowest on', () => {
  const steps = [
    { name: 'tidy', seconds: 2.34 },
    { name: 'js', seconds: 400 },
  ];
  const files = Array.from({ length: 12 }, (_, index) => ({ name: `f${index}`, seconds: index }));
  const lines = timesText(steps, files).split('\n');
  assert.deepEqual(lines.slice(0, 3), ['== times', '       2.3 s  tidy', '     400.0 s  js']);
  assert.deepEqual(
    lines.slice(5).map((line) => line.trim().split(/ +/).at(-1)),
    ['f11', 'f10', 'f9', 'f8', 'f7', 'f6', 'f5', 'f4', 'f3', 'f2'],
  );
  assert.equal(timesText(steps, []).split('\n').length, 3);
});
