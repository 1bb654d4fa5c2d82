// The plugins for pod groups, whose gates are off: their names and extension points, so that a
// configuration expands as in the reference. Their rules are not implemented.
//
// Each behaves like the real plugin for a pod without a group. Matters returns true where that is
// wrong, that is, for every member of a group; the decision is then flagged. Counterparts:
// framework/plugins/{gangscheduling,topologyaware,podgrouppodscount}, v1.36.
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
                             public EnqueueExtensions,
                             public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "GangScheduling";

  explicit GangScheduling(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  Status PreEnqueue(const Pod&) const override { return Status::Success(); }
  Status Permit(CycleState&, const Pod&, const Symbol&, int64_t*) override {
    return Status::Success();
  }
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool Matters(const Pod& pod) const override { return pod.spec.scheduling_group.has_value(); }
};

class TopologyPlacementGenerator final : public Plugin,
                                         public PlacementGeneratePlugin,
                                         public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "TopologyPlacementGenerator";

  explicit TopologyPlacementGenerator(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  bool Matters(const Pod& pod) const override { return pod.spec.scheduling_group.has_value(); }
};

class PodGroupPodsCount final : public Plugin,
                                public PlacementScorePlugin,
                                public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "PodGroupPodsCount";

  explicit PodGroupPodsCount(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  bool Matters(const Pod& pod) const override { return pod.spec.scheduling_group.has_value(); }
};

}  // namespace stowage
