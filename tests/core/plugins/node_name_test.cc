#include "core/plugins/node_name.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

// Goal: a pod that names a node runs only there. Method: one pod, one node, the verdict.
TEST(NodeName, FiltersByRequestedNode) {
  struct {
    std::string_view name;
    Pod pod;
    Node node;
    Status want;
  } cases[] = {
      {"no node requested", MakePod(), MakeNode().Name("a"), Status::Success()},
      {"requested node", MakePod().Node("a"), MakeNode().Name("a"), Status::Success()},
      {"other node", MakePod().Node("b"), MakeNode().Name("a"),
       Status::UnschedulableAndUnresolvable(NodeName::kReason)},
  };
  for (const auto& c : cases) EXPECT_EQ(RunFilter<NodeName>(c.pod, c.node), c.want) << c.name;
}

TEST(NodeName, QueuesForEveryNewNode) {
  PluginRunner<NodeName> runner;
  const Pod pod = MakePod().Node("a");
  const Node node = MakeNode().Name("b");
  EXPECT_EQ(HintOf(runner.plugin(), NodeEvent(action::kAdd), pod, WasAdded(node)), "Queue");
  EXPECT_EQ(
      HintOf(runner.plugin(), NodeEvent(action::kUpdateNodeLabel), pod, WasUpdated(node, node)),
      "deaf");
}

}  // namespace
}  // namespace stowage
