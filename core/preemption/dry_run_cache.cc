#include "core/preemption/dry_run_cache.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/api/pod_helpers.h"
#include "core/api/pod_template.h"

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

}  // namespace

void LowestPriorities::Refresh(const NodeTable& table) {
  RowReplay::Step step = replay_.AdvanceVersions(table);
  if (step == RowReplay::Step::kNothing) return;
  auto read = [&](size_t row) {
    lowest_[row] = std::numeric_limits<int32_t>::max();
    for (const PodInfoRef& pod : table.info(row).pods()) {
      lowest_[row] = std::min(lowest_[row], PodPriority(*pod->pod));
    }
  };
  if (step == RowReplay::Step::kAll) {
    lowest_.resize(table.size());
    for (size_t row = 0; row < table.size(); ++row) read(row);
    return;
  }
  if (step == RowReplay::Step::kMoved) replay_.Move(&lowest_, 0, [](int32_t) {});
  for (uint32_t row : replay_.rows(table)) read(row);
}

void NominatedRows::Refresh(const Snapshot& snapshot, const PodNominator& nominator) {
  const NodeTable& table = snapshot.table();
  const NominationLog& log = nominator.changes();
  std::span<const Symbol> nodes;
  bool is_followed = log.HoldsSince(cursor_) && numbering_ == table.numbering() &&
                     evaluation_ == table.evaluation();
  if (is_followed) {
    nodes = log.Since(cursor_);
  } else {
    nodes = nominator.NominatedNodes();
    rows_.Resize(table.size());
  }
  for (const Symbol& name : nodes) {
    const NodeInfo* node = snapshot.Get(name);
    if (node != nullptr) rows_.Set(node->row(), !nominator.NominatedPodsForNode(name).empty());
  }
  cursor_ = log.head();
  numbering_ = table.numbering();
  evaluation_ = table.evaluation();
}

void CachedDryRuns::Refresh(const NodeTable& table,
                            const std::vector<PodDisruptionBudgetRef>& budgets,
                            const LowestPriorities& lowest, const Bitset& nominated) {
  nominated_ = &nominated;
  RowReplay::Step step = replay_.AdvanceVersions(table);
  bool is_new = step == RowReplay::Step::kAll || budgets_ != budgets;
  if (is_new) {
    budgets_ = budgets;
    runs_.assign(table.size(), nullptr);
  } else if (step == RowReplay::Step::kMoved) {
    for (size_t row = 0; row < runs_.size(); ++row) {
      if (!known_.Test(row)) runs_[row] = nullptr;
    }
    replay_.Move(&runs_, {}, [](const DryRunRef&) {});
  }
  if (is_new || step == RowReplay::Step::kMoved) {
    for (Bitset* rows : {&known_, &found_, &common_, &hopeless_}) rows->Resize(table.size());
    num_common_ = 0;
    for (size_t row = 0; row < table.size(); ++row) Index(row, lowest);
  }
  if (is_new || step == RowReplay::Step::kNothing) return;
  for (uint32_t row : replay_.rows(table)) {
    runs_[row] = nullptr;
    Index(row, lowest);
  }
}

void CachedDryRuns::Index(size_t row, const LowestPriorities& lowest) {
  known_.Set(row, runs_[row] != nullptr);
  found_.Set(row, runs_[row] != nullptr && runs_[row]->status.IsSuccess());
  hopeless_.Set(row, lowest[row] >= priority_);
  CompareCost(row);
}

// When no row has the common cost any more, the next one that is looked at decides it.
void CachedDryRuns::CompareCost(size_t row) {
  bool is_found = found_.Test(row);
  num_common_ -= common_.Test(row) ? 1 : 0;
  if (is_found && num_common_ == 0) common_cost_ = runs_[row]->cost;
  common_.Set(row, is_found && runs_[row]->cost == common_cost_);
  num_common_ += common_.Test(row) ? 1 : 0;
}

// Nominated pods take part in filtering, so nodes with nominations run again, unless they have no
// potential victim at all.
const DryRunRef& CachedDryRuns::Run(const Preemptor& preemptor, const NodeInfo& node) {
  size_t row = node.row();
  DryRunRef& run = runs_[row];
  bool is_nominated = nominated_->Test(row);
  if (known_.Test(row) && (!is_nominated || hopeless_.Test(row))) {
    CompareCost(row);
    return run;
  }
  run = MakeDryRun(preemptor, node);
  bool is_lasting =
      hopeless_.Test(row) || (lasts_ && !is_nominated && run->status.code() != Code::kError &&
                              !DependsOnNow(node, preemptor.pod));
  known_.Set(row, is_lasting);
  found_.Set(row, is_lasting && run->status.IsSuccess());
  CompareCost(row);
  return run;
}

size_t CachedDryRuns::bytes() const {
  return sizeof(CachedDryRuns) + runs_.capacity() * (sizeof(DryRunRef) + kBytesPerRun);
}

CachedDryRuns& DryRunCache::Find(const Handle& handle, const CycleState& state, const Pod& pod,
                                 bool may_cache) {
  const NodeTable& table = handle.snapshot().table();
  lowest_.Refresh(table);
  nominated_.Refresh(handle.snapshot(), handle.nominator());
  CachedDryRuns& entry = Lookup(handle, state, pod, may_cache);
  entry.Refresh(table, handle.listers().PodDisruptionBudgets(), lowest_, nominated_.rows());
  // All entries have the same size while the number of nodes stays the same.
  size_t capacity = std::clamp<size_t>(max_bytes_ / entry.bytes(), 1, kMaxEntries);
  while (entries_.size() > capacity) entries_.pop_back();
  return entry;
}

bool DryRunCache::Template::Serves(const Pod& other, const FragmentSources& now) const {
  return sources == now && AreOfOneTemplate(pod, other);
}

CachedDryRuns& DryRunCache::Lookup(const Handle& handle, const CycleState& state, const Pod& pod,
                                   bool may_cache) {
  FragmentSources sources = handle.FragmentSourcesFor(pod);
  bool is_known = may_cache && template_ && template_->Serves(pod, sources);
  PodSignature signature;
  PluginBits uncached = ~PluginBits{0};
  if (is_known) {
    uncached = template_->uncached;
  } else if (may_cache) {
    uncached = handle.AppendFragments(pod, &signature);
  }
  if (!may_cache || (uncached & ~state.skipped_filters()) != 0) {
    return uncached_.emplace(PodSignature(), PodPriority(pod), false);
  }
  uncached_.reset();
  if (is_known) return entries_.front();
  template_ = {pod, sources, uncached};
  signature.Add(static_cast<int64_t>(uncached));
  signature.Add(PodPriority(pod));
  auto found = std::ranges::find(entries_, signature, &CachedDryRuns::signature);
  if (found == entries_.end()) {
    return entries_.emplace_front(std::move(signature), PodPriority(pod), true);
  }
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front();
}

}  // namespace stowage
