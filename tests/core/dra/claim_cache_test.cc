// Goal: the cache shows the newest state of a claim, and the devices in use are those of its claims
// (spec 02 §5, plugins/dynamic-resources "Shared state").
#include "core/dra/claim_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/from_json.h"

namespace stowage {
namespace {

ResourceClaimRef Claim(std::string_view version, std::string_view device = "",
                       std::string_view metadata = "") {
  std::string json = R"({"metadata":{"name":"c","namespace":"n","uid":"u","resourceVersion":")";
  json.append(version).append("\"").append(metadata).append("}");
  if (!device.empty()) {
    json.append(R"(,"status":{"allocation":{"devices":{"results":[{"driver":"d","pool":"p",)");
    json.append(R"("device":")").append(device).append(R"("}]}}})");
  }
  return std::make_shared<const ResourceClaim>(MakeResourceClaim(json + "}"));
}

const ObjectKey kKey{Symbol("n"), Symbol("c")};

class ClaimCacheTest : public testing::Test, private ClaimObserver {
 protected:
  ClaimCacheTest() { cache_.set_observer(this); }

  bool IsInUse(std::string_view device) const {
    return allocated_.Find({Symbol("d"), Symbol("p"), Symbol(device)}) != nullptr;
  }

  AllocatedDevices allocated_{true};
  ClaimCache cache_{allocated_};
  std::vector<std::string> changes_;

 private:
  void OnClaimChange(const ResourceClaimRef& old_claim,
                     const ResourceClaimRef& new_claim) override {
    changes_.push_back(old_claim->metadata.resource_version + ">" +
                       new_claim->metadata.resource_version);
  }
};

TEST_F(ClaimCacheTest, KeepsTheNewestVersion) {
  ResourceClaimRef first = Claim("2", "x");
  auto change = cache_.Put(first);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->old_claim, nullptr);
  EXPECT_TRUE(IsInUse("x"));
  EXPECT_FALSE(cache_.Put(Claim("2")).has_value());
  EXPECT_FALSE(cache_.Put(Claim("1")).has_value());
  EXPECT_EQ(cache_.Get(kKey), first);
  change = cache_.Put(Claim("3", "y"));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->old_claim, first);
  EXPECT_FALSE(IsInUse("x"));
  EXPECT_TRUE(IsInUse("y"));
  EXPECT_TRUE(cache_.Put(Claim("")).has_value());
  EXPECT_FALSE(IsInUse("y"));
  EXPECT_TRUE(cache_.Remove(kKey).has_value());
  EXPECT_FALSE(cache_.Remove(kKey).has_value());
  EXPECT_EQ(cache_.Get(kKey), nullptr);
  EXPECT_TRUE(changes_.empty());
}

TEST_F(ClaimCacheTest, AssumesNewerStates) {
  EXPECT_EQ(cache_.Assume(Claim("5")), "could not find ResourceClaim \"n/c\"");
  ResourceClaimRef stored = Claim("5");
  cache_.Put(stored);
  EXPECT_EQ(cache_.Assume(Claim("4", "x")),
            "ResourceClaim \"n/c\" is out of sync (stored: 5, assume: 4)");
  EXPECT_EQ(cache_.Assume(Claim("6", "x")), std::nullopt);
  EXPECT_TRUE(IsInUse("x"));
  EXPECT_FALSE(cache_.Put(Claim("6")).has_value());
  cache_.Restore(kKey);
  EXPECT_EQ(cache_.Get(kKey), stored);
  EXPECT_FALSE(IsInUse("x"));
  cache_.Restore(kKey);
  EXPECT_EQ(changes_, (std::vector<std::string>{"5>6", "6>5"}));
  cache_.Assume(Claim("6", "x"));
  EXPECT_TRUE(cache_.Remove(kKey).has_value());
  EXPECT_EQ(allocated_.size(), 0u);
}

TEST_F(ClaimCacheTest, FindsTheClaimsOfExtendedResources) {
  constexpr std::string_view kOwned =
      R"(,"annotations":{"resource.kubernetes.io/extended-resource-claim":"true"},
         "ownerReferences":[{"kind":"Pod","name":"p","uid":"pu","controller":true}])";
  cache_.Put(Claim("1", "", kOwned));
  EXPECT_NE(cache_.FindExtendedResourceClaim(Symbol("p"), Symbol("pu")), nullptr);
  EXPECT_EQ(cache_.FindExtendedResourceClaim(Symbol("q"), Symbol("pu")), nullptr);
  EXPECT_EQ(cache_.FindExtendedResourceClaim(Symbol("p"), Symbol("other")), nullptr);
  cache_.Put(Claim("2", "", R"(,"ownerReferences":[{"kind":"Pod","name":"p","uid":"pu",
      "controller":true}])"));
  EXPECT_EQ(cache_.FindExtendedResourceClaim(Symbol("p"), Symbol("pu")), nullptr);
}

}  // namespace
}  // namespace stowage
