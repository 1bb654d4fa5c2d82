// SchedulingCycle decides where one pod goes: filter, score, pick, and PostFilter if no node fits
// (spec 05 §3–§7).
//
// It reads a snapshot and changes nothing but its own start index. The plain form walks the nodes
// one by one and is the reference; if a VerdictCache entry is valid for the pod, the cycle reads
// the same decision from the entry. Counterpart: schedulePod and findNodesThatFitPod of
// schedule_one.go, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/framework/diagnosis.h"
#include "core/loop/task.h"
#include "core/runtime/framework.h"
#include "core/runtime/opportunistic_batch.h"
#include "core/runtime/tie_breaker.h"
#include "core/runtime/verdicts/cached_decision.h"
#include "core/runtime/verdicts/class_decision.h"
#include "core/runtime/verdicts/verdict_cache.h"
#include "core/scheduler/extender_rounds.h"

namespace stowage {

// A profile with its caches of earlier cycles.
struct ProfileRuntime {
  std::unique_ptr<Framework> framework;
  std::unique_ptr<VerdictCache> verdicts;
  OpportunisticBatch batch = {};
};

// The parts of a decision that only explanations need.
struct CycleDetail {
  PreFilterOutcome pre_filter;
  FeasibleNodes feasible;            // in the order in which the search found them
  std::optional<NodeScores> scores;  // absent with fewer than two feasible nodes
};

struct ScheduleResult {
  // Success: `host` is the node. Otherwise the status that the failure handler gets: a rejection or
  // an Error.
  Status status;
  Symbol host;
  // The failure message of the pod's condition.
  std::string message;
  size_t num_all_nodes = 0;
  // The node that OpportunisticBatching proposed; usually empty.
  Symbol hint;
  size_t evaluated_nodes = 0;
  size_t feasible_nodes = 0;
  // With a random tie-break: the nodes with the best total.
  std::set<Symbol> best;
  Diagnosis diagnosis;
  // Overrides the pod's nomination (empty: clears it); nullopt: unchanged.
  std::optional<Symbol> nominated_node_name;
  std::optional<PreemptionReport> preemption;
  // Fails for a reason of the pod's group. What was found out about the nodes stays.
  bool fails_with_group = false;
  bool has_preemption_plugin =
      false;  // for an unschedulable pod: the profile has one, even if it did not run
  std::vector<DecisionNote> notes;  // notes of plugins on the choice of `host`
  bool is_proved = true;  // false: it depends on devices, of which the release has no recordings
  // The plugins' state of this cycle. For a decision from the cache: only of the plugins that ran.
  CycleState state;
  std::optional<CycleDetail> detail;

  // For a failure after the search for a node has found one: only a decision with detail knows
  // every refusal beside that node.
  void ForgetRefusals() {
    if (!detail) diagnosis = Diagnosis();
  }
};

struct CycleOptions {
  bool has_detail = false;      // fill ScheduleResult::detail; forces the plain form
  bool has_post_filter = true;  // run PostFilter if no node fits
  // Identifies this cycle; without it OpportunisticBatching is off.
  std::optional<CycleStamp> stamp = {};
};

class SchedulingCycle {
 public:
  struct Options {
    int32_t percentage_of_nodes_to_score = 0;
    TieBreak tie_break = TieBreak::kHeap;
  };

  // `rng` draws for the random tie-break and for ties among nodes that extenders scored; it may be
  // null if neither occurs.
  SchedulingCycle(const Snapshot& snapshot, Options options, Rng* rng)
      : snapshot_(snapshot), options_(std::move(options)), rng_(rng) {}

  // The task waits only for extenders. The cycle, the profile and the pod must outlive it, and the
  // snapshot must not change until it is done.
  Task<ScheduleResult> Run(ProfileRuntime& profile, const Pod& pod, CycleOptions options);
  // Like Run, but writes into `result`, which must be new and outlive the task. Starts at once.
  Task<void> Decide(ProfileRuntime& profile, const Pod& pod, const CycleOptions& options,
                    ScheduleResult* result);

  // A cycle that decides as this one would, with its own start index and random draws.
  SchedulingCycle CopyForEvaluation(Rng* rng) const {
    SchedulingCycle copy(snapshot_, options_, rng);
    copy.next_start_ = next_start_;
    return copy;
  }

  // Lets the next search start where that of `other` would.
  void CopyStateFrom(const SchedulingCycle& other) { next_start_ = other.next_start_; }
  // Where the next search starts: an index into the snapshot's list.
  size_t next_start_node_index() const { return next_start_; }

 private:
  struct Search;

  bool IsBatching(const Framework& framework) const {
    return framework.features().opportunistic_batching && framework.extenders().empty();
  }
  bool DecideFromCache(ProfileRuntime& profile, const Pod& pod, Search* search);
  template <typename Decision>
  bool DecideBy(Decision decision, ProfileRuntime& profile, std::optional<Metrics::Pause>* pause,
                Search* search);
  Task<void> FinishDeciding(ProfileRuntime& profile, const Pod& pod, CycleOptions options,
                            Search search);
  void TakeHost(ProfileRuntime& profile, const Pod& pod, Search* search) const;
  Task<Status> DecidePlainly(ProfileRuntime& profile, const Pod& pod, Search* search);
  Task<Status> FindNodesThatFitPod(ProfileRuntime& profile, const Pod& pod, Search* search);
  Symbol GetNodeHint(ProfileRuntime& profile, const Pod& pod, const Search& search) const;
  // Counts a missing hint. `flush_reason`: why the kept ranking was dropped; empty if none was
  // kept.
  static void CountNoHint(const Framework& framework, std::string_view flush_reason);
  Task<bool> TakeNominatedNode(const Framework& framework, const Pod& pod, Search* search);
  Status FindNodesThatPassFilters(const Framework& framework, const Pod& pod,
                                  std::span<const NodeInfo* const> nodes, Search* search);
  const NodeInfo* SelectHost(const NodeScores& scores, const Search& search) const;
  void StoreScheduleResults(ProfileRuntime& profile, Search* search) const;
  Task<void> RunPostFilter(Framework& framework, const Pod& pod, ScheduleResult* result);
  size_t NumFeasibleNodesToFind(const Framework& framework, size_t num_nodes) const;

  const Snapshot& snapshot_;
  Options options_;
  Rng* rng_;
  size_t next_start_ = 0;
  ClassDecision::Buffers buffers_;
};

}  // namespace stowage
