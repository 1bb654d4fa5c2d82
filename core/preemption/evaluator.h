// Evaluator decides the preemption of one pod that fits nowhere: on which node, and whose room it
// takes (spec 06). It changes nothing; its answer is carried out by others.
// Counterpart: pkg/scheduler/framework/preemption (Evaluator), v1.36.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/features.h"
#include "core/config/plugin_args.h"
#include "core/framework/handle.h"
#include "core/preemption/dry_run_cache.h"

namespace stowage {

struct PreemptionOutcome {
  // Success when a node was nominated.
  Status status;
  // The node, or empty where no candidate was found; no override where the pod may not preempt.
  PostFilterResult result;
  // All but the message, which is the plugin's.
  PreemptionReport report;
};

class Evaluator {
 public:
  Evaluator(Handle& handle, const DefaultPreemptionArgs& args, const Features& features)
      : handle_(handle), args_(args), features_(features) {}

  // `state` is the cycle's and `statuses` say why each node of the snapshot refused the pod. All
  // outlive the task, which waits while extenders are asked.
  Task<PreemptionOutcome> Preempt(const CycleState& state, const Pod& pod,
                                  const NodeToStatus& statuses) const;

 private:
  struct DryRuns;
  struct Candidates;

  std::optional<std::string> WhyNotEligible(const Pod& pod, const NodeToStatus& statuses) const;
  // `state` was made for `pod`, `current` is the pod as it is now.
  DryRuns DryRunPreemption(const CycleState& state, const Pod& pod, const Pod& current,
                           const NodeToStatus& statuses) const;
  size_t NumCandidates(size_t num_nodes) const;
  Task<Status> CallExtenders(const Pod& pod, Candidates* candidates) const;
  void Select(const Pod& pod, const std::vector<const PreemptionVictims*>& candidates,
              PreemptionOutcome* outcome) const;
  Status NoCandidateStatus(const DryRuns& runs) const;
  std::vector<PodInfoRef> NominationsToClear(const Pod& pod,
                                             const PreemptionVictims& victims) const;

  Handle& handle_;
  DefaultPreemptionArgs args_;
  const Features& features_;
  mutable DryRunCache dry_runs_;  // speed only
};

}  // namespace stowage
