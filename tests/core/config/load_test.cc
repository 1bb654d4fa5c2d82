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

// Goal: before v1.34 there is no DynamicResourcesArgs, so arguments of DynamicResources are as
// those of a plugin that the scheduler does not know: valid, whatever they are, and not read.
TEST(LoadConfiguration, ReadsArgsOfDynamicResourcesSinceTheyExist) {
  auto load = [](KubernetesVersion version, std::string_view plugin, std::string_view args) {
    std::string text =
        R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
        R"("profiles":[{"pluginConfig":[{"name":")" +
        std::string(plugin) + R"(","args":)" + std::string(args) + "}]}]}";
    return LoadConfiguration(text, *FeaturesFromMap({}, version));
  };
  constexpr std::string_view kName = "DynamicResources";
  for (std::string_view args : {R"({"filterTimeout":"5s"})", R"({"bindingTimeout":"0s"})",
                                R"({"bogus":1})", R"({"kind":"Nope"})", R"([1])"}) {
    auto old = load(KubernetesVersion::k1_33, kName, args);
    ASSERT_TRUE(old.ok()) << args << ": " << old.fault().message;
    EXPECT_EQ(old->profiles[0].ArgsOf(kName), PluginArgs(DynamicResourcesArgs())) << args;
  }
  auto read = load(KubernetesVersion::k1_34, kName, R"({"filterTimeout":"5s"})");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->profiles[0].ArgsOf(kName),
            PluginArgs(DynamicResourcesArgs{Duration{5'000'000'000}, std::nullopt}));
  EXPECT_FALSE(load(KubernetesVersion::k1_34, kName, R"({"bogus":1})").ok());
  // Nor is the kind known as that of other arguments.
  constexpr std::string_view kOther = R"({"kind":"DynamicResourcesArgs"})";
  EXPECT_EQ(load(KubernetesVersion::k1_34, "DefaultPreemption", kOther).fault().message,
            "decoding .profiles[0].pluginConfig[0]: args for plugin DefaultPreemption were not of "
            "type DefaultPreemptionArgs.kubescheduler.config.k8s.io, got "
            "DynamicResourcesArgs.kubescheduler.config.k8s.io");
  EXPECT_EQ(load(KubernetesVersion::k1_33, "DefaultPreemption", kOther).fault().message,
            "decoding .profiles[0].pluginConfig[0]: decoding args for plugin DefaultPreemption: no "
            "kind \"DynamicResourcesArgs\" is registered for version "
            "\"kubescheduler.config.k8s.io/v1\" in scheme "
            "\"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29\"");
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
