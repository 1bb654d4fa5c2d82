#include "core/plugins/taint_toleration.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

using Scores = std::vector<int64_t>;

const Status kRefused = Status::UnschedulableAndUnresolvable(TaintToleration::kReason);

// Goal: NoSchedule and NoExecute taints must be tolerated. Method: one pod, one node, the verdict.
TEST(TaintToleration, FiltersUntoleratedTaints) {
  const Node dedicated = MakeNode().Name("n").Taint("dedicated", "user1", "NoSchedule");
  const Node two_taints = MakeNode()
                              .Name("n")
                              .Taint("dedicated", "user1", "NoSchedule")
                              .Taint("disk", "slow", "NoExecute");
  struct {
    std::string_view name;
    Pod pod;
    Node node;
    Status want;
  } cases[] = {
      {"no taints", MakePod(), MakeNode().Name("n"), Status::Success()},
      {"no tolerations", MakePod(), dedicated, kRefused},
      {"equal value", MakePod().Toleration("dedicated", "Equal", "user1", "NoSchedule"), dedicated,
       Status::Success()},
      {"empty operator is Equal", MakePod().Toleration("dedicated", "", "user1"), dedicated,
       Status::Success()},
      {"other value", MakePod().Toleration("dedicated", "Equal", "user2", "NoSchedule"), dedicated,
       kRefused},
      {"exists", MakePod().Toleration("dedicated", "Exists", "", "NoSchedule"), dedicated,
       Status::Success()},
      {"empty key compares values", MakePod().Toleration("", "Equal", "user1"), dedicated,
       Status::Success()},
      {"unknown operator", MakePod().Toleration("dedicated", "Is", "user1"), dedicated, kRefused},
      {"other effect", MakePod().Toleration("dedicated", "Equal", "user1", "NoExecute"), dedicated,
       kRefused},
      {"empty effect", MakePod().Toleration("dedicated", "Equal", "user1"), dedicated,
       Status::Success()},
      {"one of two taints", MakePod().Toleration("dedicated", "Exists"), two_taints, kRefused},
      {"both taints",
       MakePod().Toleration("dedicated", "Exists").Toleration("disk", "Equal", "slow"), two_taints,
       Status::Success()},
      {"PreferNoSchedule never blocks", MakePod(),
       MakeNode().Name("n").Taint("a", "b", "PreferNoSchedule"), Status::Success()},
      {"comparison without its gate", MakePod().Toleration("level", "Gt", "1", "NoSchedule"),
       MakeNode().Name("n").Taint("level", "5", "NoSchedule"), kRefused},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(RunFilter<TaintToleration>(c.pod, c.node), c.want) << c.name;
  }
}

// Goal: with the gate, Gt and Lt compare the taint's value with the toleration's.
TEST(TaintToleration, ComparesNumbersBehindAGate) {
  struct {
    std::string_view name;
    std::string_view op;
    std::string_view toleration;
    std::string_view taint;
    bool want;
  } cases[] = {
      {"greater", "Gt", "5", "6", true},
      {"equal is not greater", "Gt", "5", "5", false},
      {"lower", "Lt", "5", "4", true},
      {"equal is not lower", "Lt", "5", "5", false},
      {"negative", "Gt", "-2", "-1", true},
      {"taint is no number", "Gt", "5", "high", false},
      {"leading zero", "Gt", "5", "06", false},
      {"plus sign", "Gt", "5", "+6", false},
      {"toleration is no number", "Gt", "low", "6", false},
      {"beyond 64 bits", "Lt", "5", "-9223372036854775809", false},
      {"Equal still works", "Equal", "6", "6", true},
  };
  Features features;
  features.taint_toleration_comparison_operators = true;
  for (const auto& c : cases) {
    Pod pod = MakePod().Toleration("level", c.op, c.toleration, "NoSchedule");
    Node node = MakeNode().Name("n").Taint("level", c.taint, "NoSchedule");
    Status want = c.want ? Status::Success() : kRefused;
    EXPECT_EQ(RunFilter<TaintToleration>(pod, node, features), want) << c.name;
  }
}

// Goal: the fewer untolerated PreferNoSchedule taints, the better. Method: normalized scores.
TEST(TaintToleration, PrefersNodesWithFewerUntoleratedTaints) {
  auto prefer = [](std::string_view name, Texts keys) {
    MakeNode node;
    node.Name(name);
    for (std::string_view key : keys) node.Taint(key, "v", "PreferNoSchedule");
    return node.Obj();
  };
  struct {
    std::string_view name;
    Pod pod;
    std::vector<Node> nodes;
    Scores want;
  } cases[] = {
      {"tolerated and not",
       MakePod().Toleration("a", "Equal", "v", "PreferNoSchedule"),
       {prefer("n0", {"a"}), prefer("n1", {"b"})},
       {100, 0}},
      {"tolerated taints do not count, however many",
       MakePod().Toleration("a", "Exists").Toleration("b", "Exists"),
       {prefer("n0", {}), prefer("n1", {"a"}), prefer("n2", {"a", "b"})},
       {100, 100, 100}},
      {"0, 1 and 2 of them",
       MakePod(),
       {prefer("n0", {}), prefer("n1", {"a"}), prefer("n2", {"a", "b"})},
       {100, 50, 0}},
      {"NoSchedule taints do not count",
       MakePod(),
       {MakeNode().Name("n0").Taint("a", "v", "NoSchedule"), prefer("n1", {"a"})},
       {100, 0}},
      {"a NoSchedule toleration does not count",
       MakePod().Toleration("a", "Exists", "", "NoSchedule"),
       {prefer("n0", {"a"}), prefer("n1", {})},
       {0, 100}},
      {"no taints", MakePod(), {prefer("n0", {}), prefer("n1", {})}, {100, 100}},
  };
  for (const auto& c : cases) {
    PluginRunner<TaintToleration> runner;
    for (const Node& node : c.nodes) runner.handle().Add(node);
    auto scores = runner.Scores(c.pod);
    ASSERT_TRUE(scores.ok()) << c.name;
    EXPECT_EQ(*scores, c.want) << c.name;
  }
}

