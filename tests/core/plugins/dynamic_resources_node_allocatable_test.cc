// Goal: what devices take of the node's own resources counts on the node, and only with gate
// DRANodeAllocatableResources (spec plugins/dynamic-resources-extended, part 2).
#include "core/plugins/dynamic_resources_node_allocatable.h"

#include "core/framework/pod_signature.h"
#include "tests/core/plugins/devices_fixture.h"

namespace stowage {
namespace {

constexpr std::string_view kCores =
    R"({"name":"x","allowMultipleAllocations":true,"capacity":{"cores":{"value":"8"}},
        "nodeAllocatableResourceMappings":{"cpu":{"capacityKey":"cores"}}})";

// A device that takes fixed amounts: `"memory":"1Gi"`.
std::string Taking(std::string_view resource, std::string_view amount) {
  return R"({"name":"x","nodeAllocatableResourceMappings":{")" + std::string(resource) +
         R"(":{"allocationMultiplier":")" + std::string(amount) + R"("}}})";
}

// A request for one device of class "gpu" with this much of capacity "cores".
std::string Cores(std::string_view amount) {
  return R"({"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount",)"
         R"("count":1,"capacity":{"requests":{"cores":")" +
         std::string(amount) + R"("}}}})";
}

class NodeAllocatableTest : public DevicesTest {
 protected:
  explicit NodeAllocatableTest(bool is_enabled = true) {
    runner_.handle().features().dra_node_allocatable_resources = is_enabled;
    runner_.handle().Add(MakeNode()
                             .Name("n")
                             .Allocatable({{"cpu", "4"},
                                           {"memory", "4Gi"},
                                           {"ephemeral-storage", "10Gi"},
                                           {"hugepages-2Mi", "64Mi"}})
                             .Obj());
  }

  // A pod whose only container requests this and uses the claim.
  static Pod UserOf(std::string_view claim, TextPairs requests = {{"cpu", "1"}}) {
    Pod pod = MakePod().Name("p").Uid("uid-p").ResourceClaim(claim).Req(requests);
    Use(claim, &pod);
    return pod;
  }
  static void Use(std::string_view claim, Pod* pod) {
    pod->spec.containers.Mutable().back().resources.claims.push_back({Symbol(claim)});
  }
  // A pod on the node that has taken these amounts by a claim.
  static Pod Taker(std::string_view name, std::string_view claim, TextPairs amounts) {
    Pod pod = MakePod().Name(name).Uid(std::string("uid-").append(name)).Node("n");
    pod.status.node_allocatable_resource_claim_statuses.push_back(
        {Symbol(claim), {}, MakeResourceList(amounts)});
    return pod;
  }
  // What the pod would take of the node: "claim[containers]: cpu=2 memory=1Gi; …".
  std::string TakenBy(const Pod& pod) {
    Pod assumed = pod;
    bool has_changed = plugin().ChangeAssumedPod(state(), Symbol("n"), &assumed);
    std::string text;
    for (const auto& status : assumed.status.node_allocatable_resource_claim_statuses) {
      if (!text.empty()) text += "; ";
      text += status.resource_claim_name.str() + "[";
      for (const Symbol& container : status.containers) text += container.str() + " ";
      text.back() = ']';
      for (const auto& [name, amount] : status.resources) {
        text += " " + name.str() + "=" + amount.ToString();
      }
    }
    EXPECT_EQ(has_changed, !text.empty());
    return text;
  }
};

class NodeAllocatableOffTest : public NodeAllocatableTest {
 protected:
  NodeAllocatableOffTest() : NodeAllocatableTest(false) {}
};

