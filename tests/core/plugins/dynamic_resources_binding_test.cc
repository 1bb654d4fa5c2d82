// Goal: what PreBind writes and waits for, and what Unreserve takes back (spec
// plugins/dynamic-resources, plugins/dynamic-resources-extended).
#include "core/plugins/dynamic_resources_binding_conditions.h"
#include "tests/core/plugins/devices_fixture.h"

namespace stowage {
namespace {

constexpr std::string_view kClaimPath =
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c";

class DevicesBindingTest : public DevicesTest {
 protected:
  DevicesBindingTest() {
    AddNode("n");
    AddSlice("n", R"({"name":"x"})");
  }

  // Schedules the pod on the node up to PreBind.
  void Reserve(const Pod& pod) {
    ASSERT_TRUE(runner_.PreFilter(pod).IsSuccess());
    ASSERT_TRUE(plugin().Filter(state(), pod, runner_.handle().node("n")).IsSuccess());
    ASSERT_TRUE(plugin().Reserve(state(), pod, node_).IsSuccess());
    ASSERT_TRUE(plugin().PreBindPreFlight(state(), pod, node_).IsSuccess());
  }
  std::string Writes() const {
    std::string text;
    for (const std::string& write : const_cast<DevicesBindingTest*>(this)->api().writes) {
      text += write + "\n";
    }
    return text;
  }
  static std::string Update(std::string_view subresource = "") {
    return "update " + std::string(kClaimPath) + std::string(subresource) + "\n";
  }

  const Symbol node_{"n"};  // outlives the tasks
};

TEST_F(DevicesBindingTest, WritesFinalizerThenAllocation) {
  AddClaim("c", kOneGpu);
  const Pod pod = PodWith("c");
  Reserve(pod);
  EXPECT_TRUE(RunToEnd(plugin().PreBind(state(), pod, node_)).IsSuccess());
  EXPECT_EQ(Writes(), Update() + Update("/status"));
  ResourceClaimRef first = ClaimOfText(api().requests[0].body);
  EXPECT_TRUE(HasFinalizer(*first));
  EXPECT_FALSE(first->status.allocation.has_value());
  ResourceClaimRef second = ClaimOfText(api().requests[1].body);
  EXPECT_EQ(DeviceOf(*second), "x");
  EXPECT_TRUE(IsReservedFor(*second, Symbol("uid-p")));
  EXPECT_EQ(second->status.reserved_for.at(0).api_group, "");
  EXPECT_EQ(second->status.allocation->allocation_timestamp, runner_.handle().now());
  EXPECT_EQ(DeviceOf(*GetClaim("c")), "x");
  EXPECT_EQ(dra().in_flight().size(), 0u);
  EXPECT_EQ(dra().allocated().size(), 1u);
}

TEST_F(DevicesBindingTest, OnlyReservesAnAllocatedClaim) {
  AddClaim("c", kOneGpu, R"(,"status":{"allocation":{"devices":{"results":[
      {"request":"r","driver":"d","pool":"n","device":"x"}]}}})");
  const Pod pod = PodWith("c");
  Reserve(pod);
  EXPECT_TRUE(RunToEnd(plugin().PreBind(state(), pod, node_)).IsSuccess());
  EXPECT_EQ(Writes(), Update("/status"));
  EXPECT_TRUE(RunToEnd(plugin().PreBind(state(), pod, node_)).IsSuccess());
  EXPECT_EQ(Writes(), Update("/status"));
}

TEST_F(DevicesBindingTest, ReportsFailedWrites) {
  AddClaim("c", kOneGpu);
  const Pod pod = PodWith("c");
  Reserve(pod);
  api().answer = {500, "InternalError", "down", ""};
  EXPECT_EQ(RunToEnd(plugin().PreBind(state(), pod, node_)),
            Status::Error("add finalizer to claim default/c: down"));
  EXPECT_EQ(dra().in_flight().size(), 0u);
  EXPECT_EQ(dra().allocated().size(), 0u);
  Reserve(pod);
  api().answers.push_back({200, "", "", ""});
  EXPECT_EQ(RunToEnd(plugin().PreBind(state(), pod, node_)),
            Status::Error("add allocation and reservation to claim default/c: down"));
}

// Goal: after a conflict the claim is read again.
TEST_F(DevicesBindingTest, TriesAgainAfterAConflict) {
  AddClaim("c", kOneGpu);
  const Pod pod = PodWith("c");
  Reserve(pod);
  api().answers = {{409, "Conflict", "modified", ""},
                   {200, "", "", ClaimText(*AddClaim("c", kOneGpu))}};
  Task<Status> task = plugin().PreBind(state(), pod, node_);
  task.Start();
  Loop& loop = runner_.handle().loop();
  loop.set_now({runner_.handle().now().seconds + 1, 0});
  loop.FireTimers();
  loop.Resume();
  EXPECT_TRUE(task.Take().IsSuccess());
  EXPECT_EQ(Writes(),
            Update() + "get " + std::string(kClaimPath) + "\n" + Update() + Update("/status"));
}

TEST_F(DevicesBindingTest, RefusesAClaimThatChangedMeanwhile) {
  ResourceClaimRef claim = AddClaim("c", kOneGpu);
  const Pod pod = PodWith("c");
  Reserve(pod);
  ResourceClaimRef allocated = AddClaim("c", kOneGpu, R"(,"status":{"allocation":{"devices":{
      "results":[{"request":"r","driver":"d","pool":"n","device":"y"}]}}})");
  api().answers = {{409, "Conflict", "modified", ""}, {200, "", "", ClaimText(*allocated)}};
  Task<Status> task = plugin().PreBind(state(), pod, node_);
  task.Start();
  Loop& loop = runner_.handle().loop();
  loop.set_now({runner_.handle().now().seconds + 1, 0});
  loop.FireTimers();
  loop.Resume();
  EXPECT_EQ(task.Take(), Status::Error("claim default/c got allocated elsewhere in the meantime"));
}

