#include "core/config/features.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "core/base/check.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr bool kLocked = true;
constexpr auto kAlpha = FeatureStage::kAlpha;
constexpr auto kBeta = FeatureStage::kBeta;
constexpr auto kGeneral = FeatureStage::kGeneral;

constexpr FeatureGate kGates[] = {
    {"SchedulerQueueingHints", &Features::scheduler_queueing_hints, kGeneral, kLocked},
    {"SchedulerPopFromBackoffQ", &Features::scheduler_pop_from_backoff_q, kBeta},
    {"SchedulerAsyncPreemption", &Features::scheduler_async_preemption, kBeta},
    {"SchedulerAsyncAPICalls", &Features::scheduler_async_api_calls, kBeta},
    {"OpportunisticBatching", &Features::opportunistic_batching, kBeta},
    {"NominatedNodeNameForExpectation", &Features::nominated_node_name_for_expectation, kBeta},
    {"ClearingNominatedNodeNameAfterBinding", &Features::clearing_nominated_node_name_after_binding,
     kBeta},
    {"NodeDeclaredFeatures", &Features::node_declared_features, kBeta},
    {"GenericWorkload", &Features::generic_workload, kAlpha},
    {"GangScheduling", &Features::gang_scheduling, kAlpha},
    {"WorkloadAwarePreemption", &Features::workload_aware_preemption, kAlpha},
    {"TopologyAwareWorkloadScheduling", &Features::topology_aware_workload_scheduling, kAlpha},
    {"DynamicResourceAllocation", &Features::dynamic_resource_allocation, kGeneral, kLocked},
    {"DRAAdminAccess", &Features::dra_admin_access, kGeneral, kLocked},
    {"DRAPrioritizedList", &Features::dra_prioritized_list, kGeneral},
    {"DRAConsumableCapacity", &Features::dra_consumable_capacity, kBeta},
    {"DRADeviceTaints", &Features::dra_device_taints, kBeta},
    {"DRADeviceBindingConditions", &Features::dra_device_binding_conditions, kBeta},
    {"DRAExtendedResource", &Features::dra_extended_resource, kBeta},
    {"DRAPartitionableDevices", &Features::dra_partitionable_devices, kBeta},
    {"DRAResourceClaimDeviceStatus", &Features::dra_resource_claim_device_status, kBeta},
    {"DRASchedulerFilterTimeout", &Features::dra_scheduler_filter_timeout, kBeta},
    {"DRADeviceTaintRules", &Features::dra_device_taint_rules, kBeta},
    {"DRAListTypeAttributes", &Features::dra_list_type_attributes, kAlpha},
    {"DRANodeAllocatableResources", &Features::dra_node_allocatable_resources, kAlpha},
    {"DRAWorkloadResourceClaims", &Features::dra_workload_resource_claims, kAlpha},
    {"DRAResourcePoolStatus", &Features::dra_resource_pool_status, kAlpha},
    {"InPlacePodVerticalScaling", &Features::in_place_pod_vertical_scaling, kGeneral, kLocked},
    {"InPlacePodLevelResourcesVerticalScaling",
     &Features::in_place_pod_level_resources_vertical_scaling, kBeta},
    {"PodLevelResources", &Features::pod_level_resources, kBeta},
    {"PodObservedGenerationTracking", &Features::pod_observed_generation_tracking, kGeneral,
     kLocked},
    {"SidecarContainers", &Features::sidecar_containers, kGeneral, kLocked},
    {"MatchLabelKeysInPodAffinity", &Features::match_label_keys_in_pod_affinity, kGeneral, kLocked},
    {"MatchLabelKeysInPodTopologySpread", &Features::match_label_keys_in_pod_topology_spread,
     kBeta},
    {"MatchLabelKeysInPodTopologySpreadSelectorMerge",
     &Features::match_label_keys_in_pod_topology_spread_selector_merge, kBeta},
    {"NodeInclusionPolicyInPodTopologySpread",
     &Features::node_inclusion_policy_in_pod_topology_spread, kGeneral, kLocked},
    {"VolumeAttributesClass", &Features::volume_attributes_class, kGeneral, kLocked},
    {"MutableCSINodeAllocatableCount", &Features::mutable_csi_node_allocatable_count, kGeneral,
     kLocked},
    {"StorageCapacityScoring", &Features::storage_capacity_scoring, kAlpha},
    {"VolumeLimitScaling", &Features::volume_limit_scaling, kAlpha},
    {"MutablePVNodeAffinity", &Features::mutable_pv_node_affinity, kAlpha},
    {"TaintTolerationComparisonOperators", &Features::taint_toleration_comparison_operators,
     kAlpha},
    {"RestartAllContainersOnContainerExits", nullptr, kAlpha},
    {"UserNamespacesHostNetworkSupport", nullptr, kAlpha},
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

std::optional<FeatureStage> StageOfToggle(std::string_view name) {
  if (name == "AllAlpha") return kAlpha;
  if (name == "AllBeta") return kBeta;
  return std::nullopt;
}

ConfigurationError::Entry GateError(std::string_view name, std::string detail) {
  return {Format("featureGates.{}", name), std::move(detail)};
}

using GatesByName = std::map<std::string_view, bool>;

void SetStage(FeatureStage stage, bool value, const GatesByName& named, Features* features) {
  for (const FeatureGate& gate : kGates) {
    if (gate.stage != stage || gate.member == nullptr || named.count(gate.name) != 0) continue;
    features->*gate.member = value;
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

Result<Features, ConfigurationError> FeaturesFromMap(const FeatureGateMap& gates) {
  GatesByName named;
  for (const auto& [name, value] : gates) named[name] = value;

  Features features;
  std::vector<ConfigurationError::Entry> errors;
  for (const auto& [name, value] : named) {
    if (std::optional<FeatureStage> stage = StageOfToggle(name)) {
      SetStage(*stage, value, named, &features);
      continue;
    }
    const FeatureGate* gate = FindGate(name);
    if (gate == nullptr) {
      errors.push_back(GateError(name, Format("unrecognized feature gate: {}", name)));
      break;  // an unknown gate ends the check
    }
    if (gate->member == nullptr) continue;
    if (gate->locked && Features().*gate->member != value) {
      errors.push_back(
          GateError(name, Format("cannot set feature gate {} to {}, feature is locked to {}", name,
                                 value, !value)));
      continue;
    }
    features.*gate->member = value;
  }
  if (errors.empty()) errors = UnmetDependencies(features);
  if (!errors.empty()) return ConfigurationError::Aggregate(std::move(errors));
  return features;
}

}  // namespace stowage
