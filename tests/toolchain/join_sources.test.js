// Goal: sources that are compiled as one neither declare a name twice nor hide a header's name.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { batchesOf, namesIn, ownNamesIn } from '../../wasm/toolchain/join_sources.js';

const SOURCE = `#include "core/base/check.h"

namespace stowage {
namespace {

constexpr std::string_view kReason = "no [such] node; none";
constexpr int kCounts[] = {1, 2};
using Fault = std::optional<int>;
enum class Mode { kOff };
struct State {
  int inner = 0;
  bool IsInner() const { return true; }
};
template <>
struct Schema<Pod> {};

std::vector<int> CountsOf(const State& state, Mode mode) {
  int local = state.inner;
  return {local};
}

const State* Find(int key) { return nullptr; }

}  // namespace

Status Plugin::Filter(const State& state) { return Find(1); }
const TypeInfo& NodeType() { return kTypeInfo<Node>; }
TEST(Suite, Name) {}

}  // namespace stowage
`;

test('own names are the types, functions and constants of anonymous namespaces', () => {
  const own = ['kReason', 'kCounts', 'Fault', 'Mode', 'State', 'CountsOf', 'Find'];
  assert.deepEqual([...ownNamesIn(SOURCE)].sort(), own.sort());
  assert.deepEqual([...namesIn(SOURCE)].sort(), [...own, 'NodeType'].sort());
});

/** @param {import('node:test').TestContext} t @param {Record<string, string>} files */
function folderOf(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'join-sources-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const anonymous = (/** @type {string} */ text) => `namespace {\n${text}\n}  // namespace\n`;

test('sources with a common name are in different batches', (t) => {
  const files = {
    'a.cc': anonymous('struct State {};'),
    'b.cc': anonymous('int Count() { return 1; }'),
    'c.cc': anonymous('struct State {};'),
    'd.cc': anonymous('int Other() { return 1; }'),
    'e.cc': anonymous('int More() { return 1; }'),
  };
  const folder = folderOf(t, files);
  const paths = Object.keys(files).map((name) => join(folder, name));
  const names = batchesOf(folder, 3, paths).map((batch) =>
    batch.map((path) => path.slice(folder.length + 1)),
  );
  assert.deepEqual(names, [
    ['a.cc', 'b.cc', 'd.cc'],
    ['c.cc', 'e.cc'],
  ]);
});

test('a source that declares a name of a header is not joined with users of the header', (t) => {
  const folder = folderOf(t, {
    'core/deep.h': 'class Vouching {};\n',
    'core/near.h': '#include "core/deep.h"\n',
    'declares.cc': anonymous('int Vouching(int a) { return a; }'),
    'includes.cc': '#include "core/near.h"\n',
    'other.cc': '#include <vector>\n',
  });
  const paths = ['declares.cc', 'includes.cc', 'other.cc'].map((name) => join(folder, name));
  const [declares, includes, other] = paths;
  assert.deepEqual(batchesOf(folder, 8, paths), [[declares, other], [includes]]);
  assert.deepEqual(batchesOf(folder, 8, [includes, declares, other]), [
    [includes, other],
    [declares],
  ]);
});
