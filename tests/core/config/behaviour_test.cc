#include "core/config/behaviour.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "core/config/features.h"

namespace stowage {
namespace {

TEST(Behaviour, VersionsHaveTwoSpellings) {
  for (std::string_view text : {"v1.33", "v1.34", "v1.35", "v1.36"}) {
    std::optional<KubernetesVersion> version = ParseKubernetesVersion(text);
    ASSERT_TRUE(version.has_value()) << text;
    EXPECT_EQ(VersionText(*version), text);
    EXPECT_EQ(ParseKubernetesVersion(text.substr(1)), version) << text;
  }
  for (std::string_view text : {"", "v", "1.32", "1.37", "1.36.3", "v1.36 ", "V1.36"}) {
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
  struct {
    KubernetesVersion version;
    std::set<std::string> without;
  } cases[] = {
      {KubernetesVersion::k1_36, {}},
      {KubernetesVersion::k1_35, {"balanced-allocation", "image-volumes", "csi-missing-optin"}},
      {KubernetesVersion::k1_34,
       {"balanced-allocation", "image-volumes", "csi-missing-optin", "dra-score-plugin",
        "nomination-without-postfilter", "victim-already-terminating"}},
      {KubernetesVersion::k1_33,
       {"balanced-allocation", "image-volumes", "csi-missing-optin", "dra-score-plugin",
        "nomination-without-postfilter", "victim-already-terminating", "taint-text",
        "fit-unresolvable", "rwop-text", "interpod-namespace-selector"}},
  };
  for (const auto& c : cases) {
    Behaviour behaviour = BehaviourOf(c.version);
    std::set<std::string> without;
    for (const BehaviourRow& row : BehaviourTable()) {
      if (!(behaviour.*row.fact)) without.insert(std::string(row.name));
    }
    EXPECT_EQ(without, c.without) << VersionText(c.version);
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

}  // namespace
}  // namespace stowage
