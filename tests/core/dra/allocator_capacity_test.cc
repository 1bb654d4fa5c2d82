// Goal: requests share the capacity of devices that allow it (spec
// plugins/dynamic-resources-allocator "Capacity test").
#include <gtest/gtest.h>

#include <string>

#include "core/dra/consumable_capacity.h"
#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

std::string Shared(std::string_view name, std::string_view capacity) {
  std::string json = R"([{"name":")";
  json.append(name).append(R"(","allowMultipleAllocations":true,"capacity":)");
  return json.append(capacity).append("}]");
}
std::string Wants(std::string_view amount) {
  std::string json = R"(,"capacity":{"requests":{"m":")";
  return json.append(amount).append("\"}}");
}

class AllocatorCapacity : public AllocatorFixture {};

// Goal: a policy rounds and refuses amounts. Method: what a request for an amount takes; "" if it
// does not fit.
TEST_F(AllocatorCapacity, FollowsPolicies) {
  constexpr std::string_view kStep =
      R"("requestPolicy":{"default":"2Gi","validRange":{"min":"1Gi","step":"2Gi","max":"7Gi"}})";
  constexpr std::string_view kRange = R"("requestPolicy":{"validRange":{"min":"1Gi"}})";
  constexpr std::string_view kMax = R"("requestPolicy":{"validRange":{"max":"4Gi"}})";
  constexpr std::string_view kValues =
      R"("requestPolicy":{"default":"1","validValues":["1","2","4"]})";
  constexpr std::string_view kDefaultOnly = R"("requestPolicy":{"default":"3Gi"})";
  struct {
    std::string_view policy;
    std::string_view value;
    std::string_view requested;
    std::string_view want;
  } cases[] = {
      {"", "8Gi", "", "8Gi"},
      {"", "8Gi", "3Gi", "3Gi"},
      {"", "8Gi", "9Gi", ""},
      {kStep, "8Gi", "", "2Gi"},  // the default needs no step
      {kStep, "8Gi", "500Mi", "1Gi"},
      {kStep, "8Gi", "1Gi", "1Gi"},
      {kStep, "8Gi", "2Gi", "3Gi"},
      {kStep, "8Gi", "6Gi", "7Gi"},
      {kStep, "16Gi", "8Gi", ""},
      {kStep, "8Gi", "1073741825", "3Gi"},
      {kRange, "8Gi", "3", "1Gi"},
      {kRange, "8Gi", "1500Mi", "1500Mi"},
      {kRange, "8Gi", "", "8Gi"},
      {kMax, "8Gi", "3Gi", "3Gi"},
      {kMax, "8Gi", "5Gi", ""},
      {kMax, "8Gi", "", ""},  // the full value is above the maximum
      {kValues, "8", "", "1"},
      {kValues, "8", "1", "1"},
      {kValues, "8", "3", "4"},
      {kValues, "8", "5", ""},
      {kValues, "3", "3", ""},
      {kDefaultOnly, "8Gi", "", "3Gi"},
      {kDefaultOnly, "8Gi", "1", "1"},
  };
  for (const auto& c : cases) {
    std::string capacity = R"({"m":{"value":")" + std::string(c.value) + "\"";
    if (!c.policy.empty()) capacity.append(",").append(c.policy);
    AddSlice("s", {.devices = Shared("a", capacity + "}}")});
    std::string want = c.want.empty() ? "none" : "r=p/a m:" + std::string(c.want);
    EXPECT_EQ(Allocate(Exactly("r", 1, c.requested.empty() ? "" : Wants(c.requested))), want)
        << c.policy << " " << c.value << " " << c.requested;
  }
}

TEST_F(AllocatorCapacity, IsSharedByRequestsAndClaims) {
  AddSlice("s", {.devices = Shared("a", R"({"m":{"value":"4"}})")});
  AddSlice("t", {.pool = "q", .devices = Shared("b", R"({"m":{"value":"3"}})")});
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("2")) + "," + Exactly("s", 1, Wants("2"))),
            "r=p/a m:2 s=p/a m:2");
  // What remains decides, then the next device.
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("3")) + "," + Exactly("s", 1, Wants("2"))),
            "r=p/a m:3 s=q/b m:2");
  EXPECT_EQ(Allocate({Claim(Exactly("r", 1, Wants("3"))),
                      Claim(Exactly("s", 1, Wants("1")), "", "second"),
                      Claim(Exactly("t", 1, Wants("3")), "", "third")}),
            "r=p/a m:3 | s=p/a m:1 | t=q/b m:3");
  // The devices of one request are different ones.
  EXPECT_EQ(Allocate(Exactly("r", 2, Wants("1"))), "r=p/a m:1 r=q/b m:1");
  EXPECT_EQ(Allocate(Exactly("r", 3, Wants("1"))), "none");
  // Going back: r must leave a to s.
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("2")) + "," + Exactly("s", 1, Wants("4"))),
            "r=q/b m:2 s=p/a m:4");
}

