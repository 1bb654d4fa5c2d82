// Goal: what the allocator cannot do is an error with kube-scheduler's words, or concerns this node
// only (spec plugins/dynamic-resources-allocator "Validation of requests").
#include <gtest/gtest.h>

#include <string>

#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

class AllocatorErrors : public AllocatorFixture {
 protected:
  AllocatorErrors() { AddSlice("s", {.devices = Plain("a b")}); }
};

TEST_F(AllocatorErrors, OfInvalidRequests) {
  auto request = [](std::string_view fields) {
    return R"({"name":"r","exactly":{)" + std::string(fields) + "}}";
  };
  struct {
    std::string requests;
    std::string want;
  } cases[] = {
      {R"({"name":"r"})", "r: missing device class name (unsupported request type?)"},
      {request(R"("allocationMode":"All")"),
       "r: missing device class name (unsupported request type?)"},
      {request(R"("deviceClassName":"x")"),
       R"(r: could not retrieve device class x: deviceclass.resource.k8s.io "x" not found)"},
      {request(R"("deviceClassName":"c","allocationMode":"Some")"),
       "r: unsupported count mode Some"},
      {request(R"("deviceClassName":"c","selectors":[{}])"),
       "r, selector #0: CEL expression empty (unsupported selector type?)"},
      {Exactly("a") + "," + FirstAvailable("f", Sub("ok") + "," + Sub("bad", 1, R"(,"selectors":[
          {"cel":{"expression":"true"}},{}])")),
       "bad, selector #1: CEL expression empty (unsupported selector type?)"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Allocate(c.requests), "error: claim ns/claim, request " + c.want) << c.requests;
  }
}

TEST_F(AllocatorErrors, OfUnknownConstraints) {
  EXPECT_EQ(
      Allocate(Exactly("r"), R"(,"constraints":[{"matchAttribute":"d/x"},{}])"),
      "error: claim ns/claim, constraint #1: empty constraint (unsupported constraint type?)");
}

TEST_F(AllocatorErrors, ComeInTheOrderOfClaims) {
  ResourceClaimRef many = Claim(Exactly("r", 40), R"(,"constraints":[{}])", "many");
  ResourceClaimRef bad = Claim(R"({"name":"r"})", "", "bad");
  EXPECT_EQ(Allocate({many, bad}),
            "error: claim ns/many: number of requested devices 40 exceeds the claim limit of 32");
  EXPECT_EQ(Allocate({bad, many}).substr(0, 20), "error: claim ns/bad,");
  EXPECT_EQ(
      Allocate({Claim(Exactly("r", 1), R"(,"constraints":[{}])", "empty"), bad}).substr(0, 22),
      "error: claim ns/empty,");
}

TEST_F(AllocatorErrors, OfGates) {
  features_.admin_access = false;
  EXPECT_EQ(Allocate(Exactly("r", 1, R"(,"adminAccess":false)")),
            "error: claim ns/claim, request r: admin access is requested, but the feature is "
            "disabled");
  EXPECT_EQ(Allocate(Exactly("r")), "r=p/a");
  features_.prioritized_list = false;
  EXPECT_EQ(Allocate(FirstAvailable("r", Sub("s"))),
            "error: claim ns/claim, request r: has subrequests, but the DRAPrioritizedList feature "
            "is disabled");
}

TEST_F(AllocatorErrors, OfExpressions) {
  EXPECT_EQ(Allocate(Exactly("r", 1, Selector("fault"))),
            "error: claim ns/claim: selector #0: CEL runtime error: fault");
  EXPECT_EQ(Allocate(All("r", Selector("fault"))),
            "error: claim ns/claim: selector #0: CEL runtime error: fault");
  AddClass("c", R"({"selectors":[{"cel":{"expression":"true"}},{"cel":{"expression":"fault"}}]})");
  EXPECT_EQ(Allocate(Exactly("r")), "error: class c: selector #1: CEL runtime error: fault");
  // A selector that comes first and is false prevents the evaluation.
  EXPECT_EQ(Allocate(Exactly("r", 1, Selector("fault"))).substr(0, 14), "error: class c");
  AddClass("c", R"({"selectors":[{"cel":{"expression":"false"}}]})");
  EXPECT_EQ(Allocate(Exactly("r", 1, Selector("fault"))), "none");
  // Nor does a device that is in use need it.
  AddClass("c", "{}");
  SetAllocated("p", "a");
  SetAllocated("p", "b");
  EXPECT_EQ(Allocate(Exactly("r", 1, Selector("fault"))), "none");
}

TEST_F(AllocatorErrors, OfIncompletePoolsConcernAllDevicesOnly) {
  AddSlice("t", {.pool = "q", .devices = Plain("c"), .count = 2});
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=p/a r=p/b");
  EXPECT_EQ(Allocate(Exactly("r", 3)), "none");
  EXPECT_EQ(Allocate(All("r")),
            "error: claim ns/claim, request r: asks for all devices, but resource pool d/q is "
            "currently being updated");
  EXPECT_EQ(Allocate(FirstAvailable("f", Sub("one") + "," + R"({"name":"all","deviceClassName":"c",
                                                               "allocationMode":"All"})")),
            "error: claim ns/claim, request all: asks for all devices, but resource pool d/q is "
            "currently being updated");
}

TEST_F(AllocatorErrors, OfInvalidPools) {
  AddSlice("t", {.pool = "q", .devices = Plain("c c")});
  EXPECT_EQ(Allocate(Exactly("r", 2)), "r=p/a r=p/b");
  EXPECT_EQ(Allocate(Exactly("r", 3)), "node: invalid resource pools were encountered");
  node_.metadata.name = Symbol("other");
  EXPECT_EQ(Allocate(Exactly("r")), "none");
}

TEST_F(AllocatorErrors, OfNodeSelectors) {
  AddSlice("t", {.pool = "q", .nodes = R"("nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[
                     {"key":"k","operator":"Bad"}]}]})"});
  EXPECT_EQ(
      Allocate(Exactly("r")).substr(0, 90),
      "error: gather pool information: failed to perform node selection for slice t: failed to pa");
}

}  // namespace
}  // namespace stowage