// Goal: Score without PreScore is an error.
TEST(TaintToleration, ScoreNeedsPreScore) {
  PluginRunner<TaintToleration> runner;
  runner.handle().Add(MakeNode().Name("n"));
  auto score = runner.plugin().Score(CycleState(), MakePod(), runner.handle().node("n"));
  ASSERT_FALSE(score.ok());
  EXPECT_EQ(score.fault(),
            Status::Error("failed to read \"PreScoreTaintToleration\" from cycleState: not found"));
}

TEST(TaintToleration, HintsAtRemovedTaints) {
  const ClusterEvent added = NodeEvent(action::kAdd);
  const ClusterEvent updated = NodeEvent(action::kUpdateNodeTaint);
  const Pod pod = MakePod().Name("p").Toleration("mine", "Exists");
  const Node clean = MakeNode().Name("n");
  const Node tainted = MakeNode().Name("n").Taint("k", "v", "NoExecute");
  const Node more_tainted =
      MakeNode().Name("n").Taint("k", "v", "NoExecute").Taint("l", "", "NoSchedule");
  const Node tolerated = MakeNode().Name("n").Taint("mine", "v", "NoSchedule");
  const Node disliked = MakeNode().Name("n").Taint("k", "v", "PreferNoSchedule");
  const Node cordoned = MakeNode().Name("n").Taint("k", "v", "NoSchedule").Unschedulable(true);
  const Node uncordoned = MakeNode().Name("n").Taint("k", "v", "NoSchedule");
  const HintCase cases[] = {
      {"a tainted node comes", added, pod, WasAdded(tainted), "Skip"},
      {"a clean node comes", added, pod, WasAdded(clean), "Queue"},
      {"a tolerated node comes", added, pod, WasAdded(tolerated), "Queue"},
      {"a disliked node comes", added, pod, WasAdded(disliked), "Queue"},
      {"the taint goes", updated, pod, WasUpdated(tainted, clean), "Queue"},
      {"the taint becomes a tolerated one", updated, pod, WasUpdated(tainted, tolerated), "Queue"},
      {"one of two taints goes", updated, pod, WasUpdated(more_tainted, tainted), "Skip"},
      {"a taint comes", updated, pod, WasUpdated(clean, tainted), "Skip"},
      {"it was tolerated before", updated, pod, WasUpdated(tolerated, clean), "Skip"},
      {"uncordoned, still tainted", updated, pod, WasUpdated(cordoned, uncordoned), "Skip"},
      {"the old object is no node", updated, pod, WithWrongOld(WasUpdated(clean, tainted)),
       "Queue"},
      {"the new object is no node", updated, pod, WithWrongNew(WasUpdated(clean, tainted)),
       "Queue"},
      {"labels", NodeEvent(action::kUpdateNodeLabel), pod, WasUpdated(tainted, clean), "deaf"},
  };
  PluginRunner<TaintToleration> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

TEST(TaintToleration, HintsAtAnyTolerationsOfThePodItself) {
  const ClusterEvent changed = UnscheduledPodEvent(action::kUpdatePodToleration);
  const Pod pod = MakePod().Name("p");
  const HintCase cases[] = {
      {"whatever it tolerates", changed, pod,
       WasUpdated(pod, MakePod().Name("p").Toleration("k", "Exists")), "Queue"},
      {"another pod", changed, pod,
       WasUpdated(MakePod().Name("q"), MakePod().Name("q").Toleration("", "Exists")), "Skip"},
      {"the old object is no pod", changed, pod, WithWrongOld(WasUpdated(pod, MakePod().Name("q"))),
       "Queue"},
  };
  PluginRunner<TaintToleration> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

TEST(TaintToleration, HintsCompareNumbersOnlyWithTheGate) {
  const Pod pod = MakePod().Name("p").Toleration("speed", "Gt", "5", "NoSchedule");
  const EventObjects fast_node = WasAdded(MakeNode().Name("n").Taint("speed", "9", "NoSchedule"));
  for (bool is_on : {false, true}) {
    Features features;
    features.taint_toleration_comparison_operators = is_on;
    PluginRunner<TaintToleration> runner({}, features);
    EXPECT_EQ(HintOf(runner.plugin(), NodeEvent(action::kAdd), pod, fast_node),
              is_on ? "Queue" : "Skip");
  }
}

}  // namespace
}  // namespace stowage
