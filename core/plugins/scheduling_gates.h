// SchedulingGates keeps a pod out of the active queue while spec.schedulingGates has entries.
// Counterpart: framework/plugins/schedulinggates, v1.36.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class SchedulingGates final : public Plugin, public PreEnqueuePlugin, public EnqueueExtensions {
 public:
  static constexpr std::string_view kName = "SchedulingGates";

  explicit SchedulingGates(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  Status PreEnqueue(const Pod& pod) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
};

}  // namespace stowage
