// Goal: a decision that the claims of pod groups could have changed is flagged. Method: a pod for
// each combination of gate, group and claim.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kGroup = R"("schedulingGroup":{"podGroupName":"g"})";
constexpr std::string_view kClaimOfPod =
    R"("resourceClaims":[{"name":"r","resourceClaimName":"c"}])";

// A claim without requests. `metadata` are further members.
std::string Claim(std::string_view metadata = "") {
  std::string json = R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{)";
  json.append(R"("name":"c","namespace":"default","uid":"uc")").append(metadata);
  return json.append(R"(},"spec":{"devices":{}}})");
}

TEST(PodGroupClaims, AreFlagged) {
  const std::string both = std::string(kGroup) + "," + std::string(kClaimOfPod);
  struct {
    std::string_view name;
    std::string_view gates;
    std::string spec;
    std::string_view want;
  } cases[] = {
      {"no gate", "", both, ""},
      {"the gate", R"("DRAWorkloadResourceClaims":true)", both, "PodGroup "},
      {"no claim", R"("DRAWorkloadResourceClaims":true)", std::string(kGroup), ""},
      {"no group", R"("DRAWorkloadResourceClaims":true)", std::string(kClaimOfPod), ""},
      {"groups without the gate", R"("GenericWorkload":true)", both, ""},
      {"groups with the gate", R"("DRAWorkloadResourceClaims":true,"GenericWorkload":true)", both,
       "PodGroup "},
  };
  for (const auto& c : cases) {
    Engine engine(R"({"featureGates":{)" + std::string(c.gates) + "}}");
    engine.Add({NodeText{"a"}, Claim(), PodText{.name = "p", .spec = c.spec}});
    JsonTree decision = engine.Run()[0];
    EXPECT_EQ(decision["node"].text(), "a") << c.name;
    EXPECT_EQ(decision["notImplemented"].Words(), c.want) << c.name;
  }
}

// Goal: the same if the claim is the group's, so that the pod itself may not use it.
TEST(PodGroupClaims, OfTheGroupAreFlagged) {
  Engine engine(R"({"featureGates":{"DRAWorkloadResourceClaims":true,"GenericWorkload":true}})");
  engine.Add(
      {NodeText{"a"}, Claim(R"(,"ownerReferences":[{"apiVersion":"scheduling.k8s.io/v1alpha2",)"
                            R"("kind":"PodGroup","name":"g","uid":"ug","controller":true}])")});
  const std::string pod =
      PodText{.name = "p",
              .spec = std::string(kGroup) +
                      R"(,"resourceClaims":[{"name":"r","resourceClaimTemplateName":"t"}])",
              .status = R"("resourceClaimStatuses":[{"name":"r","resourceClaimName":"c"}])"};
  JsonTree evaluation = engine.Evaluate("{}", pod);
  EXPECT_EQ(evaluation["result"].text(), "gated");
  EXPECT_EQ(evaluation["plugin"].text(), "DynamicResources");
  EXPECT_EQ(evaluation["notImplemented"].Words(), "PodGroup ");
}

}  // namespace
}  // namespace stowage
