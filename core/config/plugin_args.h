// The arguments of in-tree plugins (spec 07 §5). Initializers are the defaults;
// core/config/defaults.h fills in those that depend on other fields or on a feature gate.
// Counterpart: apis/config/types_pluginargs.go, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/decode/duration.h"
#include "core/api/decode/schema.h"
#include "core/api/pod.h"
#include "core/base/symbol.h"

namespace stowage {

struct DefaultPreemptionArgs {
  static constexpr std::string_view kKind = "DefaultPreemptionArgs";

  int32_t min_candidate_nodes_percentage = 10;
  int32_t min_candidate_nodes_absolute = 100;

  friend bool operator==(const DefaultPreemptionArgs&, const DefaultPreemptionArgs&) = default;
};

struct InterPodAffinityArgs {
  static constexpr std::string_view kKind = "InterPodAffinityArgs";

  int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;

  friend bool operator==(const InterPodAffinityArgs&, const InterPodAffinityArgs&) = default;
};

struct NodeAffinityArgs {
  static constexpr std::string_view kKind = "NodeAffinityArgs";

  std::optional<NodeAffinitySpec> added_affinity;

  friend bool operator==(const NodeAffinityArgs&, const NodeAffinityArgs&) = default;
};

// A resource and its weight in a score.
struct ResourceSpec {
  Symbol name;
  int64_t weight = 0;  // 0 becomes 1 by defaulting

  friend bool operator==(const ResourceSpec&, const ResourceSpec&) = default;
};

struct NodeResourcesBalancedAllocationArgs {
  static constexpr std::string_view kKind = "NodeResourcesBalancedAllocationArgs";

  std::vector<ResourceSpec> resources;

  friend bool operator==(const NodeResourcesBalancedAllocationArgs&,
                         const NodeResourcesBalancedAllocationArgs&) = default;
};

// One point of a piecewise linear function: utilization in percent, score 0–10.
struct UtilizationShapePoint {
  int32_t utilization = 0;
  int32_t score = 0;

  friend bool operator==(const UtilizationShapePoint&, const UtilizationShapePoint&) = default;
};

struct RequestedToCapacityRatioParam {
  std::vector<UtilizationShapePoint> shape;

  friend bool operator==(const RequestedToCapacityRatioParam&,
                         const RequestedToCapacityRatioParam&) = default;
};

struct ScoringStrategy {
  static constexpr std::string_view kLeastAllocated = "LeastAllocated";
  static constexpr std::string_view kMostAllocated = "MostAllocated";
  static constexpr std::string_view kRequestedToCapacityRatio = "RequestedToCapacityRatio";

  std::string type;
  std::vector<ResourceSpec> resources;
  std::optional<RequestedToCapacityRatioParam> requested_to_capacity_ratio;

  friend bool operator==(const ScoringStrategy&, const ScoringStrategy&) = default;
};

struct NodeResourcesFitArgs {
  static constexpr std::string_view kKind = "NodeResourcesFitArgs";

  std::vector<Symbol> ignored_resources;
  std::vector<std::string> ignored_resource_groups;
  std::optional<ScoringStrategy> scoring_strategy;  // always set after defaulting

  friend bool operator==(const NodeResourcesFitArgs&, const NodeResourcesFitArgs&) = default;
};

struct PodTopologySpreadArgs {
  static constexpr std::string_view kKind = "PodTopologySpreadArgs";
  static constexpr std::string_view kSystemDefaulting = "System";
  static constexpr std::string_view kListDefaulting = "List";

  std::vector<TopologySpreadConstraint> default_constraints;
  std::string defaulting_type;

  friend bool operator==(const PodTopologySpreadArgs&, const PodTopologySpreadArgs&) = default;
};

struct VolumeBindingArgs {
  static constexpr std::string_view kKind = "VolumeBindingArgs";

  int64_t bind_timeout_seconds = 600;
  // Set only with the gate StorageCapacityScoring.
  std::optional<std::vector<UtilizationShapePoint>> shape;

  friend bool operator==(const VolumeBindingArgs&, const VolumeBindingArgs&) = default;
};

struct DynamicResourcesArgs {
  static constexpr std::string_view kKind = "DynamicResourcesArgs";

  std::optional<Duration> filter_timeout;   // absent if its gate is off; 0: no timeout
  std::optional<Duration> binding_timeout;  // absent if its gates are off

  friend bool operator==(const DynamicResourcesArgs&, const DynamicResourcesArgs&) = default;
};

// monostate: no arguments. RawJson: the arguments of a plugin outside the core, as given.
using PluginArgs =
    std::variant<std::monostate, RawJson, DefaultPreemptionArgs, InterPodAffinityArgs,
                 NodeAffinityArgs, NodeResourcesBalancedAllocationArgs, NodeResourcesFitArgs,
                 PodTopologySpreadArgs, VolumeBindingArgs, DynamicResourcesArgs>;

// Empty arguments, without defaults, of the kind that the plugin `name` takes: the kind is the
// plugin's name followed by "Args". monostate if there is no such kind.
PluginArgs NewPluginArgs(std::string_view name);

}  // namespace stowage
