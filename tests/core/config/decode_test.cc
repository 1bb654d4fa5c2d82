// Goal: every field is read, and everything else is refused with the reference's message.
#include "core/config/decode.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

namespace stowage {
namespace {

std::string Configuration(std::string_view fields) {
  return fmt::format(
      R"({{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"{}}})",
      fields);
}

KubeSchedulerConfiguration Decoded(std::string_view fields) {
  auto configuration = DecodeConfiguration(Configuration(fields));
  if (!configuration.ok()) {
    ADD_FAILURE() << fields << ": " << configuration.fault().message;
    return {};
  }
  return configuration.Take();
}

TEST(DecodeConfiguration, ReadsGeneralFields) {
  KubeSchedulerConfiguration configuration = Decoded(
      R"(,"parallelism":4,"leaderElection":{"leaderElect":false,"leaseDuration":"15s",)"
      R"("renewDeadline":"10s","retryPeriod":"2s","resourceLock":"leases","resourceName":"n",)"
      R"("resourceNamespace":"ns"},"clientConnection":{"kubeconfig":"/k","acceptContentTypes":"a",)"
      R"("contentType":"c","qps":12.5,"burst":7},"enableProfiling":false,)"
      R"("enableContentionProfiling":true,"percentageOfNodesToScore":30,)"
      R"("podInitialBackoffSeconds":3,"podMaxBackoffSeconds":4,"delayCacheUntilActive":true)");
  EXPECT_EQ(configuration.parallelism, 4);
  EXPECT_EQ(configuration.leader_election,
            (LeaderElectionConfiguration{.leader_elect = false,
                                         .lease_duration = {15'000'000'000},
                                         .renew_deadline = {10'000'000'000},
                                         .retry_period = {2'000'000'000},
                                         .resource_lock = "leases",
                                         .resource_name = "n",
                                         .resource_namespace = "ns"}));
  EXPECT_EQ(configuration.client_connection,
            (ClientConnectionConfiguration{.kubeconfig = "/k",
                                           .accept_content_types = "a",
                                           .content_type = "c",
                                           .qps = 12.5,
                                           .burst = 7}));
  EXPECT_FALSE(configuration.enable_profiling);
  EXPECT_EQ(configuration.enable_contention_profiling, true);
  EXPECT_EQ(configuration.percentage_of_nodes_to_score, 30);
  EXPECT_EQ(configuration.pod_initial_backoff_seconds, 3);
  EXPECT_EQ(configuration.pod_max_backoff_seconds, 4);
  EXPECT_TRUE(configuration.delay_cache_until_active);
}

TEST(DecodeConfiguration, ReadsExtenders) {
  KubeSchedulerConfiguration configuration = Decoded(
      R"(,"extenders":[{"urlPrefix":"http://e","filterVerb":"f","preemptVerb":"p",)"
      R"("prioritizeVerb":"r","weight":5,"bindVerb":"b","enableHTTPS":true,"tlsConfig":)"
      R"({"insecure":true,"serverName":"s","certFile":"cf","keyFile":"kf","caFile":"af",)"
      R"("certData":"Y2Q=","keyData":"a2Q=","caData":"YWQ="},"httpTimeout":"100ms",)"
      R"("nodeCacheCapable":true,"managedResources":[{"name":"a.b/c","ignoredByScheduler":true}],)"
      R"("ignorable":true},{}])");
  ExtenderConfig want{.url_prefix = "http://e",
                      .filter_verb = "f",
                      .preempt_verb = "p",
                      .prioritize_verb = "r",
                      .weight = 5,
                      .bind_verb = "b",
                      .enable_https = true,
                      .tls_config = ExtenderTlsConfig{.insecure = true,
                                                      .server_name = "s",
                                                      .cert_file = "cf",
                                                      .key_file = "kf",
                                                      .ca_file = "af",
                                                      .cert_data = "Y2Q=",
                                                      .key_data = "a2Q=",
                                                      .ca_data = "YWQ="},
                      .http_timeout = {100'000'000},
                      .node_cache_capable = true,
                      .managed_resources = {{Symbol("a.b/c"), true}},
                      .ignorable = true};
  EXPECT_EQ(configuration.extenders, (std::vector<ExtenderConfig>{want, ExtenderConfig()}));
}

TEST(DecodeConfiguration, ReadsEveryPoint) {
  for (ExtensionPoint point : kExtensionPoints) {
    KubeSchedulerConfiguration configuration = Decoded(
        fmt::format(R"(,"profiles":[{{"plugins":{{"{}":{{"enabled":[{{"name":"A","weight":3}}],)"
                    R"("disabled":[{{"name":"*"}}]}}}}}}])",
                    ExtensionPointField(point)));
    Plugins want;
    want[point] = {{{"A", 3}}, {{"*", 0}}};
    EXPECT_EQ(configuration.profiles.at(0).plugins, want) << ExtensionPointName(point);
  }
  Plugins want;
  want.multi_point = {{{"A", 0}}, {}};
  EXPECT_EQ(Decoded(R"(,"profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"A"}]}}}])")
                .profiles.at(0)
                .plugins,
            want);
}

