// Goal: for each request, the rule that keeps each device of the node from it. Method: a node with
// a device for each rule, and claims whose requests compete.
#include "core/dra/device_refusals.h"

#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

class DeviceRefusalsTest : public AllocatorFixture {
 protected:
  // For each request its name, how many devices are left and missing, and the number of each rule
  // with its index if it is not 0, "+" if the devices are refused together, the number of devices
  // and the first of them: "r left 1 missing 0: 2=1 a; ".
  std::string Explain(std::vector<ResourceClaimRef> claims) {
    DeviceRefusals refusals;
    auto allocator = MakeAllocator(
        {features_, allocated_, slices_, *this, selectors_, shared_pools_, &refusals});
    found_ = Text(allocator->Allocate(node_, claims, &steps_));
    std::string text;
    for (const ClaimRequests& claim : refusals.claims()) {
      for (const DeviceRequestData& request : claim.entries) {
        text +=
            request.full_name.str() + " left " + std::to_string(refusals.NumLeft(request.number));
        text += " missing " + std::to_string(refusals.NumMissing(request)) + ":";
        for (const DeviceRefusals::Count& count : refusals.CountsOf(request.number)) {
          text += " " + std::to_string(static_cast<int>(count.reason.rule));
          if (count.reason.index != 0) text += "#" + std::to_string(count.reason.index);
          if (count.reason.is_together) text += "+";
          const Pool& pool = *refusals.pools().pools[count.device.pool];
          text += "=" + std::to_string(count.num_devices) + " " +
                  pool.devices[count.device.device].device().name.str();
        }
        text += "; ";
        fault_ = refusals.FaultOf(request.number);
      }
    }
    return text;
  }
  std::string Explain(std::string_view requests, std::string_view more = "") {
    return Explain(std::vector<ResourceClaimRef>{Claim(requests, more)});
  }

  std::string found_;  // what the allocator found
  std::string fault_;  // of the last request
};

constexpr std::string_view kOneOfEach = R"([{"name":"used","attributes":{"color":{"string":"blue"}},
        "capacity":{"m":{"value":"2"}}},
      {"name":"red","attributes":{"color":{"string":"red"}}},
      {"name":"blue1","attributes":{"color":{"string":"blue"}},"capacity":{"m":{"value":"1"}}},
      {"name":"blue2","attributes":{"color":{"string":"blue"}},"capacity":{"m":{"value":"2"}},
       "taints":[{"key":"k","effect":"NoSchedule"}]},
      {"name":"blue3","attributes":{"color":{"string":"blue"}},"capacity":{"m":{"value":"2"}}}])";

TEST_F(DeviceRefusalsTest, CountEachDeviceForOneRule) {
  AddSlice("s", {.devices = std::string(kOneOfEach)});
  SetAllocated("p", "used");
  std::string wants = R"(,"capacity":{"requests":{"m":"2"}})" + Selector("color=blue");
  EXPECT_EQ(Explain(Exactly("r", 1, wants), R"(,"constraints":[{"matchAttribute":"d/model"}])"),
            "r left 0 missing 1: 3=1 red 6#1=1 blue1 7=1 used 9=1 blue2 10=1 blue3; ");
  EXPECT_EQ(found_, "none");
  EXPECT_EQ(Explain(Exactly("r", 3, wants)),
            "r left 1 missing 2: 3=1 red 6#1=1 blue1 7=1 used 9=1 blue2; ");
  AddClass("c", R"({"selectors":[{"cel":{"expression":"true"}},{"cel":{"expression":"false"}}]})");
  EXPECT_EQ(Explain(Exactly("r", 1)), "r left 0 missing 1: 2#1=5 used; ");
}

TEST_F(DeviceRefusalsTest, NameTheSelectorThatRefusesMost) {
  AddSlice("s", {.devices = std::string(kOneOfEach)});
  EXPECT_EQ(Explain(Exactly("r", 1,
                            R"(,"selectors":[{"cel":{"expression":"color=blue"}},)"
                            R"({"cel":{"expression":"color=green"}}])")),
            "r left 0 missing 1: 3#1=5 used; ");
}

TEST_F(DeviceRefusalsTest, OfPartitions) {
  constexpr std::string_view kCounters = R"([{"name":"s","counters":{"m":{"value":"2"}}}])";
  auto part = [](std::string_view name, std::string_view amount) {
    std::string json = R"({"name":")";
    json.append(name).append(
        R"(","consumesCounters":[{"counterSet":"s","counters":{"m":{"value":")");
    return json.append(amount).append(R"("}}}]})");
  };
  AddSlice("s", {.devices = "[" + part("half", "1") + "," + part("whole", "2") + "]", .count = 2});
  AddSlice("t", {.counters = std::string(kCounters), .count = 2});
  SetAllocated("p", "half");
  EXPECT_EQ(Explain(Exactly("r", 1)), "r left 0 missing 1: 7=1 half 8#1=1 whole; ");
  SetFree("p", "half");
  EXPECT_EQ(Explain(Exactly("r", 2)), "r left 1 missing 1: 8#1+=1 whole; ");
}

