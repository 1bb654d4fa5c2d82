#include "core/plugins/not_implemented.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

// Goal: members of pod groups are flagged if the group plugins are enabled.
TEST(NotImplemented, GroupPluginsMatterToMembers) {
  Pod member = MakePod();
  member.spec.scheduling_group.emplace().pod_group_name = Symbol("group");
  EXPECT_TRUE(PluginRunner<TopologyPlacementGenerator>().plugin().Matters(member));
  EXPECT_TRUE(PluginRunner<PodGroupPodsCount>().plugin().Matters(member));
  EXPECT_FALSE(PluginRunner<TopologyPlacementGenerator>().plugin().Matters(MakePod()));
  EXPECT_FALSE(PluginRunner<PodGroupPodsCount>().plugin().Matters(MakePod()));
}

}  // namespace
}  // namespace stowage