TEST(DecodeConfiguration, ReadsArgsByPluginName) {
  KubeSchedulerConfiguration configuration = Decoded(
      R"(,"profiles":[{"percentageOfNodesToScore":5,"pluginConfig":[)"
      R"({"name":"DefaultPreemption","args":{"minCandidateNodesPercentage":1,)"
      R"("minCandidateNodesAbsolute":2}},)"
      R"({"name":"InterPodAffinity","args":{"apiVersion":"kubescheduler.config.k8s.io/v1",)"
      R"("kind":"InterPodAffinityArgs","hardPodAffinityWeight":3,)"
      R"("ignorePreferredTermsOfExistingPods":true}},)"
      R"({"name":"NodeAffinity","args":{"addedAffinity":{)"
      R"("requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)"
      R"({"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]}]},)"
      R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":4,"preference":)"
      R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}}]}}},)"
      R"({"name":"NodeResourcesFit","args":{"ignoredResources":["a.b/c"],)"
      R"("ignoredResourceGroups":["g"],"scoringStrategy":{"type":"RequestedToCapacityRatio",)"
      R"("resources":[{"name":"cpu","weight":2}],"requestedToCapacityRatio":{"shape":)"
      R"([{"utilization":10,"score":5}]}}}},)"
      R"({"name":"PodTopologySpread","args":{"defaultingType":"List","defaultConstraints":)"
      R"([{"maxSkew":2,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway"}]}},)"
      R"({"name":"VolumeBinding","args":{"bindTimeoutSeconds":7,"shape":[]}},)"
      R"({"name":"DynamicResources","args":{"filterTimeout":"0s","bindingTimeout":"2s"}},)"
      R"({"name":"NodeResourcesBalancedAllocation","args":{"resources":[{"name":"x"}]}},)"
      R"({"name":"Mine","args":{"foo":[1, 2],"foo":null}},)"
      R"({"name":"NodeName","args":3},{"name":"Other","args":null},{"name":"VolumeBinding"}]}])");
  const KubeSchedulerProfile& profile = configuration.profiles.at(0);
  EXPECT_EQ(profile.percentage_of_nodes_to_score, 5);

  NodeAffinitySpec affinity;
  affinity.required = NodeSelector{{{{{Symbol("k"), Symbol("In"), {Symbol("v")}}}, {}}}};
  affinity.preferred = {{4, {{}, {{Symbol("metadata.name"), Symbol("In"), {Symbol("n")}}}}}};
  TopologySpreadConstraint constraint;
  constraint.max_skew = 2;
  constraint.topology_key = Symbol("zone");
  constraint.when_unsatisfiable = Symbol("ScheduleAnyway");
  const std::vector<PluginConfig> want = {
      {"DefaultPreemption", DefaultPreemptionArgs{1, 2}},
      {"InterPodAffinity", InterPodAffinityArgs{3, true}},
      {"NodeAffinity", NodeAffinityArgs{affinity}},
      {"NodeResourcesFit",
       NodeResourcesFitArgs{{Symbol("a.b/c")},
                            {"g"},
                            ScoringStrategy{"RequestedToCapacityRatio",
                                            {{Symbol("cpu"), 2}},
                                            RequestedToCapacityRatioParam{{{10, 5}}}}}},
      {"PodTopologySpread", PodTopologySpreadArgs{{constraint}, "List"}},
      {"VolumeBinding", VolumeBindingArgs{7, std::vector<UtilizationShapePoint>()}},
      {"DynamicResources", DynamicResourcesArgs{Duration{0}, Duration{2'000'000'000}}},
      {"NodeResourcesBalancedAllocation", NodeResourcesBalancedAllocationArgs{{{Symbol("x"), 0}}}},
      {"Mine", RawJson{R"({"foo":[1,2],"foo":null})"}},
      {"NodeName", RawJson{"3"}},
      {"Other", std::monostate()},
      {"VolumeBinding", VolumeBindingArgs()},
  };
  ASSERT_EQ(profile.plugin_config.size(), want.size());
  for (size_t index = 0; index < want.size(); ++index) {
    EXPECT_TRUE(profile.plugin_config[index] == want[index]) << want[index].name;
  }
}

struct ErrorCase {
  std::string_view text;
  std::string_view message;
  std::string_view field;  // of the first error
};

void ExpectError(const std::string& text, const ErrorCase& c) {
  auto configuration = DecodeConfiguration(text);
  ASSERT_FALSE(configuration.ok()) << c.text;
  EXPECT_EQ(configuration.fault().message, c.message);
  ASSERT_FALSE(configuration.fault().errors.empty()) << c.text;
  EXPECT_EQ(configuration.fault().errors[0].field, c.field) << c.text;
}

TEST(DecodeConfiguration, RefusesOtherKinds) {
  const ErrorCase cases[] = {
      {R"({})", R"(Object 'Kind' is missing in '{}')", "kind"},
      {R"({"apiVersion":"kubescheduler.config.k8s.io/v1","parallelism":1})",
       R"(Object 'Kind' is missing in '{"apiVersion":"kubescheduler.config.k8s.io/v1",)"
       R"("parallelism":1}')",
       "kind"},
      {R"({"kind":"KubeSchedulerConfiguration"})",
       R"(Object 'apiVersion' is missing in '{"kind":"KubeSchedulerConfiguration"}')",
       "apiVersion"},
      {R"({"apiVersion":"kubescheduler.config.k8s.io/v1beta3",)"
       R"("kind":"KubeSchedulerConfiguration"})",
       "no kind \"KubeSchedulerConfiguration\" is registered for version "
       "\"kubescheduler.config.k8s.io/v1beta3\" in scheme "
       "\"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29\"",
       "apiVersion"},
      {R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"Pod","bogus":1})",
       "no kind \"Pod\" is registered for version \"kubescheduler.config.k8s.io/v1\" in scheme "
       "\"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29\"",
       "kind"},
      {R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"NodeAffinityArgs"})",
       "couldn't decode as KubeSchedulerConfiguration, got kubescheduler.config.k8s.io/v1, "
       "Kind=NodeAffinityArgs: ",
       "kind"},
  };
  for (const ErrorCase& c : cases) ExpectError(std::string(c.text), c);
}

