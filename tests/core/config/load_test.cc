// Goal: the configurations that the reference was recorded with load and expand. Method: each line
// of testdata/configurations.ndjson, with the gates that it needs.
#include "core/config/load.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "core/api/decode/decode_json.h"
#include "core/config/expansion.h"
#include "tests/core/config/in_tree_points.h"

namespace stowage {

struct RecordedConfiguration {
  std::string name;
  FeatureGateMap feature_gates;
  RawJson configuration;
};

template <>
struct Schema<RecordedConfiguration> {
  static constexpr auto kFields =
      Fields(Field<&RecordedConfiguration::name>("name"),
             Field<&RecordedConfiguration::feature_gates>("featureGates"),
             Field<&RecordedConfiguration::configuration>("configuration"));
};

namespace {

TEST(LoadConfiguration, LoadsRecordedConfigurations) {
  std::ifstream file("tests/core/config/testdata/configurations.ndjson");
  size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    RecordedConfiguration recorded;
    ASSERT_TRUE(DecodeJson(line, {}, &recorded).ok()) << line;
    auto features = FeaturesFromMap(recorded.feature_gates);
    ASSERT_TRUE(features.ok()) << recorded.name << ": " << features.fault().message;
    auto configuration = LoadConfiguration(recorded.configuration.text, *features);
    ASSERT_TRUE(configuration.ok()) << recorded.name << ": " << configuration.fault().message;
    auto profiles = ExpandProfiles(configuration->profiles, InTreePoints);
    ASSERT_TRUE(profiles.ok()) << recorded.name << ": " << profiles.fault().message;
    EXPECT_EQ(profiles->size(), configuration->profiles.size()) << recorded.name;
  }
  EXPECT_EQ(count, 145u);
}

TEST(LoadConfiguration, LoadsAnEmptyTextAsTheDefault) {
  auto configuration = LoadConfiguration("", {});
  ASSERT_TRUE(configuration.ok());
  ASSERT_EQ(configuration->profiles.size(), 1u);
  EXPECT_EQ(configuration->profiles[0].scheduler_name, kDefaultSchedulerName);
}

TEST(LoadConfiguration, AppliesIgnoredResources) {
  auto configuration = LoadConfiguration(
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
      R"("extenders":[{"managedResources":[{"name":"a.b/c","ignoredByScheduler":true}]}]})",
      {});
  ASSERT_TRUE(configuration.ok());
  EXPECT_EQ(std::get<NodeResourcesFitArgs>(configuration->profiles[0].ArgsOf("NodeResourcesFit"))
                .ignored_resources,
            (std::vector<Symbol>{Symbol("a.b/c")}));
}

}  // namespace
}  // namespace stowage
