// Evaluator decides the preemption for one pod that fits nowhere: the node and the victims (spec
// 06). It changes nothing; Executor carries the result out.
// Counterpart: pkg/scheduler/framework/preemption (Evaluator), v1.36.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/features.h"
#include "core/config/plugin_args.h"
#include "core/framework/handle.h"
#include "core/preemption/dry_run_cache.h"
#include "core/preemption/pick_node.h"

namespace stowage {

struct PreemptionOutcome {
  // Success if a node was nominated.
  Status status;
  // The nominated node; empty if there is no candidate; no override if the pod may not preempt.
  PostFilterResult result;
  // All members but the message, which the plugin adds.
  PreemptionReport report;
};

class Evaluator {
 public:
  Evaluator(Handle& handle, const DefaultPreemptionArgs& args, const Features& features)
      : handle_(handle), args_(args), features_(features) {}

  // `state` is the cycle's state; `statuses` hold why each node of the snapshot refused the pod.
  // All arguments must outlive the task, which waits only for extenders.
  Task<PreemptionOutcome> Preempt(const CycleState& state, const Pod& pod,
                                  const NodeToStatus& statuses) const;

 private:
  struct DryRuns;
  struct Candidates;

  // An evaluation explains its choice, so it ranks all candidates.
  bool IsEvaluation() const { return handle_.background() == nullptr; }
  std::optional<std::string> WhyNotEligible(const Pod& pod, const NodeToStatus& statuses) const;
  // `state` was made for `pod`; `current` is the pod's current version.
  DryRuns DryRunPreemption(const CycleState& state, const Pod& pod, const Pod& current,
                           const NodeToStatus& statuses) const;
  size_t NumCandidates(size_t num_nodes) const;
  Task<Status> CallExtenders(const Pod& pod, Candidates* candidates) const;
  void SelectAnswered(const Pod& pod, const Candidates& candidates,
                      PreemptionOutcome* outcome) const;
  void Select(const Pod& pod, std::vector<PreemptionCandidate> candidates,
              PreemptionOutcome* outcome) const;
  Status NoCandidateStatus(DryRuns* runs) const;
  std::vector<PodInfoRef> NominationsToClear(const Pod& pod,
                                             const PreemptionVictims& victims) const;

  Handle& handle_;
  DefaultPreemptionArgs args_;
  const Features& features_;
  mutable DryRunCache dry_runs_;  // affects speed only
};

}  // namespace stowage
