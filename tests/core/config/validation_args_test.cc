// Goal: invalid plugin arguments are refused with the reference's messages. Method: one plugin's
// args as text, loaded as part of a configuration.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "core/config/load.h"
#include "core/config/validation.h"

namespace stowage {
namespace {

Result<KubeSchedulerConfiguration, ConfigurationError> Load(std::string_view plugin,
                                                            std::string_view args,
                                                            const Features& features = {}) {
  return LoadConfiguration(
      fmt::format(R"({{"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                  R"("kind":"KubeSchedulerConfiguration","profiles":[{{"pluginConfig":[)"
                  R"({{"name":"{}","args":{}}}]}}]}})",
                  plugin, args),
      features);
}

struct ArgsCase {
  std::string_view args;
  std::string_view message;  // "@" stands for the path of the args; empty: accepted
};

void ExpectArgs(std::string_view plugin, std::initializer_list<ArgsCase> cases,
                const Features& features = {}) {
  for (const ArgsCase& c : cases) {
    auto configuration = Load(plugin, c.args, features);
    std::string message;
    for (char letter : c.message) {
      if (letter == '@') {
        message += "profiles[0].pluginConfig[0].args";
      } else {
        message += letter;
      }
    }
    EXPECT_EQ(configuration.ok() ? "" : configuration.fault().message, message) << c.args;
  }
}

TEST(ValidateArgs, DefaultPreemption) {
  ExpectArgs(
      "DefaultPreemption",
      {{R"({"minCandidateNodesPercentage":100,"minCandidateNodesAbsolute":0})", ""},
       {R"({"minCandidateNodesPercentage":101})",
        "@.minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]"},
       {R"({"minCandidateNodesAbsolute":-1})",
        "@.minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)"},
       {R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":0})",
        "[@.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as "
        "minCandidateNodesAbsolute, "
        "@.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as "
        "minCandidateNodesPercentage]"}});
}

TEST(ValidateArgs, InterPodAffinity) {
  ExpectArgs("InterPodAffinity",
             {{R"({"hardPodAffinityWeight":0})", ""},
              {R"({"hardPodAffinityWeight":100})", ""},
              {R"({"hardPodAffinityWeight":101})",
               "@.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"},
              {R"({"hardPodAffinityWeight":-1})",
               "@.hardPodAffinityWeight: Invalid value: -1: not in valid range [0, 100]"}});
}

TEST(ValidateArgs, NodeAffinity) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
  auto required = [&](std::string_view terms) {
    return fmt::format(R"({{"addedAffinity":{{"{}":{{"nodeSelectorTerms":{}}}}}}})", kRequired,
                       terms);
  };
  auto preferred = [&](std::string_view terms) {
    return fmt::format(R"({{"addedAffinity":{{"{}":{}}}}})", kPreferred, terms);
  };
  struct {
    std::string args;
    std::string_view message;
  } cases[] = {
      {"{}", ""},
      {required(R"([{}])"), ""},
      {required(R"([{"matchExpressions":[{"key":"k","operator":"Gt","values":["5"]}]}])"), ""},
      {required(R"([{},{"matchExpressions":[{"key":"k","operator":"Foo"}]}])"),
       "@.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1]."
       "matchExpressions[0].operator: Unsupported value: \"Foo\": supported values: \"In\", "
       "\"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\""},
      {required(R"([{"matchFields":[{"key":"metadata.name","operator":"In",)"
                R"("values":["a","b"]}]}])"),
       "@.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]."
       "matchFields[0].values: Invalid value: [\"a\",\"b\"]: must have one element"},
      {preferred(R"([{"weight":1,"preference":{"matchExpressions":[{"key":"k",)"
                 R"("operator":"In"}]}},{"weight":0,"preference":{"matchExpressions":)"
                 R"([{"key":"","operator":"?"}]}}])"),
       "@.addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].matchExpressions[0]."
       "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
  };
  for (const auto& c : cases) ExpectArgs("NodeAffinity", {{c.args, c.message}});
  auto both = Load(
      "NodeAffinity",
      R"({"addedAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":)"
      R"([{"matchExpressions":[{"key":"k","operator":"A"},{"key":"k","operator":"B"}]}]},)"
      R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":2,"preference":)"
      R"({"matchFields":[{"key":"k","operator":"Exists"}]}}]}})");
  ASSERT_FALSE(both.ok());
  ASSERT_EQ(both.fault().errors.size(), 3u);
  EXPECT_EQ(both.fault().errors[2].field,
            "profiles[0].pluginConfig[0].args.addedAffinity."
            "preferredDuringSchedulingIgnoredDuringExecution[0].matchFields[0].operator");
}

TEST(ValidateArgs, NodeResourcesBalancedAllocation) {
  ExpectArgs("NodeResourcesBalancedAllocation",
             {{R"({"resources":[{"name":"a"},{"name":"b","weight":1}]})", ""},
              {R"({"resources":[{"name":"a","weight":2}]})",
               "@.resources[0].weight: Invalid value: 2: must be 1"},
              {R"({"resources":[{"name":"a"},{"name":"a","weight":-1}]})",
               "[@.resources[1].name: Duplicate value: \"a\", "
               "@.resources[1].weight: Invalid value: -1: must be 1]"}});
}

TEST(ValidateArgs, PodTopologySpread) {
  ExpectArgs(
      "PodTopologySpread",
      {{R"({"defaultingType":"List"})", ""},
       {R"({"defaultingType":"foo"})",
        "@.defaultingType: Unsupported value: \"foo\": supported values: \"System\", \"List\""},
       {R"({"defaultConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
        R"("whenUnsatisfiable":"ScheduleAnyway"}]})",
        "@.defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty"},
       {R"({"defaultingType":"List","defaultConstraints":[{"maxSkew":0}]})",
        "[@.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf), "
        "@.defaultConstraints[0].topologyKey: Required value: can not be empty, "
        "@.defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty]"},
       {R"({"defaultingType":"List","defaultConstraints":[{"maxSkew":1,"topologyKey":"a b",)"
        R"("whenUnsatisfiable":"Foo","labelSelector":{}}]})",
        "[@.defaultConstraints[0].topologyKey: Invalid value: \"a b\": name part must consist of "
        "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
        "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
        "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), "
        "@.defaultConstraints[0].whenUnsatisfiable: Unsupported value: \"Foo\": supported values: "
        "\"DoNotSchedule\", \"ScheduleAnyway\", "
        "@.defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, "
        "as they deduced for each pod]"},
       {R"({"defaultingType":"List","defaultConstraints":[)"
        R"({"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway"},)"
        R"({"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"},)"
        R"({"maxSkew":2,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway"}]})",
        "@.defaultConstraints[2]: Duplicate value: \"{zone, ScheduleAnyway}\""}});
}

