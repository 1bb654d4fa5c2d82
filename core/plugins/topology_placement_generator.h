// TopologyPlacementGenerator places a pod group within one topology domain (spec
// plugins/gang-and-placement).
// Counterpart: framework/plugins/topologyaware, v1.36.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class TopologyPlacementGenerator final : public Plugin, public PlacementGeneratePlugin {
 public:
  static constexpr std::string_view kName = "TopologyPlacementGenerator";

  explicit TopologyPlacementGenerator(const PluginContext& context) : handle_(context.handle) {}

  std::string_view Name() const override { return kName; }
  // One placement per domain, in order of the domains' names; only the domain of the group's
  // scheduled pods, if there are any.
  Status GeneratePlacements(const ObjectKey& group, const Placement& parent,
                            std::vector<Placement>* placements) const override;

 private:
  Result<Symbol, std::string> DomainOfScheduledPods(const ObjectKey& group,
                                                    const Symbol& key) const;

  Handle& handle_;
};

}  // namespace stowage