TEST_F(DeviceRefusalsTest, OfRequestsThatCompete) {
  AddSlice("s", {.devices = R"([{"name":"a","attributes":{"root":{"string":"1"}}},
                                {"name":"b","attributes":{"root":{"string":"2"}}},
                                {"name":"n","attributes":{"root":{"string":"3"},
                                                          "kind":{"string":"nic"}}}])"});
  std::string nic = Exactly("nic", 1, Selector("kind=nic"));
  constexpr std::string_view kSameRoot = R"(,"constraints":[{"matchAttribute":"d/root"}])";
  EXPECT_EQ(Explain(nic + "," + Exactly("other"), kSameRoot),
            "nic left 1 missing 0: 3=2 a; other left 0 missing 1: 7+=1 n 10+=2 a; ");
  EXPECT_EQ(Explain(Exactly("two", 2), kSameRoot), "two left 1 missing 1: 10+=2 b; ");
  // The search does not get beyond the request that has no device.
  EXPECT_EQ(Explain(Exactly("r", 1) + "," + nic + "," + Exactly("none", 1, Selector("kind=none"))),
            "r left 3 missing 0:; nic left 1 missing 0: 3=2 a; none left 0 missing 1: 3=3 a; ");
  std::vector<ResourceClaimRef> claims = {Claim(Exactly("all", 3), "", "one"),
                                          Claim(Exactly("more"), "", "two")};
  EXPECT_EQ(Explain(claims), "all left 3 missing 0:; more left 0 missing 1: 7+=3 a; ");
}

TEST_F(DeviceRefusalsTest, OfAlternatives) {
  AddSlice("s", {.devices = Plain("a b")});
  EXPECT_EQ(Explain(FirstAvailable("f", Sub("three", 3) + "," + Sub("red", 1, Selector("false")))),
            "f/three left 2 missing 1:; f/red left 0 missing 1: 3=2 a; ");
}

TEST_F(DeviceRefusalsTest, OfRequestsForAllDevices) {
  AddSlice("s", {.devices = Plain("a b c")});
  EXPECT_EQ(Explain(All("r")), "r left 3 missing 0:; ");
  EXPECT_EQ(found_, "r=p/a r=p/b r=p/c");
  SetAllocated("p", "b");
  EXPECT_EQ(Explain(All("r")), "r left 2 missing 1: 7=1 b; ");
  EXPECT_EQ(Explain(All("r", Selector("false"))), "r left 0 missing 1: 3=3 a; ");
}

TEST_F(DeviceRefusalsTest, OfSelectorsThatFail) {
  AddSlice("s", {.devices = Plain("a b")});
  SetAllocated("p", "a");
  EXPECT_EQ(Explain(Exactly("r", 1, Selector("fault"))), "r left 0 missing 1: 5=2 a; ");
  EXPECT_EQ(fault_, "claim ns/claim: selector #0: CEL runtime error: fault");
  EXPECT_EQ(found_, "error: " + fault_);
}

TEST_F(DeviceRefusalsTest, OfPoolsThatCannotBeUsed) {
  AddSlice("s", {.devices = Plain("a")});
  AddSlice("t", {.pool = "q", .devices = Plain("b"), .count = 2});
  AddSlice("u", {.pool = "r", .devices = Plain("c c")});
  DeviceRefusals refusals;
  auto allocator =
      MakeAllocator({features_, allocated_, slices_, *this, selectors_, nullptr, &refusals});
  std::vector<ResourceClaimRef> claims = {Claim(Exactly("r", 2))};
  EXPECT_FALSE(allocator->Allocate(node_, claims, &steps_).ok());
  EXPECT_EQ(refusals.pools().num_devices, 1u);
  std::string problems;
  for (const Pool* pool : refusals.pools().pools) {
    problems += pool->Name() + (pool->is_incomplete ? " incomplete " : " ");
    problems.append(pool->invalid_reason).append(";");
  }
  EXPECT_EQ(problems, "d/p ;d/q incomplete ;d/r duplicate device name;");
}

// Goal: the survey changes nothing of what the allocator finds.
TEST_F(DeviceRefusalsTest, LeaveTheAllocationAsItIs) {
  AddSlice("s", {.devices = std::string(kOneOfEach)});
  for (std::string_view requests : {Exactly("r", 2), All("r"), Exactly("a") + "," + Exactly("b", 3),
                                    FirstAvailable("f", Sub("five", 9) + "," + Sub("two", 2))}) {
    std::string plain = Allocate(requests);
    Explain(requests);
    EXPECT_EQ(found_, plain) << requests;
  }
}

}  // namespace
}  // namespace stowage