// Goal: how much a device takes, by its mapping.
TEST_F(NodeAllocatableTest, AddsUpWhatDevicesTake) {
  struct {
    std::string_view name;
    std::string device;
    std::string request;
    std::string_view want;
  } cases[] = {
      {"no mapping", R"({"name":"x"})", std::string(kOneGpu), ""},
      {"a fixed amount", Taking("memory", "1Gi"), std::string(kOneGpu),
       "c[container-0] memory=1Gi"},
      {"neither key nor amount", R"({"name":"x","nodeAllocatableResourceMappings":{"cpu":{}}})",
       std::string(kOneGpu), "c[container-0] cpu=0"},
      {"consumed capacity", std::string(kCores), Cores("2"), "c[container-0] cpu=2"},
      {"times a multiplier",
       R"({"name":"x","allowMultipleAllocations":true,"capacity":{"cores":{"value":"8"}},
           "nodeAllocatableResourceMappings":{
           "cpu":{"capacityKey":"cores","allocationMultiplier":"500m"},
           "memory":{"capacityKey":"cores","allocationMultiplier":"128Mi"}}})",
       Cores("3"), "c[container-0] cpu=1500m memory=402653184"},
      {"another capacity is ignored",
       R"({"name":"x","allowMultipleAllocations":true,"capacity":{"cores":{"value":"8"}},
           "nodeAllocatableResourceMappings":{"cpu":{"capacityKey":"other"},
           "memory":{"allocationMultiplier":"1Gi"}}})",
       Cores("3"), "c[container-0] memory=1Gi"},
      {"two devices", Taking("memory", "1Gi") + R"(,{"name":"y","nodeAllocatableResourceMappings":{
           "memory":{"allocationMultiplier":"512Mi"},"cpu":{"allocationMultiplier":"1"}}})",
       R"({"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"All"}})",
       "c[container-0] cpu=1 memory=1536Mi"},
  };
  for (const auto& c : cases) {
    AddSlice("n", c.device);
    AddClaim("c", c.request);
    const Pod pod = UserOf("c");
    EXPECT_TRUE(runner_.Filter(pod, "n").IsSuccess()) << c.name;
    EXPECT_EQ(TakenBy(pod), c.want) << c.name;
  }
}

TEST_F(NodeAllocatableTest, FindsDevicesOfSlicesWithoutNode) {
  dra().MutableSlices().Put(std::make_shared<const ResourceSlice>(
      MakeResourceSlice(R"({"metadata":{"name":"s"},"spec":{"driver":"d","allNodes":true,
          "pool":{"name":"shared","generation":1,"resourceSliceCount":1},"devices":[)" +
                        Taking("cpu", "2") + "]}}")));
  AddClaim("c", kOneGpu);
  ASSERT_TRUE(runner_.Filter(UserOf("c"), "n").IsSuccess());
  EXPECT_EQ(TakenBy(UserOf("c")), "c[container-0] cpu=2");
}

// Goal: the containers are those that name the pod's claim, init containers first; the list is
// sorted by the names of claims.
TEST_F(NodeAllocatableTest, ListsClaimsWithTheirContainers) {
  AddSlice("n", Taking("cpu", "1") + R"(,{"name":"y","nodeAllocatableResourceMappings":{
      "cpu":{"allocationMultiplier":"2"}}})");
  AddClaim("b", kOneGpu);
  AddClaim("a", kOneGpu, "",
           R"(,"ownerReferences":[{"kind":"Pod","name":"p","uid":"uid-p","controller":true}])");
  Pod pod = MakePod().Name("p").Uid("uid-p").ResourceClaim("b").InitReq({}).Req({}).Req({});
  PodResourceClaim& entry = pod.spec.resource_claims.emplace_back();
  entry.name = Symbol("by-template");
  entry.resource_claim_template_name = Symbol("t");
  pod.status.resource_claim_statuses.push_back({entry.name, Symbol("a")});
  Use("by-template", &pod);
  Use("b", &pod);
  pod.spec.init_containers.Mutable()[0].resources.claims.push_back({Symbol("b")});
  ASSERT_TRUE(runner_.Filter(pod, "n").IsSuccess());
  EXPECT_EQ(TakenBy(pod), "a[container-1] cpu=2; b[init-0 container-1] cpu=1");
}

// Goal: every reason why a claim cannot be counted.
TEST_F(NodeAllocatableTest, RefusesClaimsThatItCannotCount) {
  AddSlice("n", R"({"name":"x","capacity":{"cores":{"value":"8"}},
      "nodeAllocatableResourceMappings":{"cpu":{"capacityKey":"cores"}}})");
  AddClaim("c", kOneGpu);
  EXPECT_EQ(runner_.Filter(UserOf("c"), "n"),
            Status::Error("claim c: device d/n/x has no consumed capacity"));
  AddSlice("n", Taking("cpu", "1"));
  Pod other = PodWith("c");
  EXPECT_EQ(runner_.Filter(other, "n"),
            Status::UnschedulableAndUnresolvable(
                "claim c: node-allocatable resource claim not referenced by any container within "
                "the pod"));
  EXPECT_EQ(TakenBy(other), "");
}

