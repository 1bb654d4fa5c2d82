// Goal: absent fields of a configuration get the reference's defaults.
#include "core/config/defaults.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/config/decode.h"

namespace stowage {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Decodes `fields` of a configuration and sets the defaults.
KubeSchedulerConfiguration Defaulted(std::string_view fields, const Features& features = {}) {
  std::string text = fmt::format(
      R"({{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"{}}})",
      fields);
  auto configuration = DecodeConfiguration(text);
  if (!configuration.ok()) {
    ADD_FAILURE() << text << ": " << configuration.fault().message;
    return {};
  }
  SetDefaults(features, &*configuration);
  return configuration.Take();
}

template <typename T>
T ArgsOf(std::string_view plugin_config, std::string_view plugin, const Features& features = {}) {
  KubeSchedulerConfiguration configuration =
      Defaulted(fmt::format(R"(,"profiles":[{{"pluginConfig":[{}]}}])", plugin_config), features);
  const PluginArgs& args = configuration.profiles.at(0).ArgsOf(plugin);
  if (!std::holds_alternative<T>(args)) {
    ADD_FAILURE() << plugin << " has args of another kind";
    return {};
  }
  return std::get<T>(args);
}

std::string Names(const std::vector<PluginConfig>& configs) {
  std::string names;
  for (const PluginConfig& config : configs) names += (names.empty() ? "" : " ") + config.name;
  return names;
}

TEST(Defaults, CoverTheWholeConfiguration) {
  KubeSchedulerConfiguration configuration = Defaulted("");
  EXPECT_EQ(configuration.parallelism, 16);
  EXPECT_EQ(configuration.leader_election,
            (LeaderElectionConfiguration{.leader_elect = true,
                                         .lease_duration = {15 * kSecond},
                                         .renew_deadline = {10 * kSecond},
                                         .retry_period = {2 * kSecond},
                                         .resource_lock = "leases",
                                         .resource_name = "kube-scheduler",
                                         .resource_namespace = "kube-system"}));
  EXPECT_EQ(configuration.client_connection,
            (ClientConnectionConfiguration{.kubeconfig = "",
                                           .accept_content_types = "",
                                           .content_type = "application/vnd.kubernetes.protobuf",
                                           .qps = 50,
                                           .burst = 100}));
  EXPECT_TRUE(configuration.enable_profiling);
  EXPECT_EQ(configuration.enable_contention_profiling, true);
  EXPECT_EQ(configuration.percentage_of_nodes_to_score, 0);
  EXPECT_EQ(configuration.pod_initial_backoff_seconds, 1);
  EXPECT_EQ(configuration.pod_max_backoff_seconds, 10);
  EXPECT_TRUE(configuration.extenders.empty());
  EXPECT_FALSE(configuration.delay_cache_until_active);
  ASSERT_EQ(configuration.profiles.size(), 1u);
  EXPECT_EQ(configuration.profiles[0].scheduler_name, "default-scheduler");
  EXPECT_EQ(configuration.profiles[0].percentage_of_nodes_to_score, std::nullopt);
}

TEST(Defaults, ApplyToAnEmptyText) {
  auto empty = DecodeConfiguration("");
  ASSERT_TRUE(empty.ok());
  SetDefaults({}, &*empty);
  EXPECT_EQ(*empty, Defaulted(""));
  EXPECT_EQ(*empty, Defaulted(R"(,"profiles":[{}])"));
}

TEST(Defaults, KeepGivenValues) {
  KubeSchedulerConfiguration configuration = Defaulted(
      R"(,"parallelism":1,"leaderElection":{"leaderElect":false,"leaseDuration":"1m30s"},)"
      R"("clientConnection":{"qps":1.5,"burst":-1},"enableProfiling":false,)"
      R"("percentageOfNodesToScore":40,"podInitialBackoffSeconds":2,"podMaxBackoffSeconds":3,)"
      R"("delayCacheUntilActive":true)");
  EXPECT_EQ(configuration.parallelism, 1);
  EXPECT_FALSE(configuration.leader_election.leader_elect);
  EXPECT_EQ(configuration.leader_election.lease_duration, Duration{90 * kSecond});
  EXPECT_EQ(configuration.leader_election.renew_deadline, Duration{10 * kSecond});
  EXPECT_EQ(configuration.client_connection.qps, 1.5);
  EXPECT_EQ(configuration.client_connection.burst, -1);
  EXPECT_FALSE(configuration.enable_profiling);
  EXPECT_EQ(configuration.enable_contention_profiling, false);
  EXPECT_EQ(configuration.percentage_of_nodes_to_score, 40);
  EXPECT_EQ(configuration.pod_initial_backoff_seconds, 2);
  EXPECT_EQ(configuration.pod_max_backoff_seconds, 3);
  EXPECT_TRUE(configuration.delay_cache_until_active);
}