TEST(ValidateArgs, VolumeBinding) {
  ExpectArgs(
      "VolumeBinding",
      {{R"({"bindTimeoutSeconds":0})", ""},
       {R"({"bindTimeoutSeconds":-10})",
        "@.bindTimeoutSeconds: Invalid value: -10: invalid BindTimeoutSeconds, should not be a "
        "negative value"},
       {R"({"shape":[{"utilization":0,"score":5}]})",
        "@.shape: Invalid value: [{\"Utilization\":0,\"Score\":5}]: unexpected field `shape`, "
        "remove it or turn on the feature gate StorageCapacityScoring"},
       {R"({"shape":[]})",
        "@.shape: Invalid value: []: unexpected field `shape`, remove it or turn on the feature "
        "gate StorageCapacityScoring"}});
}

TEST(ValidateArgs, Shape) {
  Features features;
  features.storage_capacity_scoring = true;
  ExpectArgs(
      "VolumeBinding",
      {{"{}", ""},
       {R"({"shape":[{"utilization":0,"score":0},{"utilization":100,"score":10}]})", ""},
       {R"({"shape":[{"utilization":10,"score":1},{"utilization":10,"score":1},)"
        R"({"utilization":5,"score":1}]})",
        "@.shape[1].utilization: Invalid value: 10: values must be sorted in increasing order"},
       {R"({"shape":[{"utilization":-1,"score":-1},{"utilization":101,"score":11}]})",
        "[@.shape[0].utilization: Invalid value: -1: not in valid range [0, 100], "
        "@.shape[0].score: Invalid value: -1: not in valid range [0, 10], "
        "@.shape[1].utilization: Invalid value: 101: not in valid range [0, 100], "
        "@.shape[1].score: Invalid value: 11: not in valid range [0, 10]]"}},
      features);
}

