/** Mistakes that are likely in fast decisions, and the tests that must find each of them. */
import { COLUMN_MUTATIONS } from './columns.js';
import { DECODING_MUTATIONS } from './decoding.js';
import { DEVICE_MUTATIONS } from './devices.js';

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
const DRY_RUNS = { program: 'preemption', tests: 'DryRunCache.*' };

/** @type {Mutation[]} */
export const MUTATIONS = [
  ...COLUMN_MUTATIONS,
  ...DECODING_MUTATIONS,
  ...DEVICE_MUTATIONS,
  {
    name: 'the place in the list counts rows that are not feasible',
    file: CLASS_DECISION,
    search: 'return {static_cast<uint32_t>(feasible().Rank(row)) + wrap_, row};',
    replace: 'return {static_cast<uint32_t>(row) + wrap_, row};',
    ...CYCLES,
  },
  {
    name: 'rows stay known as set after one of them was removed',
    file: 'core/base/bitset.h',
    search: 'num_full_ = std::min(num_full_, index * kWordBits);',
    replace: '',
    program: 'base',
    tests: 'Bitset.*',
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
    name: 'cached data of a row does not move with the row',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'if (has_classes_) return classes_.Move(moves);',
    replace: 'if (has_classes_) return;',
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
    name: 'sums keep the share of a node whose labels change',
    file: 'core/table/pod_sums.cc',
    search: 'if (are_nodes_same && ',
    replace: 'if ((are_nodes_same || true) && ',
    program: 'table',
    tests: 'TopologyIndex.*',
  },
  {
    name: 'counts do not tell which rows have changed',
    file: 'core/table/pod_counts.cc',
    search: 'total_ += amount;\n  NoteChange(row);',
    replace: 'total_ += amount;',
    program: 'table',
    tests: 'TopologyIndex.*',
  },
  {
    name: 'the first change of a node is not in its journal',
    file: 'core/table/pod_log.h',
    search: 'if (only_.pod != nullptr) changes_.push_back(std::exchange(only_, {}));',
    replace: 'only_ = {};',
    program: 'table',
    tests: 'PodJournal.*',
  },
  {
    name: 'verdicts about claims stay when storage changes',
    file: 'core/plugins/attached_volumes.cc',
    search: 'use_.changes.AppendRenewal((*snapshot.table().slots())[node->row()]);',
    replace: '',
    program: 'plugins',
    tests: 'AttachedVolumes.*',
  },
  {
    name: 'a claim that two pods of a node name is forgotten with the first',
    file: 'core/plugins/attached_volumes.cc',
    search: 'if (times->second > 0) return;',
    replace: '',
    program: 'plugins',
    tests: 'AttachedVolumes.*',
  },
  {
    name: 'a volume that a node has already counts like one that no node has',
    file: 'core/plugins/node_volume_limits_caching.cc',
    search: 'attached_.HasAny(asked) || ',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'the allowed topologies of a storage class tell no nodes apart',
    file: 'core/plugins/volume_binding_caching.cc',
    search: 'for (const auto& one : term.match_label_expressions) AppendNodeLabel(one.key, keys);',
    replace: '',
    program: 'plugins',
    tests: 'ClassPluginsTest.*',
  },
  {
    name: 'a write to a shared block reaches its other holders',
    file: 'core/base/shared_array.h',
    search: 'if (block->holders > 1) block = CopyOf(block);',
    replace: '',
    program: 'base',
    tests: 'SharedArray.*:HashMap.*',
  },
  {
    name: 'a fork searches from the first node',
    file: 'core/scheduler/scheduler.cc',
    search: 'cycle_->CopyStateFrom(*other.cycle_);',
    replace: '',
    program: 'scheduler',
    tests: 'Fork.*',
  },
  {
    name: 'a fork keeps the order of nodes of no earlier snapshot',
    file: 'core/scheduler/scheduler.cc',
    search: 'snapshot_ = other.snapshot_;',
    replace: '',
    program: 'scheduler',
    tests: 'Fork.*',
  },
  {
    name: 'a fork shares queued pods with its original',
    file: 'core/queue/scheduling_queue.cc',
    search: 'entry.pod = std::make_shared<QueuedPodInfo>(*entry.pod);',
    replace: '',
    program: 'scheduler',
    tests: 'Fork.*',
  },
  {
    name: 'the verdict of a node with nominated pods stays with its row',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'void VerdictEntry::Move() {\n  nominated_.Forget();',
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
    name: 'a node whose nominations change is not filtered again',
    file: 'core/runtime/verdicts/nominated_verdicts.cc',
    search: 'nodes = log.Since(cursor_);',
    replace: 'nodes = {};',
    ...CYCLES,
  },
  {
    name: 'a row that changes keeps its verdict with nominated pods',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: '  nominated_.Forget(rows);',
    replace: '',
    ...CYCLES,
  },
  {
    name: 'a dry run outlives a version of a pod',
    file: 'core/table/node_table.cc',
    search: 'if (is_unchanged && has_other_versions) version_changes_.Append(slot);',
    replace: '',
    ...DRY_RUNS,
  },
  {
    name: 'a dry run outlives the nominations to its node',
    file: 'core/preemption/dry_run_cache.cc',
    search: '(!is_nominated || hopeless_.Test(row))',
    replace: '(!is_nominated || true)',
    ...DRY_RUNS,
  },
  {
    name: 'a node that removal could free is left out',
    file: 'core/preemption/dry_run_cache.cc',
    search: 'hopeless_.Set(row, lowest[row] >= priority_);',
    replace: 'hopeless_.Set(row, lowest[row] + 100 >= priority_);',
    ...DRY_RUNS,
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
    name: 'data derived from a pod outlive the pods that it counts',
    file: 'core/runtime/verdicts/verdict_entry.cc',
    search: 'framework_.derivation() != derivation_;',
    replace: 'false;',
    ...CYCLES,
  },
];
