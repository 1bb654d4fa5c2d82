// Goal: feature gates have the defaults, locks and dependencies of v1.36, and Kubernetes' error
// messages.
#include "core/config/features.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace stowage {
namespace {

TEST(Features, HaveTheDefaultsOf136) {
  constexpr std::string_view kOff[] = {
      "SchedulerAsyncAPICalls",
      "GenericWorkload",
      "GangScheduling",
      "WorkloadAwarePreemption",
      "TopologyAwareWorkloadScheduling",
      "DRADeviceTaintRules",
      "DRAListTypeAttributes",
      "DRANodeAllocatableResources",
      "DRAWorkloadResourceClaims",
      "DRAResourcePoolStatus",
      "StorageCapacityScoring",
      "VolumeLimitScaling",
      "MutablePVNodeAffinity",
      "TaintTolerationComparisonOperators",
  };
  const Features defaults;
  size_t off_count = 0;
  for (const FeatureGate& gate : KnownFeatureGates()) {
    if (gate.member == nullptr) continue;
    bool is_off = std::find(std::begin(kOff), std::end(kOff), gate.name) != std::end(kOff);
    EXPECT_EQ(defaults.*gate.member, !is_off) << gate.name;
    off_count += is_off;
  }
  EXPECT_EQ(off_count, std::size(kOff));
}

TEST(Features, HaveAMemberForEveryGate) {
  for (const FeatureGate& gate : KnownFeatureGates()) {
    size_t same = 0;
    for (const FeatureGate& other : KnownFeatureGates()) {
      same += other.name == gate.name;
      same += gate.member != nullptr && other.member == gate.member;
    }
    EXPECT_EQ(same, gate.member == nullptr ? 1u : 2u) << gate.name;
  }
}

TEST(Features, SetTheGatesOfTheMap) {
  struct {
    std::string_view name;
    FeatureGateMap gates;
    Features want;
  } cases[] = {
      {"nothing", {}, {}},
      {"an alpha gate on", {{"StorageCapacityScoring", true}}, {.storage_capacity_scoring = true}},
      {"a beta gate off", {{"OpportunisticBatching", false}}, {.opportunistic_batching = false}},
      {"a locked gate to its own value", {{"SidecarContainers", true}}, {}},
      {"gates without effect",
       {{"RestartAllContainersOnContainerExits", true}, {"UserNamespacesHostNetworkSupport", true}},
       {}},
      {"a dependency in any order",
       {{"GangScheduling", true}, {"GenericWorkload", true}},
       {.generic_workload = true, .gang_scheduling = true}},
      {"all alpha gates but those named",
       {{"AllAlpha", true},
        {"GangScheduling", false},
        {"WorkloadAwarePreemption", false},
        {"TopologyAwareWorkloadScheduling", false},
        {"DRAListTypeAttributes", false},
        {"DRANodeAllocatableResources", false},
        {"DRAWorkloadResourceClaims", false},
        {"DRAResourcePoolStatus", false}},
       {.generic_workload = true,
        .storage_capacity_scoring = true,
        .volume_limit_scaling = true,
        .mutable_pv_node_affinity = true,
        .taint_toleration_comparison_operators = true}},
      {"all beta gates on",
       {{"AllBeta", true}},
       {.scheduler_async_api_calls = true, .dra_device_taint_rules = true}},
  };
  for (const auto& c : cases) {
    Result<Features, ConfigurationError> features = FeaturesFromMap(c.gates);
    ASSERT_TRUE(features.ok()) << c.name << ": " << features.fault().message;
    EXPECT_EQ(*features, c.want) << c.name;
  }
}

TEST(Features, RefuseInKubernetesWords) {
  struct {
    FeatureGateMap gates;
    std::string_view message;
    std::string_view field;  // of the first error
  } cases[] = {
      {{{"NoSuchGate", true}}, "unrecognized feature gate: NoSuchGate", "featureGates.NoSuchGate"},
      {{{"SchedulerQueueingHints", false}},
       "cannot set feature gate SchedulerQueueingHints to false, feature is locked to true",
       "featureGates.SchedulerQueueingHints"},
      {{{"SidecarContainers", false}, {"DRAAdminAccess", false}},
       "[cannot set feature gate DRAAdminAccess to false, feature is locked to true, "
       "cannot set feature gate SidecarContainers to false, feature is locked to true]",
       "featureGates.DRAAdminAccess"},
      {{{"Zzz", true}, {"Nope", true}}, "unrecognized feature gate: Nope", "featureGates.Nope"},
      {{{"GangScheduling", true}},
       "GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]",
       "featureGates.GangScheduling"},
      {{{"DRAResourceClaimDeviceStatus", false}},
       "DRADeviceBindingConditions is enabled, but depends on features that are disabled: "
       "[DRAResourceClaimDeviceStatus]",
       "featureGates.DRADeviceBindingConditions"},
      {{{"DRADeviceTaintRules", true}, {"DRADeviceTaints", false}},
       "DRADeviceTaintRules is enabled, but depends on features that are disabled: "
       "[DRADeviceTaints]",
       "featureGates.DRADeviceTaintRules"},
      {{{"PodLevelResources", false}, {"NodeDeclaredFeatures", false}},
       "InPlacePodLevelResourcesVerticalScaling is enabled, but depends on features that are "
       "disabled: [NodeDeclaredFeatures PodLevelResources]",
       "featureGates.InPlacePodLevelResourcesVerticalScaling"},
  };
  for (const auto& c : cases) {
    Result<Features, ConfigurationError> features = FeaturesFromMap(c.gates);
    ASSERT_FALSE(features.ok()) << c.message;
    EXPECT_EQ(features.fault().message, c.message);
    ASSERT_FALSE(features.fault().errors.empty()) << c.message;
    EXPECT_EQ(features.fault().errors[0].field, c.field);
  }
}

}  // namespace
}  // namespace stowage
