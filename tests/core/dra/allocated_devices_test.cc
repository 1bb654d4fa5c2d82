// Goal: a device is in use exactly as long as an allocation holds it (spec
// plugins/dynamic-resources "Shared state").
#include "core/dra/allocated_devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/from_json.h"

namespace stowage {
namespace {

AllocationResult Allocation(std::string_view results) {
  std::string json =
      R"({"metadata":{"name":"c","namespace":"n"},"status":{"allocation":{"devices":)";
  json.append(R"({"results":[)").append(results).append("]}}}}");
  return *MakeResourceClaim(json).status.allocation;
}

DeviceId Id(std::string_view device) { return {Symbol("d"), Symbol("p"), Symbol(device)}; }

TEST(AllocatedDevices, AreASetAndTheDevicesInFlight) {
  AllocatedDevices devices(true);
  AllocationResult allocation = Allocation(R"({"driver":"d","pool":"p","device":"x"})");
  EXPECT_EQ(devices.Find(Id("x")), nullptr);
  devices.Add(allocation);
  devices.AddInFlight(allocation);
  devices.AddInFlight(allocation);
  // The device is in use before and after, so that nothing changes for other claims.
  devices.Remove(allocation);
  devices.RemoveInFlight(allocation);
  EXPECT_EQ(devices.changes().end(), 1u);
  ASSERT_NE(devices.Find(Id("x")), nullptr);
  EXPECT_TRUE(devices.Find(Id("x"))->is_dedicated());
  EXPECT_EQ(devices.Find(Id("y")), nullptr);
  devices.RemoveInFlight(allocation);
  EXPECT_EQ(devices.Find(Id("x")), nullptr);
  EXPECT_EQ(devices.changes().end(), 2u);
  const PoolId pool{Symbol("d"), Symbol("p")};
  EXPECT_TRUE(std::ranges::equal(*devices.changes().Since(0), std::vector{pool, pool}));
}

TEST(DeviceChanges, KeepTheLastOnes) {
  DeviceChanges changes;
  const PoolId first{Symbol("d"), Symbol("first")};
  const PoolId last{Symbol("d"), Symbol("last")};
  for (size_t count = 0; count < 2 * DeviceChanges::kKept; ++count) changes.Add(first);
  ASSERT_TRUE(changes.Since(0));
  EXPECT_EQ(changes.Since(0)->size(), 2 * DeviceChanges::kKept);
  changes.Add(last);
  EXPECT_EQ(changes.end(), 2 * DeviceChanges::kKept + 1);
  EXPECT_FALSE(changes.Since(0));
  EXPECT_FALSE(changes.Since(DeviceChanges::kKept - 1));
  EXPECT_EQ(changes.Since(DeviceChanges::kKept)->size(), DeviceChanges::kKept + 1);
  ASSERT_EQ(changes.Since(changes.end() - 1)->size(), 1u);
  EXPECT_EQ(changes.Since(changes.end() - 1)->front(), last);
  EXPECT_TRUE(changes.Since(changes.end())->empty());
}

// As in the reference, which keeps a set.
TEST(AllocatedDevices, AreFreedByTheFirstOfTwoClaims) {
  AllocatedDevices devices(true);
  AllocationResult allocation = Allocation(R"({"driver":"d","pool":"p","device":"x"})");
  devices.Add(allocation);
  devices.Add(allocation);
  devices.Remove(allocation);
  EXPECT_EQ(devices.Find(Id("x")), nullptr);
  devices.Remove(allocation);
  EXPECT_EQ(devices.size(), 0u);
}

TEST(AllocatedDevices, DoNotCountAdminAccess) {
  AllocatedDevices devices(true);
  AllocationResult allocation =
      Allocation(R"({"driver":"d","pool":"p","device":"x","adminAccess":true})");
  devices.Add(allocation);
  EXPECT_EQ(devices.size(), 0u);
  devices.Remove(allocation);
  EXPECT_EQ(devices.size(), 0u);
}

constexpr std::string_view kShareA =
    R"({"driver":"d","pool":"p","device":"x","shareID":"a","consumedCapacity":{"m":"1Gi"}})";
constexpr std::string_view kShareB =
    R"({"driver":"d","pool":"p","device":"x","shareID":"b","consumedCapacity":{"m":"2Gi","n":"3"}})";

TEST(AllocatedDevices, SumTheCapacityOfShares) {
  AllocatedDevices devices(true);
  devices.Add(Allocation(kShareA));
  devices.AddInFlight(Allocation(kShareA));
  devices.Add(Allocation(kShareB));
  const DeviceUse* use = devices.Find(Id("x"));
  ASSERT_NE(use, nullptr);
  EXPECT_FALSE(use->is_dedicated());
  EXPECT_EQ(use->shares.size(), 2u);
  EXPECT_EQ(*use->consumed_capacity.Find(Symbol("m")), *Quantity::Parse("3Gi"));
  EXPECT_EQ(*use->consumed_capacity.Find(Symbol("n")), Quantity(3));
  devices.Remove(Allocation(kShareB));
  EXPECT_EQ(devices.Find(Id("x"))->consumed_capacity.Find(Symbol("n")), nullptr);
  devices.Remove(Allocation(kShareA));
  EXPECT_NE(devices.Find(Id("x")), nullptr);
  devices.RemoveInFlight(Allocation(kShareA));
  EXPECT_EQ(devices.Find(Id("x")), nullptr);
}

TEST(AllocatedDevices, KnowNoSharesWithoutTheGate) {
  AllocatedDevices devices(false);
  devices.Add(Allocation(kShareA));
  ASSERT_NE(devices.Find(Id("x")), nullptr);
  EXPECT_TRUE(devices.Find(Id("x"))->is_dedicated());
  devices.Remove(Allocation(kShareA));
  EXPECT_EQ(devices.size(), 0u);
}

TEST(AllocatedDevices, VersionOfAPoolChangesWithItsDevices) {
  AllocatedDevices devices(true);
  AllocationResult in_p = Allocation(R"({"driver":"d","pool":"p","device":"x"})");
  AllocationResult in_q = Allocation(R"({"driver":"d","pool":"q","device":"x"})");
  PoolId p{Symbol("d"), Symbol("p")};
  uint64_t version = devices.VersionOfPool(p);
  EXPECT_FALSE(devices.HasDevicesInUse(p));
  devices.Add(in_q);
  EXPECT_EQ(devices.VersionOfPool(p), version);
  devices.Add(in_p);
  EXPECT_GT(devices.VersionOfPool(p), version);
  EXPECT_TRUE(devices.HasDevicesInUse(p));
  version = devices.VersionOfPool(p);
  devices.Remove(in_q);
  EXPECT_EQ(devices.VersionOfPool(p), version);
  devices.Remove(in_p);
  EXPECT_GT(devices.VersionOfPool(p), version);
  EXPECT_FALSE(devices.HasDevicesInUse(p));
}

TEST(AllocatedDevices, ForgetPoolsThatAreGone) {
  AllocatedDevices devices(true);
  PoolId first{Symbol("d"), Symbol("0")};
  uint64_t version = 0;
  for (int number = 0; number < 60'000; ++number) {
    std::string result = R"({"driver":"d","device":"x","pool":")" + std::to_string(number) + "\"}";
    AllocationResult allocation = Allocation(result);
    devices.Add(allocation);
    devices.Remove(allocation);
    ASSERT_GE(devices.VersionOfPool(first), version);
    version = devices.VersionOfPool(first);
  }
  EXPECT_GT(version, 100'000u);  // it was forgotten, and counts as changed
  EXPECT_EQ(devices.size(), 0u);
}

}  // namespace
}  // namespace stowage