TEST_F(NodeAllocatableTest, NeedsRoomForPodAndDevices) {
  struct {
    std::string_view name;
    std::string device;
    Pod pod;
    Code code;
    std::string_view message;
  } cases[] = {
      {"all that is left", Taking("cpu", "2"), UserOf("c", {{"cpu", "1"}}), Code::kSuccess, ""},
      {"a little more", Taking("cpu", "2001m"), UserOf("c", {{"cpu", "1"}}), Code::kUnschedulable,
       "Insufficient cpu"},
      {"more than the node has", Taking("cpu", "4"), UserOf("c", {{"cpu", "1"}}),
       Code::kUnschedulableAndUnresolvable, "Insufficient cpu"},
      {"memory", Taking("memory", "5Gi"), UserOf("c"), Code::kUnschedulableAndUnresolvable,
       "Insufficient memory"},
      {"ephemeral storage", Taking("ephemeral-storage", "11Gi"), UserOf("c"),
       Code::kUnschedulableAndUnresolvable, "Insufficient ephemeral-storage"},
      {"huge pages", Taking("hugepages-2Mi", "66Mi"), UserOf("c"),
       Code::kUnschedulableAndUnresolvable, "Insufficient hugepages-2Mi"},
      {"several", Taking("memory", "5Gi"), UserOf("c", {{"cpu", "4"}}),
       Code::kUnschedulableAndUnresolvable, "Insufficient cpu, Insufficient memory"},
      {"extended resources are not compared", Taking("example.com/a", "9"),
       UserOf("c", {{"example.com/b", "9"}}), Code::kSuccess, ""},
      {"nothing is taken", R"({"name":"x"})", UserOf("c", {{"cpu", "9"}}), Code::kSuccess, ""},
  };
  runner_.handle().Add(Taker("other", "d", {{"cpu", "1"}}));
  for (const auto& c : cases) {
    AddSlice("n", c.device);
    AddClaim("c", kOneGpu);
    Status status = runner_.Filter(c.pod, "n");
    EXPECT_EQ(status.code(), c.code) << c.name;
    EXPECT_EQ(status.Message(), c.message) << c.name;
  }
}

TEST_F(NodeAllocatableTest, DoesNotCountPods) {
  runner_.handle().Add(MakeNode().Name("full").Allocatable({{"cpu", "4"}, {"pods", "0"}}).Obj());
  AddSlice("full", Taking("cpu", "1"));
  AddClaim("c", kOneGpu);
  EXPECT_TRUE(runner_.Filter(UserOf("c"), "full").IsSuccess());
}

// Goal: requests of the pod as a whole must cover its containers and devices.
TEST_F(NodeAllocatableTest, ComparesPodLevelRequests) {
  AddSlice("n", Taking("cpu", "2"));
  AddClaim("c", kOneGpu);
  auto pod_with = [](std::string_view pod_level) {
    Pod pod = MakePod()
                  .Name("p")
                  .Uid("uid-p")
                  .ResourceClaim("c")
                  .Req({{"cpu", "1"}})
                  .PodLevelReq({{"cpu", pod_level}})
                  .Overhead({{"cpu", "500m"}});
    Use("c", &pod);
    return pod;
  };
  EXPECT_TRUE(runner_.Filter(pod_with("3"), "n").IsSuccess());
  EXPECT_EQ(runner_.Filter(pod_with("2999m"), "n"),
            Status::UnschedulableAndUnresolvable(
                "pod level request for cpu is insufficient to cover the aggregated container and "
                "node-allocatable DRA requests"));
  runner_.handle().features().pod_level_resources = false;
  EXPECT_TRUE(runner_.Filter(pod_with("2999m"), "n").IsSuccess());
}

constexpr std::string_view kAllocated = R"(,"status":{"allocation":{"devices":{"results":[
    {"request":"r","driver":"d","pool":"n","device":"x"}]}}})";

// Goal: a claim takes node resources for one pod only.
TEST_F(NodeAllocatableTest, RefusesToShareAClaim) {
  AddSlice("n", Taking("cpu", "1"));
  AddClaim("c", kOneGpu, kAllocated);
  const Pod pod = UserOf("c");
  EXPECT_TRUE(runner_.Filter(pod, "n").IsSuccess());
  EXPECT_EQ(TakenBy(pod), "");
  Pod elsewhere = Taker("elsewhere", "c", {{"cpu", "1"}});
  elsewhere.metadata.namespace_ = Symbol("other");
  runner_.handle().Add(elsewhere);
  runner_.handle().Add(Taker("q", "another", {{"cpu", "1"}}));
  EXPECT_TRUE(runner_.Filter(pod, "n").IsSuccess());
  runner_.handle().Add(Taker("p", "c", {{"cpu", "1"}}));
  EXPECT_TRUE(runner_.Filter(pod, "n").IsSuccess());
  runner_.handle().Add(Taker("r", "c", {{"cpu", "1"}}));
  EXPECT_EQ(runner_.Filter(pod, "n"), Status::UnschedulableAndUnresolvable(
                                          "node allocatable resource claim c shared by multiple "
                                          "pods"));
  runner_.handle().Remove(Taker("p", "c", {}));
  EXPECT_EQ(runner_.Filter(pod, "n"), Status::UnschedulableAndUnresolvable(
                                          "node allocatable resource claim c is already used by "
                                          "another pod"));
}

