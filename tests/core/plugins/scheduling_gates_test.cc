#include "core/plugins/scheduling_gates.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

// Goal: a gated pod stays out of the active queue; the message names its gates in order.
TEST(SchedulingGates, KeepsGatedPodsOutOfTheQueue) {
  struct {
    std::string_view name;
    Pod pod;
    Status want;
  } cases[] = {
      {"no gates", MakePod(), Status::Success()},
      {"one gate", MakePod().SchedulingGates({"foo"}),
       Status::UnschedulableAndUnresolvable("waiting for scheduling gates: [foo]")},
      {"two gates", MakePod().SchedulingGates({"foo", "bar"}),
       Status::UnschedulableAndUnresolvable("waiting for scheduling gates: [foo bar]")},
  };
  PluginRunner<SchedulingGates> runner;
  for (const auto& c : cases) EXPECT_EQ(runner.plugin().PreEnqueue(c.pod), c.want) << c.name;
}

TEST(SchedulingGates, HintsAtThePodItself) {
  const ClusterEvent eliminated = UnscheduledPodEvent(action::kUpdatePodSchedulingGatesEliminated);
  const Pod gated = MakePod().Name("p").SchedulingGates({"foo"});
  const Pod other = MakePod().Name("q").SchedulingGates({"foo"});
  const HintCase cases[] = {
      {"the gates are gone", eliminated, gated, WasUpdated(gated, MakePod().Name("p")), "Queue"},
      {"another pod's are", eliminated, gated, WasUpdated(other, MakePod().Name("q")), "Skip"},
      {"a pod of the same name", eliminated, gated,
       WasUpdated(gated, MakePod().Name("p").Uid("recreated")), "Skip"},
      {"the old object is no pod", eliminated, gated, WithWrongOld(WasUpdated(other, other)),
       "Queue"},
      {"the new object is no pod", eliminated, gated, WithWrongNew(WasUpdated(other, other)),
       "Queue"},
      {"other updates", UnscheduledPodEvent(action::kUpdatePodLabel), gated,
       WasUpdated(gated, gated), "deaf"},
  };
  PluginRunner<SchedulingGates> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
