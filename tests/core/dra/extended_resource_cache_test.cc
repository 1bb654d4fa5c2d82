// Goal: the class that serves an extended resource, with the reference's quirks (spec
// plugins/dynamic-resources-extended "DeviceClass resolver").
#include "core/dra/extended_resource_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/support/from_json.h"

namespace stowage {
namespace {

DeviceClassRef Class(std::string_view name, std::string_view resource,
                     std::string_view created = "2026-03-01T12:00:00Z") {
  std::string json = R"({"metadata":{"name":")";
  json.append(name).append(R"(","creationTimestamp":")").append(created).append(R"("},"spec":{)");
  if (!resource.empty()) json.append(R"("extendedResourceName":")").append(resource).append("\"");
  return std::make_shared<const DeviceClass>(MakeDeviceClass(json + "}}"));
}

class ExtendedResourceCacheTest : public testing::Test {
 protected:
  std::string ClassOf(std::string_view resource) const {
    DeviceClassRef found = cache_.GetDeviceClass(Symbol(resource));
    return found == nullptr ? "none" : found->metadata.name.str();
  }
  std::string ImplicitOf(std::string_view name) const {
    return ClassOf("deviceclass.resource.kubernetes.io/" + std::string(name));
  }

  ExtendedResourceCache cache_;
};

TEST_F(ExtendedResourceCacheTest, HasImplicitAndExplicitNames) {
  EXPECT_TRUE(cache_.empty());
  DeviceClassRef gpu = Class("gpu", "example.com/gpu");
  cache_.Put(nullptr, gpu);
  EXPECT_EQ(ClassOf("example.com/gpu"), "gpu");
  EXPECT_EQ(ImplicitOf("gpu"), "gpu");
  cache_.Put(gpu, Class("gpu", "example.com/card"));
  EXPECT_EQ(ClassOf("example.com/gpu"), "none");
  EXPECT_EQ(ClassOf("example.com/card"), "gpu");
  cache_.Remove(*Class("gpu", "example.com/card"));
  EXPECT_TRUE(cache_.empty());
}

TEST_F(ExtendedResourceCacheTest, PrefersNewerClassesThenSmallerNames) {
  cache_.Put(nullptr, Class("m", "r"));
  cache_.Put(nullptr, Class("older", "r", "2026-03-01T11:00:00Z"));
  EXPECT_EQ(ClassOf("r"), "m");
  EXPECT_EQ(ImplicitOf("older"), "none");
  cache_.Put(nullptr, Class("z", "r"));
  EXPECT_EQ(ClassOf("r"), "m");
  cache_.Put(nullptr, Class("a", "r"));
  EXPECT_EQ(ClassOf("r"), "a");
  cache_.Put(nullptr, Class("z", "r", "2026-03-01T13:00:00Z"));
  EXPECT_EQ(ClassOf("r"), "z");
}

// An update of the class that holds the name counts as a lost tie.
TEST_F(ExtendedResourceCacheTest, KeepsTheOldObjectIfTheNameStays) {
  DeviceClassRef first = Class("gpu", "r");
  cache_.Put(nullptr, first);
  cache_.Put(first, Class("gpu", "r"));
  EXPECT_EQ(cache_.GetDeviceClass(Symbol("r")), first);
}

TEST_F(ExtendedResourceCacheTest, ForgetsTheNameOfAnotherClass) {
  cache_.Put(nullptr, Class("a", "r"));
  cache_.Put(nullptr, Class("b", "r"));
  cache_.Remove(*Class("b", "r"));
  EXPECT_EQ(ClassOf("r"), "none");
  EXPECT_EQ(ImplicitOf("a"), "a");
}

}  // namespace
}  // namespace stowage
