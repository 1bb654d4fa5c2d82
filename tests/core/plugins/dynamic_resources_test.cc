// Goal: claims decide where a pod can run, from PreEnqueue to Reserve (spec
// plugins/dynamic-resources).
#include "core/plugins/dynamic_resources.h"

#include "tests/core/plugins/devices_fixture.h"

namespace stowage {
namespace {

// Goal: a pod without claims passes everywhere and scores 0 on every node.
TEST_F(DevicesTest, PassesPodsWithoutClaims) {
  AddNode("n0");
  AddNode("n1");
  EXPECT_TRUE(plugin().PreEnqueue(MakePod()).IsSuccess());
  EXPECT_TRUE(runner_.PreFilter(MakePod()).IsSkip());
  EXPECT_TRUE(runner_.Filter(MakePod(), "n0").IsSuccess());
  auto scores = runner_.Scores(MakePod());
  ASSERT_TRUE(scores.ok());
  EXPECT_EQ(*scores, (std::vector<int64_t>{0, 0}));
  EXPECT_TRUE(plugin().Reserve(state(), MakePod(), Symbol("n0")).IsSuccess());
  EXPECT_TRUE(plugin().PreBindPreFlight(state(), MakePod(), Symbol("n0")).IsSkip());
}

// Goal: the plugin's part of failure messages, even if its PreFilter did not run.
TEST_F(DevicesTest, PostFilterHasNothingToDeallocate) {
  NodeToStatus statuses(0);
  PostFilterResult result;
  CycleState fresh;
  const Pod pod = MakePod();
  EXPECT_EQ(RunToEnd(plugin().PostFilter(fresh, pod, statuses, &result)),
            Status::Error("not found"));
  ASSERT_TRUE(runner_.PreFilter(MakePod()).IsSkip());
  EXPECT_EQ(RunToEnd(plugin().PostFilter(state(), pod, statuses, &result)),
            Status::Unschedulable("no new claims to deallocate"));
  EXPECT_FALSE(result.nominated_node_name.has_value());
}

// Goal: why a pod's claims cannot be used yet, in PreEnqueue and in PreFilter.
TEST_F(DevicesTest, NamesWhatIsWrongWithAClaim) {
  auto expect = [this](const Pod& pod, std::string_view want) {
    Status status = Status::UnschedulableAndUnresolvable(want);
    EXPECT_EQ(plugin().PreEnqueue(pod), status) << want;
    EXPECT_EQ(runner_.PreFilter(pod), status) << want;
  };
  expect(PodWith("c"), "could not find ResourceClaim \"default/c\"");
  AddClaim("c", kOneGpu, "", R"(,"deletionTimestamp":"2026-03-01T12:00:00Z")");
  expect(PodWith("c"), "resourceclaim \"c\" is being deleted");
  Pod pod = MakePod().Name("p").Uid("uid-p");
  PodResourceClaim& entry = pod.spec.resource_claims.emplace_back();
  entry.name = Symbol("e");
  expect(pod, "pod \"default/p\", spec.resourceClaim \"e\": none of the supported fields are set");
  entry.resource_claim_template_name = Symbol("t");
  expect(pod, "pod \"default/p\": ResourceClaim not created yet");
  pod.status.resource_claim_statuses.push_back({Symbol("e"), Symbol("d")});
  AddClaim("d", kOneGpu);
  expect(pod, "ResourceClaim default/d was not created for Pod default/p (Pod is not owner)");
  AddClaim("d", kOneGpu, "",
           R"(,"ownerReferences":[{"kind":"Pod","name":"p","uid":"uid-p","controller":true}])");
  EXPECT_TRUE(plugin().PreEnqueue(pod).IsSuccess());
  pod.status.resource_claim_statuses.clear();
  pod.status.resource_claim_statuses.push_back({Symbol("e"), Symbol()});
  EXPECT_TRUE(plugin().PreEnqueue(pod).IsSuccess());
  EXPECT_TRUE(runner_.PreFilter(pod).IsSkip());
}

// Goal: PreFilter checks what does not depend on the node.
TEST_F(DevicesTest, ChecksRequestsInPreFilter) {
  struct {
    std::string_view requests;
    Code code;
    std::string_view message;
  } cases[] = {
      {R"({"name":"r","exactly":{"deviceClassName":"none"}})", Code::kUnschedulableAndUnresolvable,
       "request r: device class none does not exist"},
      {R"({"name":"r","exactly":{}})", Code::kError, "request r: unsupported request type"},
      {R"({"name":"r"})", Code::kUnschedulableAndUnresolvable,
       "resource claim default/c, request r: unknown request type"},
      {R"({"name":"r","firstAvailable":[{"name":"s","deviceClassName":"gpu"},
          {"name":"t","deviceClassName":"none"}]})",
       Code::kUnschedulableAndUnresolvable, "request r/t: device class none does not exist"},
  };
  for (const auto& c : cases) {
    AddClaim("c", c.requests);
    Status status = runner_.PreFilter(PodWith("c"));
    EXPECT_EQ(status.code(), c.code) << c.message;
    EXPECT_EQ(status.Message(), c.message);
  }
}

