#include "core/plugins/not_implemented.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

const Node kNode = MakeNode().Name("n").Label("zone", "z1");

// Goal: each volume plugin is flagged for the volumes that it would look at, and for no others.
TEST(NotImplemented, VolumePluginsMatterToTheirVolumes) {
  struct {
    std::string_view name;
    Pod pod;
    bool restrictions;
    bool limits;
    bool binding;
    bool zone;
  } cases[] = {
      {"no volumes", MakePod(), false, false, false, false},
      {"unread volumes", MakePod().EmptyDir().ImageVolume("i"), false, false, false, false},
      {"claim", MakePod().EmptyDir().Pvc("c"), true, true, true, true},
      {"ephemeral volume", MakePod().EphemeralVolume(), false, true, true, false},
      {"in-tree disk", MakePod().InTreeDisk(), true, true, false, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(PluginRunner<VolumeRestrictions>().plugin().Matters(c.pod), c.restrictions) << c.name;
    EXPECT_EQ(PluginRunner<NodeVolumeLimits>().plugin().Matters(c.pod), c.limits) << c.name;
    EXPECT_EQ(PluginRunner<VolumeBinding>().plugin().Matters(c.pod), c.binding) << c.name;
    EXPECT_EQ(PluginRunner<VolumeZone>().plugin().Matters(c.pod), c.zone) << c.name;
  }
}

// Goal: VolumeBinding's zeros are in the scores exactly when storage capacity is scored.
TEST(NotImplemented, VolumeBindingScoresWithItsGate) {
  PluginRunner<VolumeBinding> off;
  off.handle().Add(kNode);
  EXPECT_EQ(*off.Scores(MakePod()), std::vector<int64_t>());
  Features features;
  features.storage_capacity_scoring = true;
  PluginRunner<VolumeBinding> on(NewPluginArgs(VolumeBinding::kName), features);
  on.handle().Add(kNode);
  EXPECT_EQ(*on.Scores(MakePod()), std::vector<int64_t>{0});
}

// Goal: members of pod groups are flagged where the plugins of groups are enabled.
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