TEST_F(NodeAllocatableTest, SharingDoesNotMatterWhereTheClaimIsNot) {
  runner_.handle().Add(Taker("r", "c", {{"cpu", "1"}}));
  std::string status(kAllocated.substr(0, kAllocated.size() - 2));
  AddClaim("c", kOneGpu, status + R"(,"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[
      {"key":"metadata.name","operator":"In","values":["m"]}]}]}}})");
  EXPECT_EQ(runner_.Filter(UserOf("c"), "n"),
            Status::UnschedulableAndUnresolvable("resourceclaim not available on the node"));
}

// Goal: PreBind writes the list of the assumed pod, and nothing else.
TEST_F(NodeAllocatableTest, PatchesThePodStatus) {
  AddSlice("n", Taking("cpu", "1"));
  AddClaim("c", kOneGpu);
  Pod pod = UserOf("c");
  const Symbol node("n");
  ASSERT_TRUE(runner_.Filter(pod, "n").IsSuccess());
  EXPECT_EQ(TakenBy(pod), "c[container-0] cpu=1");
  ASSERT_TRUE(plugin().Reserve(state(), pod, node).IsSuccess());
  Pod assumed = pod;
  ASSERT_TRUE(plugin().ChangeAssumedPod(state(), node, &assumed));
  EXPECT_TRUE(RunToEnd(plugin().PreBind(state(), assumed, node)).IsSuccess());
  ASSERT_EQ(api().patches.size(), 1u);
  EXPECT_TRUE(api().patches[0].IsNeededFor(pod.status));
  EXPECT_EQ(api().patches[0].node_allocatable_resource_claim_statuses,
            assumed.status.node_allocatable_resource_claim_statuses);
  EXPECT_EQ(api().writes.back(), "patch p");
  EXPECT_EQ(RunToEnd(plugin().PreBind(state(), pod, node)),
            Status::Error("assumed pod status does not match calculated status to be patched"));
  api().answer = {500, "InternalError", "down", ""};
  EXPECT_EQ(RunToEnd(plugin().PreBind(state(), assumed, node)), Status::Error("down"));
}

TEST_F(NodeAllocatableTest, IsNotCached) {
  AddSlice("n", R"({"name":"x"})");
  auto claim = AddClaim("c", kOneGpu);
  PodSignature signature;
  EXPECT_FALSE(plugin().AppendFragment(UserOf("c"), &signature));
  EXPECT_TRUE(plugin().AppendFragment(MakePod(), &signature));
}

// Goal: without the gate nothing of it happens.
TEST_F(NodeAllocatableOffTest, DoesNothing) {
  AddSlice("n", R"({"name":"x","nodeAllocatableResourceMappings":{
      "cpu":{"capacityKey":"none"},"memory":{"allocationMultiplier":"99Gi"}}})");
  AddClaim("c", kOneGpu);
  const Pod pod = UserOf("c");
  ASSERT_TRUE(runner_.Filter(pod, "n").IsSuccess());
  EXPECT_EQ(TakenBy(pod), "");
  const Symbol node("n");
  ASSERT_TRUE(plugin().Reserve(state(), pod, node).IsSuccess());
  EXPECT_TRUE(RunToEnd(plugin().PreBind(state(), pod, node)).IsSuccess());
  EXPECT_TRUE(api().patches.empty());
  runner_.handle().Add(Taker("q", "c", {{"cpu", "1"}}));
  runner_.handle().Add(Taker("r", "c", {{"cpu", "1"}}));
  EXPECT_EQ(runner_.handle().node("n").requested().milli_cpu, 0);
  AddClaim("c", kOneGpu, kAllocated);
  EXPECT_TRUE(runner_.Filter(pod, "n").IsSuccess());
}

TEST_F(NodeAllocatableTest, CountsOnTheNode) {
  runner_.handle().Add(Taker("q", "c", {{"cpu", "1500m"}, {"memory", "1Gi"}}));
  EXPECT_EQ(runner_.handle().node("n").requested().milli_cpu, 1500);
  EXPECT_EQ(runner_.handle().node("n").requested().memory, int64_t{1} << 30);
}

}  // namespace
}  // namespace stowage
