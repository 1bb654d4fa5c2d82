// Goal: the notes of each Score plugin give the operands of its score. Method: small clusters, and
// the text of the lines. PluginRunner and RegistryTest compare the notes' results with the scores.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/config/defaults.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/image_locality.h"
#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/node_affinity.h"
#include "core/plugins/node_resources_balanced_allocation.h"
#include "core/plugins/node_resources_fit.h"
#include "core/plugins/pod_topology_spread.h"
#include "core/plugins/taint_toleration.h"
#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Lines = std::vector<std::string>;

template <typename T>
PluginArgs DefaultArgs() {
  PluginArgs args = NewPluginArgs(T::kName);
  SetArgsDefaults(Features(), &args);
  return args;
}

Node Sized(std::string_view name) {
  return MakeNode().Name(name).Allocatable({{"cpu", "4"}, {"memory", "10000"}});
}

// A node with 2 of 4 cpus and 5,000 of 10,000 bytes in use.
template <typename T>
void AddHalfTakenNode(PluginRunner<T>* runner) {
  runner->handle().Add(Sized("a"));
  runner->handle().Add(MakePod().Name("r").Node("a").Req({{"cpu", "2"}, {"memory", "5000"}}).Obj());
}

Pod Asking() { return MakePod().Name("p").Req({{"cpu", "500m"}, {"memory", "0"}}); }

PluginArgs WithStrategy(std::string_view type, std::vector<ResourceSpec> resources = {},
                        std::vector<UtilizationShapePoint> shape = {}) {
  NodeResourcesFitArgs args;
  ScoringStrategy& strategy = args.scoring_strategy.emplace();
  strategy.type = std::string(type);
  strategy.resources = std::move(resources);
  if (!shape.empty()) strategy.requested_to_capacity_ratio.emplace().shape = std::move(shape);
  PluginArgs defaulted = std::move(args);
  SetArgsDefaults(Features(), &defaulted);
  return defaulted;
}

TEST(ScoreNotesOfPlugins, NodeResourcesFitNotesEachResourceByStrategy) {
  const struct {
    PluginArgs args;
    Lines want;
  } cases[] = {
      {WithStrategy(ScoringStrategy::kLeastAllocated),
       {"LeastAllocated over cpu, memory",
        "cpu: requested 2000 + 500 = 2500; (4000 − 2500) × 100 / 4000 = 37",
        "memory: requested 5000 + 0 = 5000; (10000 − 5000) × 100 / 10000 = 50",
        "(37 × 1 + 50 × 1) / 2 = 43"}},
      {WithStrategy(ScoringStrategy::kMostAllocated, {{Symbol("cpu"), 3}}),
       {"MostAllocated over cpu", "cpu: requested 2000 + 500 = 2500; 2500 × 100 / 4000 = 62",
        "(62 × 3) / 3 = 62"}},
      {WithStrategy(ScoringStrategy::kRequestedToCapacityRatio, {}, {{0, 10}, {100, 0}}),
       {"RequestedToCapacityRatio over cpu, memory",
        "cpu: requested 2000 + 500 = 2500; shape(2500 × 100 / 4000 = 62) = 38",
        "memory: requested 5000 + 0 = 5000; shape(5000 × 100 / 10000 = 50) = 50",
        "(38 × 1 + 50 × 1) / 2 = 44"}},
      {WithStrategy(ScoringStrategy::kRequestedToCapacityRatio, {{Symbol("cpu"), 1}},
                    {{0, 0}, {100, 0}}),
       {"RequestedToCapacityRatio over cpu",
        "cpu: requested 2000 + 500 = 2500; shape(2500 × 100 / 4000 = 62) = 0",
        "no resource counts: 0"}},
  };
  for (const auto& c : cases) {
    PluginRunner<NodeResourcesFit> runner(c.args);
    AddHalfTakenNode(&runner);
    ASSERT_TRUE(runner.Scores(Asking()).ok());
    EXPECT_EQ(runner.Notes("a"), c.want);
  }
}

TEST(ScoreNotesOfPlugins, NodeResourcesBalancedAllocationNotesSharesAndBalances) {
  PluginRunner<NodeResourcesBalancedAllocation> runner(
      DefaultArgs<NodeResourcesBalancedAllocation>());
  AddHalfTakenNode(&runner);
  ASSERT_TRUE(runner.Scores(Asking()).ok());
  EXPECT_EQ(runner.Notes("a"),
            (Lines{"cpu: 2000 + 500 of 4000 is 0.625, without the pod 0.5",
                   "memory: 5000 + 0 of 10000 is 0.5, without the pod 0.5",
                   "balance, (1 − standard deviation) × 100: with the pod 93, without it 100",
                   "50 + (50 + 93 − 100) / 2 = 71"}));
}

TEST(ScoreNotesOfPlugins, TaintTolerationNotesTheTaintsThatAreNotTolerated) {
  PluginRunner<TaintToleration> runner;
  runner.handle().Add(MakeNode()
                          .Name("a")
                          .Taint("k", "v", "PreferNoSchedule")
                          .Taint("old", "", "PreferNoSchedule"));
  runner.handle().Add(MakeNode().Name("b").Taint("fine", "", "PreferNoSchedule"));
  ASSERT_TRUE(runner.Scores(MakePod().Name("p").Toleration("fine", "Exists")).ok());
  EXPECT_EQ(runner.Notes("a"),
            (Lines{"k=v", "old", "PreferNoSchedule taints that the pod does not tolerate: 2",
                   "100 − 100 × 2 / 2 = 0"}));
  EXPECT_EQ(runner.Notes("b"), (Lines{"PreferNoSchedule taints that the pod does not tolerate: 0",
                                      "100 − 100 × 0 / 2 = 100"}));
}

