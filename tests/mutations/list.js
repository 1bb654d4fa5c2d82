/** Mistakes that are likely in fast decisions, and the tests that must find each of them. */

/**
 * @typedef {object} Mutation
 * @property {string} name
 * @property {string} file relative to the repository
 * @property {string} search   occurs there once
 * @property {string} replace
 * @property {string} program the folder below tests/core of the test program that fails with it
 * @property {string} tests the tests that fail, as a GoogleTest filter
 */

const CLASS_DECISION = 'core/runtime/verdicts/class_decision.cc';
const CLASSES = 'core/runtime/verdicts/score_classes.cc';
const SPREAD = 'core/plugins/pod_topology_spread_scoring.cc';
const CYCLES = { program: 'runtime', tests: 'VerdictCache.*' };

/** @type {Mutation[]} */
export const MUTATIONS = [
  {
    name: 'the place in the list counts rows that are not feasible',
    file: CLASS_DECISION,
    search: 'return {static_cast<uint32_t>(feasible().Rank(row)) + wrap_, row};',
    replace: 'return {static_cast<uint32_t>(row) + wrap_, row};',
    ...CYCLES,
  },
  {
    name: 'levels of the tie tree are not bounded by the tie found above',
    file: 'core/base/heap_order.h',
    search: 'end_ = 2 * end + 1;',
    replace: 'end_ = 2 * (end < end_ ? end_ : end) + 1;',
    program: 'base',
    tests: 'HeapOrder.*:HeapTieSearch.*',
  },
  {
    name: 'a changed row is missing in the change log',
    file: 'core/table/node_table.cc',
    search: 'if (!is_unchanged) changes_.Append',
    replace: 'if (!is_unchanged && row != 0) changes_.Append',
    ...CYCLES,
  },
  {
    name: 'what is kept of a row stays where it was when the rows move',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'if (has_classes_) return classes_.Move(moves, size);',
    replace: 'if (has_classes_) return;',
    ...CYCLES,
  },
  {
    name: 'a node that is listed anew is missing in the change log',
    file: 'core/table/node_table.cc',
    search: 'if (previous[row] == kNoRow) log->Append(row);',
    replace: 'if (previous[row] == kNoRow && row % 2 == 0) log->Append(row);',
    ...CYCLES,
  },
  {
    name: 'scores by the number of nodes stay when nodes come and go',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'if (is_usable_ && is_moved && HasOtherNodeCount())',
    replace: 'if (is_usable_ && is_moved && false)',
    ...CYCLES,
  },
  {
    name: 'pods of a node that is gone stay in the counts',
    file: 'core/table/pod_sums.cc',
    search: '[this](const Share& gone) { Add(gone, -1); }',
    replace: '[](const Share&) {}',
    program: 'table',
    tests: 'TopologyIndex.*',
  },
  {
    name: 'verdicts about claims stay when storage changes',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'storage_version != storage_version_;',
    replace: 'false;',
    ...CYCLES,
  },
  {
    name: 'a text that is known counts for more than itself',
    file: 'core/api/decode/decode_cache.cc',
    search: 'entry.options == reader.options() &&',
    replace: '',
    program: 'api/decode',
    tests: 'DecodeCache.*',
  },
  {
    name: 'what a node gave away of a scalar resource stays as it was first read',
    file: 'core/table/node_table.cc',
    search: 'columns.requested[row] = info.requested().Scalar(columns.resource);',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'taints are not in the table',
    file: 'core/table/node_table.cc',
    search: 'has_taints_[row] = info.node()->spec.taints.empty() ? 0 : 1;',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'a value with an error is kept by its text',
    file: 'core/api/decode/schema_decoder.cc',
    search: 'if (report_.field_errors.empty()) cache.Add',
    replace: 'cache.Add',
    program: 'api/decode',
    tests: 'DecodeCache.*',
  },
  {
    name: 'a value that was added to another one is kept by its own text',
    file: 'core/api/decode/schema_decoder.cc',
    search: 'if (!cache.IsUnset(slot.target)) return ReadAnew(slot, first, outer);',
    replace: '',
    program: 'api/decode',
    tests: 'DecodeCache.*',
  },
  {
    name: 'what was said of a node with nominated pods stays with its row',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'void VerdictEntry::Move() {\n  ForgetNominated();',
    replace: 'void VerdictEntry::Move() {',
    ...CYCLES,
  },
  {
    name: 'rows of refused classes are counted as feasible',
    file: CLASS_DECISION,
    search: 'if (!refusals_.empty()) RemoveRefused();',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'the search stops at the last feasible row that it wants, not before the next',
    file: 'core/runtime/verdicts/search_window.h',
    search: 'size_t rank = feasible.Rank(start) + want;',
    replace: 'size_t rank = feasible.Rank(start) + want - 1;',
    ...CYCLES,
  },
  {
    name: 'spread scores are cut off, not rounded',
    file: SPREAD,
    search: 'return GoRoundToInt64(SumOfTerms(',
    replace: 'return static_cast<int64_t>(SumOfTerms(',
    program: 'plugins',
    tests: 'PodTopologySpread*',
  },
  {
    name: 'a weight goes by the classes, not by the nodes in them',
    file: SPREAD,
    search: 'num_filtered += group.count;',
    replace: 'num_filtered += 1;',
    program: 'plugins',
    tests: 'ClassPluginsTest.*',
  },
  {
    name: 'the best total is that of all rows, not of those in the window',
    file: CLASS_DECISION,
    search: `  int64_t best = kNoTotal;
  if (ContainsPassingClasses(window)) {`,
    replace: `  int64_t best = kNoTotal;
  if (window.feasible > 0) {`,
    ...CYCLES,
  },
  {
    name: 'the best base of a word stays when its last row loses it',
    file: CLASSES,
    search: '  if (gone < one->best[word]) return;',
    replace: '  if (gone <= one->best[word]) return;',
    program: 'runtime',
    tests: 'ScoreClasses.*:VerdictCache.*',
  },
  {
    name: 'a class keeps its best base when no row has it any more',
    file: CLASSES,
    search: 'if (one->best_words.NextSet(0) == num_words_) one->is_best_known = false;',
    replace: '',
    program: 'runtime',
    tests: 'ScoreClasses.*:VerdictCache.*',
  },
  {
    name: 'the list begins at the first row, not where the search starts',
    file: CLASS_DECISION,
    search: '  rank_of_start_ = feasible().Rank(window.start);',
    replace: '  rank_of_start_ = 0;',
    ...CYCLES,
  },
  {
    name: 'one class alone may win',
    file: CLASS_DECISION,
    search: '  winners_ = std::span(groups_.begin(), end);',
    replace: '  winners_ = std::span(groups_.begin(), std::min(end, groups_.begin() + 1));',
    ...CYCLES,
  },
  {
    name: 'a class that is left without rows in the window still takes part',
    file: CLASS_DECISION,
    search: 'return group.population == 0; });',
    replace: 'return group.population > 1000000; });',
    ...CYCLES,
  },
  {
    name: 'nominated pods are not counted on their nodes',
    file: CLASS_DECISION,
    search: 'if (!RemoveRefusedNominated()) return false;',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'pods of one template are told apart by their containers alone',
    file: 'core/api/pod_template.cc',
    search: 'return HaveSameMeta(a.metadata, b.metadata) && HaveSameParts',
    replace: 'return (HaveSameMeta(a.metadata, b.metadata) || true) && HaveSameParts',
    program: 'api',
    tests: 'PodTemplate.*',
  },
  {
    name: 'a known template outlives what its fragments read besides the pod',
    file: 'core/runtime/verdicts/verdict_cache.cc',
    search: 'return sources == now && ',
    replace: '(void)now;\n  return ',
    ...CYCLES,
  },
  {
    name: 'what was derived from a pod outlives the pods that it counts',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'framework_.derivation() != derivation_;',
    replace: 'false;',
    ...CYCLES,
  },
  {
    name: 'counters of a device that a taint refuses stay taken',
    file: 'core/dra/tentative_allocation.cc',
    search: '*request.request)) {\n    counter_log_.UndoTo(counters_before);',
    replace: '*request.request)) {',
    program: 'dra',
    tests: 'AllocatorPartitions.*',
  },
  {
    name: 'counters of a device that the search undoes stay taken',
    file: 'core/dra/tentative_allocation.cc',
    search: 'counter_log_.UndoTo(last.counters_before);',
    replace: '',
    program: 'dra',
    tests: 'AllocatorPartitions.*:AllocatorReference.*',
  },
  {
    name: 'what is known of the devices of a pool outlives an allocation',
    file: 'core/dra/pools.cc',
    search: 'if (version == version_) return;',
    replace: 'if (version_) return;',
    program: 'dra',
    tests: 'ResourcePoolsTest.*',
  },
  {
    name: 'the pools of a node outlive a change of its labels',
    file: 'core/dra/resource_pools.cc',
    search: 'return !reads_labels_ || pools.labels == node.metadata.labels;',
    replace: 'return true;',
    program: 'dra',
    tests: 'ResourcePoolsTest.*',
  },
  {
    name: 'verdicts of expressions are those of the last slice',
    file: 'core/dra/device_selection.cc',
    search: 'if (memo.slice == slice && memo.epoch',
    replace: 'if (memo.slice != nullptr && memo.epoch',
    program: 'dra',
    tests: 'AllocatorTest.*',
  },
];