TEST(Defaults, TreatNullAsAbsent) {
  EXPECT_EQ(Defaulted(R"(,"parallelism":null,"leaderElection":null,"profiles":null,)"
                      R"("podMaxBackoffSeconds":null,"enableContentionProfiling":null)"),
            Defaulted(""));
}

TEST(Defaults, SetTheSchedulerNameOfASingleProfileOnly) {
  struct {
    std::string_view profiles;
    std::vector<std::string> want;
  } cases[] = {
      {R"([{}])", {"default-scheduler"}},
      {R"([{"schedulerName":null}])", {"default-scheduler"}},
      {R"([{"schedulerName":""}])", {""}},
      {R"([{"schedulerName":"mine"}])", {"mine"}},
      {R"([{},{"schedulerName":"b"}])", {"", "b"}},
  };
  for (const auto& c : cases) {
    std::vector<std::string> names;
    for (const auto& profile : Defaulted(fmt::format(R"(,"profiles":{})", c.profiles)).profiles) {
      names.push_back(profile.scheduler_name);
    }
    EXPECT_EQ(names, c.want) << c.profiles;
  }
}

TEST(Defaults, KeepAProfilePercentageOfZero) {
  EXPECT_EQ(Defaulted(R"(,"profiles":[{"percentageOfNodesToScore":0}])")
                .profiles[0]
                .percentage_of_nodes_to_score,
            0);
}

TEST(Defaults, SetTheExtenderTimeoutAndTls) {
  struct {
    std::string_view extender;
    Duration timeout;
    bool is_insecure;
  } cases[] = {
      {R"({"enableHTTPS":true})", {5 * kSecond}, true},
      {R"({"enableHTTPS":true,"httpTimeout":"200ms","tlsConfig":{"serverName":"x"}})",
       {kSecond / 5},
       true},
      {R"({"enableHTTPS":true,"tlsConfig":{"caFile":"/ca"}})", {5 * kSecond}, false},
      {R"({"enableHTTPS":true,"tlsConfig":{"caData":"YQ=="}})", {5 * kSecond}, false},
      {R"({"tlsConfig":{}})", {5 * kSecond}, false},
  };
  for (const auto& c : cases) {
    ExtenderConfig extender =
        Defaulted(fmt::format(R"(,"extenders":[{}])", c.extender)).extenders.at(0);
    EXPECT_EQ(extender.http_timeout, c.timeout) << c.extender;
    ASSERT_TRUE(extender.tls_config.has_value()) << c.extender;
    EXPECT_EQ(extender.tls_config->insecure, c.is_insecure) << c.extender;
  }
}

TEST(Defaults, ListMultiPointPluginsAndWeights) {
  std::string list;
  for (const PluginRef& plugin : DefaultMultiPoint({}).enabled) {
    if (!list.empty()) list += ", ";
    list += plugin.name;
    if (plugin.weight != 0) list += fmt::format("({})", plugin.weight);
  }
  EXPECT_EQ(list,
            "SchedulingGates, PrioritySort, NodeUnschedulable, NodeName, TaintToleration(3), "
            "NodeAffinity(2), NodePorts, NodeResourcesFit(1), VolumeRestrictions, "
            "NodeVolumeLimits, VolumeBinding, VolumeZone, PodTopologySpread(2), "
            "InterPodAffinity(2), DynamicResources(2), DefaultPreemption, "
            "NodeResourcesBalancedAllocation(1), ImageLocality(1), DefaultBinder, "
            "NodeDeclaredFeatures");
}

