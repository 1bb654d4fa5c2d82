// DryRunCache caches the results of dry runs, row by row, for preemptors of one signature and
// priority: many pods of one template repeat the same dry runs on nodes that have not changed.
//
// It affects speed only, never a result: SelectVictimsOnNode is the reference, and
// tests/core/preemption/dry_run_cache_test.cc compares both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "core/base/bitset.h"
#include "core/framework/pod_signature.h"
#include "core/preemption/select_victims.h"
#include "core/table/row_replay.h"

namespace stowage {

// The lowest priority of each node's pods.
class LowestPriorities {
 public:
  // Reads the rows that have changed.
  void Refresh(const NodeTable& table);
  // The largest number for a node without pods.
  int32_t operator[](size_t row) const { return lowest_[row]; }

 private:
  RowReplay replay_;
  std::vector<int32_t> lowest_;
};

// The rows of the nodes with nominated pods.
class NominatedRows {
 public:
  void Refresh(const Snapshot& snapshot, const PodNominator& nominator);
  const Bitset& rows() const { return rows_; }

 private:
  uint64_t cursor_ = 0;
  uint64_t numbering_ = 0;
  uint64_t evaluation_ = 0;
  Bitset rows_;
};

// The dry runs of preemptors of one signature and priority. Of each row the last run is kept; it is
// valid for the next preemptor if it is known.
class CachedDryRuns {
 public:
  // `lasts`: whether dry runs depend on nothing but the signature, the priority and the node.
  CachedDryRuns(PodSignature signature, int32_t priority, bool lasts)
      : signature_(std::move(signature)), priority_(priority), lasts_(lasts) {}

  const PodSignature& signature() const { return signature_; }
  // Drops the rows that have changed; drops all rows if the budgets have changed. The arguments are
  // up to date, and those about rows must stay so until the next Refresh.
  void Refresh(const NodeTable& table, const std::vector<PodDisruptionBudgetRef>& budgets,
               const LowestPriorities& lowest, const Bitset& nominated);
  // The rows of a word whose dry runs may find victims, as far as is known.
  uint64_t Promising(size_t word) const {
    return (found_.word(word) | ~known_.word(word) | nominated_->word(word)) &
           ~hopeless_.word(word);
  }
  // A cost that many nodes have, if several have the same.
  const PreemptionCost& common_cost() const { return common_cost_; }
  // The rows of a word that are known to have it, without nominated pods.
  uint64_t Common(size_t word) const { return common_.word(word) & ~nominated_->word(word); }
  // The dry run for a preemptor with this signature, a known one if possible; `node` is the
  // snapshot's. The reference is valid until the next Refresh.
  const DryRunRef& Run(const Preemptor& preemptor, const NodeInfo& node);
  // Why preemption does not help, for a row that is not promising or was run without success.
  const Status& RefusalOf(size_t row) const {
    return hopeless_.Test(row) ? NoVictims() : runs_[row]->status;
  }
  size_t bytes() const;

 private:
  void Index(size_t row, const LowestPriorities& lowest);
  void CompareCost(size_t row);

  PodSignature signature_;
  int32_t priority_;
  bool lasts_;
  RowReplay replay_;
  std::vector<PodDisruptionBudgetRef> budgets_;
  std::vector<DryRunRef> runs_;  // by row
  Bitset known_;                 // rows whose run stays valid while no pod is nominated to the node
  Bitset found_;                 // those of them with victims
  Bitset common_;                // those of them whose victims have common_cost_
  size_t num_common_ = 0;
  PreemptionCost common_cost_;
  Bitset hopeless_;  // rows without a pod of lower priority
  const Bitset* nominated_ = nullptr;
};

class DryRunCache {
 public:
  // `max_bytes` bounds the cache; the dry runs of the latest signature are kept in any case.
  explicit DryRunCache(size_t max_bytes = size_t{16} << 20) : max_bytes_(max_bytes) {}

  // The dry runs of preemptors like `pod`, up to date with the snapshot. They are valid until the
  // next call. If a plugin that filters does not vouch for the pod, or `may_cache` is false,
  // nothing is known: dry runs then depend on more than the signature, the priority and the node.
  // `state` is the pod's state after PreFilter.
  CachedDryRuns& Find(const Handle& handle, const CycleState& state, const Pod& pod,
                      bool may_cache = true);

  size_t size() const { return entries_.size(); }

 private:
  // A pod whose entry was found by its signature and is the first. Pods of its template have the
  // same one until what fragments read besides pods changes.
  struct Template {
    Pod pod;
    FragmentSources sources;
    PluginBits uncached;

    bool Serves(const Pod& other, const FragmentSources& now) const;
  };

  CachedDryRuns& Lookup(const Handle& handle, const CycleState& state, const Pod& pod,
                        bool may_cache);

  size_t max_bytes_;
  std::list<CachedDryRuns> entries_;  // most recently used first; few
  std::optional<Template> template_;
  std::optional<CachedDryRuns> uncached_;
  LowestPriorities lowest_;
  NominatedRows nominated_;
};

}  // namespace stowage
