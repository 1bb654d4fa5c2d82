// Goal: a claim and its text change together. Method: the changed text is decoded, and must give
// the changed claim.
#include "core/dra/claim_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/support/from_json.h"

namespace stowage {
namespace {

void ExpectSame(const ResourceClaim& claim) {
  ResourceClaimRef read = ClaimOfText(ClaimText(claim));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->status, claim.status);
  EXPECT_EQ(read->spec, claim.spec);
  EXPECT_EQ(read->metadata.finalizers, claim.metadata.finalizers);
}

constexpr std::string_view kAllocation = R"({"devices":{"results":[{"request":"a/b","driver":"d",
    "pool":"p","device":"x","adminAccess":true,"tolerations":[{"key":"k","operator":"Equal",
    "value":"v","effect":"NoSchedule","tolerationSeconds":5}],"bindingConditions":["c1"],
    "bindingFailureConditions":["c2"],"shareID":"s","consumedCapacity":{"m":"1Gi"}}],
    "config":[{"source":"FromClass","requests":["a"],"opaque":{"driver":"d",
    "parameters":{"z":1,"a":[2.50]}}},{"source":"FromClaim"}]},
    "nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",
    "values":["n"]}]},{"matchExpressions":[{"key":"z","operator":"Exists"}]}]},
    "allocationTimestamp":"2026-03-01T12:00:00Z"})";

ResourceClaim WithAllocation() {
  std::string json = R"({"metadata":{"name":"c","namespace":"n","uid":"u"},"extra":[1],"status":{)";
  json.append(R"("devices":[{"driver":"d","pool":"p","device":"x","data":{"y":1}}],"allocation":)");
  return MakeResourceClaim(json.append(kAllocation).append("}}"));
}

TEST(ClaimText, WritesAllocations) {
  ResourceClaim claim = WithAllocation();
  Shared<AllocationResult> allocation = claim.status.allocation;
  SetAllocation(std::nullopt, &claim);
  EXPECT_EQ(ClaimText(claim).find("allocation"), std::string::npos);
  ExpectSame(claim);
  SetAllocation(allocation, &claim);
  ExpectSame(claim);
  EXPECT_EQ(claim.status.allocation, allocation);
  EXPECT_NE(ClaimText(claim).find(R"({"z":1,"a":[2.50]})"), std::string::npos);
  EXPECT_NE(ClaimText(claim).find(R"("data":{"y":1})"), std::string::npos);
  EXPECT_NE(ClaimText(claim).find(R"("extra":[1])"), std::string::npos);
  std::string text;
  JsonWriter json(&text);
  WriteAllocation(*allocation, false, &json);
  EXPECT_EQ(text.find("allocationTimestamp"), std::string::npos);
}

TEST(ClaimText, ChangesFinalizersAndReservations) {
  ResourceClaim claim = WithAllocation();
  EXPECT_FALSE(HasFinalizer(claim));
  SetFinalizer(true, &claim);
  SetFinalizer(true, &claim);
  EXPECT_EQ(claim.metadata.finalizers.size(), 1u);
  ExpectSame(claim);
  AddReservation({Symbol(), Symbol("pods"), Symbol("p"), Symbol("1")}, &claim);
  AddReservation({Symbol("g"), Symbol("groups"), Symbol("q"), Symbol("2")}, &claim);
  EXPECT_TRUE(IsReservedFor(claim, Symbol("1")));
  EXPECT_FALSE(IsReservedFor(claim, Symbol("3")));
  ExpectSame(claim);
  RemoveReservation(Symbol("1"), &claim);
  EXPECT_FALSE(IsReservedFor(claim, Symbol("1")));
  ExpectSame(claim);
  SetFinalizer(false, &claim);
  ExpectSame(claim);
  Deallocate(&claim);
  EXPECT_EQ(claim.status, ResourceClaimStatus());
  ExpectSame(claim);
}

TEST(ClaimText, NamesItsKind) {
  std::string text = ClaimText(WithAllocation());
  EXPECT_NE(text.find(R"("kind":"ResourceClaim")"), std::string::npos);
  EXPECT_NE(text.find(R"("apiVersion":"resource.k8s.io/v1")"), std::string::npos);
  EXPECT_EQ(ClaimOfText(""), nullptr);
  EXPECT_EQ(ClaimOfText("{}"), nullptr);
}

}  // namespace
}  // namespace stowage
