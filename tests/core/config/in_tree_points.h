// The extension points of the reference's in-tree plugins (spec plugins/README, "Extension points
// per plugin"). Listed here so that tests of the configuration need no plugins.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/config/extension_points.h"

namespace stowage {

// A plugin of the reference and its extension points.
struct ReferencePlugin {
  std::string_view name;
  ExtensionPointSet points;
};

inline constexpr auto kReferencePlugins = [] {
  using P = ExtensionPoint;
  return std::to_array<ReferencePlugin>({
      {"PrioritySort", {P::kQueueSort}},
      {"SchedulingGates", {P::kPreEnqueue}},
      {"NodeName", {P::kFilter}},
      {"NodeUnschedulable", {P::kFilter}},
      {"TaintToleration", {P::kFilter, P::kPreScore, P::kScore}},
      {"NodeAffinity", {P::kPreFilter, P::kFilter, P::kPreScore, P::kScore}},
      {"NodePorts", {P::kPreFilter, P::kFilter}},
      {"NodeResourcesFit",
       {P::kPreFilter, P::kFilter, P::kPreScore, P::kScore, P::kPlacementScore}},
      {"VolumeRestrictions", {P::kPreFilter, P::kFilter}},
      {"NodeVolumeLimits", {P::kPreFilter, P::kFilter}},
      {"VolumeBinding",
       {P::kPreFilter, P::kFilter, P::kPreScore, P::kScore, P::kReserve, P::kPreBind}},
      {"VolumeZone", {P::kPreFilter, P::kFilter}},
      {"PodTopologySpread", {P::kPreFilter, P::kFilter, P::kPreScore, P::kScore}},
      {"InterPodAffinity", {P::kPreFilter, P::kFilter, P::kPreScore, P::kScore}},
      {"DynamicResources",
       {P::kPreEnqueue, P::kPreFilter, P::kFilter, P::kPostFilter, P::kScore, P::kReserve,
        P::kPreBind}},
      {"DefaultPreemption", {P::kPreEnqueue, P::kPostFilter}},
      {"NodeResourcesBalancedAllocation", {P::kPreScore, P::kScore}},
      {"ImageLocality", {P::kScore}},
      {"DefaultBinder", {P::kBind}},
      {"NodeDeclaredFeatures", {P::kPreFilter, P::kFilter}},
      {"GangScheduling", {P::kPreEnqueue, P::kPermit}},
      {"TopologyPlacementGenerator", {P::kPlacementGenerate}},
      {"PodGroupPodsCount", {P::kPlacementScore}},
  });
}();

// nullopt for any other plugin.
inline std::optional<ExtensionPointSet> InTreePoints(std::string_view name) {
  auto found = std::ranges::find(kReferencePlugins, name, &ReferencePlugin::name);
  if (found == kReferencePlugins.end()) return std::nullopt;
  return found->points;
}

}  // namespace stowage