TEST_F(AllocatorCapacity, IsTakenByOthers) {
  AddSlice("s", {.devices = Shared("a", R"({"m":{"value":"4"}})")});
  SetAllocated(
      R"({"driver":"d","pool":"p","device":"a","shareID":"x","consumedCapacity":{"m":"3"}})");
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("2"))), "none");
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("1"))), "r=p/a m:1");
  EXPECT_EQ(Allocate(All("r", Wants("2"))), "none");
  EXPECT_EQ(Allocate(All("r", Wants("1"))), "r=p/a m:1");
  // Allocated as a whole before it became shared.
  SetAllocated("p", "a");
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("1"))), "none");
}

TEST_F(AllocatorCapacity, DeviceWithoutTheCapacityIsNotForTheRequest) {
  AddSlice("s", {.devices = R"([{"name":"a"},{"name":"b","capacity":{"m":{"value":"2"}}},
                                {"name":"c","capacity":{"m":{"value":"4"}}}])"});
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("1"))), "r=p/b");
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("3"))), "r=p/c");
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("5"))), "none");
  EXPECT_EQ(Allocate(All("r", Wants("1"))), "r=p/b r=p/c");
  // Dedicated devices give the whole device, whatever the request asks.
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("1")) + "," + Exactly("s", 1, Wants("1"))),
            "r=p/b s=p/c");
}

TEST_F(AllocatorCapacity, SharesHaveIds) {
  AddSlice("s", {.devices = Shared("a", R"({"m":{"value":"4"}})")});
  ResourceClaimRef claim = Claim(Exactly("r", 1, Wants("1")) + "," + Exactly("s", 1, Wants("1")));
  auto result = Run({claim});
  ASSERT_TRUE(result.ok());
  const auto& devices = result->front()->devices.results;
  ASSERT_EQ(devices.size(), 2u);
  ASSERT_TRUE(devices[0].share_id);
  ASSERT_TRUE(devices[1].share_id);
  EXPECT_EQ(devices[0].share_id->view().size(), 36u);
  EXPECT_NE(*devices[0].share_id, *devices[1].share_id);
  EXPECT_EQ(Run({claim})->front()->devices.results[0].share_id, devices[0].share_id);
}

TEST_F(AllocatorCapacity, SharedDeviceWithoutCapacityHasNoLimit) {
  AddSlice("s", {.devices = R"([{"name":"a","allowMultipleAllocations":true}])"});
  EXPECT_EQ(Allocate(Exactly("r") + "," + Exactly("s")), "r=p/a s=p/a");
}

TEST_F(AllocatorCapacity, IsOneOfTheAlternatives) {
  AddSlice("s", {.devices = Shared("a", R"({"m":{"value":"4"}})")});
  std::string subs = Sub("large", 1, Wants("8")) + "," + Sub("small", 1, Wants("3"));
  EXPECT_EQ(Allocate(FirstAvailable("r", subs)), "r/small=p/a m:3");
}

TEST_F(AllocatorCapacity, NeedsTheGate) {
  AddSlice("s", {.devices = Shared("a", R"({"m":{"value":"4"}})")});
  features_.consumable_capacity = false;
  constexpr std::string_view kDisabled =
      ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
  EXPECT_EQ(Allocate(Exactly("r", 1, Wants("1"))),
            "error: claim ns/claim, request r" + std::string(kDisabled));
  EXPECT_EQ(Allocate(FirstAvailable("r", Sub("s", 1, Wants("1")))),
            "error: claim ns/claim, subrequest s" + std::string(kDisabled));
  EXPECT_EQ(Allocate(Exactly("r") + "," + Exactly("s")), "none");
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/a");
}

}  // namespace
}  // namespace stowage
