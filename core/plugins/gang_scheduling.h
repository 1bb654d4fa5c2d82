// GangScheduling lets the pods of a gang start only if enough of them can (spec
// plugins/gang-and-placement).
// Counterpart: framework/plugins/gangscheduling, v1.36.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class GangScheduling final : public Plugin,
                             public PreEnqueuePlugin,
                             public PermitPlugin,
                             public EnqueueExtensions {
 public:
  static constexpr std::string_view kName = "GangScheduling";

  explicit GangScheduling(const PluginContext& context) : handle_(context.handle) {}

  std::string_view Name() const override { return kName; }
  Status PreEnqueue(const Pod& pod) const override;
  // Inside a pod group cycle it activates no pods.
  Status Permit(CycleState& state, const Pod& pod, const Symbol& node,
                int64_t* timeout_us) override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;

 private:
  void ActivateUnscheduled(const PodGroupState& group) const;
  void AllowWaiting(const PodGroupState& group) const;

  Handle& handle_;
};

}  // namespace stowage
