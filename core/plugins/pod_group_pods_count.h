// PodGroupPodsCount prefers the placement on which most pods of the group run (spec
// plugins/gang-and-placement).
// Counterpart: framework/plugins/podgrouppodscount, v1.36.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class PodGroupPodsCount final : public Plugin, public PlacementScorePlugin {
 public:
  static constexpr std::string_view kName = "PodGroupPodsCount";

  explicit PodGroupPodsCount(const PluginContext& context) : handle_(context.handle) {}

  std::string_view Name() const override { return kName; }
  int64_t ScorePlacement(const ObjectKey& group,
                         const PodGroupAssignments& assignments) const override;
  Status NormalizePlacementScores(std::span<int64_t> scores) const override;

 private:
  Handle& handle_;
};

}  // namespace stowage
