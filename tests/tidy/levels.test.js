import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, findings } from './files.js';
import { includeFaults } from './levels.js';

const isCpp = (/** @type {string} */ path) => /^(core|wasm|tests)\/.*\.(cc|h)$/.test(path);

test('includes go down the levels only', () => {
  assertNone(findings(isCpp, includeFaults));
});

test('the rule for includes finds what it is for', () => {
  const bad = [
    ['core/base/check.h', '#include "core/api/pod.h"'],
    ['core/api/pod.h', '#include "core/loop/task.h"'],
    ['core/table/row_key.h', '#include "core/framework/snapshot.h"'],
    ['core/cache/cache.cc', '#include "core/queue/nominator.h"'],
    ['core/plugins/node_name.cc', '#include "core/runtime/framework.h"'],
    ['core/plugins/node_name.cc', '#include "core/preemption/evaluator.h"'],
    ['core/scheduler/facade.cc', '#include "wasm/surface.h"'],
    ['core/base/check.cc', '#include "check.h"'],
    ['core/framework/status.cc', '#include <nlohmann/json.hpp>'],
    ['core/api/encode/json_writer.cc', '#include <nlohmann/json_fwd.hpp>'],
    ['core/scheduler/facade.cc', '#include <emscripten/bind.h>'],
  ];
  for (const [path, text] of bad)
    assert.equal(includeFaults(path, text).length, 1, `${path} ${text}`);
  const good = [
    ['core/plugins/default_preemption.cc', '#include "core/preemption/evaluator.h"'],
    ['core/plugins/node_name.cc', '#include "core/framework/status.h"'],
    ['core/framework/snapshot.h', '#include "core/table/node_table.h"'],
    ['core/api/decode/batch.cc', '#include "core/api/encode/utf8.h"'],
    ['core/api/decode/batch.cc', '#include <nlohmann/json.hpp>'],
    ['wasm/bindings.cc', '#include <emscripten/bind.h>'],
    ['tests/core/plugins/node_name_test.cc', '#include "tests/support/builders.h"'],
  ];
  for (const [path, text] of good)
    assert.deepEqual(includeFaults(path, text), [], `${path} ${text}`);
});