TEST(DecodeConfiguration, RefusesUnknownAndDuplicateFields) {
  const ErrorCase cases[] = {
      {R"(,"profiles":[{"bogus":1}])",
       R"(strict decoding error: unknown field "profiles[0].bogus")", "profiles[0].bogus"},
      {R"(,"bogus":{"deep":[1]},"Parallelism":3)",
       R"(strict decoding error: unknown field "bogus", unknown field "Parallelism")", "bogus"},
      {R"(,"parallelism":1,"parallelism":2)",
       R"(strict decoding error: duplicate field "parallelism")", "parallelism"},
      {R"(,"profiles":[{},{"plugins":{"score":{"enabled":[{"name":"A","Weight":1}]}}}])",
       R"(strict decoding error: unknown field "profiles[1].plugins.score.enabled[0].Weight")",
       "profiles[1].plugins.score.enabled[0].Weight"},
      {R"(,"profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"bogus":1}}]}])",
       "strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: "
       "decoding args for plugin NodeResourcesFit: strict decoding error: unknown field \"bogus\"",
       "profiles[0].pluginConfig[0].args.bogus"},
      {R"(,"profiles":[{"pluginConfig":[{"name":"A"},{"name":"NodeResourcesFit","args":)"
       R"({"scoringStrategy":{"requestedToCapacityRatio":)"
       R"({"shape":[{"Score":2,"Utilization":1}]}}}}]}])",
       "strict decoding error: decoding .profiles[0].pluginConfig[1]: strict decoding error: "
       "decoding args for plugin NodeResourcesFit: strict decoding error: unknown field "
       "\"scoringStrategy.requestedToCapacityRatio.shape[0].Score\", unknown field "
       "\"scoringStrategy.requestedToCapacityRatio.shape[0].Utilization\"",
       "profiles[0].pluginConfig[1].args.scoringStrategy.requestedToCapacityRatio.shape[0].Score"},
      {R"(,"profiles":[{"pluginConfig":[{"name":"InterPodAffinity","args":)"
       R"({"hardPodAffinityWeight":1,"hardPodAffinityWeight":2}}]}],"x":1)",
       "strict decoding error: unknown field \"x\", decoding .profiles[0].pluginConfig[0]: strict "
       "decoding error: decoding args for plugin InterPodAffinity: strict decoding error: "
       "duplicate field \"hardPodAffinityWeight\"",
       "x"},
  };
  for (const ErrorCase& c : cases) ExpectError(Configuration(c.text), c);
}

