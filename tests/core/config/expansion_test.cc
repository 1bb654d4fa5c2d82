// Goal: every extension point runs the reference's plugins, in its order and with its weights.
// Method: a profile as text, loaded and expanded over the points of the in-tree plugins.
#include "core/config/expansion.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/config/load.h"
#include "tests/core/config/in_tree_points.h"

namespace stowage {
namespace {

using P = ExtensionPoint;

// The points of the plugins outside the core that the tests use.
std::optional<ExtensionPointSet> Points(std::string_view name) {
  if (name == "OtherSort") return ExtensionPointSet{P::kQueueSort};
  if (name == "OtherGenerator") return ExtensionPointSet{P::kPlacementGenerate};
  if (name == "Custom") return ExtensionPointSet{P::kFilter, P::kScore};
  return InTreePoints(name);
}

std::string Configuration(std::string_view profiles) {
  return fmt::format(
      R"({{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
      R"("profiles":{}}})",
      profiles);
}

KubeSchedulerConfiguration Load(std::string_view profiles, const Features& features = {}) {
  auto configuration = LoadConfiguration(Configuration(profiles), features);
  if (!configuration.ok()) {
    ADD_FAILURE() << profiles << ": " << configuration.fault().message;
    return {};
  }
  return configuration.Take();
}

ExpandedProfile Expand(std::string_view profiles, const Features& features = {}) {
  KubeSchedulerConfiguration configuration = Load(profiles, features);
  auto expanded = ExpandProfiles(configuration.profiles, Points);
  if (!expanded.ok()) {
    ADD_FAILURE() << profiles << ": " << expanded.fault().message;
    return {};
  }
  return expanded->front();
}

std::string ErrorOf(std::string_view profiles, std::string* field = nullptr) {
  KubeSchedulerConfiguration configuration = Load(profiles);
  auto expanded = ExpandProfiles(configuration.profiles, Points);
  if (expanded.ok()) return "accepted";
  EXPECT_EQ(expanded.fault().errors.size(), 1u);
  if (field != nullptr) *field = expanded.fault().errors[0].field;
  return expanded.fault().message;
}

// "TaintToleration 3, NodeAffinity 2"; with weights if there are any.
std::string Text(const std::vector<ExpandedPlugin>& plugins) {
  std::string text;
  for (const ExpandedPlugin& plugin : plugins) {
    if (!text.empty()) text += ", ";
    text += plugin.name;
    if (plugin.weight != 0) text += fmt::format(" {}", plugin.weight);
  }
  return text;
}

TEST(Expansion, ExpandsTheDefaultProfileAtEveryPoint) {
  struct {
    ExtensionPoint point;
    std::string_view want;
  } cases[] = {
      {P::kPreEnqueue, "SchedulingGates, DynamicResources, DefaultPreemption"},
      {P::kQueueSort, "PrioritySort"},
      {P::kPreFilter,
       "NodeAffinity, NodePorts, NodeResourcesFit, VolumeRestrictions, NodeVolumeLimits, "
       "VolumeBinding, VolumeZone, PodTopologySpread, InterPodAffinity, DynamicResources, "
       "NodeDeclaredFeatures"},
      {P::kFilter,
       "NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts, NodeResourcesFit, "
       "VolumeRestrictions, NodeVolumeLimits, VolumeBinding, VolumeZone, PodTopologySpread, "
       "InterPodAffinity, DynamicResources, NodeDeclaredFeatures"},
      {P::kPostFilter, "DynamicResources, DefaultPreemption"},
      {P::kPreScore,
       "TaintToleration, NodeAffinity, NodeResourcesFit, VolumeBinding, PodTopologySpread, "
       "InterPodAffinity, NodeResourcesBalancedAllocation"},
      {P::kScore,
       "TaintToleration 3, NodeAffinity 2, NodeResourcesFit 1, VolumeBinding 1, "
       "PodTopologySpread 2, InterPodAffinity 2, DynamicResources 2, "
       "NodeResourcesBalancedAllocation 1, ImageLocality 1"},
      {P::kReserve, "VolumeBinding, DynamicResources"},
      {P::kPermit, ""},
      {P::kPreBind, "VolumeBinding, DynamicResources"},
      {P::kBind, "DefaultBinder"},
      {P::kPostBind, ""},
      {P::kPlacementGenerate, ""},
      {P::kPlacementScore, "NodeResourcesFit 1"},
  };
  static_assert(std::size(cases) == kExtensionPointCount);
  ExpandedProfile profile = Expand("[]");
  EXPECT_EQ(profile.scheduler_name, "default-scheduler");
  for (const auto& c : cases)
    EXPECT_EQ(Text(profile[c.point]), c.want) << ExtensionPointName(c.point);
  EXPECT_EQ(profile.plugins.size(), 20u);
  EXPECT_EQ(profile.plugins.front(), "SchedulingGates");
  EXPECT_EQ(profile.plugins.back(), "NodeDeclaredFeatures");
}

TEST(Expansion, AddsPluginsOfGates) {
  Features gang;
  gang.generic_workload = gang.gang_scheduling = true;
  ExpandedProfile with_gang = Expand("[]", gang);
  EXPECT_EQ(Text(with_gang[P::kPermit]), "GangScheduling");
  EXPECT_EQ(Text(with_gang[P::kPreEnqueue]),
            "SchedulingGates, DynamicResources, DefaultPreemption, GangScheduling");

  Features topology;
  topology.topology_aware_workload_scheduling = true;
  ExpandedProfile with_topology = Expand("[]", topology);
  EXPECT_EQ(Text(with_topology[P::kPlacementGenerate]), "TopologyPlacementGenerator");
  EXPECT_EQ(Text(with_topology[P::kPlacementScore]), "NodeResourcesFit 1, PodGroupPodsCount 1");

  Features no_declared;
  no_declared.node_declared_features = false;
  no_declared.in_place_pod_level_resources_vertical_scaling = false;
  EXPECT_EQ(Expand("[]", no_declared).plugins.back(), "DefaultBinder");
}

TEST(Expansion, ReconfiguresPoints) {
  struct {
    std::string_view name;
    std::string_view plugins;
    ExtensionPoint point;
    std::string_view want;
  } cases[] = {
      {"one default plugin re-configured at a point moves to the front there",
       R"({"score":{"enabled":[{"name":"ImageLocality","weight":7}],)"
       R"("disabled":[{"name":"NodeResourcesFit"}]},)"
       R"("multiPoint":{"enabled":[{"name":"NodeAffinity","weight":9}],)"
       R"("disabled":[{"name":"VolumeZone"}]}})",
       P::kScore,
       "ImageLocality 7, TaintToleration 3, NodeAffinity 9, VolumeBinding 1, PodTopologySpread 2, "
       "InterPodAffinity 2, DynamicResources 2, NodeResourcesBalancedAllocation 1"},
      {"a plugin disabled at one point still runs at the others",
       R"({"score":{"disabled":[{"name":"NodeResourcesFit"}]},)"
       R"("multiPoint":{"disabled":[{"name":"VolumeZone"}]}})",
       P::kFilter,
       "NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts, NodeResourcesFit, "
       "VolumeRestrictions, NodeVolumeLimits, VolumeBinding, PodTopologySpread, InterPodAffinity, "
       "DynamicResources, NodeDeclaredFeatures"},
      {"* at a point empties it", R"({"filter":{"disabled":[{"name":"*"}]}})", P::kFilter, ""},
      {"* at a point leaves what is listed there",
       R"({"filter":{"disabled":[{"name":"*"}],)"
       R"("enabled":[{"name":"NodePorts"},{"name":"NodeName"}]}})",
       P::kFilter, "NodePorts, NodeName"},
      {"overrides come in the order of the specific list, new plugins last",
       R"({"score":{"enabled":[{"name":"Custom","weight":4},{"name":"ImageLocality"},)"
       R"({"name":"TaintToleration","weight":5}]}})",
       P::kScore,
       "ImageLocality 1, TaintToleration 5, NodeAffinity 2, NodeResourcesFit 1, VolumeBinding 1, "
       "PodTopologySpread 2, InterPodAffinity 2, DynamicResources 2, "
       "NodeResourcesBalancedAllocation 1, Custom 4"},
      {"an out-of-tree plugin through multiPoint comes after the defaults",
       R"({"multiPoint":{"enabled":[{"name":"Custom","weight":6}]}})", P::kScore,
       "TaintToleration 3, NodeAffinity 2, NodeResourcesFit 1, VolumeBinding 1, "
       "PodTopologySpread 2, InterPodAffinity 2, DynamicResources 2, "
       "NodeResourcesBalancedAllocation 1, ImageLocality 1, Custom 6"},
      {"a specific weight goes before the multiPoint one",
       R"({"multiPoint":{"enabled":[{"name":"ImageLocality","weight":6}]},)"
       R"("score":{"disabled":[{"name":"*"}],"enabled":[{"name":"ImageLocality","weight":2}]}})",
       P::kScore, "ImageLocality 2"},
      {"weight 0 at the point counts as 1, not as the multiPoint weight",
       R"({"score":{"disabled":[{"name":"*"}],"enabled":[{"name":"TaintToleration","weight":0}]}})",
       P::kScore, "TaintToleration 1"},
      {"disabled and enabled in multiPoint moves a plugin to the end",
       R"({"multiPoint":{"disabled":[{"name":"NodeName"}],"enabled":[{"name":"NodeName"}]}})",
       P::kFilter,
       "NodeUnschedulable, TaintToleration, NodeAffinity, NodePorts, NodeResourcesFit, "
       "VolumeRestrictions, NodeVolumeLimits, VolumeBinding, VolumeZone, PodTopologySpread, "
       "InterPodAffinity, DynamicResources, NodeDeclaredFeatures, NodeName"},
      {"* in multiPoint keeps what is listed",
       R"({"multiPoint":{"disabled":[{"name":"*"}],"enabled":[{"name":"DefaultBinder"},)"
       R"({"name":"PrioritySort"},{"name":"NodeName"}]}})",
       P::kFilter, "NodeName"},
  };
  for (const auto& c : cases) {
    ExpandedProfile profile = Expand(fmt::format(R"([{{"plugins":{}}}])", c.plugins));
    EXPECT_EQ(Text(profile[c.point]), c.want) << c.name;
  }
}

TEST(Expansion, InstantiatesOnlyEnabledPlugins) {
  ExpandedProfile profile = Expand(
      R"([{"plugins":{"multiPoint":{"disabled":[{"name":"*"}],"enabled":[{"name":"PrioritySort"},)"
      R"({"name":"DefaultBinder"}]},"filter":{"enabled":[{"name":"NodeName"}]}}}])");
  EXPECT_EQ(profile.plugins,
            (std::vector<std::string>{"PrioritySort", "DefaultBinder", "NodeName"}));
}

TEST(Expansion, RefusesProfilesThatCannotBeBuilt) {
  struct {
    std::string_view plugins;
    std::string_view message;  // after the prefix
    std::string_view field;
  } cases[] = {
      {R"({"filter":{"enabled":[{"name":"NodeName"},{"name":"Nope"}]}})",
       "FilterPlugin \"Nope\" does not exist", "profiles[0].plugins.filter.enabled[1]"},
      {R"({"multiPoint":{"enabled":[{"name":"EBSLimits"}]}})",
       "PreFilterPlugin \"EBSLimits\" does not exist", "profiles[0].plugins.multiPoint"},
      {R"({"preScore":{"enabled":[{"name":"NodeName"}]}})",
       "plugin \"NodeName\" does not extend PreScorePlugin plugin",
       "profiles[0].plugins.preScore.enabled[0]"},
      {R"({"filter":{"enabled":[{"name":"NodeName"},{"name":"NodeName"}]}})",
       "plugin \"NodeName\" already registered as \"FilterPlugin\"",
       "profiles[0].plugins.filter.enabled[1]"},
      {R"({"multiPoint":{"enabled":[{"name":"NodeName"},{"name":"NodeName"}]}})",
       "plugin \"NodeName\" already registered as \"FilterPlugin\"",
       "profiles[0].plugins.multiPoint"},
      {R"({"multiPoint":{"disabled":[{"name":"*"}]}})",
       "only one queue sort plugin required for profile with scheduler name "
       "\"default-scheduler\", but got 0",
       "profiles[0].plugins.queueSort"},
      {R"({"multiPoint":{"enabled":[{"name":"OtherSort"}]}})",
       "only one queue sort plugin required for profile with scheduler name "
       "\"default-scheduler\", but got 2",
       "profiles[0].plugins.queueSort"},
      {R"({"bind":{"disabled":[{"name":"DefaultBinder"}]}})",
       "at least one bind plugin is needed for profile with scheduler name \"default-scheduler\"",
       "profiles[0].plugins.bind"},
      {R"({"placementGenerate":{"enabled":[{"name":"TopologyPlacementGenerator"},)"
       R"({"name":"OtherGenerator"}]}})",
       "at most one placement generate plugin is allowed for profile with scheduler name "
       "\"default-scheduler\"",
       "profiles[0].plugins.placementGenerate"},
  };
  for (const auto& c : cases) {
    std::string field;
    EXPECT_EQ(ErrorOf(fmt::format(R"([{{"plugins":{}}}])", c.plugins), &field),
              fmt::format("initializing profiles: creating profile for scheduler name "
                          "default-scheduler: {}",
                          c.message));
    EXPECT_EQ(field, c.field);
  }
}

TEST(Expansion, RefusesDuplicateArgs) {
  KubeSchedulerProfile profile = Load("[]").profiles[0];
  profile.plugin_config.push_back(profile.plugin_config[0]);
  auto expanded = ExpandProfile(profile, 3, Points);
  ASSERT_FALSE(expanded.ok());
  EXPECT_EQ(expanded.fault().message,
            "initializing profiles: creating profile for scheduler name default-scheduler: "
            "repeated config for plugin DefaultPreemption");
  EXPECT_EQ(expanded.fault().errors[0].field, "profiles[3].pluginConfig[8]");
}

TEST(Expansion, RefusesConflictingProfiles) {
  KubeSchedulerConfiguration configuration =
      Load(R"([{"schedulerName":"a"},{"schedulerName":"b"}])");
  const std::vector<KubeSchedulerProfile>& both = configuration.profiles;
  auto changed = [&](auto change) {
    std::vector<KubeSchedulerProfile> profiles = both;
    change(profiles[1]);
    return profiles;
  };
  struct {
    std::vector<KubeSchedulerProfile> profiles;
    std::string_view message;
  } cases[] = {
      {{}, "at least one profile is required"},
      {changed([](KubeSchedulerProfile& profile) { profile.scheduler_name = ""; }),
       "initializing profiles: scheduler name is needed"},
      {changed([](KubeSchedulerProfile& profile) { profile.scheduler_name = "a"; }),
       "initializing profiles: duplicate profile with scheduler name \"a\""},
      {changed([](KubeSchedulerProfile& profile) {
         for (PluginRef& plugin : profile.plugins.multi_point.enabled) {
           if (plugin.name == "PrioritySort") plugin.name = "OtherSort";
         }
       }),
       "initializing profiles: different queue sort plugins for profile \"b\": \"OtherSort\", "
       "first: \"PrioritySort\""},
      {changed([](KubeSchedulerProfile& profile) {
         profile.plugin_config.push_back({"PrioritySort", RawJson{"{}"}});
       }),
       "initializing profiles: different queue sort plugin args for profile \"b\""},
  };
  for (const auto& c : cases) {
    auto expanded = ExpandProfiles(c.profiles, Points);
    ASSERT_FALSE(expanded.ok()) << c.message;
    EXPECT_EQ(expanded.fault().message, c.message);
  }
  auto expanded = ExpandProfiles(both, Points);
  ASSERT_TRUE(expanded.ok()) << expanded.fault().message;
  EXPECT_EQ(expanded->size(), 2u);
}

TEST(Expansion, NamesThePluginThatCannotBeBuilt) {
  KubeSchedulerProfile profile = Load("[]").profiles[0];
  ConfigurationError error =
      PluginInitializationError(profile, 0, "NodeResourcesFit", "scoringStrategy.type: wrong");
  EXPECT_EQ(error.message,
            "initializing profiles: creating profile for scheduler name default-scheduler: "
            "initializing plugin \"NodeResourcesFit\": scoringStrategy.type: wrong");
  EXPECT_EQ(error.errors[0].field, "profiles[0].pluginConfig[5]");
}

}  // namespace
}  // namespace stowage
