// DefaultPreemption makes room for a pod that fits nowhere by evicting pods of lower priority.
// The algorithm and its execution are core/preemption's; here are its arguments and its words.
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
                                public EnqueueExtensions {
 public:
  static constexpr std::string_view kName = "DefaultPreemption";

  explicit DefaultPreemption(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  // Holds a pod back while its victims are being evicted (spec 06 §8).
  Status PreEnqueue(const Pod& pod) const override;
  // Success: `result` nominates the node, the report names the victims, and their eviction is under
  // way; without SchedulerAsyncPreemption it has been asked for.
  Task<Status> PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                          PostFilterResult* result) override;

  // A pod that goes away brings the queue to ask PreEnqueue again about the pods that this plugin
  // holds back; whether they go on is for the others' events to say.
  std::vector<ClusterEventWithHint> EventsToRegister() const override;

 private:
  Task<Status> CarryOut(const Pod& pod, const PreemptionReport& report);

  Handle& handle_;
  const Features& features_;
  Evaluator evaluator_;
  Executor executor_;
};

}  // namespace stowage
