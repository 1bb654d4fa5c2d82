#include "core/preemption/dry_run_cache.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "core/api/pod_helpers.h"

namespace stowage {
namespace {

// The approximate size of a dry run with one or two victims.
constexpr size_t kBytesPerRun = 192;
// Few, because signatures are searched linearly.
constexpr size_t kMaxEntries = 32;

// Whether the order of the potential victims can change as time passes: a pod that has not started
// counts as starting now.
bool DependsOnNow(const NodeInfo& node, const Pod& preemptor) {
  bool has_started = false;
  bool has_waiting = false;
  for (const PodInfoRef& pod : node.pods()) {
    if (PodPriority(*pod->pod) >= PodPriority(preemptor)) continue;
    (pod->pod->status.start_time ? has_started : has_waiting) = true;
  }
  return has_started && has_waiting;
}

bool HasNoVictims(const NodeInfo& node, const Pod& preemptor) {
  return std::ranges::none_of(node.pods(), [&preemptor](const PodInfoRef& pod) {
    return PodPriority(*pod->pod) < PodPriority(preemptor);
  });
}

}  // namespace

void HopelessDryRuns::Refresh(const NodeTable& table) {
  RowReplay::Step step = replay_.Advance(table);
  if (step == RowReplay::Step::kNothing) return;
  if (step == RowReplay::Step::kAll) return rows_.assign(table.size(), {});
  if (step == RowReplay::Step::kMoved) replay_.Move(&rows_, {}, [](const Row&) {});
  for (uint32_t row : replay_.rows(table)) rows_[row] = {};
}

DryRunRef HopelessDryRuns::Find(const Preemptor& preemptor, const NodeInfo& node) {
  Row& row = rows_[node.row()];
  if (!row.is_known || row.pod_list_generation != node.pod_list_generation()) {
    int32_t lowest = std::numeric_limits<int32_t>::max();
    for (const PodInfoRef& pod : node.pods()) lowest = std::min(lowest, PodPriority(*pod->pod));
    row = {node.pod_list_generation(), lowest, true, nullptr};
  }
  if (row.lowest_priority < PodPriority(preemptor.pod)) return nullptr;
  if (row.run == nullptr) row.run = MakeDryRun(preemptor, node);
  return row.run;
}

void CachedDryRuns::Refresh(const NodeTable& table,
                            const std::vector<PodDisruptionBudgetRef>& budgets) {
  RowReplay::Step step = replay_.Advance(table);
  if (step == RowReplay::Step::kAll || budgets_ != budgets) {
    budgets_ = budgets;
    runs_.assign(table.size(), {});
    return;
  }
  if (step == RowReplay::Step::kMoved) replay_.Move(&runs_, {}, [](const CachedRun&) {});
  if (step == RowReplay::Step::kNothing) return;
  for (uint32_t row : replay_.rows(table)) runs_[row] = {};
}

// Two changes are missing in the change log. Nominated pods take part in filtering, so nodes with
// nominations run again, unless they have no potential victim at all. A pod that was replaced by
// another version counts the same, but may have started since and have another place in the order
// of the node's pods.
DryRunRef CachedDryRuns::Run(const Preemptor& preemptor, const NodeInfo& node) {
  CachedRun& known = runs_[node.row()];
  bool is_known = known.run != nullptr && known.pod_list_generation == node.pod_list_generation();
  if (is_known && known.has_no_victims) return known.run;
  const PodNominator& nominator = preemptor.handle.nominator();
  bool is_nominated = nominator.size() > 0 && !nominator.NominatedPodsForNode(node.name()).empty();
  if (is_known && !is_nominated) return known.run;
  DryRunRef run = MakeDryRun(preemptor, node);
  bool has_no_victims = HasNoVictims(node, preemptor.pod);
  bool is_lasting = has_no_victims || (!is_nominated && run->status.code() != Code::kError &&
                                       !DependsOnNow(node, preemptor.pod));
  known = is_lasting ? CachedRun{run, node.pod_list_generation(), has_no_victims} : CachedRun();
  return run;
}

size_t CachedDryRuns::bytes() const {
  return sizeof(CachedDryRuns) + runs_.capacity() * (sizeof(CachedRun) + kBytesPerRun);
}

CachedDryRuns* DryRunCache::Find(const Handle& handle, const CycleState& state, const Pod& pod) {
  PodSignature signature;
  PluginBits uncached = handle.AppendFragments(pod, &signature);
  if ((uncached & ~state.skipped_filters()) != 0) return nullptr;
  signature.Add(static_cast<int64_t>(uncached));
  signature.Add(PodPriority(pod));
  auto found = std::find_if(
      entries_.begin(), entries_.end(),
      [&signature](const CachedDryRuns& entry) { return entry.signature() == signature; });
  if (found == entries_.end()) {
    entries_.emplace_front(std::move(signature));
  } else {
    entries_.splice(entries_.begin(), entries_, found);
  }
  CachedDryRuns& entry = entries_.front();
  entry.Refresh(handle.snapshot().table(), handle.listers().PodDisruptionBudgets());
  // All entries have the same size while the number of nodes stays the same.
  size_t capacity = std::clamp<size_t>(max_bytes_ / entry.bytes(), 1, kMaxEntries);
  while (entries_.size() > capacity) entries_.pop_back();
  return &entry;
}

}  // namespace stowage
