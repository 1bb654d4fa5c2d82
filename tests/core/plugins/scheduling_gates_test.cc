#include "core/plugins/scheduling_gates.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

// Goal: a gated pod is held back, naming its gates in their order.
TEST(SchedulingGates, HoldsGatedPodsBack) {
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

}  // namespace
}  // namespace stowage
