// DryRunCache remembers what dry runs found, row by row, for preemptors of one signature and
// priority: a storm of pods of one template repeats the same dry runs on nodes that have not
// changed.
//
// It may change speed, never a result: SelectVictimsOnNode is the reference, and
// tests/core/preemption/dry_run_cache_test.cc proves both equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "core/framework/pod_signature.h"
#include "core/preemption/select_victims.h"
#include "core/table/row_replay.h"

namespace stowage {

// The dry runs of one signature.
class RememberedDryRuns {
 public:
  explicit RememberedDryRuns(PodSignature signature) : signature_(std::move(signature)) {}

  const PodSignature& signature() const { return signature_; }
  // Forgets the rows that have changed, and all when the budgets have.
  void Refresh(const NodeTable& table, const std::vector<PodDisruptionBudgetRef>& budgets);
  // Of a preemptor with this signature; `node` is the snapshot's.
  DryRunRef Run(const Preemptor& preemptor, const NodeInfo& node);
  size_t bytes() const;

 private:
  PodSignature signature_;
  RowReplay replay_;
  std::vector<PodDisruptionBudgetRef> budgets_;
  struct Remembered {
    DryRunRef run;  // null: to be made
    uint64_t pod_list_generation = 0;
    bool has_no_victims = false;
  };
  std::vector<Remembered> runs_;  // by row
};

class DryRunCache {
 public:
  // `max_bytes` bounds what is kept; the dry runs of one signature always are.
  explicit DryRunCache(size_t max_bytes = size_t{16} << 20) : max_bytes_(max_bytes) {}

  // What is remembered for preemptors like `pod`, up to date with the snapshot. Null when their dry
  // runs depend on more than the pod's signature, its priority and the node: when a plugin that
  // vouches for nothing filters. `state` is the pod's, after PreFilter.
  RememberedDryRuns* Find(const Handle& handle, const CycleState& state, const Pod& pod);

  size_t size() const { return entries_.size(); }

 private:
  size_t max_bytes_;
  std::list<RememberedDryRuns> entries_;  // most recently used first; few
};

}  // namespace stowage
