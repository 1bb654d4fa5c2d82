// Goal: copies of a manager share slices and pools, and yet neither sees the other's changes.
// Method: one pool of two devices; two managers allocate and change slices in turn.
#include "core/dra/dra_manager.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

class DraManagerTest : public AllocatorFixture {
 protected:
  void AddDevices(DraManager* manager, std::string_view slice, std::string_view devices) {
    std::string json = R"({"metadata":{"name":")";
    json.append(slice).append(R"("},"spec":{"driver":"d","pool":{"name":")").append(slice);
    json.append(R"(","generation":1,"resourceSliceCount":1},"nodeName":"n","devices":)");
    json.append(Plain(devices)).append("}}");
    manager->MutableSlices().Put(std::make_shared<const ResourceSlice>(MakeResourceSlice(json)));
  }
  void AddClass(DraManager* manager) {
    manager->PutDeviceClass(std::make_shared<const DeviceClass>(
        MakeDeviceClass(R"({"metadata":{"name":"c"},"spec":{}})")));
  }
  static ResourceClaimRef Allocated(std::string_view pool, std::string_view device) {
    std::string json = R"({"metadata":{"name":"x","namespace":"n"},"status":{"allocation":)";
    json.append(R"({"devices":{"results":[)").append(ResultOf(pool, device)).append("]}}}}");
    return std::make_shared<const ResourceClaim>(MakeResourceClaim(json));
  }
  // The first device that is found; empty if none.
  static std::string Found(DraManager* manager) {
    StepBudget steps;
    Node node;
    node.metadata.name = Symbol("n");
    ResourceClaimRef claims[] = {Claim(Exactly("r"))};
    auto found = manager->NewAllocator()->Allocate(node, claims, &steps);
    EXPECT_TRUE(found.ok());
    if (!found.ok() || found->empty()) return "";
    return found->front()->devices.results.front().device.str();
  }

  Features gates_;
};

TEST_F(DraManagerTest, CopiesHaveTheirOwnAllocations) {
  DraManager first(gates_, selectors_);
  AddClass(&first);
  AddDevices(&first, "p", "a b");
  EXPECT_EQ(Found(&first), "a");
  DraManager second(gates_, selectors_);
  second.CopyStateFrom(first);
  // As many changes of the pool in both: they have equal versions.
  first.in_flight().Signal(Symbol("1"), Allocated("p", "a"));
  second.in_flight().Signal(Symbol("2"), Allocated("p", "b"));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Found(&first), "b");
    EXPECT_EQ(Found(&second), "a");
  }
  DraManager third(gates_, selectors_);
  third.CopyStateFrom(second);
  third.in_flight().Signal(Symbol("3"), Allocated("p", "a"));
  EXPECT_EQ(Found(&third), "");
  EXPECT_EQ(Found(&second), "a");
  EXPECT_EQ(Found(&first), "b");
}

TEST_F(DraManagerTest, CopiesHaveTheirOwnSlices) {
  DraManager first(gates_, selectors_);
  AddClass(&first);
  AddDevices(&first, "p", "a b");
  DraManager second(gates_, selectors_);
  second.CopyStateFrom(first);
  EXPECT_EQ(Found(&second), "a");
  // As many changes in both.
  AddDevices(&first, "p", "c");
  AddDevices(&second, "p", "d");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Found(&first), "c");
    EXPECT_EQ(Found(&second), "d");
  }
}

// Goal: an allocator goes on with the slices that it began with.
TEST_F(DraManagerTest, AllocatorsKeepTheirSlices) {
  auto first = std::make_unique<DraManager>(gates_, selectors_);
  AddClass(first.get());
  AddDevices(first.get(), "p", "a");
  DraManager second(gates_, selectors_);
  second.CopyStateFrom(*first);
  auto allocator = second.NewAllocator();
  AddDevices(&second, "p", "b");
  first = nullptr;
  StepBudget steps;
  Node node;
  node.metadata.name = Symbol("n");
  ResourceClaimRef claims[] = {Claim(Exactly("r"))};
  auto found = allocator->Allocate(node, claims, &steps);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->front()->devices.results.front().device, "a");
}

TEST_F(DraManagerTest, RestoredStatesHaveTheirAllocations) {
  DraManager manager(gates_, selectors_);
  AddClass(&manager);
  AddDevices(&manager, "p", "a b");
  DraManager saved(gates_, selectors_);
  saved.CopyStateFrom(manager);
  manager.in_flight().Signal(Symbol("1"), Allocated("p", "a"));
  EXPECT_EQ(Found(&manager), "b");
  manager.Restore(saved);
  EXPECT_EQ(Found(&manager), "a");
}

}  // namespace
}  // namespace stowage
