#include "core/plugins/dynamic_resources.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

// Goal: a pod without claims passes everywhere and scores 0 on every node.
TEST(DynamicResources, PassesPodsWithoutClaims) {
  PluginRunner<DynamicResources> runner;
  runner.handle().Add(MakeNode().Name("n0").Obj()).Add(MakeNode().Name("n1").Obj());
  EXPECT_TRUE(runner.plugin().PreEnqueue(MakePod()).IsSuccess());
  EXPECT_TRUE(runner.PreFilter(MakePod()).IsSkip());
  EXPECT_TRUE(runner.Filter(MakePod(), "n0").IsSuccess());
  auto scores = runner.Scores(MakePod());
  ASSERT_TRUE(scores.ok());
  EXPECT_EQ(*scores, (std::vector<int64_t>{0, 0}));
  EXPECT_TRUE(runner.plugin().Reserve(runner.state(), MakePod(), Symbol("n0")).IsSuccess());
  EXPECT_TRUE(runner.plugin().PreBindPreFlight(runner.state(), MakePod(), Symbol("n0")).IsSkip());
}

// Goal: the plugin's part of failure messages, even if its PreFilter did not run.
TEST(DynamicResources, PostFilterHasNothingToDeallocate) {
  PluginRunner<DynamicResources> runner;
  NodeToStatus statuses(0);
  PostFilterResult result;
  CycleState fresh;
  const Pod pod = MakePod();
  const Pod claiming = MakePod().ResourceClaim("c");
  EXPECT_EQ(RunToEnd(runner.plugin().PostFilter(fresh, pod, statuses, &result)),
            Status::Error("not found"));
  ASSERT_TRUE(runner.PreFilter(MakePod()).IsSkip());
  EXPECT_EQ(RunToEnd(runner.plugin().PostFilter(runner.state(), pod, statuses, &result)),
            Status::Unschedulable("no new claims to deallocate"));
  EXPECT_EQ(RunToEnd(runner.plugin().PostFilter(runner.state(), claiming, statuses, &result)),
            Status::Unschedulable("still not schedulable"));
  EXPECT_FALSE(result.nominated_node_name.has_value());
}

// Goal: exactly the pods that need devices are flagged.
TEST(DynamicResources, MattersToPodsWithClaims) {
  constexpr std::string_view kImplicit = "deviceclass.resource.kubernetes.io/gpu";
  struct {
    std::string_view name;
    Pod pod;
    bool want;
  } cases[] = {
      {"plain pod", MakePod().Req({{"cpu", "1"}}), false},
      {"claim", MakePod().ResourceClaim("c"), true},
      {"device plugin's resource", MakePod().Req({{"example.com/gpu", "1"}}), false},
      {"resource of a DeviceClass", MakePod().Req({{kImplicit, "1"}}), true},
      {"the same in an init container", MakePod().InitReq({{kImplicit, "1"}}), true},
      {"none of it", MakePod().Req({{kImplicit, "0"}}), false},
  };
  Features disabled;
  disabled.dra_extended_resource = false;
  for (const auto& c : cases) {
    PluginRunner<DynamicResources> runner;
    EXPECT_EQ(runner.plugin().Matters(c.pod), c.want) << c.name;
    PluginRunner<DynamicResources> off(NewPluginArgs(DynamicResources::kName), disabled);
    EXPECT_EQ(off.plugin().Matters(c.pod), c.want && !c.pod.spec.resource_claims.empty()) << c.name;
  }
}

}  // namespace
}  // namespace stowage
