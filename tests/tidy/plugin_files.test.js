import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, findings } from './files.js';
import { cachingFaults, isPluginRule } from './plugin_files.js';

test('fragments, derived state and chunk forms are defined in _caching.cc', () => {
  assertNone(findings(isPluginRule, cachingFaults));
});

test('the rule for plugin files finds definitions and passes calls', () => {
  const bad = [
    'bool NodeName::AppendFragment(const Pod& pod, PodSignature* signature) const {',
    'uint64_t NodeName::FilterChunk(const CycleState& state, const Pod& pod,',
    'Status Spread::PreScoreGroups(CycleState& state, const Pod& pod,',
  ];
  for (const text of bad) assert.equal(cachingFaults('', text).length, 1, text);
  const good = [
    '  return PerNodeFilter<NodeName>::FilterChunk(state, pod, chunk, candidates, statuses);',
    'Result<HardConstraintsRef, Status> PodTopologySpread::DeriveHard(const Pod& pod) const {',
    '// See NodeName::AppendFragment(pod, signature).',
  ];
  for (const text of good) assert.deepEqual(cachingFaults('', text), [], text);
  assert.ok(isPluginRule('core/plugins/node_name.cc'));
  assert.ok(!isPluginRule('core/plugins/node_name_caching.cc'));
});
