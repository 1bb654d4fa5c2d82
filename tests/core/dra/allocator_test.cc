// Goal: the allocator finds the devices that kube-scheduler finds (spec
// plugins/dynamic-resources-allocator). Method: slices and claims, and the devices of the result.
#include "core/dra/allocator.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

class AllocatorTest : public AllocatorFixture {};

TEST_F(AllocatorTest, TakesTheFirstDeviceOfTheNode) {
  AddSlice("s", {.devices = Plain("a b")});
  AddSlice("t", {.pool = "o", .nodes = R"("nodeName":"other")", .devices = Plain("x")});
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/a");
  node_.metadata.name = Symbol("other");
  EXPECT_EQ(Allocate(Exactly("r")), "r=o/x");
  node_.metadata.name = Symbol("third");
  EXPECT_EQ(Allocate(Exactly("r")), "none");
}

TEST_F(AllocatorTest, NeedsNothingForClaimsWithoutRequests) {
  auto result = Run({});
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->empty());
  result = Run({Claim("")});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->size(), 1u);
  EXPECT_TRUE((*result)[0]->devices.results.empty());
}

TEST_F(AllocatorTest, FindsNothingWithoutSlices) { EXPECT_EQ(Allocate(Exactly("r")), "none"); }

TEST_F(AllocatorTest, TakesDevicesOfARequestInIncreasingOrder) {
  AddSlice("s2", {.devices = Plain("c"), .count = 2});
  AddSlice("s1", {.devices = Plain("b a"), .count = 2});
  AddSlice("t", {.pool = "o", .devices = Plain("z")});
  EXPECT_EQ(Allocate(Exactly("r", 4)), "r=o/z r=p/b r=p/a r=p/c");
  EXPECT_EQ(Allocate(Exactly("r", 5)), "none");
  EXPECT_EQ(Allocate(Exactly("r") + "," + Exactly("s", 2)), "r=o/z s=p/b s=p/a");
}

constexpr std::string_view kSmallAndLarge =
    R"([{"name":"large","attributes":{"size":{"string":"large"},"any":{"string":"x"}}},
        {"name":"small","attributes":{"size":{"string":"small"},"any":{"string":"x"}}}])";

TEST_F(AllocatorTest, GoesBackOverRequestsAndClaims) {
  AddSlice("s", {.devices = std::string(kSmallAndLarge)});
  std::string any = Exactly("any", 1, Selector("any=x"));
  std::string large = Exactly("large", 1, Selector("size=large"));
  EXPECT_EQ(Allocate(any), "any=p/large");
  EXPECT_EQ(Allocate(any + "," + large), "any=p/small large=p/large");
  EXPECT_EQ(Allocate({Claim(any), Claim(large, "", "second")}), "any=p/small | large=p/large");
  EXPECT_EQ(Allocate({Claim(large), Claim(large, "", "second")}), "none");
}

TEST_F(AllocatorTest, EvaluatesClassAndRequestSelectors) {
  AddSlice("s", {.devices = std::string(kSmallAndLarge)});
  AddSlice("t", {.pool = "q", .devices = Plain("e"), .driver = "e"});
  AddClass("c", R"({"selectors":[{"cel":{"expression":"driver=d"}}]})");
  EXPECT_EQ(Allocate(Exactly("r", 1, Selector("size=small"))), "r=p/small");
  EXPECT_EQ(Allocate(Exactly("r", 1, Selector("driver=e"))), "none");
  EXPECT_EQ(Allocate(Exactly("r", 3)), "none");
}

TEST_F(AllocatorTest, LeavesAllocatedDevicesAlone) {
  AddSlice("s", {.devices = Plain("a b")});
  SetAllocated("p", "a");
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/b");
  EXPECT_EQ(Allocate(Exactly("r", 2)), "none");
  SetAllocated("p", "b");
  EXPECT_EQ(Allocate(Exactly("r")), "none");
}

TEST_F(AllocatorTest, GivesAdminsDevicesThatAreInUse) {
  AddSlice("s", {.devices = Plain("a b")});
  SetAllocated("p", "a");
  std::string admin = R"(,"adminAccess":true)";
  EXPECT_EQ(Allocate(Exactly("r", 1, admin)), "r=p/a admin");
  EXPECT_EQ(Allocate(Exactly("r", 2, admin)), "r=p/a admin r=p/b admin");
  EXPECT_EQ(Allocate(Exactly("r", 3, admin)), "none");
  // Two requests of one claim never share a device, two claims do.
  EXPECT_EQ(Allocate(Exactly("r", 2, admin) + "," + Exactly("s", 1, admin)), "none");
  EXPECT_EQ(Allocate({Claim(Exactly("r", 1, admin)), Claim(Exactly("s", 1, admin), "", "second")}),
            "r=p/a admin | s=p/a admin");
  EXPECT_EQ(Allocate({Claim(Exactly("r", 2, admin)), Claim(Exactly("s"), "", "second")}), "none");
  EXPECT_EQ(Allocate(All("r", admin)), "r=p/a admin r=p/b admin");
  EXPECT_EQ(Allocate(Exactly("r", 1, R"(,"adminAccess":false)")), "r=p/b");
}

