import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, findings } from './files.js';
import { coreFaults, libraryFaults, unorderedLoops } from './purity.js';

const isCore = (/** @type {string} */ path) => /^core\/.*\.(cc|h)$/.test(path);
const isLibrary = (/** @type {string} */ path) =>
  /^js\/(src|apiserver)\/.*\.js$/.test(path) && !/^js\/src\/(runtimes|cli)\//.test(path);

test('the core has no clock, chance, I/O, threads, locale, exceptions or RTTI', () => {
  assertNone(findings(isCore, coreFaults));
});

test('the library names no runtime, clock or chance', () => {
  assertNone(findings(isLibrary, libraryFaults));
});

test('the rule for the core finds what it is for', () => {
  const bad = [
    '#include <chrono>',
    '#include <iostream>',
    'auto now = std::chrono::steady_clock::now();',
    'seconds = time(nullptr);',
    'return ::clock();',
    'int a = rand();',
    'std::mt19937 engine;',
    'FILE* f = fopen(path, mode);',
    'std::cout << 1;',
    'std::printf(format);',
    'static thread_local int x;',
    'std::mutex lock;',
    'std::locale::global(x);',
    'std::snprintf(buffer, size, format);',
    'value = std::strtod(text, &end);',
    'if (bad) throw Fault();',
    'try { Run(); } catch (...) {}',
    'auto* d = dynamic_cast<Derived*>(b);',
    'typeid(x).name();',
    'waiting.resume();',
    'std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) const {',
  ];
  for (const text of bad) assert.ok(coreFaults('core/base/a.cc', text).length > 0, text);
  const good = [
    '// throw, try { and std::cout are words here',
    'Error("rand() failed: throw");',
    "MySnprintf(buffer, size, format); char quote = '\"';  int after = 0;",
    'Runtime(0); lifetime(5); queue.time(); pod->system();',
    'const char* text = R"(throw std::cout)";',
    "constexpr int kMillion = 1'000'000;",
    'retry { attempts };',
    'Trampoline::Run(waiting); T await_resume() { return Take(); }',
  ];
  for (const text of good) assert.deepEqual(coreFaults('core/base/a.cc', text), [], text);
});

test('the rule for unordered containers finds loops, not look-ups', () => {
  const declared = 'std::unordered_map<Symbol, std::vector<int>> rows_;\n';
  assert.equal(unorderedLoops(`${declared}for (const auto& row : rows_) {}`).length, 1);
  assert.equal(unorderedLoops(`${declared}for (auto& [a, b] : other.rows_) {}`).length, 1);
  assert.equal(unorderedLoops(`${declared}auto it = rows_.begin();`).length, 1);
  assert.equal(
    unorderedLoops('using Rows = std::unordered_set<int>;\nRows seen;\nfor (int a : seen) {}')
      .length,
    1,
  );
  assert.equal(unorderedLoops('HashMap<A, B, C> seen_;\nfor (auto& one : seen_) {}').length, 1);
  assert.equal(unorderedLoops('RevertibleMap<A, B, C> a_;\nfor (auto& one : a_) {}').length, 1);
  assert.equal(unorderedLoops('for (auto& row : rows_) {}', declared).length, 1);
  assert.deepEqual(unorderedLoops(`${declared}auto it = rows_.find(a); rows_.end();`), []);
  assert.deepEqual(unorderedLoops('std::map<int, int> rows_;\nfor (auto& row : rows_) {}'), []);
});

test('the rule for the library finds what it is for', () => {
  const bad = [
    'const now = Date.now();',
    'const now = new Date();',
    'Math.random();',
    'setTimeout(run, 5);',
    'process.exit(1);',
    'Buffer.from(text);',
    "import { readFile } from 'node:fs';",
    "const fs = await import('node:fs');",
    'const text = `${Math.random()}`;',
  ];
  for (const text of bad) assert.ok(libraryFaults('js/src/a.js', text).length > 0, text);
  const good = [
    '// Date.now() would differ',
    "throw new Error('process is not there');",
    'const at = new Date(now);',
    'this.process(input); const row = { process: 1 };',
    'const pattern = /Date.now/;',
  ];
  for (const text of good) assert.deepEqual(libraryFaults('js/src/a.js', text), [], text);
});