TEST(ScoreNotesOfPlugins, NodeAffinityNotesTermsOfThePodAndOfTheConfiguration) {
  NodeAffinityArgs args;
  args.added_affinity.emplace();
  args.added_affinity->preferred =
      std::vector<PreferredSchedulingTerm>{{3, Term({Expression("rack", "In", {"r"})})}};
  PluginRunner<NodeAffinity> runner(std::move(args));
  runner.handle().Add(MakeNode().Name("a").Label("zone", "z0"));
  runner.handle().Add(MakeNode().Name("b"));
  Pod pod =
      MakePod()
          .Name("p")
          .PreferredTerm(5, Term({Expression("zone", "In", {"z0", "z1"})}))
          .PreferredTerm(2, Term({Expression("disk", "Exists"), Expression("cpu", "Gt", {"3"})}));
  ASSERT_TRUE(runner.Scores(pod).ok());
  EXPECT_EQ(runner.Notes("a"), (Lines{"of the configuration, rack In (r): not met, 0",
                                      "of the pod, zone In (z0, z1): +5",
                                      "of the pod, disk Exists and cpu Gt (3): not met, 0",
                                      "together 5", "100 × 5 / 5 = 100"}));
  EXPECT_EQ(runner.Notes("b").back(), "100 × 0 / 5 = 0");
}

TEST(ScoreNotesOfPlugins, InterPodAffinityNotesTheSumOfEachDomain) {
  PluginRunner<InterPodAffinity> runner(DefaultArgs<InterPodAffinity>());
  runner.handle().Add(MakeNode().Name("a").Label("zone", "z0"));
  runner.handle().Add(MakeNode().Name("b").Label("zone", "z1"));
  for (std::string_view name : {"r1", "r2"}) {
    runner.handle().Add(MakePod().Name(name).Node("a").Label("app", "db").Obj());
  }
  runner.handle().Add(MakePod().Name("r3").Node("b").Label("app", "web").Obj());
  auto term = [](std::string_view app) {
    return MakeAffinityTerm("zone", MakeLabelSelector({{"app", app}}));
  };
  Pod pod = MakePod()
                .Name("p")
                .PreferredPodAffinity(5, term("db"))
                .PreferredPodAntiAffinity(2, term("web"));
  ASSERT_TRUE(runner.Scores(pod).ok());
  constexpr std::string_view kSum =
      "weights of the terms that this pod and the pods there have for each other: ";
  EXPECT_EQ(runner.Notes("a"),
            (Lines{"zone=z0: +10", std::string(kSum) + "10", "100 × (10 − -2) / (10 − -2) = 100"}));
  EXPECT_EQ(runner.Notes("b"),
            (Lines{"zone=z1: −2", std::string(kSum) + "-2", "100 × (-2 − -2) / (10 − -2) = 0"}));
}

TEST(ScoreNotesOfPlugins, PodTopologySpreadNotesPodsAndWeightOfEachConstraint) {
  PluginRunner<PodTopologySpread> runner(DefaultArgs<PodTopologySpread>());
  runner.handle().Add(MakeNode().Name("a").Label("zone", "z0"));
  runner.handle().Add(MakeNode().Name("b").Label("zone", "z1"));
  runner.handle().Add(MakeNode().Name("c"));
  runner.handle().Add(MakePod().Name("r").Node("a").Label("app", "db").Obj());
  Pod pod = MakePod().Name("p").SpreadConstraint(2, "zone", "ScheduleAnyway",
                                                 MakeLabelSelector({{"app", "db"}}));
  ASSERT_TRUE(runner.Scores(pod).ok());
  EXPECT_EQ(runner.Notes("a"),
            (Lines{"zone=z0: 1 matching pods × ln(2 + 2) = 1.3863, + maxSkew 2 − 1",
                   "2.3863, rounded 2", "100 × (2 + 1 − 2) / 2 = 50"}));
  EXPECT_EQ(runner.Notes("b"),
            (Lines{"zone=z1: 0 matching pods × ln(2 + 2) = 1.3863, + maxSkew 2 − 1", "1, rounded 1",
                   "100 × (2 + 1 − 1) / 2 = 100"}));
  EXPECT_EQ(runner.Notes("c"), (Lines{"the node lacks a label that the pod spreads over: 0",
                                      "a node without the label gets 0"}));
}

TEST(ScoreNotesOfPlugins, ImageLocalityNotesEachImageOfTheNode) {
  PluginRunner<ImageLocality> runner;
  runner.handle().Add(MakeNode().Name("a").Image("web:latest", 200 << 20));
  runner.handle().Add(MakeNode().Name("b"));
  ASSERT_TRUE(runner.Scores(MakePod().Name("p").Container("web")).ok());
  EXPECT_EQ(runner.Notes("a"),
            (Lines{"web:latest: 209715200 B × 1 / 2 nodes = 104857600",
                   "sum 104857600, within 24117248 and 1048576000: 104857600",
                   "(104857600 − 24117248) × 100 / (1048576000 − 24117248) = 7"}));
  EXPECT_EQ(runner.Notes("b"),
            (Lines{"sum 0, within 24117248 and 1048576000: 24117248",
                   "(24117248 − 24117248) × 100 / (1048576000 − 24117248) = 0"}));
}

TEST(ScoreNotesOfPlugins, DynamicResourcesNotesThatThereAreNoClaims) {
  PluginRunner<DynamicResources> runner(DefaultArgs<DynamicResources>());
  runner.handle().Add(MakeNode().Name("a"));
  ASSERT_TRUE(runner.Scores(MakePod().Name("p")).ok());
  EXPECT_EQ(runner.Notes("a"), (Lines{"the pod has no resource claims: 0",
                                      "the highest raw score is 0: 0 for this node"}));
}

}  // namespace
}  // namespace stowage
