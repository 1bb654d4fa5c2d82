// Goal: the simulation creates claims from templates, stores what the scheduler writes, and takes
// claims back from pods that are gone. Method: whole turns of a scheduler.
#include "core/scheduler/simulated_claims.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kClass =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},)"
    R"("spec":{"extendedResourceName":"example.com/gpu"}})";
constexpr std::string_view kSlice =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},)"
    R"("spec":{"driver":"d","nodeName":"a","pool":{"name":"a","generation":1,)"
    R"("resourceSliceCount":1},"devices":[{"name":"x"}]}})";
constexpr std::string_view kSpec =
    R"({"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu",)"
    R"("allocationMode":"ExactCount","count":1}}]}})";

std::string Template() {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{)"
         R"("name":"t","namespace":"default"},"spec":{"metadata":{"labels":{"l":"1"},)"
         R"("annotations":{"a":"2"}},"spec":)" +
         std::string(kSpec) + "}}";
}

std::string Claim() {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c",)"
         R"("namespace":"default","uid":"uc"},"spec":)" +
         std::string(kSpec) + "}";
}

class SimulatedClaimsTest : public testing::Test {
 protected:
  SimulatedClaimsTest() { engine_.Add({NodeText{"a"}, std::string(kClass), std::string(kSlice)}); }

  JsonTree Claims() { return engine_.Inspect(R"({"objects":"ResourceClaim"})")["items"]; }
  JsonTree GetPod(const std::string& name) {
    return engine_.Inspect(R"({"objects":"Pod","name":")" + name + "\"}")["items"][0];
  }
  std::string NodeOf(const std::string& name) { return GetPod(name)["spec"]["nodeName"].text(); }

  Engine engine_{R"({"keepObjects":true})"};
};

TEST_F(SimulatedClaimsTest, CreatesClaimsFromTemplates) {
  const std::string pod = PodText{
      .name = "p", .spec = R"("resourceClaims":[{"name":"g","resourceClaimTemplateName":"t"}])"};
  engine_.Add({pod});
  engine_.Run();
  EXPECT_EQ(Claims().size(), 0u);
  engine_.Add({Template()});
  engine_.Run();
  engine_.Run();
  ASSERT_EQ(Claims().size(), 1u);
  JsonTree claim = Claims()[0];
  const std::string name = claim["metadata"]["name"].text();
  EXPECT_EQ(name.substr(0, 4), "p-g-");
  EXPECT_EQ(claim["metadata"]["labels"]["l"].text(), "1");
  EXPECT_EQ(claim["metadata"]["annotations"]["a"].text(), "2");
  EXPECT_EQ(claim["metadata"]["annotations"]["resource.kubernetes.io/pod-claim-name"].text(), "g");
  EXPECT_EQ(claim["metadata"]["ownerReferences"][0]["uid"].text(), "uid-p");
  EXPECT_EQ(claim["status"]["allocation"]["devices"]["results"][0]["device"].text(), "x");
  EXPECT_EQ(claim["status"]["reservedFor"][0]["uid"].text(), "uid-p");
  EXPECT_EQ(NodeOf("p"), "a");
  EXPECT_EQ(GetPod("p")["status"]["resourceClaimStatuses"][0]["resourceClaimName"].text(), name);
  engine_.Add({Event("DELETED", pod)});
  engine_.Run();
  EXPECT_EQ(Claims().size(), 0u);
}

TEST_F(SimulatedClaimsTest, DeallocatesAfterTheLastPod) {
  const std::string spec = R"("resourceClaims":[{"name":"g","resourceClaimName":"c"}])";
  const std::string p = PodText{.name = "p", .spec = spec};
  const std::string q = PodText{.name = "q", .spec = spec};
  engine_.Add({Claim(), p, q});
  engine_.Run();
  EXPECT_EQ(NodeOf("p"), "a");
  EXPECT_EQ(NodeOf("q"), "a");
  EXPECT_EQ(Claims()[0]["status"]["reservedFor"].size(), 2u);
  EXPECT_EQ(Claims()[0]["metadata"]["finalizers"].size(), 1u);
  engine_.Add({Event("DELETED", p)});
  engine_.Run();
  EXPECT_EQ(Claims()[0]["status"]["reservedFor"].size(), 1u);
  EXPECT_TRUE(Claims()[0]["status"]["allocation"].exists());
  engine_.Add(
      {Event("MODIFIED",
             PodText{.name = "q", .node = "a", .spec = spec, .status = R"("phase":"Succeeded")"})});
  engine_.Run();
  EXPECT_FALSE(Claims()[0]["status"]["reservedFor"].exists());
  EXPECT_FALSE(Claims()[0]["status"]["allocation"].exists());
  EXPECT_FALSE(Claims()[0]["metadata"]["finalizers"].exists());
}

TEST_F(SimulatedClaimsTest, CreatesClaimsForExtendedResources) {
  const std::string pod =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default",)"
      R"("uid":"uid-p"},"spec":{"schedulerName":"default-scheduler","containers":[{"name":"c",)"
      R"("resources":{"requests":{"example.com/gpu":"1"}}}]}})";
  engine_.Add({pod});
  engine_.Run();
  ASSERT_EQ(Claims().size(), 1u);
  const std::string name = Claims()[0]["metadata"]["name"].text();
  EXPECT_EQ(name.substr(0, 21), "p-extended-resources-");
  EXPECT_EQ(NodeOf("p"), "a");
  EXPECT_EQ(GetPod("p")["status"]["extendedResourceClaimStatus"]["resourceClaimName"].text(), name);
  engine_.Add({Event("DELETED", pod)});
  engine_.Run();
  EXPECT_EQ(Claims().size(), 0u);
}

TEST_F(SimulatedClaimsTest, LeavesClaimsToTheHostOnRequest) {
  Engine engine(R"({"keepObjects":true,"simulate":{"claims":false}})");
  engine.Add(
      {NodeText{"a"}, Template(),
       PodText{.name = "p",
               .spec = R"("resourceClaims":[{"name":"g","resourceClaimTemplateName":"t"}])"}});
  engine.Run();
  EXPECT_EQ(engine.Inspect(R"({"objects":"ResourceClaim"})")["items"].size(), 0u);
}

}  // namespace
}  // namespace stowage
