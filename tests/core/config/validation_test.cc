// Goal: a configuration that kube-scheduler refuses is refused with its messages, in its order.
#include "core/config/validation.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/config/load.h"

namespace stowage {
namespace {

struct ErrorCase {
  std::string_view fields;
  std::string_view message;
  std::string_view field;  // of the first error
};

void ExpectErrors(std::initializer_list<ErrorCase> cases) {
  for (const ErrorCase& c : cases) {
    auto configuration =
        LoadConfiguration(fmt::format(R"({{"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                                      R"("kind":"KubeSchedulerConfiguration",{}}})",
                                      c.fields),
                          {});
    ASSERT_FALSE(configuration.ok()) << c.fields;
    EXPECT_EQ(configuration.fault().message, c.message);
    ASSERT_FALSE(configuration.fault().errors.empty()) << c.fields;
    EXPECT_EQ(configuration.fault().errors[0].field, c.field) << c.fields;
  }
}

TEST(Validation, ChecksGeneralFields) {
  ExpectErrors({
      {R"("parallelism":0)",
       "parallelism: Invalid value: 0: should be an integer value greater than zero",
       "parallelism"},
      {R"("percentageOfNodesToScore":101)",
       "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
       "percentageOfNodesToScore"},
      {R"("percentageOfNodesToScore":-1)",
       "percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]",
       "percentageOfNodesToScore"},
      {R"("podInitialBackoffSeconds":0)",
       "podInitialBackoffSeconds: Invalid value: 0: must be greater than 0",
       "podInitialBackoffSeconds"},
      {R"("podMaxBackoffSeconds":-1)",
       "podMaxBackoffSeconds: Invalid value: -1: must be greater than or equal to "
       "PodInitialBackoffSeconds",
       "podMaxBackoffSeconds"},
      {R"("clientConnection":{"burst":-3})",
       "clientConnection.burst: Invalid value: -3: must be non-negative", "clientConnection.burst"},
  });
}

TEST(Validation, ChecksLeaderElection) {
  ExpectErrors({
      {R"("leaderElection":{"resourceLock":"endpoints"})",
       "leaderElection.resourceLock: Invalid value: \"endpoints\": resourceLock value must be "
       "\"leases\"",
       "leaderElection.resourceLock"},
      {R"("leaderElection":{"leaseDuration":"-1s","renewDeadline":"-2s","retryPeriod":"-500ms"})",
       "[leaderElection.leaseDuration: Invalid value: \"-1s\": must be greater than zero, "
       "leaderElection.renewDeadline: Invalid value: \"-2s\": must be greater than zero, "
       "leaderElection.retryPeriod: Invalid value: \"-500ms\": must be greater than zero]",
       "leaderElection.leaseDuration"},
      {R"("leaderElection":{"leaseDuration":"10s"})",
       "leaderElection.leaseDuration: Invalid value: \"10s\": must be greater than "
       "`RenewDeadline`",
       "leaderElection.leaseDuration"},
  });
  EXPECT_TRUE(LoadConfiguration(R"({"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                                R"("kind":"KubeSchedulerConfiguration",)"
                                R"("leaderElection":{"leaderElect":false,"resourceLock":"x"}})",
                                {})
                  .ok());
}

TEST(Validation, ChecksProfiles) {
  ExpectErrors({
      {R"("profiles":[{"schedulerName":""}])", "profiles[0].schedulerName: Required value",
       "profiles[0].schedulerName"},
      {R"("profiles":[{},{"schedulerName":"b"}])", "profiles[0].schedulerName: Required value",
       "profiles[0].schedulerName"},
      {R"("profiles":[{"percentageOfNodesToScore":101}])",
       "profiles[0].percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
       "profiles[0].percentageOfNodesToScore"},
      {R"("profiles":[{"schedulerName":"a"},{"schedulerName":"a"}])",
       "profiles[1].schedulerName: Duplicate value: {}", "profiles[1].schedulerName"},
      {R"("profiles":[{"plugins":{"filter":{"enabled":[{"name":"EBSLimits"}]}}}])",
       "profiles[0].plugins.filter.enabled[0]: Invalid value: \"EBSLimits\": was invalid in "
       "version \"v1\" (KubeSchedulerConfiguration is version "
       "\"kubescheduler.config.k8s.io/v1\")",
       "profiles[0].plugins.filter.enabled[0]"},
      {R"("profiles":[{"pluginConfig":[{"name":"AzureDiskLimits"},{"name":"Mine"},)"
       R"({"name":"Mine"}]}])",
       "[profiles[0].pluginConfig[0]: Invalid value: \"AzureDiskLimits\": was invalid in version "
       "\"v1\" (KubeSchedulerConfiguration is version \"kubescheduler.config.k8s.io/v1\"), "
       "profiles[0].pluginConfig[2]: Duplicate value: \"Mine\"]",
       "profiles[0].pluginConfig[0]"},
      {R"("profiles":[{"pluginConfig":[{"name":"NodeResourcesFitArgs","args":{"a": 1}}]}])",
       "profiles[0].pluginConfig[0].args: Invalid value: {\"a\":1}: has to match plugin args",
       "profiles[0].pluginConfig[0].args"},
      {R"("profiles":[{"pluginConfig":[{"name":"NodeResourcesFitArgs"}]}])",
       "profiles[0].pluginConfig[0].args: Invalid value: null: has to match plugin args",
       "profiles[0].pluginConfig[0].args"},
  });
}

TEST(Validation, FindsRemovedPluginsAtAllButThreePoints) {
  for (ExtensionPoint point : kExtensionPoints) {
    auto configuration = LoadConfiguration(
        fmt::format(R"({{"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                    R"("kind":"KubeSchedulerConfiguration","profiles":[{{"plugins":{{)"
                    R"("{}":{{"enabled":[{{"name":"GCEPDLimits"}}]}}}}}}]}})",
                    ExtensionPointField(point)),
        {});
    bool is_looked_at =
        point != ExtensionPoint::kPlacementGenerate && point != ExtensionPoint::kPlacementScore;
    EXPECT_EQ(configuration.ok(), !is_looked_at) << ExtensionPointName(point);
  }
  EXPECT_TRUE(LoadConfiguration(R"({"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                                R"("kind":"KubeSchedulerConfiguration","profiles":[{"plugins":)"
                                R"({"multiPoint":{"enabled":[{"name":"EBSLimits"}]}}}]})",
                                {})
                  .ok());
}

TEST(Validation, RequiresAProfile) {
  KubeSchedulerConfiguration configuration = *LoadConfiguration("", {});
  configuration.profiles.clear();
  auto error = ValidateConfiguration(configuration, {});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, "profiles: Required value");
}

TEST(Validation, RequiresACommonQueueSort) {
  ExpectErrors({
      {R"("profiles":[{"schedulerName":"a","plugins":{"queueSort":{"enabled":[{"name":"X"}]}}},)"
       R"({"schedulerName":"b"}])",
       "profiles[1].plugins.queueSort: Invalid value: {\"Enabled\":null,\"Disabled\":null}: must "
       "be the same for all profiles",
       "profiles[1].plugins.queueSort"},
      {R"("profiles":[{"schedulerName":"a"},{"schedulerName":"b","plugins":{"queueSort":)"
       R"({"enabled":[{"name":"X","weight":2}],"disabled":[{"name":"*"}]}}}])",
       "profiles[1].plugins.queueSort: Invalid value: {\"Enabled\":[{\"Name\":\"X\",\"Weight\":2}],"
       "\"Disabled\":[{\"Name\":\"*\",\"Weight\":0}]}: must be the same for all profiles",
       "profiles[1].plugins.queueSort"},
      {R"("profiles":[{"plugins":{"queueSort":{"enabled":[{"name":"X"},{"name":"Y"}]}}}])",
       "profiles[0].plugins.queueSort.Enabled: Invalid value: 2: only one queue sort plugin can "
       "be enabled",
       "profiles[0].plugins.queueSort.Enabled"},
      {R"("profiles":[{"schedulerName":"a","plugins":{"queueSort":{"enabled":[{"name":"X"}]}}},)"
       R"({"schedulerName":"b","plugins":{"queueSort":{"enabled":[{"name":"X"}]}},)"
       R"("pluginConfig":[{"name":"X","args":{"k":2}}]}])",
       "profiles[1].pluginConfig.args: Invalid value: {\"k\":2}: queueSort must be the same for "
       "all profiles",
       "profiles[1].pluginConfig.args"},
  });
}

TEST(Validation, ChecksExtenders) {
  ExpectErrors({
      {R"("extenders":[{"prioritizeVerb":"p"}])",
       "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it",
       "extenders[0].weight"},
      {R"("extenders":[{"bindVerb":"b"},{"bindVerb":"c"}])",
       "extenders: Invalid value: \"found 2 extenders implementing bind\": only one extender can "
       "implement bind",
       "extenders"},
      {R"("extenders":[{},{"managedResources":[{"name":"cpu"}]}])",
       "extenders[1].managedResources[0].name: Invalid value: \"cpu\": is an invalid extended "
       "resource name",
       "extenders[1].managedResources[0].name"},
      {R"("extenders":[{"managedResources":[{"name":"a.b/c"}]},)"
       R"({"managedResources":[{"name":"a.b/c"}]}])",
       "extenders[1].managedResources[0].name: Invalid value: \"a.b/c\": duplicate extender "
       "managed resource name",
       "extenders[1].managedResources[0].name"},
      {R"("extenders":[{"managedResources":[{"name":"a.b/"}]}])",
       "[extenders[0].managedResources[0].name: Invalid value: \"a.b/\": name part must be "
       "non-empty, extenders[0].managedResources[0].name: Invalid value: \"a.b/\": name part must "
       "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
       "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
       "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]",
       "extenders[0].managedResources[0].name"},
  });
}

TEST(Validation, RefusesNegativeWeights) {
  ExpectErrors({
      {R"("profiles":[{"plugins":{"score":{"enabled":[{"name":"A"},{"name":"B","weight":-1}]}}}])",
       "profiles[0].plugins.score.enabled[1].weight: Invalid value: -1: must be non-negative",
       "profiles[0].plugins.score.enabled[1].weight"},
      {R"("profiles":[{"plugins":{"multiPoint":{"enabled":)"
       R"([{"name":"NodeAffinity","weight":-2}]}}}])",
       "profiles[0].plugins.multiPoint.enabled[0].weight: Invalid value: -2: must be non-negative",
       "profiles[0].plugins.multiPoint.enabled[0].weight"},
      {R"("profiles":[{"plugins":{"placementScore":{"enabled":[{"name":"A","weight":-3}]}}}])",
       "profiles[0].plugins.placementScore.enabled[0].weight: Invalid value: -3: must be "
       "non-negative",
       "profiles[0].plugins.placementScore.enabled[0].weight"},
  });
}

TEST(Validation, ChecksInOrder) {
  ExpectErrors({
      {R"("extenders":[{"prioritizeVerb":"p"}],"podMaxBackoffSeconds":-1,)"
       R"("podInitialBackoffSeconds":-1,"percentageOfNodesToScore":-1,"profiles":[)"
       R"({"schedulerName":"","percentageOfNodesToScore":200,"plugins":{"bind":{"enabled":)"
       R"([{"name":"CinderLimits"}]},"queueSort":{"enabled":[{"name":"X"}]}},)"
       R"("pluginConfig":[{"name":"InterPodAffinity","args":)"
       R"({"hardPodAffinityWeight":-1}}]},{"schedulerName":""}],)"
       R"("parallelism":-1,"leaderElection":{"resourceLock":"x"},"clientConnection":{"burst":-1})",
       "[clientConnection.burst: Invalid value: -1: must be non-negative, "
       "leaderElection.resourceLock: Invalid value: \"x\": resourceLock value must be \"leases\", "
       "parallelism: Invalid value: -1: should be an integer value greater than zero, "
       "profiles[0].schedulerName: Required value, "
       "profiles[0].percentageOfNodesToScore: Invalid value: 200: not in valid range [0-100], "
       "profiles[0].plugins.bind.enabled[0]: Invalid value: \"CinderLimits\": was invalid in "
       "version \"v1\" (KubeSchedulerConfiguration is version \"kubescheduler.config.k8s.io/v1\"), "
       "profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: -1: not in valid "
       "range [0, 100], "
       "profiles[1].schedulerName: Required value, "
       "profiles[1].schedulerName: Duplicate value: {}, "
       "profiles[1].plugins.queueSort: Invalid value: {\"Enabled\":null,\"Disabled\":null}: must "
       "be the same for all profiles, "
       "percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100], "
       "podInitialBackoffSeconds: Invalid value: -1: must be greater than 0, "
       "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it]",
       "clientConnection.burst"},
  });
}

}  // namespace
}  // namespace stowage
