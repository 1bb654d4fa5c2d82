// The plugins for pod groups, whose gates are off: their names and extension points, so that a
// configuration expands as in the reference. Their rules are not implemented.
//
// Each behaves like the real plugin for a pod without a group. Matters returns true where that is
// wrong, that is, for every member of a group; the decision is then flagged. Counterparts:
// framework/plugins/{topologyaware,podgrouppodscount}, v1.36.
#pragma once

#include <string_view>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

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