// Goal: a device is allocated on the chosen node, and not twice while the claim is in flight.
TEST_F(DevicesTest, AllocatesADevice) {
  AddNode("n0");
  AddNode("n1");
  AddSlice("n1", R"({"name":"x"})");
  AddClaim("c", kOneGpu);
  AddClaim("d", kOneGpu);
  const Pod pod = PodWith("c");
  EXPECT_EQ(runner_.Filter(pod, "n0"),
            Status::UnschedulableAndUnresolvable("cannot allocate all claims"));
  ASSERT_TRUE(runner_.Filter(pod, "n1").IsSuccess());
  EXPECT_EQ(plugin().Reserve(state(), pod, Symbol("n0")),
            Status::Error("claim allocation not found for node"));
  ASSERT_TRUE(plugin().Reserve(state(), pod, Symbol("n1")).IsSuccess());
  auto note = plugin().NoteOn(state(), pod, runner_.handle().node("n1"));
  ASSERT_TRUE(note.has_value());
  EXPECT_EQ(note->name, "claims");
  EXPECT_NE(note->json.find(R"("device":"x")"), std::string::npos);
  CycleState reserved = std::move(state());
  EXPECT_EQ(runner_.PreFilter(PodWith("c")),
            Status::UnschedulableAndUnresolvable(
                "resource claim default/c is in the process of being allocated"));
  EXPECT_EQ(runner_.Filter(PodWith("d"), "n1"),
            Status::UnschedulableAndUnresolvable("cannot allocate all claims"));
  plugin().Unreserve(reserved, pod, Symbol("n1"));
  EXPECT_TRUE(runner_.Filter(PodWith("d"), "n1").IsSuccess());
  EXPECT_TRUE(api().writes.empty());
}

constexpr std::string_view kOnN0 = R"(,"status":{"allocation":{"devices":{"results":[
    {"request":"r","driver":"d","pool":"n0","device":"x"}]},"nodeSelector":{"nodeSelectorTerms":[
    {"matchFields":[{"key":"metadata.name","operator":"In","values":["n0"]}]}]}})";

// Goal: an allocated claim binds the pod to its nodes; PostFilter takes it back if no other pod
// needs it.
TEST_F(DevicesTest, DeallocatesAClaimThatIsNotAvailable) {
  AddNode("n0");
  AddNode("n1");
  AddClaim("c", kOneGpu, std::string(kOnN0) + "}");
  const Pod pod = PodWith("c");
  EXPECT_TRUE(runner_.Filter(pod, "n0").IsSuccess());
  EXPECT_EQ(runner_.Filter(pod, "n1"),
            Status::UnschedulableAndUnresolvable("resourceclaim not available on the node"));
  NodeToStatus statuses(0);
  PostFilterResult result;
  EXPECT_EQ(RunToEnd(plugin().PostFilter(state(), pod, statuses, &result)),
            Status::Unschedulable("deallocation of ResourceClaim completed"));
  ASSERT_EQ(api().requests.size(), 1u);
  EXPECT_EQ(api().writes.at(0),
            "update /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status");
  EXPECT_EQ(ClaimOfText(api().requests[0].body)->status, ResourceClaimStatus());
  EXPECT_TRUE(runner_.handle().reports().empty());

  AddClaim("c", kOneGpu,
           std::string(kOnN0) + R"(,"reservedFor":[{"resource":"pods","name":"o","uid":"o"}]})");
  ASSERT_FALSE(runner_.Filter(pod, "n1").IsSuccess());
  EXPECT_EQ(RunToEnd(plugin().PostFilter(state(), pod, statuses, &result)),
            Status::Unschedulable("still not schedulable"));
  EXPECT_EQ(api().requests.size(), 1u);
}

// Goal: errors of selectors fail the attempt.
TEST_F(DevicesTest, FailsIfASelectorFails) {
  AddNode("n");
  AddSlice("n", R"({"name":"x"})");
  AddClaim("c", R"({"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount",
      "count":1,"selectors":[{"cel":{"expression":"fault"}}]}})");
  EXPECT_EQ(runner_.Filter(PodWith("c"), "n"),
            Status::Error("claim default/c: selector #0: CEL runtime error: fault"));
}

// Goal: earlier alternatives score more.
TEST_F(DevicesTest, ScoresAlternatives) {
  AddNode("n0");
  AddNode("n1");
  AddSlice("n0", R"({"name":"big"})");
  AddSlice("n1", R"({"name":"small"},{"name":"tiny"})");
  AddClass("big", R"({"selectors":[{"cel":{"expression":"big"}}]})");
  AddClaim("c", R"({"name":"r","firstAvailable":[
      {"name":"one","deviceClassName":"big","allocationMode":"ExactCount","count":1},
      {"name":"two","deviceClassName":"gpu","allocationMode":"ExactCount","count":2}]})");
  const Pod pod = PodWith("c");
  ASSERT_TRUE(runner_.PreFilter(pod).IsSuccess());
  for (std::string_view node : {"n0", "n1"}) {
    ASSERT_TRUE(plugin().Filter(state(), pod, runner_.handle().node(node)).IsSuccess());
  }
  EXPECT_EQ(*plugin().Score(state(), pod, runner_.handle().node("n0")), 8);
  EXPECT_EQ(*plugin().Score(state(), pod, runner_.handle().node("n1")), 7);
}

// Goal: filterTimeout bounds the steps of the search; 0 does not.
class ShortTimeoutTest : public DevicesTest {
 protected:
  ShortTimeoutTest() : DevicesTest(DevicesArgs({1000})) {}
};

TEST_F(ShortTimeoutTest, GivesUpAfterTheFilterTimeout) {
  AddNode("n");
  AddSlice("n", R"({"name":"x"},{"name":"y"},{"name":"z"})");
  AddClaim("c", R"({"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount",
      "count":3}})");
  EXPECT_EQ(runner_.Filter(PodWith("c"), "n"),
            Status::Error("node n: timed out trying to allocate devices"));
}

}  // namespace
}  // namespace stowage