TEST_F(AllocatorTest, TakesAllDevicesOrNone) {
  AddSlice("s", {.devices = std::string(kSmallAndLarge)});
  AddSlice("t", {.pool = "q", .devices = Plain("e")});
  EXPECT_EQ(Allocate(All("r")), "r=p/large r=p/small r=q/e");
  EXPECT_EQ(Allocate(All("r", Selector("size=small"))), "r=p/small");
  EXPECT_EQ(Allocate(All("r", Selector("size=huge"))), "none");
  // The device that a request before it takes is one of all devices.
  EXPECT_EQ(Allocate(Exactly("one") + "," + All("r")), "none");
  EXPECT_EQ(Allocate(All("r") + "," + Exactly("one")), "none");
  EXPECT_EQ(Allocate(Exactly("one") + "," + All("r", Selector("size=large"))),
            "one=p/small r=p/large");
  SetAllocated("p", "small");
  EXPECT_EQ(Allocate(All("r")), "none");
}

TEST_F(AllocatorTest, LimitsTheDevicesOfAClaim) {
  std::string names;
  for (int device = 0; device < 40; ++device) names += " d" + std::to_string(device);
  AddSlice("s", {.devices = Plain(names.substr(1))});
  std::string text = "error: claim ns/claim: number of requested devices ";
  EXPECT_EQ(Allocate(All("r")), text + "40 exceeds the claim limit of 32");
  EXPECT_EQ(Allocate(Exactly("r", 33)), text + "33 exceeds the claim limit of 32");
  EXPECT_EQ(Allocate(Exactly("r", 30) + "," + Exactly("s", 3)),
            text + "33 exceeds the claim limit of 32");
  auto result = Run({Claim(Exactly("r", 32))});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->front()->devices.results.size(), 32u);
  // The limit is that of each claim.
  result = Run({Claim(Exactly("r", 20)), Claim(Exactly("s", 20), "", "second")});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->size(), 2u);
}

TEST_F(AllocatorTest, CountsModesAsTheApiServerDoes) {
  AddSlice("s", {.devices = Plain("a b")});
  EXPECT_EQ(Allocate(R"({"name":"r","exactly":{"deviceClassName":"c"}})"), "r=p/a");
  EXPECT_EQ(Allocate(R"({"name":"r","exactly":{"deviceClassName":"c","count":2}})"), "r=p/a r=p/b");
}

TEST_F(AllocatorTest, OrdersPoolsWithBindingConditionsLast) {
  AddSlice("a", {.pool = "a", .devices = R"([{"name":"x"},
      {"name":"y","bindingConditions":["Ready"],"bindingFailureConditions":["Failed"]}])"});
  AddSlice("b", {.pool = "b", .devices = Plain("z")});
  EXPECT_EQ(Allocate(Exactly("r", 3)), "r=b/z r=a/x r=a/y");
  auto result = Run({Claim(Exactly("r", 3))});
  const DeviceRequestAllocationResult& last = result->front()->devices.results.back();
  ASSERT_EQ(last.binding_conditions.size(), 1u);
  EXPECT_EQ(last.binding_conditions[0], "Ready");
  ASSERT_EQ(last.binding_failure_conditions.size(), 1u);
  EXPECT_EQ(last.binding_failure_conditions[0], "Failed");
  features_.binding_conditions = false;
  EXPECT_EQ(Allocate(Exactly("r", 3)), "none");
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=b/z r=a/x");
}

TEST_F(AllocatorTest, EndsWhenTheStepsAreUsedUp) {
  std::string names;
  for (int device = 0; device < 24; ++device) names += " d" + std::to_string(device);
  AddSlice("s", {.devices = Plain(names.substr(1))});
  std::string requests = Exactly("r", 12) + "," + Exactly("s", 13);  // 24 over 12 combinations
  steps_.Begin(10'000, 1);
  EXPECT_EQ(Allocate(requests), "exhausted");
  steps_.Begin(10'000, 1);
  EXPECT_EQ(Allocate(Exactly("r", 24)).substr(0, 6), "r=p/d0");
  EXPECT_LT(steps_.spent(), 100u);
}

TEST_F(AllocatorTest, CanBeUsedForManyNodesAndClaims) {
  AddSlice("s", {.devices = std::string(kSmallAndLarge)});
  AddSlice("t", {.pool = "q", .nodes = R"("nodeName":"m")", .devices = Plain("e")});
  auto pools = std::make_shared<ResourcePools>(slices_, true);
  auto allocator = MakeAllocator({features_, allocated_, slices_, *this, selectors_, pools});
  ResourceClaimRef large = Claim(Exactly("r", 1, Selector("size=large")));
  ResourceClaimRef two = Claim(Exactly("r", 2));
  Node other = FromJson<Node>(ObjectKind::kNode, R"({"metadata":{"name":"m"}})");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Text(allocator->Allocate(node_, std::vector{large}, &steps_)), "r=p/large");
    EXPECT_EQ(Text(allocator->Allocate(other, std::vector{large}, &steps_)), "none");
    EXPECT_EQ(Text(allocator->Allocate(node_, std::vector{two}, &steps_)), "r=p/large r=p/small");
    EXPECT_EQ(Text(allocator->Allocate(node_, std::vector{two, large}, &steps_)), "none");
  }
  // Each expression is evaluated once per device.
  EXPECT_EQ(selectors_.num_evaluations, 2u);
}

}  // namespace
}  // namespace stowage