TEST(ValidateArgs, DynamicResources) {
  ExpectArgs("DynamicResources",
             {{R"({"filterTimeout":"0s","bindingTimeout":"1s"})", ""},
              {R"({"filterTimeout":"-1s"})",
               "@.filterTimeout: Invalid value: \"-1s\": must be zero or positive"},
              {R"({"bindingTimeout":"999ms"})",
               "@.bindingTimeout: Invalid value: \"999ms\": must be at least 1 second"}});
  Features features;
  features.dra_scheduler_filter_timeout = false;
  features.dra_device_binding_conditions = false;
  ExpectArgs("DynamicResources",
             {{"{}", ""},
              {R"({"filterTimeout":"1s","bindingTimeout":"5s"})",
               "[@.filterTimeout: Forbidden: DRASchedulingFilterTimeout feature gate is disabled, "
               "@.bindingTimeout: Forbidden: DRADeviceBindingConditions or "
               "DRAResourceClaimDeviceStatus feature gate is disabled]"}},
             features);
}

// The reference checks these only when it builds the plugin.
TEST(ValidateArgs, LeavesNodeResourcesFitToThePlugin) {
  struct {
    std::string_view args;
    std::optional<std::string> message;
  } cases[] = {
      {"{}", std::nullopt},
      {R"({"scoringStrategy":{"type":"RequestedToCapacityRatio","requestedToCapacityRatio":)"
       R"({"shape":[{"utilization":0,"score":1}]}}})",
       std::nullopt},
      {R"({"scoringStrategy":{"type":"foo"}})",
       "scoringStrategy.type: Unsupported value: \"foo\": supported values: \"LeastAllocated\", "
       "\"MostAllocated\", \"RequestedToCapacityRatio\""},
      {R"({"scoringStrategy":{"resources":[{"name":"cpu"}]}})",
       "scoringStrategy.type: Unsupported value: \"\": supported values: \"LeastAllocated\", "
       "\"MostAllocated\", \"RequestedToCapacityRatio\""},
      {R"({"scoringStrategy":{"type":"LeastAllocated","resources":[{"name":"cpu","weight":101},)"
       R"({"name":"memory","weight":-1}]}})",
       "[scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in "
       "valid range (0, 100], scoringStrategy.resources[1].weight: Invalid value: -1: resource "
       "weight of memory not in valid range (0, 100]]"},
      {R"({"scoringStrategy":{"type":"RequestedToCapacityRatio"}})",
       "scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is "
       "RequestedToCapacityRatio"},
      {R"({"scoringStrategy":{"type":"RequestedToCapacityRatio","requestedToCapacityRatio":{}}})",
       "scoringStrategy.requestedToCapacityRatio.shape: Required value: at least one point must "
       "be specified"},
      {R"({"scoringStrategy":{"type":"MostAllocated","requestedToCapacityRatio":{}}})",
       "scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when type is not "
       "RequestedToCapacityRatio"},
      {R"({"ignoredResources":["a.b/c"],"ignoredResourceGroups":["g.h","a/b"]})",
       "ignoredResourceGroups[1]: Invalid value: \"a/b\": resource group name can't contain '/'"},
      {R"({"ignoredResources":["-"]})",
       "ignoredResources[0]: Invalid value: \"-\": name part must consist of alphanumeric "
       "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
       "'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
       "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"},
  };
  for (const auto& c : cases) {
    auto configuration = Load("NodeResourcesFit", c.args);
    ASSERT_TRUE(configuration.ok()) << configuration.fault().message;
    EXPECT_EQ(ValidateNodeResourcesFitArgs(std::get<NodeResourcesFitArgs>(
                  configuration->profiles[0].ArgsOf("NodeResourcesFit"))),
              c.message)
        << c.args;
  }
}

}  // namespace
}  // namespace stowage