TEST(Defaults, MergePluginSets) {
  const PluginSet defaults{{{"A", 1}, {"B", 2}, {"C", 0}}, {}};
  struct {
    std::string_view name;
    PluginSet custom;
    PluginSet want;
  } cases[] = {
      {"nothing", {}, {{{"A", 1}, {"B", 2}, {"C", 0}}, {}}},
      {"an own plugin comes last",
       {{{"X", 5}}, {}},
       {{{"A", 1}, {"B", 2}, {"C", 0}, {"X", 5}}, {}}},
      {"a default one keeps its place", {{{"B", 9}}, {}}, {{{"A", 1}, {"B", 9}, {"C", 0}}, {}}},
      {"disabled", {{}, {{"B", 0}}}, {{{"A", 1}, {"C", 0}}, {{"B", 0}}}},
      {"disabled and enabled",
       {{{"B", 9}}, {{"B", 0}}},
       {{{"A", 1}, {"C", 0}, {"B", 9}}, {{"B", 0}}}},
      {"all disabled", {{}, {{"*", 0}}}, {{}, {{"*", 0}}}},
      {"all disabled but some",
       {{{"C", 3}, {"X", 0}}, {{"*", 0}}},
       {{{"C", 3}, {"X", 0}}, {{"*", 0}}}},
      {"weights of disabled plugins are dropped",
       {{}, {{"X", 4}}},
       {{{"A", 1}, {"B", 2}, {"C", 0}}, {{"X", 0}}}},
      {"listed twice: the last takes the place, the other stays",
       {{{"B", 8}, {"B", 9}}, {}},
       {{{"A", 1}, {"B", 9}, {"C", 0}, {"B", 8}}, {}}},
  };
  for (const auto& c : cases) EXPECT_EQ(MergePluginSet(defaults, c.custom), c.want) << c.name;
}

TEST(Defaults, AddArgsForEveryEnabledPluginAfterTheGivenOnes) {
  struct {
    std::string_view profile;
    std::string_view want;
  } cases[] = {
      {"{}",
       "DefaultPreemption DynamicResources InterPodAffinity NodeAffinity "
       "NodeResourcesBalancedAllocation NodeResourcesFit PodTopologySpread VolumeBinding"},
      {R"({"pluginConfig":[{"name":"PodTopologySpread"},{"name":"Mine","args":{"a":1}}]})",
       "PodTopologySpread Mine DefaultPreemption DynamicResources InterPodAffinity NodeAffinity "
       "NodeResourcesBalancedAllocation NodeResourcesFit VolumeBinding"},
      {R"({"plugins":{"multiPoint":{"disabled":[{"name":"VolumeBinding"}]}}})",
       "DefaultPreemption DynamicResources InterPodAffinity NodeAffinity "
       "NodeResourcesBalancedAllocation NodeResourcesFit PodTopologySpread"},
      {R"({"plugins":{"multiPoint":{"disabled":[{"name":"*"}]},)"
       R"("filter":{"enabled":[{"name":"NodeAffinity"}]}}})",
       "NodeAffinity"},
  };
  for (const auto& c : cases) {
    KubeSchedulerConfiguration configuration =
        Defaulted(fmt::format(R"(,"profiles":[{}])", c.profile));
    EXPECT_EQ(Names(configuration.profiles[0].plugin_config), c.want) << c.profile;
  }
}

TEST(Defaults, CoverArgs) {
  EXPECT_EQ(ArgsOf<DefaultPreemptionArgs>("", "DefaultPreemption"),
            (DefaultPreemptionArgs{.min_candidate_nodes_percentage = 10,
                                   .min_candidate_nodes_absolute = 100}));
  EXPECT_EQ(ArgsOf<DefaultPreemptionArgs>(
                R"({"name":"DefaultPreemption","args":{"minCandidateNodesPercentage":0}})",
                "DefaultPreemption"),
            (DefaultPreemptionArgs{.min_candidate_nodes_percentage = 0,
                                   .min_candidate_nodes_absolute = 100}));
  EXPECT_EQ(ArgsOf<InterPodAffinityArgs>("", "InterPodAffinity"),
            (InterPodAffinityArgs{.hard_pod_affinity_weight = 1,
                                  .ignore_preferred_terms_of_existing_pods = false}));
  EXPECT_EQ(
      ArgsOf<InterPodAffinityArgs>(
          R"({"name":"InterPodAffinity","args":{"hardPodAffinityWeight":0}})", "InterPodAffinity")
          .hard_pod_affinity_weight,
      0);
  EXPECT_EQ(ArgsOf<NodeAffinityArgs>("", "NodeAffinity"), NodeAffinityArgs());
  EXPECT_EQ(ArgsOf<PodTopologySpreadArgs>("", "PodTopologySpread"),
            (PodTopologySpreadArgs{.default_constraints = {}, .defaulting_type = "System"}));
  EXPECT_EQ(ArgsOf<VolumeBindingArgs>("", "VolumeBinding"),
            (VolumeBindingArgs{.bind_timeout_seconds = 600, .shape = std::nullopt}));
  EXPECT_EQ(ArgsOf<DynamicResourcesArgs>("", "DynamicResources"),
            (DynamicResourcesArgs{.filter_timeout = Duration{10 * kSecond},
                                  .binding_timeout = Duration{600 * kSecond}}));
}

