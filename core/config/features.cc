#include "core/config/features.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "core/base/check.h"
#include "core/base/format.h"

namespace stowage {
namespace {

// The states are those of v1.33, v1.34, v1.35 and v1.36 (pkg/features/kube_features.go of each).
constexpr FeatureGate kGates[] = {
    {"SchedulerQueueingHints", &Features::scheduler_queueing_hints, "BLLL"},
    {"SchedulerPopFromBackoffQ", &Features::scheduler_pop_from_backoff_q, "BBBB"},
    {"SchedulerAsyncPreemption", &Features::scheduler_async_preemption, "BBBB"},
    {"SchedulerAsyncAPICalls", &Features::scheduler_async_api_calls, "-bbb"},
    {"OpportunisticBatching", &Features::opportunistic_batching, "--BB"},
    {"NominatedNodeNameForExpectation", &Features::nominated_node_name_for_expectation, "-aBB"},
    {"ClearingNominatedNodeNameAfterBinding", &Features::clearing_nominated_node_name_after_binding,
     "-aBB"},
    {"NodeDeclaredFeatures", &Features::node_declared_features, "--aB"},
    {"GenericWorkload", &Features::generic_workload, "--aa"},
    {"GangScheduling", &Features::gang_scheduling, "--aa"},
    {"WorkloadAwarePreemption", &Features::workload_aware_preemption, "---a"},
    {"TopologyAwareWorkloadScheduling", &Features::topology_aware_workload_scheduling, "---a"},
    {"DynamicResourceAllocation", &Features::dynamic_resource_allocation, "bGLL"},
    {"DRAAdminAccess", &Features::dra_admin_access, "aBBL"},
    {"DRAPrioritizedList", &Features::dra_prioritized_list, "aBBG"},
    {"DRAConsumableCapacity", &Features::dra_consumable_capacity, "-aaB"},
    {"DRADeviceTaints", &Features::dra_device_taints, "aaaB"},
    {"DRADeviceBindingConditions", &Features::dra_device_binding_conditions, "-aaB"},
    {"DRAExtendedResource", &Features::dra_extended_resource, "-aaB"},
    {"DRAPartitionableDevices", &Features::dra_partitionable_devices, "aaaB"},
    {"DRAResourceClaimDeviceStatus", &Features::dra_resource_claim_device_status, "BBBB"},
    {"DRASchedulerFilterTimeout", &Features::dra_scheduler_filter_timeout, "-BBB"},
    {"DRADeviceTaintRules", &Features::dra_device_taint_rules, "--ab"},
    {"DRAListTypeAttributes", &Features::dra_list_type_attributes, "---a"},
    {"DRANodeAllocatableResources", &Features::dra_node_allocatable_resources, "---a"},
    {"DRAWorkloadResourceClaims", &Features::dra_workload_resource_claims, "---a"},
    {"DRAResourcePoolStatus", &Features::dra_resource_pool_status, "---a"},
    {"InPlacePodVerticalScaling", &Features::in_place_pod_vertical_scaling, "BBLL"},
    {"InPlacePodLevelResourcesVerticalScaling",
     &Features::in_place_pod_level_resources_vertical_scaling, "--aB"},
    {"PodLevelResources", &Features::pod_level_resources, "aBBB"},
    {"PodObservedGenerationTracking", &Features::pod_observed_generation_tracking, "aBLL"},
    {"SidecarContainers", &Features::sidecar_containers, "LLLL"},
    {"MatchLabelKeysInPodAffinity", &Features::match_label_keys_in_pod_affinity, "LLLL"},
    {"MatchLabelKeysInPodTopologySpread", &Features::match_label_keys_in_pod_topology_spread,
     "BBBB"},
    {"MatchLabelKeysInPodTopologySpreadSelectorMerge",
     &Features::match_label_keys_in_pod_topology_spread_selector_merge, "-BBB"},
    {"NodeInclusionPolicyInPodTopologySpread",
     &Features::node_inclusion_policy_in_pod_topology_spread, "LLLL"},
    {"VolumeAttributesClass", &Features::volume_attributes_class, "bGGL"},
    {"MutableCSINodeAllocatableCount", &Features::mutable_csi_node_allocatable_count, "aBBL"},
    {"StorageCapacityScoring", &Features::storage_capacity_scoring, "aaaa"},
    {"VolumeLimitScaling", &Features::volume_limit_scaling, "--aa"},
    {"MutablePVNodeAffinity", &Features::mutable_pv_node_affinity, "--aa"},
    {"TaintTolerationComparisonOperators", &Features::taint_toleration_comparison_operators,
     "--aa"},
    {"RestartAllContainersOnContainerExits", nullptr, "--aa"},
    {"UserNamespacesHostNetworkSupport", nullptr, "--aa"},
};

struct Dependency {
  bool Features::*gate;
  bool Features::*needs;
};

// By gate, its dependencies in order of names. Gates that depend on DynamicResourceAllocation have
// no line here, because it is locked on.
constexpr Dependency kDependencies[] = {
    {&Features::gang_scheduling, &Features::generic_workload},
    {&Features::dra_device_binding_conditions, &Features::dra_resource_claim_device_status},
    {&Features::dra_device_taint_rules, &Features::dra_device_taints},
    {&Features::in_place_pod_level_resources_vertical_scaling,
     &Features::in_place_pod_vertical_scaling},
    {&Features::in_place_pod_level_resources_vertical_scaling, &Features::node_declared_features},
    {&Features::in_place_pod_level_resources_vertical_scaling, &Features::pod_level_resources},
};

const FeatureGate* FindGate(std::string_view name) {
  auto gate = std::find_if(std::begin(kGates), std::end(kGates),
                           [&](const FeatureGate& candidate) { return candidate.name == name; });
  return gate == std::end(kGates) ? nullptr : gate;
}

bool IsOn(GateState state) {
  return state == GateState::kAlphaOn || state == GateState::kBetaOn ||
         state == GateState::kGeneralOn || state == GateState::kLockedOn;
}

bool IsAlpha(GateState state) {
  return state == GateState::kAlphaOff || state == GateState::kAlphaOn;
}

bool IsBeta(GateState state) { return state == GateState::kBetaOff || state == GateState::kBetaOn; }

using StagePredicate = bool (*)(GateState);

// Null for every other name.
StagePredicate StageOfToggle(std::string_view name) {
  if (name == "AllAlpha") return IsAlpha;
  if (name == "AllBeta") return IsBeta;
  return nullptr;
}

Features DefaultsOf(KubernetesVersion version) {
  Features features;
  for (const FeatureGate& gate : kGates) {
    if (gate.member != nullptr) features.*gate.member = IsOn(gate.in(version));
  }
  features.behaviour = BehaviourOf(version);
  return features;
}

ConfigurationError::Entry GateError(std::string_view name, std::string detail) {
  return {Format("featureGates.{}", name), std::move(detail)};
}

using GatesByName = std::map<std::string_view, bool>;

void SetStage(StagePredicate is_of_stage, bool value, const GatesByName& named,
              KubernetesVersion version, Features* features) {
  for (const FeatureGate& gate : kGates) {
    if (!is_of_stage(gate.in(version)) || gate.member == nullptr) continue;
    if (named.count(gate.name) == 0) features->*gate.member = value;
  }
}

std::string_view NameOf(bool Features::*member) {
  auto gate = std::find_if(std::begin(kGates), std::end(kGates), [&](const FeatureGate& candidate) {
    return candidate.member == member;
  });
  CHECK(gate != std::end(kGates));
  return gate->name;
}

std::vector<ConfigurationError::Entry> UnmetDependencies(const Features& features) {
  std::vector<ConfigurationError::Entry> errors;
  for (const FeatureGate& gate : kGates) {
    if (gate.member == nullptr || !(features.*gate.member)) continue;
    std::vector<std::string_view> disabled;
    for (const auto& [dependent, needed] : kDependencies) {
      if (dependent == gate.member && !(features.*needed)) disabled.push_back(NameOf(needed));
    }
    if (disabled.empty()) continue;
    errors.push_back(GateError(
        gate.name, Format("{} is enabled, but depends on features that are disabled: [{}]",
                          gate.name, Join(disabled, " "))));
  }
  return errors;
}

}  // namespace

std::span<const FeatureGate> KnownFeatureGates() { return kGates; }

Result<Features, ConfigurationError> FeaturesFromMap(const FeatureGateMap& gates,
                                                     KubernetesVersion version) {
  GatesByName named;
  for (const auto& [name, value] : gates) named[name] = value;

  Features features = DefaultsOf(version);
  std::vector<ConfigurationError::Entry> errors;
  for (const auto& [name, value] : named) {
    if (StagePredicate is_of_stage = StageOfToggle(name)) {
      SetStage(is_of_stage, value, named, version, &features);
      continue;
    }
    const FeatureGate* gate = FindGate(name);
    if (gate == nullptr || gate->in(version) == GateState::kAbsent) {
      errors.push_back(GateError(name, Format("unrecognized feature gate: {}", name)));
      break;  // an unknown gate ends the check
    }
    if (gate->member == nullptr) continue;
    if (gate->in(version) == GateState::kLockedOn && !value) {
      errors.push_back(GateError(
          name, Format("cannot set feature gate {} to false, feature is locked to true", name)));
      continue;
    }
    features.*gate->member = value;
  }
  if (errors.empty()) errors = UnmetDependencies(features);
  if (!errors.empty()) return ConfigurationError::Aggregate(std::move(errors));
  return features;
}

}  // namespace stowage
