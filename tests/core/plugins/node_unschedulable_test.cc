#include "core/plugins/node_unschedulable.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

constexpr std::string_view kTaintKey = "node.kubernetes.io/unschedulable";

// Goal: cordoned nodes take only pods that tolerate the taint of cordoned nodes.
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

}  // namespace
}  // namespace stowage
