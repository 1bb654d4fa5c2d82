// DryRunCache caches the results of dry runs, row by row, for preemptors of one signature and
// priority: many pods of one template repeat the same dry runs on nodes that have not changed.
//
// It affects speed only, never a result: SelectVictimsOnNode is the reference, and
// tests/core/preemption/dry_run_cache_test.cc compares both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "core/framework/pod_signature.h"
#include "core/preemption/select_victims.h"
#include "core/table/row_replay.h"

namespace stowage {

// The dry runs on nodes without a pod of lower priority: they are alike for all preemptors.
class HopelessDryRuns {
 public:
  // Drops the rows that have changed.
  void Refresh(const NodeTable& table);
  // The dry run on a node of the snapshot; null if the node has a pod of lower priority.
  DryRunRef Find(const Preemptor& preemptor, const NodeInfo& node);

 private:
  struct Row {
    uint64_t pod_list_generation = 0;
    int32_t lowest_priority = 0;
    bool is_known = false;
    DryRunRef run;  // null: not run yet
  };

  RowReplay replay_;
  std::vector<Row> rows_;
};

// The cached dry runs of one signature.
class CachedDryRuns {
 public:
  explicit CachedDryRuns(PodSignature signature) : signature_(std::move(signature)) {}

  const PodSignature& signature() const { return signature_; }
  // Drops the rows that have changed; drops all rows if the budgets have changed.
  void Refresh(const NodeTable& table, const std::vector<PodDisruptionBudgetRef>& budgets);
  // The dry run for a preemptor with this signature, cached if possible; `node` is the snapshot's.
  DryRunRef Run(const Preemptor& preemptor, const NodeInfo& node);
  size_t bytes() const;

 private:
  PodSignature signature_;
  RowReplay replay_;
  std::vector<PodDisruptionBudgetRef> budgets_;
  struct CachedRun {
    DryRunRef run;  // null: not run yet
    uint64_t pod_list_generation = 0;
    bool has_no_victims = false;
  };
  std::vector<CachedRun> runs_;  // by row
};

class DryRunCache {
 public:
  // `max_bytes` bounds the cache; the dry runs of the latest signature are kept in any case.
  explicit DryRunCache(size_t max_bytes = size_t{16} << 20) : max_bytes_(max_bytes) {}

  // The cached dry runs for preemptors like `pod`, up to date with the snapshot. Null if a plugin
  // that filters does not vouch for the pod: then its dry runs depend on more than its signature,
  // its priority and the node. `state` is the pod's state after PreFilter.
  CachedDryRuns* Find(const Handle& handle, const CycleState& state, const Pod& pod);

  // Those without a potential victim, up to date with the snapshot.
  HopelessDryRuns& Hopeless(const NodeTable& table) {
    hopeless_.Refresh(table);
    return hopeless_;
  }

  size_t size() const { return entries_.size(); }

 private:
  size_t max_bytes_;
  std::list<CachedDryRuns> entries_;  // most recently used first; few
  HopelessDryRuns hopeless_;
};

}  // namespace stowage
