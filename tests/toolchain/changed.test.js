// Goal: `npm test -- --changed` runs every step that a change may break, and prints the reasons.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { choicesText, needsEngine, RULES, stepsFor } from '../../wasm/toolchain/changed.js';
import { capture } from '../../wasm/toolchain/commands.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { STEPS } from '../../wasm/toolchain/test_steps.js';

const EVERY = Object.keys(STEPS).filter((name) => !STEPS[name].onRequest);
const names = (/** @type {string[]} */ files) => [...stepsFor(files, () => true).keys()];

test('a change of the core runs every step but the types', () => {
  const expected = EVERY.filter((name) => name !== 'types');
  assert.deepEqual(names(['core/plugins/node_name.cc']), expected);
  assert.deepEqual(names(['wasm/bindings.cc']), expected);
});

test('a change of JavaScript builds and runs no C++ tests', () => {
  const expected = ['tidy', 'format', 'types', 'js', 'runtimes', 'web', 'timed'];
  for (const file of ['js/src/index.js', 'web/src/main.jsx', 'examples/openb/README.txt']) {
    assert.deepEqual(names([file]), expected, file);
    assert.ok(needsEngine(stepsFor([file])));
  }
});

test('C++ tests run with AddressSanitizer and in WebAssembly', () => {
  const choices = stepsFor(['tests/core/base/split_test.cc']);
  assert.deepEqual([...choices.keys()], ['tidy', 'format', 'asan', 'wasm']);
  assert.equal(needsEngine(choices), false);
});

test('test files run alone, with type checks where they apply', () => {
  const choices = stepsFor(
    [
      'tests/js/io/clock.test.js',
      'tests/js/kubernetes/hash.test.js',
      'tests/toolchain/build.test.js',
    ],
    (file) => !file.endsWith('hash.test.js'),
  );
  assert.deepEqual([...choices.keys()], ['tidy', 'format', 'types', 'js']);
  assert.deepEqual(choices.get('js')?.only, [
    'tests/js/io/clock.test.js',
    'tests/toolchain/build.test.js',
  ]);
  assert.equal(choices.get('types')?.only, null);
});

test('a step runs whole if one changed file needs it and another is a test of its own', () => {
  for (const files of [
    ['js/src/index.js', 'tests/js/io/clock.test.js'],
    ['tests/js/io/clock.test.js', 'tests/js/support/printed_text.js'],
  ]) {
    assert.equal(stepsFor(files, () => true).get('js')?.only, null);
  }
});

test('documents are checked by tidy alone, except those with examples that run', () => {
  assert.deepEqual(names(['core/README.md', 'tests/README.md']), ['tidy', 'format']);
  assert.deepEqual(names(['README.md']), ['tidy', 'format', 'js', 'runtimes']);
});

test('a path that no rule names runs everything', () => {
  for (const file of [
    ...['package.json', 'package-lock.json', 'CMakeLists.txt', 'CMakePresets.json', '.ci/run'],
    ...['wasm/toolchain/build.js', 'wasm/CMakeLists.txt', 'a/new/folder.txt'],
  ]) {
    assert.deepEqual(names([file]), EVERY, file);
  }
});

test('every rule matches existing files and names existing steps', () => {
  const files = capture('git', ['-C', repository, 'ls-files']).split('\n');
  for (const [path, steps] of RULES) {
    assert.ok(
      files.some((file) => path.test(file)),
      `${path}`,
    );
    for (const step of steps) assert.ok(step in STEPS, step);
  }
});

test('no change runs nothing', () => {
  assert.deepEqual(names([]), []);
  assert.equal(choicesText(stepsFor([])), 'nothing differs from main');
});

test('the choice is printed with its reasons', () => {
  const choices = stepsFor(['js/src/index.js', 'js/src/live.js', 'tests/web/clusters.test.js']);
  const lines = choicesText(choices).split('\n');
  assert.ok(lines.includes('   tidy: always'));
  assert.ok(lines.includes('   types: js/src/index.js and 1 more'));
  const alone = stepsFor(['tests/web/clusters.test.js']);
  assert.match(choicesText(alone), /^ {3}web: tests\/web\/clusters\.test\.js$/m);
});