TEST(Defaults, CoverArgsThatDependOnGates) {
  Features features;
  features.storage_capacity_scoring = true;
  features.dra_scheduler_filter_timeout = false;
  features.dra_device_binding_conditions = false;
  EXPECT_EQ(ArgsOf<VolumeBindingArgs>("", "VolumeBinding", features).shape,
            (std::vector<UtilizationShapePoint>{{0, 10}, {100, 0}}));
  EXPECT_EQ(ArgsOf<VolumeBindingArgs>(R"({"name":"VolumeBinding","args":{"shape":[]}})",
                                      "VolumeBinding", features)
                .shape,
            (std::vector<UtilizationShapePoint>{{0, 10}, {100, 0}}));
  EXPECT_EQ(ArgsOf<DynamicResourcesArgs>("", "DynamicResources", features), DynamicResourcesArgs());
}

TEST(Defaults, CoverResourceLists) {
  const std::vector<ResourceSpec> both = {{Symbol("cpu"), 1}, {Symbol("memory"), 1}};
  struct {
    std::string_view args;
    ScoringStrategy want;
  } cases[] = {
      {"{}", {"LeastAllocated", both, {}}},
      {R"({"scoringStrategy":null})", {"LeastAllocated", both, {}}},
      {R"({"scoringStrategy":{"type":"MostAllocated"}})", {"MostAllocated", both, {}}},
      {R"({"scoringStrategy":{"type":"MostAllocated","resources":[]}})",
       {"MostAllocated", both, {}}},
      {R"({"scoringStrategy":{"type":"LeastAllocated","resources":[{"name":"a"},)"
       R"({"name":"b","weight":0},{"name":"c","weight":5}]}})",
       {"LeastAllocated", {{Symbol("a"), 1}, {Symbol("b"), 1}, {Symbol("c"), 5}}, {}}},
      {R"({"scoringStrategy":{"resources":[{"name":"a"}]}})", {"", {{Symbol("a"), 1}}, {}}},
  };
  for (const auto& c : cases) {
    NodeResourcesFitArgs args = ArgsOf<NodeResourcesFitArgs>(
        fmt::format(R"({{"name":"NodeResourcesFit","args":{}}})", c.args), "NodeResourcesFit");
    EXPECT_EQ(args.scoring_strategy, c.want) << c.args;
  }
  EXPECT_EQ(
      ArgsOf<NodeResourcesBalancedAllocationArgs>("", "NodeResourcesBalancedAllocation").resources,
      both);
  EXPECT_EQ(ArgsOf<NodeResourcesBalancedAllocationArgs>(
                R"({"name":"NodeResourcesBalancedAllocation","args":{"resources":[{"name":"a"}]}})",
                "NodeResourcesBalancedAllocation")
                .resources,
            (std::vector<ResourceSpec>{{Symbol("a"), 1}}));
}

TEST(Defaults, CopyIgnoredResourcesOfExtendersToEveryProfile) {
  constexpr std::string_view kExtenders =
      R"(,"extenders":[{"managedResources":[{"name":"a.b/c","ignoredByScheduler":true},)"
      R"({"name":"a.b/d"}]},{"managedResources":[{"name":"a.b/e","ignoredByScheduler":true}]}])";
  KubeSchedulerConfiguration configuration = Defaulted(
      fmt::format(R"(,"profiles":[{{"schedulerName":"a"}},{{"schedulerName":"b","pluginConfig":[)"
                  R"({{"name":"NodeResourcesFit","args":{{"ignoredResources":["x.y/z"]}}}}]}}]{})",
                  kExtenders));
  ASSERT_FALSE(ApplyIgnoredResources(&configuration).has_value());
  for (const KubeSchedulerProfile& profile : configuration.profiles) {
    EXPECT_EQ(std::get<NodeResourcesFitArgs>(profile.ArgsOf("NodeResourcesFit")).ignored_resources,
              (std::vector<Symbol>{Symbol("a.b/c"), Symbol("a.b/e")}));
  }

  KubeSchedulerConfiguration without =
      Defaulted(fmt::format(R"(,"profiles":[{{"plugins":{{"multiPoint":)"
                            R"({{"disabled":[{{"name":"NodeResourcesFit"}}]}}}}}}]{})",
                            kExtenders));
  auto error = ApplyIgnoredResources(&without);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message,
            "couldn't build extenders: can't find NodeResourcesFitArgs in plugin config");
}

}  // namespace
}  // namespace stowage
