#include "core/plugins/not_implemented.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

// Goal: members of pod groups are flagged if the group plugins are enabled.
TEST(NotImplemented, GroupPluginsMatterToMembers) {
  Pod member = MakePod();
  member.spec.scheduling_group.emplace().pod_group_name = Symbol("group");
  EXPECT_TRUE(PluginRunner<GangScheduling>().plugin().Matters(member));
  EXPECT_TRUE(PluginRunner<TopologyPlacementGenerator>().plugin().Matters(member));
  EXPECT_TRUE(PluginRunner<PodGroupPodsCount>().plugin().Matters(member));
  EXPECT_FALSE(PluginRunner<GangScheduling>().plugin().Matters(MakePod()));
  EXPECT_FALSE(PluginRunner<TopologyPlacementGenerator>().plugin().Matters(MakePod()));
  EXPECT_FALSE(PluginRunner<PodGroupPodsCount>().plugin().Matters(MakePod()));
}

TEST(NotImplemented, GangSchedulingHintsAtPodsOfTheGroup) {
  auto member = [](std::string_view name, std::string_view namespace_, std::string_view group) {
    Pod pod = MakePod().Name(name).Namespace(namespace_);
    pod.spec.scheduling_group.emplace().pod_group_name = Symbol(group);
    return pod;
  };
  const ClusterEvent added = UnscheduledPodEvent(action::kAdd);
  const Pod pod = member("p", "a", "gang");
  const HintCase cases[] = {
      {"of the group", added, pod, WasAdded(member("q", "a", "gang")), "Queue"},
      {"already on a node", AssignedPodEvent(action::kAdd), pod, WasAdded(member("q", "a", "gang")),
       "Queue"},
      {"of another group", added, pod, WasAdded(member("q", "a", "other")), "Skip"},
      {"of another namespace", added, pod, WasAdded(member("q", "b", "gang")), "Skip"},
      {"of none", added, pod, WasAdded(MakePod().Name("q").Namespace("a")), "Skip"},
      {"the pod has none", added, MakePod().Name("p"), WasAdded(MakePod().Name("q")), "Skip"},
      {"the object is no pod", added, pod, WithWrongNew(WasAdded(MakePod())), "Queue"},
  };
  PluginRunner<GangScheduling> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
