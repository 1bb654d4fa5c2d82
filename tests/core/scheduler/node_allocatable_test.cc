// Goal: with gate DRANodeAllocatableResources, what devices take of a node counts there for all
// plugins, from Assume on (spec plugins/dynamic-resources-extended, part 2). Method: whole turns of
// a scheduler with a node of 4 cpus, whose devices take 2 of them each.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kClass =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{}})";
constexpr std::string_view kSlice =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},)"
    R"("spec":{"driver":"d","nodeName":"a","pool":{"name":"a","generation":1,)"
    R"("resourceSliceCount":1},"devices":[)"
    R"({"name":"x","nodeAllocatableResourceMappings":{"cpu":{"allocationMultiplier":"2"}}},)"
    R"({"name":"y","nodeAllocatableResourceMappings":{"cpu":{"allocationMultiplier":"2"}}}]}})";
constexpr std::string_view kGate = R"("featureGates":{"DRANodeAllocatableResources":true})";

std::string Claim(const std::string& name) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":")" +
         name + R"(","namespace":"default","uid":"u)" + name +
         R"("},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu",)" +
         R"("allocationMode":"ExactCount","count":1}}]}}})";
}

// A pod of 1 cpu whose container uses the claim.
std::string UserOf(const std::string& name, const std::string& claim) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
         R"(","namespace":"default","uid":"uid-)" + name +
         R"("},"spec":{"schedulerName":"default-scheduler","resourceClaims":[{"name":"g",)" +
         R"("resourceClaimName":")" + claim + R"("}],"containers":[{"name":"main","resources":{)" +
         R"("requests":{"cpu":"1"},"claims":[{"name":"g"}]}}]}})";
}

std::vector<std::string> Objects() {
  return {NodeText{"a"}, std::string(kClass), std::string(kSlice), Claim("c"), Claim("e")};
}

int64_t RequestedCpu(Engine& engine) {
  return engine.Inspect(R"({"node":"a"})")["requested"]["milliCPU"].number();
}

TEST(NodeAllocatable, CountsForAllPods) {
  Engine engine("{\"keepObjects\":true," + std::string(kGate) + "}");
  engine.Add(Objects()).Add({UserOf("p", "c"), UserOf("q", "e"), PodText{.name = "r", .cpu = "2"},
                             PodText{.name = "s", .cpu = "1"}});
  std::vector<JsonTree> records = engine.Run();
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0]["node"].text(), "a");
  EXPECT_EQ(records[1]["message"].text().substr(0, 44),
            "0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(records[1]["unschedulablePlugins"].Words(), "DynamicResources ");
  EXPECT_EQ(records[2]["unschedulablePlugins"].Words(), "NodeResourcesFit ");
  EXPECT_EQ(records[3]["node"].text(), "a");
  EXPECT_EQ(RequestedCpu(engine), 4000);
  JsonTree pod = engine.Inspect(R"({"objects":"Pod","name":"p"})")["items"][0];
  JsonTree taken = pod["status"]["nodeAllocatableResourceClaimStatuses"][0];
  EXPECT_EQ(taken["resourceClaimName"].text(), "c");
  EXPECT_EQ(taken["containers"].Words(), "main ");
  EXPECT_EQ(taken["resources"]["cpu"].text(), "2");
  // The claim of p is free again, and so are the node's cpus.
  engine.Add({Event("DELETED", UserOf("p", "c")), Event("DELETED", PodText{.name = "r"})});
  std::string decisions = engine.Decide();
  engine.Sleep(60'000'000);
  decisions += engine.Decide();
  EXPECT_EQ(decisions, "q@a ");
  EXPECT_EQ(RequestedCpu(engine), 4000);
}

TEST(NodeAllocatable, DoesNotCountWithoutTheGate) {
  Engine engine(R"({"keepObjects":true})");
  engine.Add(Objects()).Add({UserOf("p", "c"), UserOf("q", "e")});
  EXPECT_EQ(engine.Decide(), "p@a q@a ");
  EXPECT_EQ(RequestedCpu(engine), 2000);
}

// Goal: a pod whose binding fails takes nothing any more.
TEST(NodeAllocatable, IsTakenBackWithThePod) {
  FakeBehavior refuser{.name = "Refuser",
                       .permit = [](int64_t*) { return Status::Unschedulable("no"); }};
  Engine engine({refuser}, "\"keepObjects\":true," + std::string(kGate));
  engine.Add(Objects()).Add({UserOf("p", "c")});
  EXPECT_EQ(engine.Decide().substr(0, 2), "p:");
  EXPECT_EQ(RequestedCpu(engine), 0);
}

// Goal: a pod that was bound before the scheduler started counts with what its status says.
TEST(NodeAllocatable, ReadsTheStatusOfBoundPods) {
  const std::string pod =
      PodText{.name = "p",
              .node = "a",
              .status = R"("nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"c",)"
                        R"("containers":["c"],"resources":{"cpu":"2500m"}}])"};
  Engine engine("{" + std::string(kGate) + "}");
  engine.Add({NodeText{"a"}, pod});
  engine.Run();
  EXPECT_EQ(RequestedCpu(engine), 3500);
  Engine without;
  without.Add({NodeText{"a"}, pod});
  without.Run();
  EXPECT_EQ(RequestedCpu(without), 1000);
}

}  // namespace
}  // namespace stowage
