// Goal: devices that share counters are never allocated beyond them, and a refused device costs
// nothing (spec plugins/dynamic-resources-allocator "Rollback").
#include <gtest/gtest.h>

#include <string>

#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

// A device that consumes of counter "m" in set "g"; `more` begins with a comma, or is empty.
std::string Part(std::string_view name, std::string_view amount, std::string_view more = "",
                 std::string_view set = "g") {
  std::string json = R"({"name":")";
  json.append(name).append(R"(","consumesCounters":[{"counterSet":")").append(set);
  json.append(R"(","counters":{"m":{"value":")").append(amount).append("\"}}}]");
  return json.append(more).append("}");
}

class AllocatorPartitions : public AllocatorFixture {
 protected:
  // A pool with a set of 4, in a slice of its own.
  void AddPool(std::string_view pool, std::string_view devices, std::string_view counters = "4",
               std::string_view driver = "d") {
    SliceParts parts;
    parts.pool = pool;
    parts.driver = driver;
    parts.count = 2;
    parts.devices = "[" + std::string(devices) + "]";
    AddSlice(std::string(driver) + pool.data() + "-devices", parts);
    parts.devices = "[]";
    parts.counters = R"([{"name":"g","counters":{"m":{"value":")";
    parts.counters.append(counters).append("\"}}}]");
    AddSlice(std::string(driver) + pool.data() + "-counters", parts);
  }
};

constexpr std::string_view kTaint = R"(,"taints":[{"key":"k","effect":"NoSchedule"}])";

TEST_F(AllocatorPartitions, NeverTakeMoreThanThereIs) {
  AddPool("p", Part("a", "3") + "," + Part("b", "2") + "," + Part("c", "2"));
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/a");
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=p/b r=p/c");
  EXPECT_EQ(Allocate(Exactly("r", 3)), "none");
  EXPECT_EQ(Allocate(Exactly("r") + "," + Exactly("s")), "r=p/b s=p/c");
  EXPECT_EQ(Allocate({Claim(Exactly("r")), Claim(Exactly("s"), "", "second")}), "r=p/b | s=p/c");
  EXPECT_EQ(Allocate(All("r")), "none");
  SetAllocated("p", "b");
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/c");
  SetAllocated("p", "c");
  EXPECT_EQ(Allocate(Exactly("r")), "none");
}

TEST_F(AllocatorPartitions, HaveCountersPerPool) {
  AddPool("p", Part("a", "3"));
  AddPool("q", Part("a", "3") + "," + Part("b", "3"));
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=p/a r=q/a");
  EXPECT_EQ(Allocate(Exactly("r", 3)), "none");
}

TEST_F(AllocatorPartitions, MixWithWholeDevices) {
  AddPool("p", R"({"name":"whole"},)" + Part("a", "4") + "," + Part("b", "1"));
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=p/whole r=p/a");
  SetAllocated("p", "b");
  EXPECT_EQ(Allocate(Exactly("r", 2)), "none");
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/whole");
}

TEST_F(AllocatorPartitions, OverallocatedPoolGivesNoPartition) {
  AddPool("p",
          Part("a", "3") + "," + Part("b", "3") + "," + Part("none", "0") + R"(,{"name":"whole"})");
  SetAllocated("p", "a");
  SetAllocated("p", "b");
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/whole");
  EXPECT_EQ(Allocate(Exactly("r", 2)), "none");
}

TEST_F(AllocatorPartitions, OfOtherNodesConsumeTheCountersOfTheirPool) {
  SliceParts parts;
  parts.count = 3;
  parts.counters = R"([{"name":"g","counters":{"m":{"value":"4"}}}])";
  AddSlice("counters", parts);
  parts.counters = "[]";
  parts.devices = "[" + Part("here", "3") + "]";
  AddSlice("here", parts);
  parts.nodes = R"("nodeName":"other")";
  parts.devices = "[" + Part("there", "2") + "]";
  AddSlice("there", parts);
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/here");
  SetAllocated("p", "there");
  EXPECT_EQ(Allocate(Exactly("r")), "none");
}

TEST_F(AllocatorPartitions, ShareCountersBetweenPoolsOfOneName) {
  AddPool("p", Part("a", "1"), "4", "d");
  AddPool("p", Part("b", "4") + "," + Part("c", "3"), "9", "e");
  // The table of the first pool that needs one serves both, as in the reference.
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=p/a r=p/c");
  EXPECT_EQ(Allocate(Exactly("r", 3)), "none");
}

// Rollback: before v1.36.3 each of these found nothing.
TEST_F(AllocatorPartitions, TaintedDeviceGivesItsCountersBack) {
  AddPool("p", Part("tainted", "3", kTaint) + "," + Part("good", "2"));
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/good");
}

TEST_F(AllocatorPartitions, DeviceRefusedByAConstraintGivesItsCountersBack) {
  auto model = [](std::string_view value) {
    std::string json = R"(,"attributes":{"model":{"string":")";
    return json.append(value).append("\"}}");
  };
  AddPool("p", R"({"name":"whole","attributes":{"model":{"string":"b"}}},)" +
                   Part("a", "4", model("a")) + "," + Part("b", "4", model("b")));
  EXPECT_EQ(Allocate(Exactly("r") + "," + Exactly("s"),
                     R"(,"constraints":[{"matchAttribute":"d/model"}])"),
            "r=p/whole s=p/b");
}

constexpr std::string_view kShared =
    R"(,"allowMultipleAllocations":true,"capacity":{"c":{"value":"2"}})";

TEST_F(AllocatorPartitions, UndoneSharedDeviceGivesItsCountersBack) {
  std::string blue = std::string(kShared) + R"(,"attributes":{"color":{"string":"blue"}})";
  AddPool("p", Part("a", "4", kShared) + "," + Part("b", "4", blue));
  // r takes a first, which leaves no counters for s.
  EXPECT_EQ(Allocate(Exactly("r") + "," + Exactly("s", 1, Selector("color=blue"))), "none");
  std::string half = R"(,"capacity":{"requests":{"c":"1"}})";
  EXPECT_EQ(Allocate(Exactly("r", 1, half) + "," + Exactly("s", 1, half + Selector("color=blue"))),
            "r=p/b c:1 s=p/b c:1");
}

TEST_F(AllocatorPartitions, SharedDeviceTakesItsCountersOnce) {
  AddPool("p", Part("a", "3", kShared) + "," + Part("b", "1"));
  std::string half = R"(,"capacity":{"requests":{"c":"1"}})";
  std::string two = Exactly("r", 1, half) + "," + Exactly("s", 1, half);
  EXPECT_EQ(Allocate(two), "r=p/a c:1 s=p/a c:1");
  EXPECT_EQ(Allocate(two + "," + Exactly("t")), "r=p/a c:1 s=p/a c:1 t=p/b");
  SetAllocated(
      R"({"driver":"d","pool":"p","device":"a","shareID":"x","consumedCapacity":{"c":"1"}})");
  EXPECT_EQ(Allocate(Exactly("r", 1, half) + "," + Exactly("t")), "r=p/a c:1 t=p/b");
}

TEST_F(AllocatorPartitions, LateCapacityFailureLeavesNothingBehind) {
  AddPool("p", Part("a", "1", kShared) + "," + Part("b", "1"));
  // Both alternatives of s start after r has the whole capacity of a. "All" counted a before.
  std::string subs = R"({"name":"all","deviceClassName":"c","allocationMode":"All"},)" + Sub("one");
  std::string whole = R"(,"capacity":{"requests":{"c":"2"}})";
  EXPECT_EQ(Allocate(Exactly("r", 1, whole) + "," + FirstAvailable("s", subs)),
            "r=p/a c:2 s/one=p/b");
}

TEST_F(AllocatorPartitions, InvalidReferencesMakeThePoolInvalid) {
  constexpr std::string_view kInvalid = "node: invalid resource pools were encountered";
  AddPool("p", Part("a", "1", "", "unknown"));
  EXPECT_EQ(Allocate(Exactly("r")), kInvalid);
  EXPECT_EQ(Allocate(All("r")),
            "error: claim ns/claim, request r: asks for all devices, but resource pool d/p is "
            "currently invalid");
  AddPool("q", Part("a", "1"));
  EXPECT_EQ(Allocate(Exactly("r")), "r=q/a");
  EXPECT_EQ(Allocate(Exactly("r", 2)), kInvalid);
  // The counters of a pool concern every node.
  node_.metadata.name = Symbol("other");
  EXPECT_EQ(Allocate(Exactly("r")), kInvalid);
}

TEST_F(AllocatorPartitions, DuplicateCounterSetsMakeThePoolInvalid) {
  AddSlice("s", {.counters = R"([{"name":"g"},{"name":"g"}])"});
  EXPECT_EQ(Allocate(Exactly("r")), "node: invalid resource pools were encountered");
}

TEST_F(AllocatorPartitions, NeedTheGate) {
  AddPool("p", Part("a", "1") + R"(,{"name":"whole"})");
  features_.partitionable_devices = false;
  // Without the slice of the counters, the pool is complete only by the count of all its slices.
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/whole");
  EXPECT_EQ(Allocate(Exactly("r", 2)), "none");
}

TEST_F(AllocatorPartitions, SelectNodesByDevice) {
  AddSlice("s", {.nodes = R"("perDeviceNodeSelection":true)", .devices = R"([
      {"name":"x","nodeName":"other"}, {"name":"y","nodeName":"n"}, {"name":"z","allNodes":true},
      {"name":"w","nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[
        {"key":"zone","operator":"In","values":["a"]}]}]}}])"});
  EXPECT_EQ(Allocate(All("r")), "r=p/y r=p/z");
  node_.metadata.labels.Set(Symbol("zone"), Symbol("a"));
  EXPECT_EQ(Allocate(All("r")), "r=p/y r=p/z r=p/w");
  node_.metadata.name = Symbol("other");
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=p/x r=p/z");
  features_.partitionable_devices = false;
  EXPECT_EQ(Allocate(Exactly("r")), "none");
}

}  // namespace
}  // namespace stowage