TEST(DecodeConfiguration, RefusesArgsOfAnotherPlugin) {
  const ErrorCase cases[] = {
      {R"(,"profiles":[{"pluginConfig":[{"name":"DefaultPreemption","args":)"
       R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"InterPodAffinityArgs"}}]}])",
       "decoding .profiles[0].pluginConfig[0]: args for plugin DefaultPreemption were not of type "
       "DefaultPreemptionArgs.kubescheduler.config.k8s.io, got "
       "InterPodAffinityArgs.kubescheduler.config.k8s.io",
       "profiles[0].pluginConfig[0].args"},
      {R"(,"profiles":[{"pluginConfig":[{"name":"DefaultPreemption","args":{"kind":"Nope"}}]}])",
       "decoding .profiles[0].pluginConfig[0]: decoding args for plugin DefaultPreemption: no kind "
       "\"Nope\" is registered for version \"kubescheduler.config.k8s.io/v1\" in scheme "
       "\"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29\"",
       "profiles[0].pluginConfig[0].args"},
      {R"(,"profiles":[{"pluginConfig":[{"name":"DefaultPreemption","args":)"
       R"({"apiVersion":"v1"}}]}])",
       "decoding .profiles[0].pluginConfig[0]: decoding args for plugin DefaultPreemption: no kind "
       "\"DefaultPreemptionArgs\" is registered for version \"v1\" in scheme "
       "\"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29\"",
       "profiles[0].pluginConfig[0].args"},
  };
  for (const ErrorCase& c : cases) ExpectError(Configuration(c.text), c);
}

TEST(DecodeConfiguration, RefusesValuesThatDoNotFit) {
  struct {
    std::string_view text;
    std::string_view message_start;
    std::string_view field;
  } cases[] = {
      {R"(,"parallelism":"many")", "parallelism: Invalid value: \"many\": must be an integer",
       "parallelism"},
      {R"(,"profiles":[{"plugins":{"score":{"enabled":[{"name":"A","weight":2147483648}]}}}])",
       "profiles[0].plugins.score.enabled[0].weight: Invalid value: 2147483648: must be",
       "profiles[0].plugins.score.enabled[0].weight"},
      {R"(,"leaderElection":{"leaseDuration":"15"})",
       "leaderElection.leaseDuration: Invalid value: \"15\": must be a duration",
       "leaderElection.leaseDuration"},
      {R"(,"profiles":[{"pluginConfig":[{"name":"VolumeBinding","args":)"
       R"({"bindTimeoutSeconds":"x"}}]}])",
       "decoding .profiles[0].pluginConfig[0]: decoding args for plugin VolumeBinding: "
       "bindTimeoutSeconds: Invalid value: \"x\": must be an integer",
       "profiles[0].pluginConfig[0].args.bindTimeoutSeconds"},
      {R"(,"profiles":[{"pluginConfig":[{"name":"VolumeBinding","args":[1]}]}])",
       "decoding .profiles[0].pluginConfig[0]: decoding args for plugin VolumeBinding: "
       "Invalid value: must be an object",
       "profiles[0].pluginConfig[0].args"},
      {R"(,"parallelism":"x","percentageOfNodesToScore":1.5)",
       "[parallelism: Invalid value: \"x\": must be", "parallelism"},
  };
  for (const auto& c : cases) {
    auto configuration = DecodeConfiguration(Configuration(c.text));
    ASSERT_FALSE(configuration.ok()) << c.text;
    EXPECT_TRUE(configuration.fault().message.starts_with(c.message_start))
        << configuration.fault().message;
    ASSERT_FALSE(configuration.fault().errors.empty()) << c.text;
    EXPECT_EQ(configuration.fault().errors[0].field, c.field) << c.text;
  }
}

TEST(DecodeConfiguration, RefusesTextThatIsNotJson) {
  for (std::string_view text : {"{", " ", "[]", "3", "{\"kind\":3}", "{\"kind\":\"\xff\"}"}) {
    auto configuration = DecodeConfiguration(text);
    ASSERT_FALSE(configuration.ok()) << text;
    EXPECT_FALSE(configuration.fault().message.empty()) << text;
    EXPECT_EQ(configuration.fault().errors.size(), 1u) << text;
  }
}

}  // namespace
}  // namespace stowage
