// Goal: which events move pods that DynamicResources rejected (spec plugins/dynamic-resources
// "Events").
#include "tests/core/plugins/devices_fixture.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

const ClusterEvent kClaimAdded{EventResource::kResourceClaim, action::kAdd};
const ClusterEvent kClaimUpdated{EventResource::kResourceClaim, action::kUpdate};

ResourceClaim ClaimWith(std::string_view uid, std::string_view status) {
  std::string json = R"({"metadata":{"name":"c","namespace":"default","uid":")";
  return MakeResourceClaim(json.append(uid).append(R"("},"status":)").append(status).append("}"));
}

TEST_F(DevicesTest, HintsFollowTheChangesOfClaims) {
  AddClaim("c", kOneGpu);
  const Pod pod = PodWith("c");
  const ResourceClaim free = ClaimWith("uid-c", "{}");
  const ResourceClaim reserved =
      ClaimWith("uid-c", R"({"reservedFor":[{"resource":"pods","name":"o","uid":"o"}]})");
  const ResourceClaim other = ClaimWith("other", "{}");
  const ResourceClaim allocated = ClaimWith("other", R"({"allocation":{"devices":{}}})");
  const HintCase cases[] = {
      {"its claim comes", kClaimAdded, pod, WasAdded(free), "Queue"},
      {"another claim comes", kClaimAdded, pod, WasAdded(other), "Skip"},
      {"its claim changes", kClaimUpdated, pod, WasUpdated(free, reserved), "Queue"},
      {"its claim's status stays", kClaimUpdated, pod, WasUpdated(free, free), "Skip"},
      {"another claim is allocated", kClaimUpdated, pod, WasUpdated(other, allocated), "Skip"},
      {"another claim is deallocated", kClaimUpdated, pod, WasUpdated(allocated, other), "Queue"},
      {"that helps a pod without claims", kClaimUpdated, MakePod(), WasUpdated(allocated, other),
       "Queue"},
      {"its claim is missing", kClaimUpdated, PodWith("d"), WasUpdated(allocated, other), "Skip"},
      {"a class comes", {EventResource::kDeviceClass, action::kAdd}, pod, {}, "Queue"},
      {"a slice changes", {EventResource::kResourceSlice, action::kUpdate}, pod, {}, "Queue"},
      {"a slice goes", {EventResource::kResourceSlice, action::kDelete}, pod, {}, "deaf"},
      {"a claim goes", {EventResource::kResourceClaim, action::kDelete}, pod, {}, "deaf"},
  };
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

TEST_F(DevicesTest, HintsFollowTheClaimsOfThePod) {
  AddClaim("c", kOneGpu);
  const ClusterEvent changed = UnscheduledPodEvent(action::kUpdatePodGeneratedResourceClaim);
  const Pod with = PodWith("c");
  const Pod missing = PodWith("d");
  const Pod other = MakePod().Name("o").Uid("o");
  EXPECT_EQ(HintOf(plugin(), changed, with, WasUpdated(with, with)), "Queue");
  EXPECT_EQ(HintOf(plugin(), changed, with, WasUpdated(missing, missing)), "Skip");
  EXPECT_EQ(HintOf(plugin(), changed, with, WasUpdated(other, other)), "Skip");
}

}  // namespace
}  // namespace stowage
