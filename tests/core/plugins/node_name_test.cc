#include "core/plugins/node_name.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

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

}  // namespace
}  // namespace stowage