constexpr std::string_view kPendingDevice = R"(,"status":{"allocation":{"devices":{"results":[
    {"request":"r","driver":"d","pool":"n","device":"x","bindingConditions":["ready"],
     "bindingFailureConditions":["broken"]}]},"allocationTimestamp":"1970-01-12T13:46:40Z"},
    "reservedFor":[{"resource":"pods","name":"p","uid":"uid-p"}])";

std::string WithCondition(std::string_view type) {
  std::string status(kPendingDevice);
  status.append(R"(,"devices":[{"driver":"d","pool":"n","device":"x","conditions":[{"type":")");
  return status.append(type).append(R"(","status":"True","reason":"R","message":"M"}]}]})");
}

// Goal: the pod waits for its devices' conditions, and fails with them. Method: the claim changes
// before the first poll, five seconds later.
TEST_F(DevicesBindingTest, WaitsForBindingConditions) {
  struct {
    std::string status;
    int64_t seconds;
    std::string_view want;  // empty: success
  } cases[] = {
      {WithCondition("ready"), 5, ""},
      {WithCondition("broken"), 5, "device binding failed: claim=c, reason=R, message=\"M\""},
      {std::string(kPendingDevice) + "}", 601, "device binding timeout: claim=c"},
  };
  const Instant start = runner_.handle().now();
  for (const auto& c : cases) {
    runner_.handle().set_now(start);
    AddClaim("c", kOneGpu, std::string(kPendingDevice) + "}");
    const Pod pod = PodWith("c");
    Reserve(pod);
    Task<Status> task = plugin().PreBind(state(), pod, node_);
    task.Start();
    AddClaim("c", kOneGpu, c.status);
    runner_.handle().set_now({start.seconds + c.seconds, 0});
    Loop& loop = runner_.handle().loop();
    loop.FireTimers();
    loop.Resume();
    EXPECT_EQ(task.Take(), c.want.empty() ? Status::Success() : Status::Error(c.want)) << c.want;
  }
  EXPECT_EQ(api().writes.at(0),
            "event p BindingConditionsPending: waiting for binding conditions for device on node "
            "n");
}

// Goal: a claim is ready when all binding conditions of its device are true.
TEST_F(DevicesBindingTest, NeedsEveryBindingCondition) {
  auto is_ready = [this](std::string_view conditions) {
    std::string status(kPendingDevice);
    status.append(R"(,"devices":[{"driver":"d","pool":"n","device":"x","conditions":[)");
    ResourceClaimRef claim = AddClaim("c", kOneGpu, status.append(conditions).append("]}]}"));
    Result<bool, std::string> ready = IsClaimReadyForBinding(*claim);
    return ready.ok() && *ready;
  };
  EXPECT_FALSE(is_ready(""));
  EXPECT_FALSE(is_ready(R"({"type":"ready","status":"False"})"));
  EXPECT_FALSE(is_ready(R"({"type":"other","status":"True"})"));
  EXPECT_TRUE(is_ready(R"({"type":"other","status":"False"},{"type":"ready","status":"True"})"));
}

TEST_F(DevicesBindingTest, UnreserveRemovesTheReservation) {
  AddClaim("c", kOneGpu, std::string(kPendingDevice) + "}");
  const Pod pod = PodWith("c");
  Reserve(pod);
  plugin().Unreserve(state(), pod, node_);
  runner_.handle().loop().Resume();
  EXPECT_EQ(Writes(), "patch " + std::string(kClaimPath) + "/status\n");
  EXPECT_EQ(api().requests[0].body,
            R"({"metadata":{"uid":"uid-c"},"status":{"reservedFor":[{"$patch":"delete",)"
            R"("uid":"uid-p"}]}})");
}

// Goal: a claim is created for an extended resource that no device plugin offers.
TEST_F(DevicesBindingTest, CreatesAClaimForExtendedResources) {
  AddClass("card", R"({"extendedResourceName":"example.com/card"})");
  const Pod pod = MakePod().Name("p").Uid("uid-p").Req({{"example.com/card", "1"}});
  Reserve(pod);
  EXPECT_EQ(dra().in_flight().size(), 1u);
  auto created = AddClaim("p-extended-resources-abcde", "");
  api().answers = {{201, "", "", ClaimText(*created)}};
  EXPECT_TRUE(RunToEnd(plugin().PreBind(state(), pod, node_)).IsSuccess());
  const std::string path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  EXPECT_EQ(Writes(), "create " + path + "\nupdate " + path +
                          "/p-extended-resources-abcde\nupdate " + path +
                          "/p-extended-resources-abcde/status\npatch p\n");
  EXPECT_NE(api().requests[0].body.find(R"("generateName":"p-extended-resources-")"),
            std::string::npos);
  EXPECT_EQ(dra().in_flight().size(), 0u);
}

// Goal: a pod may be tried again while its cancelled binding is still under way.
// Method: the second attempt gets a claim, and a device, of its own.
TEST_F(DevicesBindingTest, EachAttemptHasItsOwnClaimForExtendedResources) {
  AddClass("card", R"({"extendedResourceName":"example.com/card"})");
  AddSlice("n", R"({"name":"x"},{"name":"y"})");
  const Pod pod = MakePod().Name("p").Uid("uid-p").Req({{"example.com/card", "1"}});
  Reserve(pod);
  Reserve(pod);
  EXPECT_EQ(dra().in_flight().size(), 2u);
}

}  // namespace
}  // namespace stowage
