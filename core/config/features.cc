#include "core/config/features.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/base/check.h"
#include "core/base/format.h"

namespace stowage {
namespace {

// The states are those of v1.33 to v1.36, and of v1.37-preview. Source: the versioned specs of
// test/compatibility_lifecycle/reference/versioned_feature_list.yaml of each release.
constexpr FeatureGate kGates[] = {
    {"SchedulerQueueingHints", &Features::scheduler_queueing_hints, "BLLLR"},
    {"SchedulerPopFromBackoffQ", &Features::scheduler_pop_from_backoff_q, "BBBBB"},
    {"SchedulerAsyncPreemption", &Features::scheduler_async_preemption, "BBBBB"},
    {"SchedulerAsyncAPICalls", &Features::scheduler_async_api_calls, "-bbbb"},
    {"OpportunisticBatching", &Features::opportunistic_batching, "--BBB"},
    {"NominatedNodeNameForExpectation", &Features::nominated_node_name_for_expectation, "-aBBB"},
    {"ClearingNominatedNodeNameAfterBinding", &Features::clearing_nominated_node_name_after_binding,
     "-aBBB"},
    {"NodeDeclaredFeatures", &Features::node_declared_features, "--aBL"},
    {"GenericWorkload", &Features::generic_workload, "--aab"},
    {"GangScheduling", &Features::gang_scheduling, "--aa-"},
    {"WorkloadAwarePreemption", &Features::workload_aware_preemption, "---a-"},
    {"TopologyAwareWorkloadScheduling", &Features::topology_aware_workload_scheduling, "---aa"},
    {"DynamicResourceAllocation", &Features::dynamic_resource_allocation, "bGLLL"},
    {"DRAAdminAccess", &Features::dra_admin_access, "aBBLL"},
    {"DRAPrioritizedList", &Features::dra_prioritized_list, "aBBGL"},
    {"DRAConsumableCapacity", &Features::dra_consumable_capacity, "-aaBB"},
    {"DRADeviceTaints", &Features::dra_device_taints, "aaaBG"},
    {"DRADeviceBindingConditions", &Features::dra_device_binding_conditions, "-aaBB"},
    {"DRAExtendedResource", &Features::dra_extended_resource, "-aaBL"},
    {"DRAPartitionableDevices", &Features::dra_partitionable_devices, "aaaBB"},
    {"DRAResourceClaimDeviceStatus", &Features::dra_resource_claim_device_status, "BBBBL"},
    {"DRASchedulerFilterTimeout", &Features::dra_scheduler_filter_timeout, "-BBBB"},
    {"DRADeviceTaintRules", &Features::dra_device_taint_rules, "--abG"},
    {"DRAListTypeAttributes", &Features::dra_list_type_attributes, "---aa"},
    {"DRANodeAllocatableResources", &Features::dra_node_allocatable_resources, "---aa"},
    {"DRAWorkloadResourceClaims", &Features::dra_workload_resource_claims, "---ab"},
    {"DRAResourcePoolStatus", &Features::dra_resource_pool_status, "---aa"},
    {"InPlacePodVerticalScaling", &Features::in_place_pod_vertical_scaling, "BBLLL"},
    {"InPlacePodLevelResourcesVerticalScaling",
     &Features::in_place_pod_level_resources_vertical_scaling, "--aBB"},
    {"PodLevelResources", &Features::pod_level_resources, "aBBBB"},
    {"PodObservedGenerationTracking", &Features::pod_observed_generation_tracking, "aBLLL"},
    {"SidecarContainers", &Features::sidecar_containers, "LLLLR"},
    {"MatchLabelKeysInPodAffinity", &Features::match_label_keys_in_pod_affinity, "LLLLL"},
    {"MatchLabelKeysInPodTopologySpread", &Features::match_label_keys_in_pod_topology_spread,
     "BBBBB"},
    {"MatchLabelKeysInPodTopologySpreadSelectorMerge",
     &Features::match_label_keys_in_pod_topology_spread_selector_merge, "-BBBB"},
    {"NodeInclusionPolicyInPodTopologySpread",
     &Features::node_inclusion_policy_in_pod_topology_spread, "LLLLL"},
    {"VolumeAttributesClass", &Features::volume_attributes_class, "bGGLL"},
    {"MutableCSINodeAllocatableCount", &Features::mutable_csi_node_allocatable_count, "abBLL"},
    {"StorageCapacityScoring", &Features::storage_capacity_scoring, "aaaaB"},
    {"VolumeLimitScaling", &Features::volume_limit_scaling, "--aaB"},
    {"MutablePVNodeAffinity", &Features::mutable_pv_node_affinity, "--aaa"},
    {"TaintTolerationComparisonOperators", &Features::taint_toleration_comparison_operators,
     "--aaa"},
    {"RestartAllContainersOnContainerExits", nullptr, "--aBB"},
    {"UserNamespacesHostNetworkSupport", nullptr, "--aaa"},
};

struct Dependency {
  bool Features::*gate;
  bool Features::*needs;
};

// By gate, its dependencies in order of names. Releases have them since v1.35 (PR 133697). Gates
// that depend on DynamicResourceAllocation have no line here, because it is locked on since then.
constexpr Dependency kDependencies[] = {
    {&Features::gang_scheduling, &Features::generic_workload},
    {&Features::dra_device_binding_conditions, &Features::dra_resource_claim_device_status},
    {&Features::dra_device_taint_rules, &Features::dra_device_taints},
    {&Features::in_place_pod_level_resources_vertical_scaling,
     &Features::in_place_pod_vertical_scaling},
    {&Features::in_place_pod_level_resources_vertical_scaling, &Features::node_declared_features},
    {&Features::in_place_pod_level_resources_vertical_scaling, &Features::pod_level_resources},
    {&Features::match_label_keys_in_pod_topology_spread_selector_merge,
     &Features::match_label_keys_in_pod_topology_spread},
};

const FeatureGate* FindGate(std::string_view name) {
  auto gate = std::find_if(std::begin(kGates), std::end(kGates),
                           [&](const FeatureGate& candidate) { return candidate.name == name; });
  return gate == std::end(kGates) ? nullptr : gate;
}

bool IsOn(GateState state) {
  return state == GateState::kAlphaOn || state == GateState::kBetaOn ||
         state == GateState::kGeneralOn || state == GateState::kLockedOn ||
         state == GateState::kRemovedOn;
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
  features.has_dynamic_resources_args = version > KubernetesVersion::k1_33;
  features.devices_are_proved = version == kNewestVersion;
  features.is_preview = version > kNewestVersion;
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
    GateState state = gate == nullptr ? GateState::kAbsent : gate->in(version);
    if (state == GateState::kAbsent || state == GateState::kRemovedOn) {
      errors.push_back(GateError(name, Format("unrecognized feature gate: {}", name)));
      break;  // an unknown gate ends the check
    }
    if (gate->member == nullptr) continue;
    if (state == GateState::kLockedOn && !value) {
      errors.push_back(GateError(
          name, Format("cannot set feature gate {} to false, feature is locked to true", name)));
      continue;
    }
    features.*gate->member = value;
  }
  if (errors.empty() && version >= KubernetesVersion::k1_35) errors = UnmetDependencies(features);
  if (!errors.empty()) return ConfigurationError::Aggregate(std::move(errors));
  return features;
}

}  // namespace stowage
