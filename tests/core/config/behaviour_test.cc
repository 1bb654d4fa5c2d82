#include "core/config/behaviour.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/features.h"

namespace stowage {
namespace {

TEST(Behaviour, VersionsHaveTwoSpellings) {
  for (std::string_view text : {"v1.33", "v1.34", "v1.35", "v1.36", "v1.37-preview"}) {
    std::optional<KubernetesVersion> version = ParseKubernetesVersion(text);
    ASSERT_TRUE(version.has_value()) << text;
    EXPECT_EQ(VersionText(*version), text);
    EXPECT_EQ(ParseKubernetesVersion(text.substr(1)), version) << text;
  }
  for (std::string_view text :
       {"", "v", "1.32", "1.37", "1.36.3", "v1.36 ", "V1.36", "1.38-preview"}) {
    EXPECT_FALSE(ParseKubernetesVersion(text).has_value()) << text;
  }
}

// Goal: each row has a fact of its own, and the defaults are those of the newest release.
TEST(Behaviour, TheTableHasARowForEachFact) {
  EXPECT_EQ(BehaviourOf(kNewestVersion), Behaviour());
  std::set<std::string> names;
  for (const BehaviourRow& row : BehaviourTable()) {
    EXPECT_TRUE(names.insert(std::string(row.name)).second) << row.name;
    Behaviour changed;
    EXPECT_TRUE(changed.Set(row.name, false)) << row.name;
    EXPECT_FALSE(changed.*row.fact) << row.name;
    EXPECT_NE(changed, Behaviour()) << row.name;
    EXPECT_TRUE(changed.Set(row.name, true));
    EXPECT_EQ(changed, Behaviour()) << row.name;
  }
  EXPECT_EQ(names.size(), sizeof(Behaviour) / sizeof(bool));
  EXPECT_FALSE(Behaviour().Set("no-such-fact", true));
}

TEST(Behaviour, FactsHoldFromTheirReleaseOn) {
  const std::set<std::string> new_in_36 = {"balanced-allocation", "image-volumes",
                                           "csi-missing-optin",   "nominated-pods-wake",
                                           "own-labels-wake",     "deleted-anti-affinity-wakes",
                                           "failed-eviction",     "binding-victims-return"};
  const std::set<std::string> new_in_35 = {"dra-score-plugin", "nomination-without-postfilter",
                                           "victim-already-terminating", "last-victim",
                                           "ties-by-heap"};
  const std::set<std::string> new_in_34 = {
      "taint-text",    "fit-unresolvable", "rwop-text",        "interpod-namespace-selector",
      "backoff-count", "gating-plugin",    "preemption-events"};
  struct {
    KubernetesVersion version;
    std::vector<std::set<std::string>> without;
  } cases[] = {
      {KubernetesVersion::k1_37Preview, {}},
      {KubernetesVersion::k1_36, {}},
      {KubernetesVersion::k1_35, {new_in_36}},
      {KubernetesVersion::k1_34, {new_in_36, new_in_35}},
      {KubernetesVersion::k1_33, {new_in_36, new_in_35, new_in_34}},
  };
  for (const auto& c : cases) {
    std::set<std::string> want;
    for (const auto& names : c.without) want.insert(names.begin(), names.end());
    Behaviour behaviour = BehaviourOf(c.version);
    std::set<std::string> without;
    for (const BehaviourRow& row : BehaviourTable()) {
      if (!(behaviour.*row.fact)) without.insert(std::string(row.name));
    }
    EXPECT_EQ(without, want) << VersionText(c.version);
  }
}

// Goal: gates have the defaults, stages and existence of the release.
TEST(Behaviour, GatesAreThoseOfTheRelease) {
  struct {
    std::string_view name;
    KubernetesVersion version;
    FeatureGateMap gates;
    std::string_view error;  // empty: none
  } cases[] = {
      {"a gate that does not exist yet",
       KubernetesVersion::k1_34,
       {{"OpportunisticBatching", true}},
       "unrecognized feature gate: OpportunisticBatching"},
      {"the same in its first release",
       KubernetesVersion::k1_35,
       {{"OpportunisticBatching", false}},
       ""},
      {"a gate that is locked later",
       KubernetesVersion::k1_34,
       {{"DynamicResourceAllocation", false}},
       ""},
      {"the same once it is locked",
       KubernetesVersion::k1_35,
       {{"DynamicResourceAllocation", false}},
       "cannot set feature gate DynamicResourceAllocation to false, feature is locked to true"},
      {"a gate that a preview has removed, because it is always on",
       KubernetesVersion::k1_37Preview,
       {{"SidecarContainers", true}},
       "unrecognized feature gate: SidecarContainers"},
      {"an unmet dependency, which is not checked yet",
       KubernetesVersion::k1_34,
       {{"DynamicResourceAllocation", false}, {"MatchLabelKeysInPodTopologySpread", false}},
       ""},
      {"an unmet dependency, from v1.35 on",
       KubernetesVersion::k1_35,
       {{"MatchLabelKeysInPodTopologySpread", false}},
       "MatchLabelKeysInPodTopologySpreadSelectorMerge is enabled, but depends on features that "
       "are disabled: [MatchLabelKeysInPodTopologySpread]"},
      {"a gate of a later release, with a dependency",
       KubernetesVersion::k1_35,
       {{"InPlacePodLevelResourcesVerticalScaling", true}},
       "InPlacePodLevelResourcesVerticalScaling is enabled, but depends on features that are "
       "disabled: [NodeDeclaredFeatures]"},
  };
  for (const auto& c : cases) {
    Result<Features, ConfigurationError> features = FeaturesFromMap(c.gates, c.version);
    EXPECT_EQ(features.ok() ? std::string() : features.fault().message, c.error) << c.name;
  }
  Features oldest = *FeaturesFromMap({}, KubernetesVersion::k1_33);
  EXPECT_FALSE(oldest.dynamic_resource_allocation);
  EXPECT_FALSE(oldest.pod_level_resources);
  EXPECT_FALSE(oldest.opportunistic_batching);
  EXPECT_TRUE(oldest.scheduler_queueing_hints);
  EXPECT_EQ(oldest.behaviour, BehaviourOf(KubernetesVersion::k1_33));
  EXPECT_EQ(*FeaturesFromMap({}), Features());
  // AllAlpha enables what is alpha in that release.
  Features alpha = *FeaturesFromMap({{"AllAlpha", true}}, KubernetesVersion::k1_33);
  EXPECT_TRUE(alpha.dra_partitionable_devices);
  EXPECT_TRUE(alpha.pod_level_resources);
  EXPECT_FALSE(alpha.node_declared_features);
}

// Goal: the states that only the list of versioned features proves.
TEST(Behaviour, GatesHaveTheStatesOfTheirVersionedSpecs) {
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {"ClearingNominatedNodeNameAfterBinding", "-aBBB"},
      {"DRAResourcePoolStatus", "---aa"},
      {"MatchLabelKeysInPodAffinity", "LLLLL"},
      {"MatchLabelKeysInPodTopologySpreadSelectorMerge", "-BBBB"},
      {"MutableCSINodeAllocatableCount", "abBLL"},
      {"MutablePVNodeAffinity", "--aaa"},
      {"PodObservedGenerationTracking", "aBLLL"},
      {"RestartAllContainersOnContainerExits", "--aBB"},
      {"UserNamespacesHostNetworkSupport", "--aaa"},
  };
  size_t found = 0;
  for (const FeatureGate& gate : KnownFeatureGates()) {
    EXPECT_EQ(gate.states.size(), kKubernetesVersionCount) << gate.name;
    for (const auto& [name, states] : kCases) {
      if (gate.name != name) continue;
      ++found;
      EXPECT_EQ(gate.states, states) << name;
    }
  }
  EXPECT_EQ(found, std::size(kCases));
}

// Goal: a preview is the newest release with the gates of the next.
TEST(Behaviour, APreviewHasTheGatesOfTheNextRelease) {
  Features want;
  want.storage_capacity_scoring = true;
  want.volume_limit_scaling = true;
  want.dra_device_taint_rules = true;
  want.devices_are_proved = false;
  want.is_preview = true;
  EXPECT_EQ(*FeaturesFromMap({}, KubernetesVersion::k1_37Preview), want);
  EXPECT_FALSE(FeaturesFromMap({}, KubernetesVersion::k1_35)->devices_are_proved);
}

}  // namespace
}  // namespace stowage
