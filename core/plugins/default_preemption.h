// DefaultPreemption evicts pods of lower priority to make room for a pod that fits nowhere. The
// algorithm and its execution are in core/preemption; this file holds the plugin's arguments and
// messages.
// Counterpart: framework/plugins/defaultpreemption, v1.36.
#pragma once

#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/preemption/evaluator.h"
#include "core/preemption/executor.h"

namespace stowage {

class DefaultPreemption final : public Plugin,
                                public PreEnqueuePlugin,
                                public PostFilterPlugin,
                                public PodGroupPostFilterPlugin,
                                public EnqueueExtensions {
 public:
  static constexpr std::string_view kName = "DefaultPreemption";

  explicit DefaultPreemption(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  void SwapTaskState(std::unique_ptr<State>* held) override;
  // Gates a pod while its victims, or those of its group, are being evicted (spec 06 §8).
  Status PreEnqueue(const Pod& pod) const override;
  // Success: `result` nominates the node, the report names the victims, and their eviction is under
  // way; without SchedulerAsyncPreemption it has been requested.
  Task<Status> PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                          PostFilterResult* result) override;
  Result<std::vector<PreemptionUnit>, Status> PodGroupVictims(
      const PodGroup& group, std::span<const PodRef> pods) const override;
  Task<Status> PreemptFor(PodGroupRef group, std::vector<PodRef> pods,
                          std::vector<PodInfoRef> victims) override;

  // When a pod is deleted, the queue runs PreEnqueue again for the pods that this plugin gates.
  // Whether they are then moved depends on the events of the other plugins.
  std::vector<ClusterEventWithHint> EventsToRegister() const override;

 private:
  // Why a pod of a group may not preempt; empty if it may.
  std::string_view WhyNotEligible(const Pod& pod) const;
  Task<Status> CarryOut(PreparedCandidate candidate);

  Handle& handle_;
  const Features& features_;
  Evaluator evaluator_;
  Executor executor_;
};

}  // namespace stowage
