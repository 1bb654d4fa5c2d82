#include "core/plugins/node_unschedulable.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

constexpr std::string_view kTaintKey = "node.kubernetes.io/unschedulable";

// Goal: cordoned nodes accept only pods that tolerate the taint of cordoned nodes.
TEST(NodeUnschedulable, FiltersCordonedNodes) {
  const Node open = MakeNode().Name("n");
  const Node cordoned = MakeNode().Name("n").Unschedulable(true);
  const Node only_tainted = MakeNode().Name("n").Taint(kTaintKey, "", "NoSchedule");
  const Status refused = Status::UnschedulableAndUnresolvable(NodeUnschedulable::kReason);
  struct {
    std::string_view name;
    Pod pod;
    Node node;
    Status want;
  } cases[] = {
      {"open node", MakePod(), open, Status::Success()},
      {"cordoned node", MakePod(), cordoned, refused},
      {"the taint alone does not matter", MakePod(), only_tainted, Status::Success()},
      {"Exists tolerates", MakePod().Toleration(kTaintKey, "Exists", "", "NoSchedule"), cordoned,
       Status::Success()},
      {"any effect tolerates", MakePod().Toleration(kTaintKey, "Exists"), cordoned,
       Status::Success()},
      {"everything is tolerated", MakePod().Toleration("", "Exists"), cordoned, Status::Success()},
      {"Equal with the empty value", MakePod().Toleration(kTaintKey, "Equal"), cordoned,
       Status::Success()},
      {"Equal with a value", MakePod().Toleration(kTaintKey, "Equal", "x"), cordoned, refused},
      {"other effect", MakePod().Toleration(kTaintKey, "Exists", "", "NoExecute"), cordoned,
       refused},
      {"other key", MakePod().Toleration("k", "Exists"), cordoned, refused},
      {"second toleration", MakePod().Toleration("k", "Exists").Toleration(kTaintKey, "Exists"),
       cordoned, Status::Success()},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(RunFilter<NodeUnschedulable>(c.pod, c.node), c.want) << c.name;
  }
}

TEST(NodeUnschedulable, HintsAtUncordonedNodes) {
  const ClusterEvent added = NodeEvent(action::kAdd);
  const ClusterEvent updated = NodeEvent(action::kUpdateNodeTaint);
  const Pod pod = MakePod().Name("p");
  const Pod tolerant = MakePod().Name("p").Toleration(kTaintKey, "Exists");
  const Node open = MakeNode().Name("n");
  const Node cordoned = MakeNode().Name("n").Unschedulable(true);
  const Node tainted = MakeNode().Name("n").Taint("k", "v", "NoSchedule");
  const HintCase cases[] = {
      {"a cordoned node comes", added, pod, WasAdded(cordoned), "Skip"},
      {"an open node comes", added, pod, WasAdded(open), "Queue"},
      {"uncordoned", updated, pod, WasUpdated(cordoned, open), "Queue"},
      {"uncordoned, was tolerated before", updated, tolerant, WasUpdated(cordoned, open), "Queue"},
      {"cordoned", updated, pod, WasUpdated(open, cordoned), "Skip"},
      {"other taints of an open node", updated, pod, WasUpdated(tainted, open), "Skip"},
      {"other taints of a cordoned node", updated, pod, WasUpdated(cordoned, cordoned), "Skip"},
      {"the old object is no node", updated, pod, WithWrongOld(WasUpdated(open, open)), "Queue"},
      {"the new object is no node", added, pod, WithWrongNew(WasAdded(cordoned)), "Queue"},
      {"labels", NodeEvent(action::kUpdateNodeLabel), pod, WasUpdated(cordoned, open), "deaf"},
  };
  PluginRunner<NodeUnschedulable> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

TEST(NodeUnschedulable, HintsAtTolerationsOfThePodItself) {
  const ClusterEvent changed = UnscheduledPodEvent(action::kUpdatePodToleration);
  const Pod pod = MakePod().Name("p");
  const Pod less = MakePod().Name("p").Toleration(kTaintKey, "Lt", "1");
  const HintCase cases[] = {
      {"it tolerates now", changed, pod,
       WasUpdated(pod, MakePod().Name("p").Toleration(kTaintKey, "Exists")), "Queue"},
      {"it tolerates something else", changed, pod,
       WasUpdated(pod, MakePod().Name("p").Toleration("k", "Exists")), "Skip"},
      {"another pod tolerates", changed, pod,
       WasUpdated(MakePod().Name("q"), MakePod().Name("q").Toleration(kTaintKey, "Exists")),
       "Skip"},
      {"comparisons need numbers", changed, pod, WasUpdated(pod, less), "Skip"},
      {"the old object is no pod", changed, pod, WithWrongOld(WasUpdated(pod, pod)), "Queue"},
      {"the new object is no pod", changed, pod, WithWrongNew(WasUpdated(pod, pod)), "Queue"},
  };
  PluginRunner<NodeUnschedulable> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
